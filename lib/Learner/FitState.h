//===- FitState.h - Where a fit is ------------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_FITSTATE_H
#define ENSC_LIB_LEARNER_FITSTATE_H

#include "Ensemble.h"
#include "MemoryPlan.h"

#include <deque>
#include <memory>

namespace ensc {

/// The place of a run: an ensemble that trains, and a slot of it.
struct Place {
  int64_t ensemble = -1, slot = -1;

  bool exists() const { return slot >= 0; }
};

/// All that changes while a fit trains, and what it was asked to do.
struct FitState {
  /// Nothing is started yet.
  FitState(const LearnerPrograms &programs, const FitOptions &options);

  const LearnerPrograms &programs;
  FitOptions options;
  FitPlan plan;
  FitLayout layout;

  /// Of the programs that have runs. They may be moved, not the runs in them.
  std::vector<std::unique_ptr<Ensemble>> ensembles;
  /// The runs of each ensemble that wait, in order.
  std::vector<std::deque<int64_t>> pending;
  int64_t tick = 0;  ///< The last sync point that was decided.
  bool over = false; ///< Whether no run is to be started any more.

  /// Lays out the memory of all runs, which are pending. `slots` are the places
  /// for the runs of each program.
  Status layOut(const std::vector<int64_t> &slots);

  /// Of a run that is trained.
  RunReport &reportOf(int64_t run) { return reports[indexOf(run)]; }
  Place &placeOf(int64_t run) { return places[indexOf(run)]; }
  bool isPlanned(int64_t run) const;

  /// The slot of a run, or null where it has none.
  Slot *findSlot(int64_t run);

  /// The runs that have a slot and are Running, ascending.
  std::vector<int64_t> liveRuns() const;
  bool hasPending() const;

  /// Brings the report of a run up to date, but for its records.
  void updateReport(int64_t run);

  std::vector<RunReport> reports; ///< In the order of their numbers.
  std::vector<Place> places;      ///< Likewise.

private:
  size_t indexOf(int64_t run) const {
    return options.onlyRun ? 0 : static_cast<size_t>(run);
  }
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_FITSTATE_H
