//===- RunQueue.cpp - Which runs advance together, and when ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunQueue.h"

using namespace ensc;

//===----------------------------------------------------------------------===//
// One cohort
//===----------------------------------------------------------------------===//

RunQueue::Lineup::Lineup(Cohort given, size_t position)
    : cohort(std::move(given)), position(position) {
  for (Round &round : rounds) {
    // Groups and slots are pointed to, so neither vector may ever grow.
    round.slots.reserve(cohort.slots.size());
    round.groups.reserve(cohort.slots.size());
  }
  Round &first = rounds[current];
  first.slots = std::move(cohort.slots);
  first.begin = cohort.begin;
  first.end = roundEnd(first.begin);
  first.complete = true;
  first.few = true;
  formGroups(first);
  prepare(rounds[1 - current], first);
}

/// Makes `next` the round after `round`, all of whose runs are known.
void RunQueue::Lineup::prepare(Round &next, const Round &round) const {
  const GroupRules &rules = cohort.rules;
  next.begin = round.end;
  next.end = roundEnd(round.end);
  next.few = static_cast<int64_t>(round.slots.size()) <=
             std::max<int64_t>(rules.width, 1) * rules.threads;
}

/// Runs that diverge mostly do so early: the first rounds are short.
int64_t RunQueue::Lineup::roundEnd(int64_t begin) const {
  int64_t most = std::max(cohort.shortest, cohort.longest);
  return std::min(begin + std::clamp(begin, cohort.shortest, most), cohort.end);
}

void RunQueue::Lineup::addGroup(Round &round, int64_t count) {
  RunGroup group;
  group.slots = round.slots.data() + round.grouped;
  group.count = group.size = count;
  group.begin = round.begin;
  group.end = round.end;
  group.ensemble = cohort.ensemble;
  group.cohort = position;
  round.groups.push_back(group);
  round.grouped += count;
}

void RunQueue::Lineup::formGroups(Round &round) {
  const GroupRules &rules = cohort.rules;
  int64_t full = rules.prefersLanes(rules.width) ? rules.width : 1;
  auto waiting = [&] {
    return static_cast<int64_t>(round.slots.size() - round.grouped);
  };
  // With few runs it matters how they are spread over the threads, which is
  // decided when all of them are there.
  if (!round.few)
    while (waiting() >= full)
      addGroup(round, full);
  if (!round.complete)
    return;
  Grouping grouping = chooseGrouping(rules, waiting());
  for (int64_t i = 0; i < grouping.groups; ++i)
    addGroup(round, std::min(rules.width, waiting() - grouping.single));
  while (waiting() > 0)
    addGroup(round, 1);
}

/// Lets the runs of finished groups go on, in their order.
void RunQueue::Lineup::advance() {
  for (;;) {
    Round &round = rounds[current], &next = rounds[1 - current];
    while (round.joined < round.groups.size() &&
           round.groups[round.joined].finished) {
      const RunGroup &group = round.groups[round.joined++];
      if (round.end == cohort.end)
        continue;
      bool waiting = next.grouped < next.slots.size();
      next.slots.insert(next.slots.end(), group.slots,
                        group.slots + group.count);
      // A group that lost nobody stays together.
      if (group.count == group.size && !waiting)
        addGroup(next, group.count);
      else
        formGroups(next);
    }
    next.complete = RunQueue::isOver(round);
    formGroups(next);
    if (!next.complete || next.slots.empty())
      return;
    // The memory of the round that is over serves the one after the next.
    round.slots.clear();
    round.groups.clear();
    round = Round{std::move(round.slots), std::move(round.groups)};
    prepare(round, next);
    current = 1 - current;
  }
}

RunQueue::Round *RunQueue::Lineup::findWaiting() {
  for (Round *round : {&rounds[current], &rounds[1 - current]})
    if (round->taken < round->groups.size())
      return round;
  return nullptr;
}

bool RunQueue::Lineup::isOver() const {
  return RunQueue::isOver(rounds[current]) && rounds[1 - current].slots.empty();
}

double RunQueue::Lineup::workFrom(const Round &round) const {
  const GroupRules &rules = cohort.rules;
  double cost = rules.width ? rules.groupCost : rules.singleCost;
  return cost * static_cast<double>(cohort.end - round.begin);
}

//===----------------------------------------------------------------------===//
// All cohorts
//===----------------------------------------------------------------------===//

RunQueue::RunQueue(std::vector<Cohort> cohorts) {
  lineups.reserve(cohorts.size());
  for (Cohort &cohort : cohorts)
    lineups.emplace_back(std::move(cohort), lineups.size());
}

bool RunQueue::isOver(const Round &round) {
  return round.complete && round.grouped == round.slots.size() &&
         round.joined == round.groups.size();
}

RunGroup *RunQueue::take() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    Round *best = nullptr;
    double bestWork = 0.0;
    bool isOver = true;
    for (Lineup &lineup : lineups) {
      isOver &= lineup.isOver();
      Round *round = lineup.findWaiting();
      if (!round)
        continue;
      double work = lineup.workFrom(*round);
      if (!best || work > bestWork) {
        best = round;
        bestWork = work;
      }
    }
    if (stopped || (isOver && !best))
      return nullptr;
    if (best)
      return &best->groups[best->taken++];
    changed.wait(lock);
  }
}

void RunQueue::finish(RunGroup *group) {
  std::lock_guard<std::mutex> lock(mutex);
  group->finished = true;
  lineups[group->cohort].advance();
  changed.notify_all();
}

void RunQueue::stop() {
  std::lock_guard<std::mutex> lock(mutex);
  stopped = true;
  changed.notify_all();
}
