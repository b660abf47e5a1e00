//===- MathEmitter.h - Math functions as MLIR -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the functions of docs/Numerics.md from `arith`, `math.fma`,
// `math.sqrt` and `math.floor`, step by step as written there, so that compiled
// code gives the bits of the interpreter and calls no library. Operands are f32
// or f64, scalars or 1-D vectors; the result has the type of the operand.
// Nothing branches: every lane of a vector does the same.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_MATHEMITTER_H
#define ENSC_LOWER_CPU_MATHEMITTER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>

namespace ensc {

mlir::Value emitExp(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitExpm1(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitLog(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitLog1p(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitSqrt(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitRsqrt(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitTanh(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitLogistic(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitErf(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitErfInv(mlir::ImplicitLocOpBuilder &builder, mlir::Value y);
mlir::Value emitSin(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitCos(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitFloor(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
mlir::Value emitPow(mlir::ImplicitLocOpBuilder &builder, mlir::Value x,
                    mlir::Value y);

/// IEEE 754-2019 maximum and minimum of floats.
mlir::Value emitMaximum(mlir::ImplicitLocOpBuilder &builder, mlir::Value a,
                        mlir::Value b);
mlir::Value emitMinimum(mlir::ImplicitLocOpBuilder &builder, mlir::Value a,
                        mlir::Value b);

/// The float x with any NaN replaced by the canonical one, as needed where a
/// value leaves a program.
mlir::Value emitCanonicalNaN(mlir::ImplicitLocOpBuilder &builder,
                             mlir::Value x);

/// `ens.convert`. `from` and `to` are element types of `ens`, where ui32 is not
/// i32; x and the result have their signless counterparts.
mlir::Value emitConvert(mlir::ImplicitLocOpBuilder &builder, mlir::Value x,
                        mlir::Type from, mlir::Type to);

/// The four words of one block of Philox4x32-10; all values are i32, scalars or
/// vectors of one size.
std::array<mlir::Value, 4> emitPhilox(mlir::ImplicitLocOpBuilder &builder,
                                      std::array<mlir::Value, 4> counter,
                                      std::array<mlir::Value, 2> key);

} // namespace ensc

#endif // ENSC_LOWER_CPU_MATHEMITTER_H
