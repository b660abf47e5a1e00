//===- Passes.h - Passes of the phase Expand --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPAND_PASSES_H
#define ENSC_EXPAND_PASSES_H

#include "ensc/Dialect/Ens/IR/EnsDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace ensc {

#define GEN_PASS_DECL
#include "ensc/Expand/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ensc/Expand/Passes.h.inc"

} // namespace ensc

#endif // ENSC_EXPAND_PASSES_H
