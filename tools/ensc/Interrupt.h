//===- Interrupt.h - Ctrl-C while training ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_INTERRUPT_H
#define ENSC_TOOLS_ENSC_INTERRUPT_H

#include <atomic>

namespace ensc::tool {

/// The exit code of a command that was interrupted, that has lost nothing, and
/// that goes on when it is repeated (EX_TEMPFAIL of sysexits.h).
inline constexpr int interruptedCode = 75;

/// While it lives, the first SIGINT, SIGTERM or SIGHUP sets the flag; the
/// second ends the process at once.
class InterruptHandler {
public:
  InterruptHandler();
  ~InterruptHandler();
  InterruptHandler(const InterruptHandler &) = delete;
  InterruptHandler &operator=(const InterruptHandler &) = delete;

  static const std::atomic<bool> &flag();
};

/// While it lives, the first signal is not told at once, for that would be
/// drawn over; it is told where look() is called, or in the end. One object at
/// a time.
class InterruptNotice {
public:
  InterruptNotice();
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice &) = delete;
  InterruptNotice &operator=(const InterruptNotice &) = delete;

  /// Tells of a signal that came, once.
  static void look();
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_INTERRUPT_H
