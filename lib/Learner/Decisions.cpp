//===- Decisions.cpp - What a fit decides at sync points ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fit.h"

#include "FitPopulation.h"
#include "UserCode.h"

#include <algorithm>

using namespace ensc;

static int64_t nextMultiple(int64_t every, int64_t tick) {
  return (tick / every + 1) * every;
}

/// The first tick after the last one at which something is decided, or at which
/// all runs have ended that are in flight; never, if nothing is ever decided.
Expected<int64_t> Fit::nextSync() {
  if (!hasSyncPoints(state.options))
    return Search::never;
  int64_t next = Search::never;
  if (state.options.goal || state.hasPending())
    next = nextMultiple(state.plan.syncEvery, state.tick);
  for (const Callback &callback : state.options.callbacks)
    next = std::min(next, nextMultiple(callback.every, state.tick));
  if (state.options.search) {
    int64_t asked = state.options.search->nextSync(state.tick);
    if (asked <= state.tick)
      return Error(ErrorKind::InvalidArgument,
                   "the search decides at tick " + std::to_string(asked) +
                       ", which is not after tick " +
                       std::to_string(state.tick));
    next = std::min(next, asked);
  }
  // However old the runs in flight are, they have ended by then.
  int64_t records = 1;
  for (const RunReport &report : state.reports)
    records = std::max(records, countRecords(state.plan, report.run));
  return std::min(next, state.tick + records);
}

Status Fit::decide(int64_t tick) {
  FitPopulation population(state, handover, tick);
  Status status = decide(population);
  if (status)
    status = population.commit();
  if (!status)
    population.rollBack();
  return status;
}

Status Fit::decide(Population &population) {
  if (!population.live().empty())
    if (Status status = callBack(population); !status)
      return status;
  if (Status status = checkGoal(population); !status)
    return status;
  Search *search = state.options.search.get();
  if (search && !population.live().empty() &&
      search->nextSync(state.tick) == population.tick())
    return callUserCode("the search",
                        [&] { return search->decide(population); });
  return Status::success();
}

Status Fit::callBack(Population &population) {
  for (const Callback &callback : state.options.callbacks)
    if (population.tick() % callback.every == 0)
      if (Status status = callUserCode(
              "the callback", [&] { return callback.call(population); });
          !status)
        return status;
  return Status::success();
}

/// Ends all runs when as many as wanted have reached the goal.
Status Fit::checkGoal(Population &population) {
  if (!state.options.goal)
    return Status::success();
  int64_t reached = std::count_if(state.reports.begin(), state.reports.end(),
                                  [](const RunReport &report) {
                                    return report.status == RunStatus::Reached;
                                  });
  return reached >= state.options.goal->count ? population.stopAll("goal")
                                              : Status::success();
}
