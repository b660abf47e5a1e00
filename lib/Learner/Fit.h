//===- Fit.h - One fit of a learner -----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_FIT_H
#define ENSC_LIB_LEARNER_FIT_H

#include "Handover.h"
#include "PartPlanner.h"

#include <atomic>

namespace ensc {

/// Steps of a fit, summed over its runs, for those who watch it from another
/// thread.
struct FitCounters {
  std::atomic<int64_t> done{0}, planned{0};
};

/// One fit: its runs from their first step to their end, and their state
/// afterwards.
class Fit {
public:
  /// A fit of runs of `programs`, which outlive it, as does `sink`, if it is
  /// not null. Fails on options and data that do not fit the programs.
  static Expected<std::unique_ptr<Fit>>
  create(const LearnerPrograms &programs, const FitOptions &options,
         const std::map<std::string, Tensor> &data, FitSink *sink,
         FitCounters &counters);

  /// The memory that a fit would take.
  static Expected<MemoryPlan>
  planMemory(const LearnerPrograms &programs, const FitOptions &options,
             const std::map<std::string, Tensor> &data);

  /// Trains all runs.
  Expected<FitReport> run();

  /// A leaf of the state of a run that has a place.
  Expected<Tensor> parameter(int64_t run, const std::string &name);

private:
  Fit(const LearnerPrograms &programs, const FitOptions &options, FitSink *sink,
      FitCounters &counters)
      : state(programs, options), sink(sink), counters(counters),
        handover(state, sink) {}

  Status plan(const std::map<std::string, Tensor> &data, bool isKept);
  Status prepare();
  Status resume();
  Status restore(const Snapshot &snapshot);
  Status train();
  Status admit();
  Status admitTo(int64_t ensemble);
  Status startRun(int64_t ensemble, int64_t slot, int64_t run);
  Status trainTo(int64_t tick);
  Status checkProgress() const;
  Status endPart();
  Expected<int64_t> nextSync();
  Status decide(int64_t tick);
  Status decide(Population &population);
  Status callBack(Population &population);
  Status checkGoal(Population &population);
  Status keep(const std::optional<std::string> &search = std::nullopt);
  void countPlanned();
  FitReport makeReport(double seconds);

  FitState state;
  FitSink *sink;
  FitCounters &counters;
  Handover handover;
  std::optional<Trainer> trainer;
  std::optional<PartPlanner> planner;
  bool isResumed = false;
  int64_t resumedSteps = 0;     ///< That were done before this fit.
  double trainingSeconds = 0.0; ///< What advancing runs took so far.
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_FIT_H
