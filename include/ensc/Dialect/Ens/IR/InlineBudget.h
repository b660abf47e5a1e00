//===- InlineBudget.h - How far inlining may grow functions -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_INLINEBUDGET_H
#define ENSC_DIALECT_ENS_IR_INLINEBUDGET_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace ensc::ens {

/// Counts the ops that functions get as copies of others are put into them.
/// Functions that call the next one twice double with each level, so that a
/// short text could ask for more than any machine holds.
class InlineBudget {
public:
  /// The most ops that a function may grow by. Nobody waits for more to be
  /// compiled. What a text says itself may be as long as it is.
  static constexpr int64_t mostOps = 65536;

  /// Counts a copy of the body of `callee` into the function around `user`. It
  /// is an error at `user` if the function grows by more than `mostOps` ops.
  llvm::LogicalResult spend(mlir::Operation *user, mlir::func::FuncOp callee);

private:
  struct Size {
    int64_t own = 0, added = 0;
  };
  Size &sizeOf(mlir::func::FuncOp function);

  llvm::DenseMap<mlir::Operation *, Size> sizes;
};

} // namespace ensc::ens

#endif // ENSC_DIALECT_ENS_IR_INLINEBUDGET_H
