//===- Interrupt.cpp - Ctrl-C while training ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"

#include "Terminal.h"

#include <csignal>
#include <string>
#include <unistd.h>

using namespace ensc;

static std::atomic<bool> interrupted{false};
/// What asks a process to end, a closed terminal included.
static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may set it");

/// Only what signal handlers may do.
static std::atomic<bool> isTold{false};
static std::atomic<bool> isDeferred{false};

/// Begins below the ^C that a terminal shows.
static constexpr char notice[] =
    "\nensc: stopping at a checkpoint; once more leaves at once\n";

static void handle(int signal) {
  if (interrupted.exchange(true))
    ::_exit(128 + signal);
  if (isDeferred || isTold.exchange(true))
    return;
  [[maybe_unused]] ssize_t written =
      ::write(STDERR_FILENO, notice, sizeof(notice) - 1);
}

tool::InterruptHandler::InterruptHandler() {
  struct sigaction action = {};
  action.sa_handler = handle;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (int signal : signals)
    ::sigaction(signal, &action, nullptr);
}

tool::InterruptHandler::~InterruptHandler() {
  for (int signal : signals)
    std::signal(signal, SIG_DFL);
}

const std::atomic<bool> &tool::InterruptHandler::flag() { return interrupted; }

tool::InterruptNotice::InterruptNotice() { isDeferred = true; }

tool::InterruptNotice::~InterruptNotice() {
  isDeferred = false;
  look();
}

void tool::InterruptNotice::look() {
  if (interrupted && !isTold.exchange(true))
    printMessage(std::string(notice + 1, sizeof(notice) - 3));
}
