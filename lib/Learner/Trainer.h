//===- Trainer.h - Advancing groups of runs ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_TRAINER_H
#define ENSC_LIB_LEARNER_TRAINER_H

#include "RunQueue.h"
#include "Session.h"

#include "ensc/Runtime/Groups.h"

#include <atomic>
#include <memory>

namespace ensc {

/// How the runs of each entry are grouped.
struct LearnerRules {
  GroupRules init, fit, evaluate;
};

/// The rules for `runs` runs that train at the same time.
LearnerRules rulesOf(const LearnerEntries &entries, const FitOptions &options,
                     int64_t runs);

/// The memory that one worker needs beside the runs.
Expected<ScratchBytes> scratchOf(const LearnerEntries &entries,
                                 const LearnerRules &rules);

/// Trains the runs of a session, groups in parallel. Between two visits of a
/// group, which end with an epoch or where one of its runs stops, metrics are
/// read and runs leave; the step loop itself is in the kernel. All memory is
/// there before the first step.
class Trainer {
public:
  Trainer(const Program &program, const LearnerEntries &entries,
          const std::vector<MetricInfo> &metrics, int64_t stepsPerEpoch,
          const FitOptions &options, Session &session,
          std::atomic<int64_t> &stepsDone);
  ~Trainer();

  /// Allocates everything that train() needs. Fails if the data does not fit.
  Status prepare();

  /// Trains all runs. Adds their steps and time to `report`.
  Status train(FitReport &report, std::vector<RunReport> &runs);

private:
  class Worker;
  struct Bindings {
    std::vector<RunMemory> arguments, results;
  };

  Status bind(const ManifestEntry *entry, Bindings &bindings);
  int64_t longestRound() const;
  void summarize(RunReport &report) const;

  const Program &program;
  const LearnerEntries &entries;
  const std::vector<MetricInfo> &metrics;
  int64_t stepsPerEpoch;
  const FitOptions &options;
  Session &session;
  std::atomic<int64_t> &stepsDone;

  LearnerRules rules;
  Bindings init, fit, evaluate;
  std::vector<ScalarColumn> columns; ///< Of the metrics; first the loss' sum.
  std::vector<RunReport> reports;    ///< One per slot.
  std::vector<std::unique_ptr<Worker>> workers;
  std::unique_ptr<RunQueue> queue;
  /// Whether a kernel could not do its work; only the interpreter's ever say
  /// so.
  std::atomic<bool> refused{false};
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_TRAINER_H
