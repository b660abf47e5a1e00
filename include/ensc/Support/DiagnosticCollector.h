//===- DiagnosticCollector.h - Diagnostics as text --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SUPPORT_DIAGNOSTICCOLLECTOR_H
#define ENSC_SUPPORT_DIAGNOSTICCOLLECTOR_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace ensc {

/// Collects what is reported in a context while it lives, as lines
/// `file:line:column: error: message` with notes below, and prints nothing.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  /// Everything so far, without a final newline. Never empty: a failure without
  /// a diagnostic is a bug, and the text says so.
  std::string text() const;

private:
  std::string lines;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace ensc

#endif // ENSC_SUPPORT_DIAGNOSTICCOLLECTOR_H
