//===- Judge.h - Which runs end at a record ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_JUDGE_H
#define ENSC_LIB_LEARNER_JUDGE_H

#include "Ensemble.h"

namespace ensc {

/// Ends runs by what a fit's options say about each run alone. Different slots
/// may be judged by different threads.
class Judge {
public:
  /// Why a run ends whose own last step comes before everybody's.
  static constexpr const char *maxSteps = "max_steps";

  explicit Judge(const FitPlan &plan);

  /// Whether the run in a slot ends at the record that it has just made; says
  /// in the slot why. `validated`: whether all metrics were computed.
  bool ends(Ensemble &ensemble, int64_t slot, bool validated) const;

  /// Whether a run ends before its first step.
  static bool endsAtStart(Ensemble &ensemble, int64_t slot);

private:
  static bool endsBySteps(Ensemble &ensemble, int64_t slot);
  bool reachesGoal(Ensemble &ensemble, int64_t slot, bool validated) const;
  bool losesPatience(Ensemble &ensemble, int64_t slot, bool validated) const;
  bool diverges(Ensemble &ensemble, int64_t slot) const;

  const FitPlan &plan;
  size_t goalMetric = 0;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_JUDGE_H
