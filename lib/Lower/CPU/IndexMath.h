//===- IndexMath.h - Linear indices of vectors of points --------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indices of a phase's body, kept as linear forms instead of as chains of
// arithmetic. Emission then sees by itself which accesses are uniform,
// contiguous or gathers along a vector, which constant parts become
// displacements of an address, and which divisions undo a flattening.
//
// Indices are never negative where they are used as an address. Those that a
// program computes may be, and wrap: only where ranges tell that a sum does not
// wrap and is not negative are its parts divided one by one, as unsigned
// numbers. For other divisions of a program see IndexDivision.h.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_INDEXMATH_H
#define ENSC_LIB_LOWER_CPU_INDEXMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace ensc::cpu {

/// An index at each lane of a vector of points:
///   sum(coefficient * atom) + constant + stride * lane + perLane[lane].
struct Index {
  /// Numbers of atoms, ascending (so outer loops come first), and coefficients
  /// that are not 0.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;
  int64_t constant = 0;
  int64_t stride = 0;
  /// A vector of i64, or null.
  mlir::Value perLane;

  bool isUniform() const { return stride == 0 && !perLane; }
  std::optional<int64_t> asConstant() const {
    if (terms.empty() && isUniform())
      return constant;
    return std::nullopt;
  }
};

/// What is known of an atom: least <= value <= most, divisible by `multiple`.
struct AtomRange {
  int64_t least = INT64_MIN;
  int64_t most = INT64_MAX;
  int64_t multiple = 1;

  bool isBounded() const { return least != INT64_MIN && most != INT64_MAX; }

  /// That of `begin`, `begin + step`, ... below `end`, which is above `begin`.
  static AtomRange ofLoop(int64_t begin, int64_t end, int64_t step) {
    int64_t last = begin + (end - 1 - begin) / step * step;
    return {begin, last, begin % step == 0 ? step : 1};
  }
};

/// Two-operand operations on indices that are no linear ones.
enum class IndexOp { Multiply, Divide, Remainder, Minimum, Maximum };

/// Calculates with indices, and emits the arithmetic where it is needed.
class IndexMath {
public:
  /// Constants are emitted at the start of `entry`.
  IndexMath(mlir::ImplicitLocOpBuilder &builder, mlir::Block *entry)
      : builder_(builder), entry_(entry) {}

  Index constant(int64_t value) const;
  /// The index that a scalar i64 holds.
  Index atom(mlir::Value value, AtomRange range = {});
  /// 0, 1, 2, ... along the lanes.
  Index lane() const;
  /// The index that a vector of i64 holds.
  Index perLane(mlir::Value vector) const;

  Index add(const Index &a, const Index &b);
  Index subtract(const Index &a, const Index &b);
  Index scale(const Index &a, int64_t factor);
  /// `width` is the number of lanes. Divisions are those of unsigned numbers,
  /// by anything but zero.
  Index apply(IndexOp op, const Index &a, const Index &b, int64_t width);

  /// The value of an index without perLane at lane 0, an i64. `withConstant`
  /// says whether its constant is part of it.
  mlir::Value scalar(const Index &index, bool withConstant = true);
  /// The values at all lanes, a vector of i64.
  mlir::Value vector(const Index &index, int64_t width);

  /// A scalar in each lane.
  mlir::Value broadcast(mlir::Value scalar, int64_t width);

  /// A cached constant.
  mlir::Value constantOf(mlir::TypedAttr value);
  mlir::Value constantInt(int64_t value);

private:
  std::optional<std::pair<Index, Index>>
  divideLinear(const Index &a, int64_t divisor, int64_t width);
  AtomRange rangeOf(const Index &index, int64_t width) const;
  int64_t multipleOf(const Index &index) const;
  mlir::Value emit(IndexOp op, mlir::Value a, mlir::Value b);

  mlir::ImplicitLocOpBuilder &builder_;
  mlir::Block *entry_;
  llvm::SmallVector<std::pair<mlir::Value, AtomRange>> atoms_;
  llvm::DenseMap<mlir::Value, unsigned> numbers_;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants_;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_INDEXMATH_H
