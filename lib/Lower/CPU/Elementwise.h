//===- Elementwise.h - Elementwise ops on scalars and vectors ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_ELEMENTWISE_H
#define ENSC_LIB_LOWER_CPU_ELEMENTWISE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ensc::cpu {

/// Emits the elementwise op `op` of `ens`, or a select or logical op of
/// `arith`, on `operands`: all scalars, or all vectors of one length, of the
/// signless counterparts of the op's element types. Null if there is no such
/// emission.
mlir::Value emitElementwise(mlir::ImplicitLocOpBuilder &builder,
                            mlir::Operation *op, mlir::ValueRange operands);

/// The signless counterpart of an element type.
mlir::Type signlessOf(mlir::Type element);

/// `element`, or with a width of more than 1 a vector of it.
mlir::Type typeOfWidth(mlir::Type element, int64_t width);

/// A constant of a scalar or vector type that holds `value` in each lane.
mlir::Value emitSplat(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                      mlir::TypedAttr value);

/// The greater (or lesser) of two numbers of the element type `element`.
mlir::Value emitExtreme(mlir::ImplicitLocOpBuilder &builder, mlir::Type element,
                        bool greatest, mlir::Value a, mlir::Value b);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_ELEMENTWISE_H
