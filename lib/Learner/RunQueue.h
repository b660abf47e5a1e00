//===- RunQueue.h - Which runs advance together, and when -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_RUNQUEUE_H
#define ENSC_LIB_LEARNER_RUNQUEUE_H

#include "ensc/Runtime/Grouping.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace ensc {

/// Runs that advance together. The worker that took the group may reorder and
/// drop runs of it.
struct RunGroup {
  int64_t *slots = nullptr;
  int64_t count = 0;
  int64_t begin = 0, end = 0; ///< Steps, from begin on and before end.
  int64_t ensemble = 0;

private:
  friend class RunQueue;
  size_t cohort = 0; ///< Its position.
  int64_t size = 0;  ///< Runs when it was formed.
  bool finished = false;
};

/// Runs of an ensemble that are at the same step and go to the same one.
struct Cohort {
  int64_t ensemble = 0;
  std::vector<int64_t> slots; ///< Those that train longest first.
  GroupRules rules;
  int64_t begin = 0, end = 0; ///< Steps.
  /// Steps of a round, at least and at most.
  int64_t shortest = 1, longest = 1;
};

/// Hands out groups of runs to workers.
///
/// The runs of a cohort train in rounds. Those that are left after a round form
/// the groups of the next one, in their old order: so groups stay full although
/// runs leave. There is no barrier between rounds: a group of the next round
/// begins as soon as the runs it needs are there, while others are still busy
/// with this one. Which runs share a group depends on which runs leave, not on
/// the order in which workers finish. Of several cohorts the one that has most
/// work before it goes first, so that all end at about the same time.
///
/// Nothing is allocated after construction.
class RunQueue {
public:
  explicit RunQueue(std::vector<Cohort> cohorts);

  /// The bytes that a queue takes for each of its runs, most of which are in
  /// full groups. There is room for more groups, which is never touched.
  static int64_t bytesPerRun(const GroupRules &rules) {
    int64_t groupBytes = static_cast<int64_t>(sizeof(RunGroup));
    return 2 * (static_cast<int64_t>(sizeof(int64_t)) +
                groupBytes / std::max<int64_t>(rules.width, 1));
  }

  /// Takes a group; waits until there is one. Null if no run is left, or after
  /// stop().
  RunGroup *take();

  /// Gives a group back whose first `count` runs go on after its last step.
  void finish(RunGroup *group);

  /// Hands out no group any more. Those that are out need not come back.
  void stop();

private:
  struct Round {
    std::vector<int64_t> slots;   ///< Capacity for all runs.
    std::vector<RunGroup> groups; ///< In the order of their slots.
    int64_t begin = 0, end = 0;   ///< Steps.
    size_t grouped = 0;           ///< Slots that are in a group.
    size_t taken = 0;             ///< Groups that were handed out.
    size_t joined = 0;            ///< Groups whose runs went on.
    bool complete = false;        ///< Whether all its slots are there.
    bool few = false;             ///< Whether one group per thread would do.
  };

  /// A cohort, the round that ends next and the one after it.
  struct Lineup {
    Cohort cohort;
    size_t position; ///< Of the cohort.
    std::array<Round, 2> rounds;
    int current = 0;

    Lineup(Cohort cohort, size_t position);
    int64_t roundEnd(int64_t begin) const;
    void prepare(Round &next, const Round &round) const;
    void formGroups(Round &round);
    void addGroup(Round &round, int64_t count);
    void advance();
    Round *findWaiting();
    bool isOver() const;
    /// About the work that is left once the round has begun.
    double workFrom(const Round &round) const;
  };
  static bool isOver(const Round &round);

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Lineup> lineups;
  bool stopped = false;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_RUNQUEUE_H
