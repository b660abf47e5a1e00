//===- Accesses.h - Which elements of operands are needed -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_ACCESSES_H
#define ENSC_LIB_SCHEDULE_ACCESSES_H

#include "IndexSpace.h"

#include "mlir/IR/Operation.h"

namespace ensc::schedule {

/// How an op takes part in phases.
enum class Family {
  /// Its elements are elements of its operands, or cost nothing: it is never
  /// worth a buffer.
  Free,
  /// An element is a scalar expression of elements of its operands.
  Pointwise,
  /// An element combines many elements: `ens.reduce`, `ens.arg_reduce`.
  Reduction,
  /// `ens.dot`.
  Contraction,
  /// A buffer with some elements replaced: `ens.scatter`,
  /// `ens.dynamic_update_slice`.
  Update,
  /// `ens.permutation`.
  Permutation,
  /// `scf.for`.
  Loop,
  /// `scf.if`.
  Branch,
  /// `tensor.extract` of the predicate of a branch in the same block.
  Predicate,
  /// Arithmetic of index values, outside phases.
  Control,
  /// Not known to this phase.
  Unknown,
};

Family familyOf(mlir::Operation *op);

/// Whether the elements of a reshape are found by additions and multiplications
/// alone.
bool isAffineReshape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// The indices of the element of `operand` that the element at `at` of the
/// op's result is computed from; clamped into the operand where an op like
/// `ens.pad` reads nothing. For a Free or Pointwise op.
Indices operandIndices(IndexSpace &space, mlir::OpOperand &operand,
                       llvm::ArrayRef<IndexId> at);

/// The extents a reduction runs over.
llvm::SmallVector<int64_t> foldExtents(mlir::Operation *reduction);

/// The indices into the operand of a reduction, given those of its result and
/// of its fold.
Indices foldOperandIndices(mlir::Operation *reduction,
                           llvm::ArrayRef<IndexId> at,
                           llvm::ArrayRef<IndexId> fold);

/// The indices into both operands of `ens.dot`, given those of its result and
/// of the contracted dimensions.
std::pair<Indices, Indices> factorIndices(mlir::Operation *dot,
                                          llvm::ArrayRef<IndexId> at,
                                          llvm::ArrayRef<IndexId> over);

/// The shape of a tensor; of an index value that of rank 0.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_ACCESSES_H
