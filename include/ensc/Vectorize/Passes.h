//===- Passes.h - Passes of the phase Vectorize -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_VECTORIZE_PASSES_H
#define ENSC_VECTORIZE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ensc {

#define GEN_PASS_DECL
#include "ensc/Vectorize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ensc/Vectorize/Passes.h.inc"

} // namespace ensc

#endif // ENSC_VECTORIZE_PASSES_H
