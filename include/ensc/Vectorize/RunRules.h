//===- RunRules.h - One op for several runs ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_VECTORIZE_RUNRULES_H
#define ENSC_VECTORIZE_RUNRULES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ensc {

/// Attaches the run rule (`RunVectorizableOpInterface`) of every core op that
/// has operands or is a source of difference between runs.
void registerRunRules(mlir::DialectRegistry &registry);

/// The type of a value of `type` for `runs` runs: a tensor with one more
/// leading dimension; for a scalar, a tensor of rank 1.
mlir::RankedTensorType typeForRuns(mlir::Type type, int64_t runs);

/// `uniform`, a tensor or a scalar, once for each run.
mlir::Value bringToRuns(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value uniform, int64_t runs);

} // namespace ensc

#endif // ENSC_VECTORIZE_RUNRULES_H
