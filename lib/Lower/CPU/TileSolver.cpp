//===- TileSolver.cpp - Register tiles of contractions --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/TileSolver.h"

#include <algorithm>

using namespace ensc::cpu;

/// Tiles of at most `size`, as equal as can be: larger ones first.
static llvm::SmallVector<TileCut, 2> cutEvenly(int64_t extent, int64_t size) {
  int64_t tiles = (extent + size - 1) / size;
  int64_t small = extent / tiles, larger = extent % tiles;
  llvm::SmallVector<TileCut, 2> cuts;
  if (larger > 0)
    cuts.push_back({0, small + 1, larger});
  cuts.push_back({larger * (small + 1), small, tiles - larger});
  return cuts;
}

llvm::SmallVector<TileCut, 2> ensc::cpu::cutIntoBatches(int64_t tiles,
                                                        int64_t most) {
  // Two sizes are code to compile: equal batches may be half as large.
  int64_t size = std::min(tiles, most);
  while (tiles % size != 0)
    --size;
  if (size == tiles || 2 * size >= most)
    return {{0, size, tiles / size}};
  return cutEvenly(tiles, most);
}

/// What is left of the registers for accumulators and the factors of columns.
/// With 32 registers the code generator wants some for itself, or it spills
/// accumulators; with 16 it may use them all, since factors of rows come from
/// memory.
static int64_t budgetOf(const Target &target) {
  return target.registers >= 32 ? target.registers - 6 : target.registers;
}

static bool fits(int64_t rows, int64_t columns, const TileProblem &problem,
                 const Target &target) {
  return (rows * columns + columns) * problem.registersPerVector + 1 <=
         budgetOf(target) - problem.reserved;
}

/// Cycles of one step of one tile, about: two multiply-adds and two loads a
/// cycle, and at least the latency of a chain. The loop costs a little, too,
/// and so do columns that do not stay in the first-level cache.
static double costOf(int64_t rows, int64_t columns,
                     const TileProblem &problem) {
  constexpr double latency = 4, overhead = 0.5, perFarColumn = 0.2;
  constexpr int64_t nearBytes = Target::firstCacheBytes / 4 * 3;
  double products = rows * columns * problem.registersPerVector / 2.0;
  double loads = (rows + columns * problem.registersPerVector) / 2.0;
  double far = columns * problem.columnBytes > nearBytes
                   ? columns * problem.registersPerVector * perFarColumn
                   : 0;
  return std::max({products, loads, latency}) + 0.1 * loads + overhead + far +
         rows * problem.cyclesPerRow;
}

TilePlan ensc::cpu::solveTiles(const TileProblem &problem,
                               const Target &target) {
  // A kind of tile is code to compile: it has to be worth it.
  constexpr double perKind = 0.02;
  constexpr int64_t mostRows = 16, mostColumns = 8;
  TilePlan best;
  double least = 0;
  for (int64_t i = 1; i <= std::min(problem.rows, mostRows); ++i) {
    for (int64_t j = 1; j <= std::min(problem.columns, mostColumns); ++j) {
      if (!fits(i, j, problem, target) && i * j > 1)
        continue;
      TilePlan plan{cutEvenly(problem.rows, i), cutEvenly(problem.columns, j)};
      double cost = 0;
      for (const TileCut &row : plan.rows)
        for (const TileCut &column : plan.columns)
          cost +=
              costOf(row.size, column.size, problem) * row.count * column.count;
      cost *= 1 + perKind * plan.rows.size() * plan.columns.size();
      if (best.rows.empty() || cost < least) {
        best = std::move(plan);
        least = cost;
      }
    }
  }
  return best;
}
