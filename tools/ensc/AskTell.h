//===- AskTell.h - A peer at standard input and output ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_ASKTELL_H
#define ENSC_TOOLS_ENSC_ASKTELL_H

#include "ensc/AskTell/AskTell.h"

#include <atomic>

namespace ensc::tool {

/// The peer that wrote to standard input and reads standard output.
class StandardChannel : public LineChannel {
public:
  /// Where `interrupt` becomes true, waiting for a line ends with
  /// ErrorKind::Interrupted. May be null.
  explicit StandardChannel(const std::atomic<bool> *interrupt);

  Expected<std::optional<std::string>> read() override;
  Status write(const std::string &line) override;

private:
  /// Waits for more input; false at its end.
  Expected<bool> fill();

  const std::atomic<bool> *interrupt;
  std::string buffer; ///< Read, but not given yet.
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_ASKTELL_H
