//===- TileSolver.h - Register tiles of contractions ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_TILESOLVER_H
#define ENSC_LOWER_CPU_TILESOLVER_H

#include "ensc/Lower/CPU/Target.h"

#include "llvm/ADT/SmallVector.h"

namespace ensc::cpu {

/// `count` tiles of `size` from `begin` on.
struct TileCut {
  int64_t begin, size, count;
};

/// How both axes of a contraction are cut: each into tiles of at most two
/// sizes, never with a mask.
struct TilePlan {
  llvm::SmallVector<TileCut, 2> rows, columns;
};

/// A contraction as a tile sees it. An accumulator, and a column's factor, is a
/// vector of `registersPerVector` registers; a row's factor is loaded anew for
/// each row.
struct TileProblem {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t registersPerVector = 1;
  /// Registers that something else needs between the steps of a tile.
  int64_t reserved = 0;
  /// Bytes of the factor of one column over all steps: each row of tiles
  /// comes back to them.
  int64_t columnBytes = 0;
  /// Cycles per step that each row of a tile costs beside its products: its
  /// epilogue starts elsewhere in memory.
  double cyclesPerRow = 0;
};

/// The plan of least estimated time whose tiles fit the registers of `target`.
TilePlan solveTiles(const TileProblem &problem, const Target &target);

/// Batches of at most `most` tiles, which is 2 or more: `size` of a cut counts
/// tiles, `count` batches. All are equal if that does not make them small.
llvm::SmallVector<TileCut, 2> cutIntoBatches(int64_t tiles, int64_t most);

} // namespace ensc::cpu

#endif // ENSC_LOWER_CPU_TILESOLVER_H
