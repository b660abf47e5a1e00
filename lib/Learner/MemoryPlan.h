//===- MemoryPlan.h - What a fit will take ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_MEMORYPLAN_H
#define ENSC_LIB_LEARNER_MEMORYPLAN_H

#include "FitChecks.h"

namespace ensc {

/// How runs are trained: what that changes is how long it takes, and memory.
struct TrainingWay {
  RunSchedule schedule = RunSchedule::Auto;
  int threads = 1;
};

/// How much of everything a fit has.
struct FitLayout {
  MemoryPlan memory;
  TrainingWay way;
  std::vector<int64_t> slots; ///< Of each program; 0 if no run is of it.
  /// Of each program: the records that a slot has room for, unless all is
  /// whole.
  std::vector<int64_t> tableRows;
  /// Whether all runs train from their first step to their last one without
  /// anybody looking at them in between.
  bool isWhole = true;
  /// Otherwise: the records that a run makes at most in a part of training.
  int64_t partRecords = 0;
};

/// The records of a run, the last of which may come early.
int64_t countRecords(const FitPlan &plan, int64_t run);

/// Plans a fit with checked options. `isKept`: whether a sink takes its
/// records. Where a limit does not let all runs train as they were asked to,
/// it takes of all schedules and numbers of threads that were allowed those
/// that end first. Fails if a limit is too low for one run of each program, or
/// without a limit, if this machine has too little memory.
Expected<FitLayout> planLayout(const LearnerPrograms &programs,
                               const FitPlan &plan, bool isKept);

/// Gives the runs of each program `slots` places, which those need that go on
/// from a snapshot. Fails, and changes nothing, if that exceeds the limit.
Status widenLayout(const LearnerPrograms &programs, const FitPlan &plan,
                   const std::vector<int64_t> &slots, FitLayout &layout);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_MEMORYPLAN_H
