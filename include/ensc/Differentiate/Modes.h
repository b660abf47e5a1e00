//===- Modes.h - Forward and reverse mode on a block ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both modes work on a block whose ops they own: they emit ordinary ops next to
// the primal ones and may rebuild loops and branches so that these return more.
// A value without an entry has a derivative of zero.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIFFERENTIATE_MODES_H
#define ENSC_DIFFERENTIATE_MODES_H

#include "ensc/Differentiate/ActivityAnalysis.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseMap.h"

namespace ensc {

/// Zeros of a tensor type.
mlir::Value createZero(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type);

/// Says that `op` has no derivative in `mode`, and what to write instead.
mlir::InFlightDiagnostic emitNoDerivative(mlir::Operation *op,
                                          llvm::StringRef mode);

/// Forward mode: each op is followed by the ops of its tangents.
class ForwardMode {
public:
  explicit ForwardMode(const ActivityAnalysis &activity) : activity(activity) {}

  void setTangent(mlir::Value value, mlir::Value tangent) {
    tangents[value] = tangent;
  }
  /// Null where the tangent is zero.
  mlir::Value tangentOf(mlir::Value value) const {
    return tangents.lookup(value);
  }

  /// Emits the tangents of all ops of a block, whose terminator stays.
  llvm::LogicalResult visitBlock(mlir::Block &block);

private:
  llvm::LogicalResult visitOp(mlir::Operation *op);
  llvm::LogicalResult visitFor(mlir::scf::ForOp loop);
  llvm::LogicalResult visitIf(mlir::scf::IfOp branch);

  const ActivityAnalysis &activity;
  llvm::DenseMap<mlir::Value, mlir::Value> tangents;
};

/// Reverse mode: the ops are visited from the last to the first, and what
/// belongs to them is emitted behind all of them.
///
/// The cotangent of a value is the sum over its uses in the order in which they
/// are visited: the last op first, within an op its operands in ascending
/// order.
class ReverseMode {
public:
  explicit ReverseMode(const ActivityAnalysis &activity) : activity(activity) {}

  /// Adds a contribution to the cotangent of a value; null adds nothing.
  void accumulate(mlir::OpBuilder &builder, mlir::Value value,
                  mlir::Value cotangent);
  /// Null where the cotangent is zero.
  mlir::Value cotangentOf(mlir::Value value) const {
    return cotangents.lookup(value);
  }

  /// Visits ops of one block, given in its order, and emits at `builder`.
  llvm::LogicalResult visitOps(llvm::ArrayRef<mlir::Operation *> ops,
                               mlir::OpBuilder &builder);

private:
  llvm::LogicalResult visitOp(mlir::Operation *op, mlir::OpBuilder &builder);
  llvm::LogicalResult visitFor(mlir::scf::ForOp loop, mlir::OpBuilder &builder);
  llvm::LogicalResult visitIf(mlir::scf::IfOp branch, mlir::OpBuilder &builder);

  /// Active values from outside that the regions of `op` use, in order of use.
  llvm::SmallVector<mlir::Value> activeCaptures(mlir::Operation *op) const;

  const ActivityAnalysis &activity;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

} // namespace ensc

#endif // ENSC_DIFFERENTIATE_MODES_H
