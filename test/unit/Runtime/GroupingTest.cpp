//===- GroupingTest.cpp - Which runs share a group ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Grouping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace ensc;

namespace {

/// Groups of 16 at the price of 11 single runs.
GroupRules makeRules(int threads) {
  GroupRules rules;
  rules.width = 16;
  rules.groupCost = 11;
  rules.threads = threads;
  return rules;
}

void expectGrouping(const GroupRules &rules, int64_t runs, int64_t groups,
                    int64_t single) {
  Grouping grouping = chooseGrouping(rules, runs);
  EXPECT_EQ(grouping.groups, groups) << runs << " runs";
  EXPECT_EQ(grouping.single, single) << runs << " runs";
}

TEST(Grouping, PadsAGroupWhereSingleRunsCostMore) {
  GroupRules rules = makeRules(1);
  expectGrouping(rules, 0, 0, 0);
  expectGrouping(rules, 1, 0, 1);
  expectGrouping(rules, 10, 0, 10);
  expectGrouping(rules, 12, 1, 0);
  expectGrouping(rules, 16, 1, 0);
  expectGrouping(rules, 17, 1, 1);
  expectGrouping(rules, 26, 1, 10);
  expectGrouping(rules, 28, 2, 0);
  expectGrouping(rules, 64, 4, 0);
}

/// When a grouping ends whose groups, then single runs, go to the thread that
/// is free first.
int64_t endOf(const Grouping &grouping, int threads) {
  std::vector<int64_t> ends(threads, 0);
  auto give = [&](int64_t pieces, int64_t cost) {
    while (pieces-- > 0)
      *std::min_element(ends.begin(), ends.end()) += cost;
  };
  give(grouping.groups, 11);
  give(grouping.single, 1);
  return *std::max_element(ends.begin(), ends.end());
}

TEST(Grouping, NeverEndsLaterThanSingleRuns) {
  for (int threads : {1, 2, 5})
    for (int64_t runs = 1; runs <= 100; ++runs) {
      GroupRules rules = makeRules(threads);
      Grouping grouping = chooseGrouping(rules, runs);
      EXPECT_GE(grouping.groups * 16 + grouping.single, runs);
      EXPECT_LE(endOf(grouping, threads), endOf({0, runs}, threads))
          << runs << " runs, " << threads << " threads";
    }
}

TEST(Grouping, KeepsAllThreadsBusy) {
  GroupRules rules = makeRules(2);
  // One group would leave a thread idle for 11 steps of a run.
  expectGrouping(rules, 16, 0, 16);
  // The other thread takes the single runs meanwhile.
  expectGrouping(rules, 26, 1, 10);
  expectGrouping(rules, 32, 2, 0);
}

// A program may take any number of cycles, also far more in lanes.
TEST(Grouping, StandsAnyCost) {
  GroupRules rules = makeRules(7);
  for (double cost : {1e18, 1e300}) {
    rules.groupCost = cost;
    expectGrouping(rules, 100, 0, 100);
    rules.singleCost = cost;
    expectGrouping(rules, 16 * 7, 7, 0);
    rules.singleCost = 1;
  }
}

TEST(Grouping, FollowsTheInstancesThatThereAre) {
  GroupRules rules = makeRules(1);
  rules.single = false;
  expectGrouping(rules, 1, 1, 0);
  expectGrouping(rules, 17, 2, 0);
  rules = GroupRules();
  expectGrouping(rules, 17, 0, 17);
}

TEST(GroupRules, FollowTheScheduleOrTheCost) {
  ManifestEntry entry;
  entry.solo = ManifestInstance{"s", 1, 1, 0, 1000, 100, 100};
  entry.lanes = ManifestInstance{"l", 8, 100, 0, 5000, 800, 800};
  GroupRules rules = rulesOf(entry, RunSchedule::Lanes, 1, 3);
  EXPECT_EQ(rules.width, 8);
  EXPECT_FALSE(rules.single);
  EXPECT_EQ(rules.threads, 3);
  EXPECT_TRUE(rules.prefersLanes(1));

  rules = rulesOf(entry, RunSchedule::Solo, 1000, 1);
  EXPECT_EQ(rules.width, 0);
  EXPECT_TRUE(rules.single);
  EXPECT_FALSE(rules.prefersLanes(0));

  rules = rulesOf(entry, RunSchedule::Auto, 1000, 1);
  EXPECT_EQ(rules.width, 8);
  EXPECT_TRUE(rules.single);
  EXPECT_TRUE(rules.prefersLanes(8));
  EXPECT_FALSE(rules.prefersLanes(1));
  // Too few runs.
  EXPECT_EQ(rulesOf(entry, RunSchedule::Auto, 5, 1).width, 8);
  EXPECT_EQ(rulesOf(entry, RunSchedule::Auto, 4, 1).width, 0);
  // A group that no cache holds.
  entry.lanes->bytesTouched = entry.lanes->bytesMoved = int64_t{1} << 40;
  EXPECT_EQ(rulesOf(entry, RunSchedule::Auto, 1000, 1).width, 0);
}

TEST(GroupRules, IgnoreAScheduleWithoutAnInstance) {
  ManifestEntry entry;
  entry.lanes = ManifestInstance{"l", 8, 100, 0};
  EXPECT_EQ(rulesOf(entry, RunSchedule::Solo, 1, 1).width, 8);
  std::swap(entry.solo, entry.lanes);
  GroupRules rules = rulesOf(entry, RunSchedule::Lanes, 100, 1);
  EXPECT_EQ(rules.width, 0);
  EXPECT_TRUE(rules.single);
}

TEST(RunSchedules, NeedAnInstance) {
  auto errorOf = [](const Manifest &manifest, RunSchedule schedule) {
    Status status = checkInstance(manifest, manifest.entries[0], schedule);
    return status ? "" : status.error().message();
  };
  Manifest manifest;
  manifest.entries.resize(1);
  ManifestEntry &entry = manifest.entries[0];
  entry.name = "f";
  entry.solo = ManifestInstance{"s", 1, 1, 0};
  EXPECT_EQ(errorOf(manifest, RunSchedule::Auto), "");
  EXPECT_EQ(errorOf(manifest, RunSchedule::Solo), "");
  EXPECT_EQ(errorOf(manifest, RunSchedule::Lanes),
            "the schedule 'lanes' needs a lanes instance of 'f', which the "
            "program was compiled without; compile it with 8 or 16 lanes, or "
            "leave the schedule to ensc");
  manifest.cpu = "interpreter";
  EXPECT_EQ(errorOf(manifest, RunSchedule::Lanes), "");
  manifest.cpu = "";
  std::swap(entry.solo, entry.lanes);
  EXPECT_EQ(errorOf(manifest, RunSchedule::Auto), "");
  EXPECT_EQ(errorOf(manifest, RunSchedule::Lanes), "");
  EXPECT_EQ(errorOf(manifest, RunSchedule::Solo),
            "the schedule 'solo' needs a solo instance of 'f', which the "
            "program was compiled without; leave the schedule to ensc");
}

} // namespace
