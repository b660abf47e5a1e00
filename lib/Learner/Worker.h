//===- Worker.h - What a thread needs to train groups -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_WORKER_H
#define ENSC_LIB_LEARNER_WORKER_H

#include "Ensemble.h"
#include "Judge.h"
#include "MemoryPlan.h"
#include "RunQueue.h"

#include "ensc/Runtime/Groups.h"

#include <atomic>
#include <memory>

namespace ensc {

/// How the runs of each entry are grouped.
struct LearnerRules {
  GroupRules init, fit, evaluate;
};

/// The rules for `runs` runs that train at the same time.
LearnerRules rulesOf(const LearnerEntries &entries, const TrainingWay &way,
                     int64_t runs);

/// Makes room in `bytes` for what one worker needs beside the runs.
Status includeScratch(const LearnerEntries &entries, const LearnerRules &rules,
                      ScratchBytes &bytes);

/// The runs of a program, and how they are grouped.
struct TrainedEnsemble {
  Ensemble *ensemble = nullptr;
  LearnerRules rules;
};

/// What all workers of a fit share.
struct SharedWork {
  const FitPlan &plan;
  std::vector<TrainedEnsemble> ensembles;
  Judge judge;
  std::atomic<int64_t> &stepsDone;
  /// Whether a kernel could not do its work; only the interpreter's ever say
  /// so.
  std::atomic<bool> refused{false};

  bool isInterrupted() const {
    const std::atomic<bool> *flag = plan.options->interrupt;
    return flag && flag->load(std::memory_order_relaxed);
  }
};

/// Trains groups, one after the other, on one thread. Between two visits of a
/// group, which end with a record or where one of its runs ends, metrics are
/// read and runs leave; the step loop itself is in the kernel.
class Worker {
public:
  Worker(SharedWork &shared, const Scratch &scratch);

  /// Trains a group to the end of its round. Runs that end leave it. Returns
  /// whether it got there: an interrupted one stays where it is.
  bool train(RunGroup &group);

  /// Gives a run its initial state.
  void initialize(int64_t ensemble, int64_t slot);

private:
  /// The entries of one program.
  struct Callers {
    Callers(const TrainedEnsemble &trained, const Scratch &scratch);

    Ensemble &ensemble;
    EntryCaller init, fit;
    std::optional<EntryCaller> evaluate;
  };

  void call(Callers &callers, EntryCaller &caller, const int64_t *slots,
            int64_t count, int64_t begin, int64_t end);
  void start(Callers &callers, RunGroup &group);
  int64_t visitEnd(const Ensemble &ensemble, const RunGroup &group,
                   int64_t step) const;
  int64_t nextRecord(const Ensemble &ensemble, int64_t slot,
                     int64_t step) const;
  void finishVisit(Callers &callers, RunGroup &group, int64_t step);
  void record(Callers &callers, const int64_t *slots, int64_t count,
              int64_t step, bool validated);
  static void skipRecord(Ensemble &ensemble, const int64_t *slots,
                         int64_t count, int64_t step);

  SharedWork &shared;
  std::vector<Callers> callers;
  std::vector<int64_t> ids, chosen; ///< Of the runs of one group.
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_WORKER_H
