//===- IndexDivision.h - Quotients that a program asks for ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_INDEXDIVISION_H
#define ENSC_LIB_LOWER_CPU_INDEXDIVISION_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ensc::cpu {

/// Whether the op is one of `arith` that divides, however it rounds, or gives a
/// remainder.
bool isIndexDivision(mlir::Operation *op);

/// Emits such an op on i64, or vectors of i64, for any operands: docs/Numerics
/// defines division by zero and of the least integer by -1.
mlir::Value emitIndexDivision(mlir::ImplicitLocOpBuilder &builder,
                              mlir::Operation *op, mlir::Value dividend,
                              mlir::Value divisor);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_INDEXDIVISION_H
