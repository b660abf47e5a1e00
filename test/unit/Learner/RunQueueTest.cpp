//===- RunQueueTest.cpp - Which runs advance together, and when -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunQueue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

using namespace ensc;

namespace {

/// Groups of 4 at the price of 3 single runs.
GroupRules makeRules(int threads = 1) {
  GroupRules rules;
  rules.width = 4;
  rules.groupCost = 3;
  rules.threads = threads;
  return rules;
}

std::vector<int64_t> count(int64_t runs) {
  std::vector<int64_t> slots(runs);
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

/// `runs` runs that train for `steps` steps in rounds of at most `longest`.
std::vector<Cohort> makeCohorts(int64_t runs, const GroupRules &rules,
                                int64_t steps, int64_t longest) {
  Cohort cohort;
  cohort.slots = count(runs);
  cohort.rules = rules;
  cohort.end = steps;
  cohort.longest = longest;
  return {cohort};
}

struct Visit {
  std::vector<int64_t> slots;
  int64_t begin, end;

  bool operator==(const Visit &other) const {
    return slots == other.slots && begin == other.begin && end == other.end;
  }
};

Visit visitOf(const RunGroup &group) {
  return {{group.slots, group.slots + group.count}, group.begin, group.end};
}

/// Ends the runs of a group that have no step beyond the round.
void endRuns(RunGroup &group, const std::vector<int64_t> &stepsOf) {
  int64_t *end =
      std::remove_if(group.slots, group.slots + group.count,
                     [&](int64_t slot) { return stepsOf[slot] <= group.end; });
  group.count = end - group.slots;
}

/// All groups that one thread is handed, where run i trains stepsOf[i] steps.
std::vector<Visit> train(RunQueue &queue, const std::vector<int64_t> &stepsOf) {
  std::vector<Visit> visits;
  while (RunGroup *group = queue.take()) {
    visits.push_back(visitOf(*group));
    endRuns(*group, stepsOf);
    queue.finish(group);
  }
  return visits;
}

TEST(RunQueue, RoundsAreShortAtFirst) {
  RunQueue queue(makeCohorts(1, makeRules(), 20, 4));
  std::vector<int64_t> ends;
  for (const Visit &visit : train(queue, {20}))
    ends.push_back(visit.end);
  EXPECT_EQ(ends, (std::vector<int64_t>{1, 2, 4, 8, 12, 16, 20}));
}

TEST(RunQueue, NothingToTrainIsOver) {
  RunQueue none({});
  EXPECT_EQ(none.take(), nullptr);
  RunQueue empty(makeCohorts(0, makeRules(), 5, 1));
  EXPECT_EQ(empty.take(), nullptr);
  // A run without epochs still gets its initial state.
  RunQueue still(makeCohorts(1, makeRules(), 0, 1));
  EXPECT_EQ(train(still, {0}), (std::vector<Visit>{{{0}, 0, 0}}));
}

TEST(RunQueue, RunsThatAreLeftFillGroups) {
  // Of 12 runs the odd ones leave after a step.
  std::vector<int64_t> stepsOf;
  for (int64_t run = 0; run < 12; ++run)
    stepsOf.push_back(run % 2 ? 1 : 2);
  RunQueue queue(makeCohorts(12, makeRules(), 2, 1));
  EXPECT_EQ(train(queue, stepsOf), (std::vector<Visit>{{{0, 1, 2, 3}, 0, 1},
                                                       {{4, 5, 6, 7}, 0, 1},
                                                       {{8, 9, 10, 11}, 0, 1},
                                                       {{0, 2, 4, 6}, 1, 2},
                                                       {{8}, 1, 2},
                                                       {{10}, 1, 2}}));
}

TEST(RunQueue, GroupsThatLostNobodyDoNotWait) {
  RunQueue queue(makeCohorts(9, makeRules(), 2, 1));
  RunGroup *first = queue.take(), *second = queue.take();
  queue.finish(first);
  // A thread goes on with the single run, then with the first group, while the
  // second is still in its first round.
  RunGroup *single = queue.take();
  EXPECT_EQ(visitOf(*single), (Visit{{8}, 0, 1}));
  RunGroup *again = queue.take();
  EXPECT_EQ(visitOf(*again), (Visit{{0, 1, 2, 3}, 1, 2}));
  again->count = 0;
  queue.finish(again);
  queue.finish(second);
  queue.finish(single);
  EXPECT_EQ(train(queue, std::vector<int64_t>(9, 2)),
            (std::vector<Visit>{{{4, 5, 6, 7}, 1, 2}, {{8}, 1, 2}}));
}

TEST(RunQueue, EveryRunTrainsEveryEpochOnce) {
  std::mt19937 engine(7);
  for (int threads : {1, 2, 3})
    for (int64_t runs : {1, 3, 4, 5, 16, 37}) {
      constexpr int64_t epochs = 12;
      std::vector<int64_t> stepsOf;
      for (int64_t run = 0; run < runs; ++run)
        stepsOf.push_back(1 + engine() % epochs);
      RunQueue queue(makeCohorts(runs, makeRules(threads), epochs, 3));
      std::vector<std::atomic<int64_t>> reached(runs);
      auto work = [&] {
        while (RunGroup *group = queue.take()) {
          for (int64_t i = 0; i < group->count; ++i)
            EXPECT_EQ(reached[group->slots[i]].exchange(group->end),
                      group->begin);
          endRuns(*group, stepsOf);
          queue.finish(group);
        }
      };
      std::vector<std::thread> workers;
      for (int thread = 0; thread < threads; ++thread)
        workers.emplace_back(work);
      for (std::thread &worker : workers)
        worker.join();
      for (int64_t run = 0; run < runs; ++run)
        EXPECT_GE(reached[run], stepsOf[run]);
    }
}

TEST(RunQueue, GroupsDoNotDependOnWhoIsFaster) {
  std::vector<int64_t> stepsOf;
  for (int64_t run = 0; run < 23; ++run)
    stepsOf.push_back(1 + run * 7 % 5);
  auto groupsOf = [&](unsigned seed) {
    RunQueue queue(makeCohorts(23, makeRules(2), 5, 1));
    std::mutex mutex;
    std::vector<Visit> visits;
    auto work = [&](unsigned threadSeed) {
      std::mt19937 engine(threadSeed);
      while (RunGroup *group = queue.take()) {
        std::this_thread::sleep_for(std::chrono::microseconds(engine() % 200));
        {
          std::lock_guard<std::mutex> lock(mutex);
          visits.push_back(visitOf(*group));
        }
        endRuns(*group, stepsOf);
        queue.finish(group);
      }
    };
    std::thread other(work, 2 * seed);
    work(2 * seed + 1);
    other.join();
    std::sort(visits.begin(), visits.end(), [](const Visit &a, const Visit &b) {
      return std::pair(a.begin, a.slots) < std::pair(b.begin, b.slots);
    });
    return visits;
  };
  std::vector<Visit> expected = groupsOf(0);
  for (unsigned seed = 1; seed < 10; ++seed)
    EXPECT_EQ(groupsOf(seed), expected);
}

} // namespace
