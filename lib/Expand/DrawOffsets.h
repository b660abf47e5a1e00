//===- DrawOffsets.h - Numbers of their own for each iteration --*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPAND_DRAWOFFSETS_H
#define ENSC_LIB_EXPAND_DRAWOFFSETS_H

#include "mlir/IR/BuiltinOps.h"

namespace ensc {

/// The function that a derivative op, an `ens.custom_grad` or an `ens.ensemble`
/// applies; null for other ops.
mlir::FlatSymbolRefAttr appliedFunction(mlir::Operation *op);

/// Of a `func.call` inside a loop: it draws other numbers in each iteration, as
/// the ops above do. Gone once draws have offsets.
inline constexpr llvm::StringLiteral drawsAnewAttr = "ens.draws_anew";

/// Gives each draw inside loops the number of its iteration as an offset,
/// unless it has an offset. A function that is applied inside a loop draws from
/// there: the op applies a copy of it that takes the number as a further
/// argument. Those of `batchEntries` that draw take the number of the batch
/// that they are called for, and draw from there. The random ops have sites.
mlir::LogicalResult addDrawOffsets(mlir::ModuleOp module,
                                   llvm::ArrayRef<std::string> batchEntries);

} // namespace ensc

#endif // ENSC_LIB_EXPAND_DRAWOFFSETS_H
