//===- TensorBuilder.h - Emits core ops in few words ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPAND_TENSORBUILDER_H
#define ENSC_LIB_EXPAND_TENSORBUILDER_H

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ensc {

inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Emits core ops on tensors at one location. Binary ops take operands of equal
/// type, as the dialect does; `splat` and `spread` make them so.
class TensorBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// A constant with every element equal to `value`, rounded once to a float
  /// type or wrapped to an integer type.
  mlir::Value splat(mlir::Type type, double value);
  mlir::Value splatInteger(mlir::Type type, int64_t value);

  /// A value of rank 0 repeated to `type`; `value` itself if that has rank 0.
  mlir::Value spread(mlir::Value value, mlir::RankedTensorType type);
  /// One value per row of the leading dimensions repeated along the last ones.
  mlir::Value spreadRows(mlir::Value rows, mlir::RankedTensorType type);

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  mlir::Value compare(ens::ComparePredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value select(mlir::Value predicate, mlir::Value onTrue,
                     mlir::Value onFalse);
  /// An op with one operand and the operand's type.
  template <typename OpTy> mlir::Value unary(mlir::Value x) {
    return OpTy::create(*this, x.getType(), x);
  }
  /// `x` with another element type; `x` itself if it has that already.
  mlir::Value convert(mlir::Value x, mlir::Type element);

  /// The reduction over all dimensions from `firstDim` on.
  mlir::Value reduce(ens::ReduceKind kind, mlir::Value x, int64_t firstDim);
  /// The sum over `dims` divided by the number of elements summed.
  mlir::Value mean(mlir::Value x, llvm::ArrayRef<int64_t> dims);
  /// A loop counter as tensor<i64>.
  mlir::Value fromIndex(mlir::Value index);
};

} // namespace ensc

#endif // ENSC_LIB_EXPAND_TENSORBUILDER_H
