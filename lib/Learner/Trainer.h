//===- Trainer.h - Advancing runs on all threads ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_TRAINER_H
#define ENSC_LIB_LEARNER_TRAINER_H

#include "Worker.h"

namespace ensc {

/// Runs of an ensemble at the same step that go to the step `end`.
struct Journey {
  int64_t ensemble = 0; ///< Its position among those that train.
  std::vector<int64_t> slots;
  int64_t begin = 0, end = 0;
};

/// Trains the runs of ensembles, groups in parallel. While it does nothing is
/// allocated.
class Trainer {
public:
  Trainer(const FitPlan &plan, const TrainingWay &way,
          std::atomic<int64_t> &stepsDone)
      : way(way), shared{plan, {}, Judge(plan), stepsDone, {}} {}

  /// Allocates the memory of workers.
  Status prepare(const std::vector<std::unique_ptr<Ensemble>> &ensembles);

  /// Takes runs where they go, unless they end before or the fit is
  /// interrupted.
  Status advance(std::vector<Journey> journeys);

  /// Gives a run its initial state now.
  Status initialize(int64_t ensemble, int64_t slot);

  /// Whether groups of runs are trained in lanes.
  bool usesLanes() const;

  /// Of the contractions of a step of a run.
  int64_t flopsPerStep(int64_t ensemble) const;

private:
  const ManifestInstance &instanceOf(int64_t ensemble) const;
  int64_t longestRound(const Journey &journey) const;
  Cohort makeCohort(Journey journey) const;
  Status checkRefused() const;

  TrainingWay way;
  SharedWork shared;
  std::vector<std::unique_ptr<Worker>> workers;
  bool haveMet = false; ///< Whether the threads were there once.
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_TRAINER_H
