//===- RunQueue.cpp - Which runs advance together, and when ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunQueue.h"

#include <algorithm>

using namespace ensc;

RunQueue::RunQueue(std::vector<int64_t> slots, const GroupRules &rules,
                   int64_t epochs, int64_t longestRound)
    : rules(rules), epochs(epochs), longestRound(longestRound) {
  for (Round &round : rounds) {
    // Groups and slots are pointed to, so neither vector may ever move.
    round.slots.reserve(slots.size());
    round.groups.reserve(slots.size());
  }
  Round &first = rounds[current];
  first.slots.assign(slots.begin(), slots.end());
  first.end = roundEnd(0);
  first.complete = true;
  first.few = true;
  formGroups(first);
  prepare(rounds[1 - current], first);
}

/// Makes `next` the round after `round`, all of whose runs are known.
void RunQueue::prepare(Round &next, const Round &round) const {
  next.begin = round.end;
  next.end = roundEnd(round.end);
  next.few = static_cast<int64_t>(round.slots.size()) <=
             std::max<int64_t>(rules.width, 1) * rules.threads;
}

/// Runs that diverge mostly do so early: the first rounds are short.
int64_t RunQueue::roundEnd(int64_t begin) const {
  return std::min(begin + std::clamp<int64_t>(begin, 1, longestRound), epochs);
}

void RunQueue::addGroup(Round &round, int64_t count) {
  RunGroup group;
  group.slots = round.slots.data() + round.grouped;
  group.count = group.size = count;
  group.begin = round.begin;
  group.end = round.end;
  round.groups.push_back(group);
  round.grouped += count;
}

void RunQueue::formGroups(Round &round) {
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

bool RunQueue::isOver(const Round &round) const {
  return round.complete && round.grouped == round.slots.size() &&
         round.joined == round.groups.size();
}

/// Lets the runs of finished groups go on, in their order.
void RunQueue::advance() {
  for (;;) {
    Round &round = rounds[current], &next = rounds[1 - current];
    while (round.joined < round.groups.size() &&
           round.groups[round.joined].finished) {
      const RunGroup &group = round.groups[round.joined++];
      bool waiting = next.grouped < next.slots.size();
      next.slots.insert(next.slots.end(), group.slots,
                        group.slots + group.count);
      // A group that lost nobody stays together.
      if (group.count == group.size && !waiting)
        addGroup(next, group.count);
      else
        formGroups(next);
    }
    next.complete = isOver(round);
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

RunGroup *RunQueue::take() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    for (Round *round : {&rounds[current], &rounds[1 - current]})
      if (round->taken < round->groups.size())
        return &round->groups[round->taken++];
    const Round &last = rounds[1 - current];
    if (isOver(rounds[current]) && last.slots.empty())
      return nullptr;
    changed.wait(lock);
  }
}

void RunQueue::finish(RunGroup *group) {
  std::lock_guard<std::mutex> lock(mutex);
  group->finished = true;
  advance();
  changed.notify_all();
}
