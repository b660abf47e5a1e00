//===- ArenaTest.cpp - Places of buffers in one flat memory ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Schedule/Arena.h"

#include <gtest/gtest.h>

#include <random>

using namespace ensc;

TEST(Arena, NothingNeedsNothing) {
  EXPECT_EQ(planArena({}).bytes, 0);
  EXPECT_EQ(arenaLowerBound({}), 0);
}

TEST(Arena, BuffersOfDifferentTimesShareMemory) {
  LiveBuffer buffers[] = {{100, 0, 1}, {100, 2, 3}, {64, 1, 2}};
  ArenaPlan plan = planArena(buffers);
  EXPECT_EQ(plan.offsets[0], plan.offsets[1]);
  EXPECT_EQ(plan.offsets[2], 128);
  EXPECT_EQ(plan.bytes, 192);
  EXPECT_EQ(arenaLowerBound(buffers), 192);
}

TEST(Arena, BothEndsOfALifeCount) {
  LiveBuffer buffers[] = {{64, 0, 1}, {64, 1, 2}};
  EXPECT_EQ(planArena(buffers).bytes, 128);
}

TEST(Arena, LargeBuffersBeginAtUnlikePlacesOfAPage) {
  LiveBuffer buffers[] = {{16384, 0, 1}, {16384, 0, 1}, {16320, 0, 1}};
  ArenaPlan plan = planArena(buffers);
  EXPECT_EQ(plan.offsets[0], 0);
  EXPECT_EQ(plan.offsets[1], 16384 + 320);
  EXPECT_EQ(plan.offsets[2], 2 * (16384 + 320));
  EXPECT_EQ(plan.bytes, 2 * (16384 + 320) + 16320);
}

TEST(Arena, TakesTheNarrowestGap) {
  // Two gaps are free at the end, of 3 and of 1 lines.
  LiveBuffer buffers[] = {{640, 0, 9}, {192, 0, 0}, {320, 0, 9},
                          {64, 0, 0},  {60, 0, 9},  {64, 5, 9}};
  ArenaPlan plan = planArena(buffers);
  for (size_t a = 0; a < std::size(buffers); ++a)
    for (size_t b = 0; b < a; ++b)
      if (buffers[a].first <= buffers[b].last &&
          buffers[b].first <= buffers[a].last)
        EXPECT_TRUE(plan.offsets[a] + buffers[a].bytes <= plan.offsets[b] ||
                    plan.offsets[b] + buffers[b].bytes <= plan.offsets[a]);
}

TEST(Arena, NeverOverlapsAndStaysCloseToTheBound) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<LiveBuffer> buffers;
    for (int i = 0; i < 40; ++i) {
      int64_t first = random() % 60;
      buffers.push_back({static_cast<int64_t>(random() % 5000), first,
                         first + static_cast<int64_t>(random() % 20)});
    }
    ArenaPlan plan = planArena(buffers);
    for (size_t a = 0; a < buffers.size(); ++a) {
      EXPECT_EQ(plan.offsets[a] % arenaAlignment, 0);
      for (size_t b = 0; b < a; ++b)
        if (buffers[a].first <= buffers[b].last &&
            buffers[b].first <= buffers[a].last)
          EXPECT_TRUE(plan.offsets[a] + buffers[a].bytes <= plan.offsets[b] ||
                      plan.offsets[b] + buffers[b].bytes <= plan.offsets[a]);
    }
    EXPECT_GE(plan.bytes, arenaLowerBound(buffers));
    EXPECT_LE(plan.bytes, 1.3 * arenaLowerBound(buffers));
  }
}
