//===- BodyEmitter.h - Bodies of phases at a vector of points ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_BODYEMITTER_H
#define ENSC_LIB_LOWER_CPU_BODYEMITTER_H

#include "Kernel.h"

namespace ensc::cpu {

/// What stands for a value of a body: an index, or a scalar (if it is the same
/// at all points of the vector) or a vector.
struct Binding {
  Index index;
  mlir::Value value;
};

/// Emits the ops of a phase's body for `width` points at once. The caller binds
/// the body's arguments first; what differs between the points is a vector,
/// the rest stays scalar.
class BodyEmitter {
public:
  BodyEmitter(Kernel &kernel, int64_t width, BodyEmitter *outer = nullptr)
      : kernel_(kernel), width_(width), outer_(outer) {}

  Kernel &kernel() { return kernel_; }
  int64_t width() const { return width_; }

  void bind(mlir::Value value, Index index) {
    bindings_[value] = {std::move(index), mlir::Value()};
  }
  void bind(mlir::Value value, mlir::Value emitted) {
    bindings_[value] = {Index(), emitted};
  }
  void bind(mlir::Value value, const Binding &binding) {
    bindings_[value] = binding;
  }
  const Binding &lookup(mlir::Value value);
  bool isBound(mlir::Value value) const { return bindings_.count(value); }

  /// Emits the ops on which a value depends, as far as that is not done.
  mlir::LogicalResult emitDefinition(mlir::Value value);
  /// Emits an op and all on which it depends, as far as that is not done.
  mlir::LogicalResult emitWithOperands(mlir::Operation *op);
  /// Where a load is, whose indices are emitted as far as that is not done.
  mlir::FailureOr<Index> emitPosition(mlir::memref::LoadOp load);

  /// Emits every op of the block but the terminator and those whose result is
  /// bound. Fails after an error was reported at an op that is not allowed in a
  /// body.
  mlir::LogicalResult emit(mlir::Block &block);
  mlir::LogicalResult emit(mlir::Operation *op);

  /// The scalar or vector that stands for a value.
  mlir::Value value(mlir::Value bodyValue) { return lookup(bodyValue).value; }
  /// The same as a vector (as a scalar if the width is 1).
  mlir::Value vector(mlir::Value bodyValue) {
    return kernel_.splat(value(bodyValue), width_);
  }

private:
  mlir::LogicalResult emitAccess(mlir::Operation *op);
  mlir::LogicalResult emitFold(ens::FoldOp fold);
  /// Whether the op was one of these.
  bool emitIndexOp(mlir::Operation *op);
  bool emitCompareOrSelect(mlir::Operation *op);
  bool mayUndoFlattening(mlir::Operation *op);
  void emitDivision(mlir::Operation *op);
  void emitIndexCast(mlir::Operation *op);
  void emitPhilox(ens::PhiloxOp philox);
  Index positionOf(mlir::Value memref, mlir::ValueRange indices);
  llvm::SmallVector<mlir::Value> unify(mlir::ValueRange operands);

  Kernel &kernel_;
  int64_t width_;
  BodyEmitter *outer_;
  llvm::DenseMap<mlir::Value, Binding> bindings_;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_BODYEMITTER_H
