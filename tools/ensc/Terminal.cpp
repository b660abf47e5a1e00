//===- Terminal.cpp - Drawing on a terminal -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terminal.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace ensc;

static void writeAll(int descriptor, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t wrote = ::write(descriptor, text.data() + done, text.size() - done);
    if (wrote > 0)
      done += static_cast<size_t>(wrote);
    else if (errno != EINTR)
      return; // The terminal has gone; so will this process.
  }
}

bool tool::canRedraw(int descriptor) {
  const char *kind = std::getenv("TERM");
  return ::isatty(descriptor) && kind && *kind &&
         std::strcmp(kind, "dumb") != 0;
}

ViewStyle tool::styleOf(int descriptor) {
  ViewStyle style;
  const char *noColour = std::getenv("NO_COLOR");
  style.colour = canRedraw(descriptor) && !(noColour && *noColour);
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    style.width = 100;
    style.height = 40;
    return style;
  }
  style.width = size.ws_col;
  style.height = size.ws_row;
  return style;
}

TableStyle tool::tableStyle(std::vector<std::string> keep) {
  TableStyle style;
  style.keep = std::move(keep);
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  return style;
}

//===----------------------------------------------------------------------===//
// Lines at the end
//===----------------------------------------------------------------------===//

/// What is written to standard error, by one thread at a time.
static std::mutex errorMutex;
static size_t liveLines = 0; ///< Above the cursor.

/// Removes the live lines, in the same write as what comes in their place.
static std::string takeBack(const char *rest) {
  std::string text;
  if (liveLines > 0)
    text = "\033[" + std::to_string(liveLines) + "A" + rest;
  liveLines = 0;
  return text;
}

void tool::LiveLines::draw(const std::vector<std::string> &lines) {
  std::lock_guard<std::mutex> lock(errorMutex);
  // One write, so that nothing is seen half drawn; lines do not wrap.
  std::string text = "\033[?7l" + takeBack("");
  for (const std::string &line : lines)
    text += "\r" + line + "\033[K\n";
  writeAll(STDERR_FILENO, text + "\033[J\033[?7h");
  liveLines = lines.size();
}

void tool::LiveLines::clear() {
  std::lock_guard<std::mutex> lock(errorMutex);
  writeAll(STDERR_FILENO, takeBack("\r\033[J"));
}

void tool::printMessage(const std::string &line) {
  std::lock_guard<std::mutex> lock(errorMutex);
  writeAll(STDERR_FILENO, takeBack("\r\033[J") + line + "\n");
}

//===----------------------------------------------------------------------===//
// The whole screen
//===----------------------------------------------------------------------===//

static volatile std::sig_atomic_t endRequested = 0;

static void requestEnd(int) { endRequested = 1; }
static void wakeUp(int) {}

/// Signals end poll(), which a handler set with SA_RESTART might not.
static void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  ::sigaction(signal, &action, nullptr);
}

tool::FullScreen::FullScreen(int input, int output)
    : input(input), output(output) {
  ::tcgetattr(input, &before);
  termios raw = before;
  // Control-C and Control-Z arrive as keys: neither leaves a broken terminal.
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG);
  ::tcsetattr(input, TCSANOW, &raw);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    handle(signal, requestEnd);
  handle(SIGWINCH, wakeUp);
  writeAll(output, "\033[?1049h\033[?25l");
}

tool::FullScreen::~FullScreen() {
  writeAll(output, "\033[?25h\033[?1049l");
  ::tcsetattr(input, TCSANOW, &before);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH})
    handle(signal, SIG_DFL);
}

void tool::FullScreen::draw(const std::vector<std::string> &lines) {
  std::string text = "\033[?7l\033[H";
  for (size_t i = 0; i < lines.size(); ++i)
    text += (i ? "\r\n" : "") + lines[i] + "\033[K";
  writeAll(output, text + "\033[J\033[?7h");
}

tool::FullScreen::Input tool::FullScreen::readKeys() {
  char keys[64];
  ssize_t count = ::read(input, keys, sizeof(keys));
  // The end of the input: nobody is there any more.
  if (count == 0)
    return Input::Quit;
  for (ssize_t i = 0; i < count; ++i) {
    if (keys[i] == 'q' || keys[i] == 'Q')
      return Input::Quit;
    if (keys[i] == '\x03')
      return Input::Interrupt;
  }
  return Input::None;
}

tool::FullScreen::Input tool::FullScreen::wait(double seconds) {
  if (endRequested)
    return Input::Interrupt;
  pollfd key = {input, POLLIN, 0};
  int ready = ::poll(&key, 1, static_cast<int>(seconds * 1000));
  if (endRequested)
    return Input::Interrupt;
  return ready > 0 ? readKeys() : Input::None;
}
