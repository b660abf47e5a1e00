//===- Terminal.h - Drawing on a terminal --------------------- -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TERMINAL_H
#define ENSC_TOOLS_ENSC_TERMINAL_H

#include "ensc/Report/TextView.h"

#include <csignal>
#include <string>
#include <vector>

#include <termios.h>

namespace ensc::tool {

/// Size and colours of the terminal at a descriptor; 100 columns where it is
/// none. NO_COLOR and TERM=dumb switch colours off.
ViewStyle styleOf(int descriptor);

/// Lines at the end of a terminal's output that each drawing replaces.
class LiveLines {
public:
  explicit LiveLines(int descriptor) : descriptor(descriptor) {}
  ~LiveLines() { clear(); }
  LiveLines(const LiveLines &) = delete;
  LiveLines &operator=(const LiveLines &) = delete;

  /// There must be fewer lines than the terminal has.
  void draw(const std::vector<std::string> &lines);
  void clear();

private:
  int descriptor;
  size_t drawn = 0; ///< Lines above the cursor.
};

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
