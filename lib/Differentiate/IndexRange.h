//===- IndexRange.h - What an index can be ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_DIFFERENTIATE_INDEXRANGE_H
#define ENSC_LIB_DIFFERENTIATE_INDEXRANGE_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace ensc {

/// The least and the most that a value can be; empty where that is not known.
struct IndexRange {
  std::optional<int64_t> least, most;
};

/// Finds the ranges of values of type index from constants, arithmetic and the
/// counters of loops.
class IndexRanges {
public:
  IndexRange rangeOf(mlir::Value value);

private:
  /// That of a value whose operands are known.
  IndexRange compute(mlir::Value value);
  IndexRange ofProduct(const IndexRange &lhs, const IndexRange &rhs);
  IndexRange ofQuotient(mlir::Operation *op);

  IndexRange ofDifference(mlir::Operation *op);

  /// Each value is looked at once.
  llvm::DenseMap<mlir::Value, IndexRange> known;
};

} // namespace ensc

#endif // ENSC_LIB_DIFFERENTIATE_INDEXRANGE_H
