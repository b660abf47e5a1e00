//===- Explain.h - A phase program for people -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SCHEDULE_EXPLAIN_H
#define ENSC_SCHEDULE_EXPLAIN_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/raw_ostream.h"

namespace ensc {

/// Says of each entry of a module after Schedule which arguments are shared and
/// which are per run, how much memory a group needs, and in which phases its
/// work is done, with their extents, loops around them and buffers.
void explainPhases(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace ensc

#endif // ENSC_SCHEDULE_EXPLAIN_H
