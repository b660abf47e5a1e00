//===- Explain.h - Kernels for a CPU, for people ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_EXPLAIN_H
#define ENSC_LOWER_CPU_EXPLAIN_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/raw_ostream.h"

namespace ensc {

/// Says of each kernel of a module after Lower in which register tiles its
/// contractions are calculated, in the order of the phases, and about how many
/// cycles a step takes if its data is in the cache.
void explainKernels(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace ensc

#endif // ENSC_LOWER_CPU_EXPLAIN_H
