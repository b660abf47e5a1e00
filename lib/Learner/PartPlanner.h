//===- PartPlanner.h - How far runs train at a time -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_PARTPLANNER_H
#define ENSC_LIB_LEARNER_PARTPLANNER_H

#include "FitState.h"
#include "Trainer.h"

namespace ensc {

/// Cuts training into parts of about a second, between which the fit looks
/// at its runs. Clocks change no result: runs do not know of each other, and
/// what is decided across them waits for their sync points.
///
/// At the end of a part the runs of an ensemble that were admitted together are
/// at the same step. Where an interruption has left some behind, they catch up
/// first.
class PartPlanner {
public:
  explicit PartPlanner(FitState &state);

  /// The way of all live runs in the next part, at most to the sync point at
  /// `tick`. Empty if all are there.
  std::vector<Journey> next(int64_t tick);

  /// Says how long the part took.
  void measured(double seconds);

private:
  /// Live runs that were admitted at the same tick.
  struct Batch {
    int64_t ensemble = 0, admitted = 0;
    int64_t slowest = 0, fastest = 0; ///< Steps.
    std::vector<int64_t> slots;
  };
  std::vector<Batch> findBatches() const;
  int64_t endOf(const Batch &batch, int64_t tick) const;

  FitState &state;
  bool isTimed; ///< Whether anybody waits for the ends of parts.
  /// Of all steps of a run, in a part: little until it is known how long that
  /// takes.
  double share = 1.0 / 1024;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_PARTPLANNER_H
