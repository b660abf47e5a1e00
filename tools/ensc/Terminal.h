//===- Terminal.h - Drawing on a terminal --------------------- -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TERMINAL_H
#define ENSC_TOOLS_ENSC_TERMINAL_H

#include "ensc/Report/Text.h"
#include "ensc/Report/TextView.h"

#include <csignal>
#include <string>
#include <vector>

#include <termios.h>

namespace ensc::tool {

/// Size and colours of the terminal at a descriptor; 100 columns where it is
/// none. NO_COLOR and TERM=dumb switch colours off.
ViewStyle styleOf(int descriptor);

/// Whether a descriptor is a terminal where lines can be drawn anew: not one
/// that TERM calls dumb.
bool canRedraw(int descriptor);

/// How wide a table on standard output may be: as the terminal, or as it likes
/// where there is none. `keep` are headings as of TableStyle.
TableStyle tableStyle(std::vector<std::string> keep = {});

/// Lines at the end of standard error, a terminal, that each drawing replaces.
/// One object at a time.
class LiveLines {
public:
  LiveLines() = default;
  ~LiveLines() { clear(); }
  LiveLines(const LiveLines &) = delete;
  LiveLines &operator=(const LiveLines &) = delete;

  /// There must be fewer lines than the terminal has.
  void draw(const std::vector<std::string> &lines);
  void clear();
};

/// Prints a line on standard error, above the live lines. While those may be
/// drawn by another thread nothing else must be written there.
void printMessage(const std::string &line);

/// The whole of a terminal, without echo, until it is destroyed. Then the
/// terminal is as it was, also where a signal asked the program to end.
class FullScreen {
public:
  /// What the user, or a signal, asked for.
  enum class Input { None, Quit, Interrupt };

  /// Both descriptors must be terminals.
  FullScreen(int input, int output);
  ~FullScreen();
  FullScreen(const FullScreen &) = delete;
  FullScreen &operator=(const FullScreen &) = delete;

  void draw(const std::vector<std::string> &lines);

  /// Waits for a key, a signal or a new size of the terminal.
  Input wait(double seconds);

private:
  Input readKeys();

  int input, output;
  termios before;
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_TERMINAL_H
