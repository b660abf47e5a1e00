//===- TileBody.h - A body at all points of a register tile -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_TILEBODY_H
#define ENSC_LIB_LOWER_CPU_TILEBODY_H

#include "AccessAnalysis.h"
#include "BodyEmitter.h"

namespace ensc::cpu {

/// Emits a body once per point of a tile, but an op that does not depend on the
/// row, or on the column, only once for all of them. Loads may be shared like
/// that because no point of a phase loads what another one stores.
class TileBody {
public:
  using Point = std::function<llvm::SmallVector<Index>(int64_t, int64_t)>;

  /// `rowMask` and `columnMask` name the arguments of `block` that differ
  /// between rows and columns; `pointAt` gives the domain's indices.
  TileBody(BodyEmitter &root, mlir::Block &block, int64_t width,
           std::pair<int64_t, int64_t> shape, uint64_t rowMask,
           uint64_t columnMask, Point pointAt)
      : root_(root), block_(block), analysis_(block), width_(width),
        rows_(shape.first), columns_(shape.second), rowMask_(rowMask),
        columnMask_(columnMask), pointAt_(std::move(pointAt)) {}

  int64_t width() const { return width_; }
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  int64_t numPoints() const { return rows_ * columns_; }

  /// Forgets what was emitted, at the start of another block.
  void clear() {
    emitted_.clear();
    vectors_.clear();
  }

  /// An emitter that knows the domain's indices at a point; the caller binds
  /// the other arguments.
  BodyEmitter enter(int64_t row, int64_t column);

  /// Emits the ops at that point, except those emitted already or bound.
  mlir::LogicalResult emit(BodyEmitter &body, int64_t row, int64_t column);

  /// A value of the body at that point as a vector.
  mlir::Value vector(BodyEmitter &body, mlir::Value value, int64_t row,
                     int64_t column);

private:
  using Key = std::pair<void *, int64_t>;

  int64_t placeOf(uint64_t mask, int64_t row, int64_t column) const;

  BodyEmitter &root_;
  mlir::Block &block_;
  AccessAnalysis analysis_;
  int64_t width_, rows_, columns_;
  uint64_t rowMask_, columnMask_;
  Point pointAt_;
  llvm::DenseMap<Key, llvm::SmallVector<Binding>> emitted_;
  llvm::DenseMap<Key, mlir::Value> vectors_;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_TILEBODY_H
