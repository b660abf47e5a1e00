//===- RunVectorizer.h - A block of one run for several ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_VECTORIZE_RUNVECTORIZER_H
#define ENSC_VECTORIZE_RUNVECTORIZER_H

#include "ensc/Vectorize/RunVarianceAnalysis.h"

#include "mlir/IR/IRMapping.h"

namespace ensc {

/// Emits the ops of a function of one run for `runs` runs. Uniform ops are
/// copied, varying ones go through their run rules; loops and branches with
/// uniform control are kept, a branch on a varying predicate becomes both of
/// its sides and a select.
class RunVectorizer {
public:
  RunVectorizer(const RunVarianceAnalysis &variance, int64_t runs)
      : variance(variance), runs(runs) {}

  /// Emits all of `block` but its terminator. `mapping` gives the value that
  /// stands for each one used: led by the runs if and only if it is varying.
  /// What is emitted is added to `mapping`. Fails with a diagnostic at an op
  /// that cannot be given for several runs.
  llvm::LogicalResult vectorizeBlock(mlir::OpBuilder &builder,
                                     mlir::Block &block,
                                     mlir::IRMapping &mapping);

  /// What stands for `value` of one run, led by the runs.
  mlir::Value lookupVarying(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, const mlir::IRMapping &mapping);

private:
  llvm::LogicalResult vectorizeOp(mlir::OpBuilder &builder, mlir::Operation &op,
                                  mlir::IRMapping &mapping);
  llvm::LogicalResult vectorizeByRule(mlir::OpBuilder &builder,
                                      mlir::Operation &op,
                                      mlir::IRMapping &mapping);
  llvm::LogicalResult vectorizeFor(mlir::OpBuilder &builder,
                                   mlir::scf::ForOp loop,
                                   mlir::IRMapping &mapping);
  llvm::LogicalResult vectorizeIf(mlir::OpBuilder &builder,
                                  mlir::scf::IfOp branch,
                                  mlir::IRMapping &mapping);
  llvm::LogicalResult selectBranch(mlir::OpBuilder &builder,
                                   mlir::scf::IfOp branch,
                                   mlir::IRMapping &mapping);
  llvm::LogicalResult selectPerRun(mlir::OpBuilder &builder,
                                   mlir::OpResult result, mlir::Value condition,
                                   mlir::Value onTrue, mlir::Value onFalse,
                                   mlir::IRMapping &mapping);
  llvm::SmallVector<mlir::Value> lookupAll(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           mlir::ValueRange values,
                                           mlir::ValueRange variedLike,
                                           const mlir::IRMapping &mapping);

  const RunVarianceAnalysis &variance;
  int64_t runs;
};

} // namespace ensc

#endif // ENSC_VECTORIZE_RUNVECTORIZER_H
