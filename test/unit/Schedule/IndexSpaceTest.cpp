//===- IndexSpaceTest.cpp - Indices as symbolic expressions ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"

#include <gtest/gtest.h>

using namespace ensc::schedule;

TEST(IndexSpace, EqualExpressionsHaveEqualIds) {
  IndexSpace space({4, 3});
  IndexId i = space.point()[0], j = space.point()[1];
  EXPECT_NE(i, j);
  EXPECT_EQ(space.add(i, space.constant(2)), space.add(space.constant(2), i));
  EXPECT_EQ(space.add(space.add(i, space.constant(2)), space.constant(-2)), i);
  EXPECT_EQ(space.scale(i, 1), i);
  EXPECT_EQ(space.scale(i, 0), space.constant(0));
}

TEST(IndexSpace, ASingleIndexIsZero) {
  IndexSpace space({1, 3});
  EXPECT_EQ(space.point()[0], space.constant(0));
}

TEST(IndexSpace, FlatteningAndBackChangesNothing) {
  IndexSpace space({4, 3});
  IndexId i = space.point()[0], j = space.point()[1];
  IndexId flat = space.add(space.scale(i, 3), j);
  EXPECT_EQ(space.quotient(flat, 3), i);
  EXPECT_EQ(space.remainder(flat, 3), j);
  EXPECT_NE(space.quotient(flat, 2), i);
}

TEST(IndexSpace, ClampVanishesWithinItsRange) {
  IndexSpace space({4});
  IndexId i = space.point()[0];
  EXPECT_EQ(space.clamp(i, 3), i);
  EXPECT_NE(space.clamp(i, 2), i);
  EXPECT_EQ(space.clamp(space.add(i, space.constant(5)), 2), space.constant(2));
  EXPECT_EQ(space.clamp(i, -1), space.constant(0));
}

TEST(IndexSpace, CountsEvaluationsByTheFoldsAround) {
  IndexSpace space({4, 3});
  Indices rows = space.addFold({5}, 0);
  Indices inner = space.addFold({2, 7}, space.foldsAround(rows));
  EXPECT_EQ(space.evaluations(space.point()), 12);
  EXPECT_EQ(space.evaluations({space.point()[0]}), 12);
  EXPECT_EQ(space.evaluations(rows), 60);
  EXPECT_EQ(space.evaluations({inner[0]}), 12 * 5 * 14);
}
