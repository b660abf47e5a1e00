//===- RunVarianceAnalysis.h - What differs between runs --------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_VECTORIZE_RUNVARIANCEANALYSIS_H
#define ENSC_VECTORIZE_RUNVARIANCEANALYSIS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace ensc {

/// Which values of a function are uniform, that is equal in all runs, and which
/// are varying. A value varies if it is computed from one that does, or if a
/// varying predicate decides which value it is. What a loop carries but yields
/// unchanged stays uniform, however often each run goes around.
///
/// Sources are `ens.run_id`, broadcasts to `runs`, and arguments. It holds for
/// the program of one run as well as for its lanes instance, where the varying
/// values are those that lead with the lanes.
class RunVarianceAnalysis {
public:
  /// Varying are the arguments that carry `ens.per_run`.
  explicit RunVarianceAnalysis(mlir::func::FuncOp function);

  /// Varying are the arguments whose bit is set.
  RunVarianceAnalysis(mlir::func::FuncOp function,
                      const llvm::BitVector &varyingArguments);

  bool isVarying(mlir::Value value) const { return varying.contains(value); }

  /// One bit per operand of `op`.
  llvm::BitVector varyingOperands(mlir::Operation *op) const;

private:
  void run(mlir::func::FuncOp function);
  void visitBlock(mlir::Block &block);
  void visitFor(mlir::scf::ForOp loop);
  void visitIf(mlir::scf::IfOp branch);
  void visitWhile(mlir::scf::WhileOp loop);
  void visitOther(mlir::Operation *op);
  void mark(mlir::Value value);

  llvm::DenseSet<mlir::Value> varying;
  bool changed = false;
};

} // namespace ensc

#endif // ENSC_VECTORIZE_RUNVARIANCEANALYSIS_H
