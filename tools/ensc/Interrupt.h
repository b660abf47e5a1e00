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

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_INTERRUPT_H
