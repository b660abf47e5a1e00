//===- TripCount.h - How many iterations a loop has -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_TRIPCOUNT_H
#define ENSC_DIALECT_ENS_IR_TRIPCOUNT_H

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringRef.h"

namespace ensc::ens {

/// Emits how many iterations a loop has that counts from `begin` in steps of
/// `step`, which is positive, as long as it is below `end`. All are of one type
/// of integers; no bounds are too far apart.
mlir::Value emitTripCount(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value begin, mlir::Value end, mlir::Value step);

/// What to write instead of an `scf.while`, which the interpreter alone runs.
inline constexpr llvm::StringLiteral boundedLoopAdvice =
    "write an scf.for with as many iterations as there can be, and in it an "
    "scf.if that passes the values on once it is over";

} // namespace ensc::ens

#endif // ENSC_DIALECT_ENS_IR_TRIPCOUNT_H
