//===- AskTell.cpp - A peer at standard input and output ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskTell.h"

#include "ensc/Artifact/InputFile.h"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>

using namespace ensc;

tool::StandardChannel::StandardChannel(const std::atomic<bool> *interrupt)
    : interrupt(interrupt) {
  // A peer that is gone is an error of write(), not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
}

Expected<bool> tool::StandardChannel::fill() {
  constexpr int pollMilliseconds = 100;
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  while (true) {
    if (interrupt && *interrupt)
      return Error(ErrorKind::Interrupted,
                   "interrupted; the same command goes on from here");
    int ready = ::poll(&input, 1, pollMilliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR))
      continue;
    char bytes[65536];
    ssize_t count = ready < 0 ? -1 : ::read(STDIN_FILENO, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return Error(ErrorKind::Io,
                   "cannot read standard input: " + describeErrno(errno));
    buffer.append(bytes, static_cast<size_t>(count));
    return count > 0;
  }
}

Expected<std::optional<std::string>> tool::StandardChannel::read() {
  constexpr size_t longestLine = size_t(1) << 20;
  size_t searched = 0;
  while (true) {
    size_t end = buffer.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      return std::optional<std::string>(std::move(line));
    }
    searched = buffer.size();
    if (searched > longestLine)
      return Error(ErrorKind::InvalidData,
                   "standard input has a line of more than a megabyte");
    Expected<bool> hasMore = fill();
    if (!hasMore)
      return hasMore.error();
    // A torn last line was not meant to be read.
    if (!*hasMore)
      return std::optional<std::string>();
  }
}

Status tool::StandardChannel::write(const std::string &line) {
  std::string text = line + '\n';
  for (size_t written = 0; written < text.size();) {
    ssize_t count =
        ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EPIPE)
      return Error(ErrorKind::Interrupted,
                   "the other side left; the same command goes on from here");
    if (count < 0)
      return Error(ErrorKind::Io,
                   "cannot write to standard output: " + describeErrno(errno));
    written += static_cast<size_t>(count);
  }
  return Status::success();
}
