//===- IndexSpace.h - Indices as symbolic expressions -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where in an operand an element of a result comes from. The fusion plan asks
// these expressions how often a value would be computed; the emitter turns the
// same ones into ops.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_INDEXSPACE_H
#define ENSC_LIB_SCHEDULE_INDEXSPACE_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace ensc::schedule {

/// An expression of an IndexSpace. Equal expressions have equal ids.
using IndexId = int;
using Indices = llvm::SmallVector<IndexId, 4>;

/// The loops of one phase, the domain's first, then those of its folds, and the
/// expressions of their indices. At most `maxLoops` loops.
class IndexSpace {
public:
  static constexpr unsigned maxLoops = 64;

  enum class Kind {
    Constant,
    Loop,
    Add,
    Scale,
    Quotient,
    Remainder,
    Clamp,
    Read
  };

  struct Node {
    Kind kind;
    /// The operands: of Add two, of Read the indices of the element, of the
    /// others one, of Constant and Loop none.
    Indices operands;
    /// The constant, the number of the loop, the factor, the divisor, or the
    /// greatest value of Clamp (the least one is 0).
    int64_t number = 0;
    /// The tensor that Read takes an element of.
    mlir::Value tensor = {};
    /// Bit l: depends on loop l.
    uint64_t loops = 0;
    /// What is known of the value: least and greatest.
    int64_t low = std::numeric_limits<int64_t>::min();
    int64_t high = std::numeric_limits<int64_t>::max();
  };

  struct Loop {
    int64_t extent;
    /// For a loop of a fold: the loops of that fold and of those in whose body
    /// it lies.
    uint64_t around;
    bool inFold;
  };

  /// A space with one loop per extent of `domain`.
  explicit IndexSpace(llvm::ArrayRef<int64_t> domain);

  /// The indices of a point of the domain.
  const Indices &point() const { return domainIndices; }

  /// Adds the loops of a fold that is computed where `around` are given.
  Indices addFold(llvm::ArrayRef<int64_t> extents, uint64_t around);

  IndexId constant(int64_t value);
  IndexId add(IndexId lhs, IndexId rhs);
  IndexId scale(IndexId x, int64_t factor);
  /// Quotient and remainder of an index that is not negative.
  IndexId quotient(IndexId x, int64_t divisor);
  IndexId remainder(IndexId x, int64_t divisor);
  /// The nearest number in [0, high].
  IndexId clamp(IndexId x, int64_t high);
  /// The element of an integer tensor, as an index. It may be any number, so
  /// `clamp` is all that may be applied to it.
  IndexId read(mlir::Value tensor, llvm::ArrayRef<IndexId> at);

  const Node &operator[](IndexId id) const { return nodes[id]; }
  const Loop &loop(unsigned number) const { return loops[number]; }
  unsigned numLoops() const { return loops.size(); }

  /// The loops that any of the indices depends on.
  uint64_t loopsOf(llvm::ArrayRef<IndexId> indices) const;

  /// The fold loops that run around a value computed at `indices`.
  uint64_t foldsAround(llvm::ArrayRef<IndexId> indices) const;

  /// How often a value at `indices` is computed in the whole phase.
  int64_t evaluations(llvm::ArrayRef<IndexId> indices) const;

private:
  IndexId addLoop(Loop loop);
  IndexId intern(Node node);

  std::vector<Node> nodes;
  std::vector<Loop> loops;
  Indices domainIndices;
  std::map<std::tuple<int, std::vector<int>, int64_t, const void *>, IndexId>
      interned;
};

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_INDEXSPACE_H
