//===- TileSolverTest.cpp - Register tiles --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/TileSolver.h"

#include <gtest/gtest.h>

using namespace ensc::cpu;

namespace {

/// The extent that cuts cover, if they do so without a gap.
int64_t coveredBy(llvm::ArrayRef<TileCut> cuts) {
  int64_t end = 0;
  for (const TileCut &cut : cuts) {
    EXPECT_EQ(cut.begin, end);
    EXPECT_GT(cut.size, 0);
    EXPECT_GT(cut.count, 0);
    end += cut.size * cut.count;
  }
  return end;
}

int64_t largest(llvm::ArrayRef<TileCut> cuts) {
  int64_t size = 0;
  for (const TileCut &cut : cuts)
    size = std::max(size, cut.size);
  return size;
}

} // namespace

TEST(TileSolver, CoversEachAxisWithTwoSizesAtMost) {
  for (Target target : {Target{32, 64}, Target{16, 32}})
    for (int64_t rows : {1, 2, 5, 7, 13, 32, 61})
      for (int64_t columns : {1, 3, 10, 29, 64})
        for (int64_t registers : {1, 2}) {
          TilePlan plan = solveTiles({rows, columns, registers}, target);
          EXPECT_EQ(coveredBy(plan.rows), rows);
          EXPECT_EQ(coveredBy(plan.columns), columns);
          EXPECT_LE(plan.rows.size(), 2u);
          EXPECT_LE(plan.columns.size(), 2u);
        }
}

TEST(TileSolver, FitsTheRegisters) {
  for (int64_t registers : {1, 2}) {
    TilePlan wide = solveTiles({64, 64, registers}, {32, 64});
    int64_t i = largest(wide.rows), j = largest(wide.columns);
    EXPECT_LE((i * j + j) * registers + 1, 26);
    TilePlan narrow = solveTiles({64, 64, registers}, {16, 32});
    i = largest(narrow.rows), j = largest(narrow.columns);
    EXPECT_LE((i * j + j) * registers + 1, 16);
  }
}

TEST(TileSolver, LeavesWhatIsReserved) {
  TileProblem problem{64, 64, 1};
  problem.reserved = 7;
  TilePlan plan = solveTiles(problem, {32, 64});
  int64_t i = largest(plan.rows), j = largest(plan.columns);
  EXPECT_LE(i * j + j + 1, 19);
}

TEST(TileSolver, AsksForFewColumnsThatAreFar) {
  TileProblem problem{32, 8, 1};
  int64_t before = largest(solveTiles(problem, {32, 64}).columns);
  problem.columnBytes = 784 * 64;
  EXPECT_LT(largest(solveTiles(problem, {32, 64}).columns), before);
}

TEST(TileSolver, KeepsEnoughChainsInFlight) {
  // Two multiply-adds a cycle with a latency of four.
  TilePlan plan = solveTiles({32, 10, 1}, {32, 64});
  for (const TileCut &row : plan.rows)
    for (const TileCut &column : plan.columns)
      EXPECT_GE(row.size * column.size, 8);
}

TEST(CutIntoBatches, CoversTheTilesWithoutSmallBatches) {
  for (int64_t most : {2, 3, 8, 16})
    for (int64_t tiles = 1; tiles <= 100; ++tiles) {
      llvm::SmallVector<TileCut, 2> batches = cutIntoBatches(tiles, most);
      EXPECT_EQ(coveredBy(batches), tiles);
      EXPECT_LE(largest(batches), most);
      EXPECT_GE(2 * largest(batches), std::min(tiles, most));
    }
}

TEST(CutIntoBatches, MakesAllEqualWhereADivisorIsNear) {
  llvm::SmallVector<TileCut, 2> batches = cutIntoBatches(392, 16);
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0].size, 14);
  EXPECT_EQ(batches[0].count, 28);
}

TEST(CutIntoBatches, MakesTwoSizesOtherwise) {
  for (auto [tiles, sizes] : {std::pair(17, std::pair(9, 8)), {34, {12, 11}}}) {
    llvm::SmallVector<TileCut, 2> batches = cutIntoBatches(tiles, 16);
    ASSERT_EQ(batches.size(), 2u);
    EXPECT_EQ(batches[0].size, sizes.first);
    EXPECT_EQ(batches[1].size, sizes.second);
  }
}

TEST(Target, KnowsTheRegistersOfCpusByName) {
  for (const char *wide : {"x86-64-v4", "znver4", "skylake-avx512"}) {
    Target target = describeTarget(wide);
    EXPECT_EQ(target.registers, 32) << wide;
    EXPECT_EQ(target.registerBytes, 64) << wide;
  }
  for (const char *narrow : {"x86-64-v3", "haswell", "znver3", "no such CPU"}) {
    Target target = describeTarget(narrow);
    EXPECT_EQ(target.registers, 16) << narrow;
    EXPECT_EQ(target.registerBytes, 32) << narrow;
  }
}
