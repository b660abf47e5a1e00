//===- Trainer.h - Advancing groups of runs ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_TRAINER_H
#define ENSC_LIB_LEARNER_TRAINER_H

#include "Session.h"

#include <atomic>

namespace ensc {

/// Trains the runs of a session, groups in parallel. Between two visits of a
/// group, which end with an epoch or where one of its runs stops, metrics are
/// read and runs leave; the step loop itself is in the kernel.
class Trainer {
public:
  Trainer(const Program &program, const LearnerEntries &entries,
          const std::vector<MetricInfo> &metrics, int64_t stepsPerEpoch,
          const FitOptions &options, std::atomic<int64_t> &stepsDone)
      : program(program), entries(entries), metrics(metrics),
        stepsPerEpoch(stepsPerEpoch), options(options), stepsDone(stepsDone) {}

  /// Fills one report per slot of the session.
  Status train(Session &session, FitReport &report);

private:
  class Group;

  const Program &program;
  const LearnerEntries &entries;
  const std::vector<MetricInfo> &metrics;
  int64_t stepsPerEpoch;
  const FitOptions &options;
  std::atomic<int64_t> &stepsDone;
  /// Whether a kernel could not do its work; only the interpreter's ever say
  /// so.
  std::atomic<bool> refused{false};
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_TRAINER_H
