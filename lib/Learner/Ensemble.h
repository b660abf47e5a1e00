//===- Ensemble.h - The runs of one program in memory -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_ENSEMBLE_H
#define ENSC_LIB_LEARNER_ENSEMBLE_H

#include "FitChecks.h"
#include "MetricTable.h"

#include "ensc/Learner/Records.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ensc {

/// The place of a run in flight, or of one that has ended.
struct Slot {
  int64_t run = -1; ///< Its global number; -1: the place is free.
  RunStatus status = RunStatus::Pending;
  bool started = false;    ///< Whether it has its initial state.
  bool handedOver = false; ///< Whether its end was reported.
  int64_t lastStep = 0;    ///< Where it ends at the latest.
  int64_t admitted = 0;    ///< The tick.
  int64_t recorded = 0;    ///< The step of its last record.
  int64_t patience = 0;    ///< Records without progress that end it.
  int64_t waited = 0;      ///< Records without progress so far.
  double progress = 0.0;   ///< The metric that patience compares with.
  std::string reason;      ///< Why it ended.
  double badValue = 0.0;   ///< What was not finite.

  bool isLive() const { return status == RunStatus::Running; }
};

/// A result of an entry that is one number per slot.
struct ScalarColumn {
  DType dtype = DType::F32;
  void *data = nullptr;

  double read(int64_t slot) const;
  void write(int64_t slot, double value) const;
};

/// Where the slots keep arguments and results of an entry.
struct Bindings {
  std::vector<RunMemory> arguments, results;
};

/// Everything that the runs of a program need, laid out before the first step:
/// their seeds, hyper-parameters, state and metrics. Runs are addressed by
/// their slot.
class Ensemble {
public:
  /// Free slots for runs of the program `position` of a plan, with room for
  /// `tableRows[slot]` records. Fails where memory is short, and on data that
  /// does not fit.
  static Expected<std::unique_ptr<Ensemble>>
  create(const LearnerPrograms &programs, const FitPlan &plan, int64_t position,
         const std::vector<int64_t> &tableRows);

  /// Bytes of each slot, beside records of metrics.
  static int64_t slotBytes(const LearnerEntries &entries, size_t metrics);

  int64_t slotCount() const { return static_cast<int64_t>(slots.size()); }

  /// Gives a run of the plan a slot, from its first step on.
  void admit(int64_t slot, int64_t run, int64_t tick);

  /// The step after which a run has made so many records.
  int64_t stepOfRecord(int64_t records) const;

  double *latest(int64_t slot) { return &latest_[slot * metricCount]; }
  double *best(int64_t slot) { return &best_[slot * metricCount]; }

  /// Adds what a run has measured to what is known of it.
  void note(int64_t slot, size_t metric, double value);

  /// A hyper-parameter, one value per slot; null if there is none.
  Tensor *findHyper(const std::string &name);

  int64_t stepOf(int64_t slot) const { return steps.data<int64_t>()[slot]; }
  void setStep(int64_t slot, int64_t step) {
    steps.data<int64_t>()[slot] = step;
  }

  /// Whether training leads a live run anywhere: it has a step to do, or no
  /// initial state yet, or is about to end before its first step.
  bool canGoOn(int64_t slot) const {
    const Slot &place = slots[slot];
    return !place.started || place.lastStep == 0 ||
           stepOf(slot) < place.lastStep;
  }

  /// The report of the run in a slot as it is now, without records.
  RunReport report(int64_t slot);

  const FitPlan &plan;
  const LearnerProgram &program;
  const int64_t position; ///< Of the program.
  const int64_t recordSteps, stepsPerEpoch;

  std::vector<Slot> slots;
  Records records;
  MetricTable table;
  Bindings init, fit, evaluate;
  ScalarColumn lossSum;
  std::vector<ScalarColumn> measured; ///< What `evaluate` gives.

private:
  Ensemble(const LearnerPrograms &programs, const FitPlan &plan,
           int64_t position);
  Status layOut(const std::vector<int64_t> &tableRows);
  Status bind();
  Expected<Tensor> makeColumn(DType dtype) const;
  Expected<RunMemory> bindData(const ManifestValue &argument) const;
  Expected<RunMemory> bindRows(const ManifestValue &argument);
  Expected<RunMemory> bindScalar(const ManifestValue &value);
  Expected<RunMemory> bindArgument(const ManifestEntry &entry,
                                   const ManifestValue &argument);
  ScalarColumn column(const std::string &name) const;

  size_t metricCount;
  std::vector<double> latest_, best_;
  Tensor seeds, orderSeeds, steps;       ///< One i64 per slot.
  std::map<std::string, Tensor> hypers;  ///< One value per slot.
  std::map<std::string, Tensor> scalars; ///< Results that are no state.
  std::map<std::string, Tensor> rows;    ///< Rows of each slot.
};

/// Writes a value of a hyper-parameter, in its type.
void writeHyper(Tensor &column, int64_t slot, double value);
double readHyper(const Tensor &column, int64_t slot);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_ENSEMBLE_H
