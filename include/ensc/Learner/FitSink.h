//===- FitSink.h - What keeps a fit -----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LEARNER_FITSINK_H
#define ENSC_LEARNER_FITSINK_H

#include "ensc/API/Learner.h"
#include "ensc/Artifact/NamedTensor.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// A program of a learner, and what its runs have.
struct PlannedProgram {
  const Executable *executable = nullptr;
  const ManifestLearner *learner = nullptr;
  int64_t recordSteps = 0;           ///< Steps from a record to the next.
  std::vector<std::string> hypers;   ///< In the order of the source.
  std::vector<ManifestValue> states; ///< Parameters, then the optimizer's.
};

/// Everything that decides what a fit computes. It outlives the fit's calls of
/// its sink.
struct FitPlan {
  const FitOptions *options = nullptr;
  std::vector<PlannedProgram> programs;
  std::vector<MetricInfo> metrics;
  size_t monitor = 0;
  std::map<std::string, Tensor> data; ///< By name, as it was given.
  int64_t syncEvery = 0;              ///< As FitOptions says, or its default.
  int64_t inFlight = 0;               ///< As the memory allows.

  // Of each run of the options.
  std::vector<int64_t> programOf, seeds, lastSteps;
  /// The values of hyper-parameters before the first step, all programs' names;
  /// NaN where the program of a run has none of this name.
  std::map<std::string, std::vector<double>> hypers;
};

/// A record of a run. `values` has one number per metric and is valid during
/// the call.
struct RecordRow {
  int64_t run = 0, step = 0, epoch = 0;
  bool validated = false; ///< Whether more than the loss was computed.
  const double *values = nullptr;
};

/// The records of a part of training, sorted by run, then step.
using RecordBatch = std::vector<RecordRow>;

/// Parameters, then leaves of the optimizer of a run that has just ended.
using StateReader =
    std::function<Expected<std::vector<NamedTensor>>(int64_t run)>;

/// All state from which a fit goes on with the same bits.
struct Snapshot {
  /// The runs of a program that have memory: those that train, and those that
  /// have ended and whose place no other run has taken. All tensors lead with
  /// these runs, which ascend:
  ///
  ///   run, step                                i64
  ///   admitted                                 i64, the tick
  ///   recorded                                 i64, the step of its last
  ///   record started                                  i1, has its initial
  ///   state loss_sum                                 of the steps since a
  ///   record latest, best                             f64, one per metric
  ///   stop.best, stop.waited                   f64, i64: patience
  ///   hyper.NAME                               as training goes on with them
  ///   state.NAME                               of parameters and optimizer
  struct Ensemble {
    int64_t program = 0;
    std::vector<NamedTensor> tensors;

    const Tensor *find(const std::string &name) const;
  };
  std::vector<Ensemble> ensembles; ///< Of programs that have such runs.
  std::vector<RunReport> reports;  ///< Of all runs that were started.
  int64_t tick = 0;                ///< The last sync point that was decided.
  /// Whether the runs without a report are not to be started any more.
  bool over = false;
  std::string search; ///< What Search::save gave.
};

/// Something that happened to runs at a sync point.
struct FitEvent {
  enum Kind { Admitted, Stopped, Copied, Changed };
  Kind kind = Admitted;
  int64_t tick = 0;
  std::vector<int64_t> runs; ///< That it happened to.
  int64_t from = -1;         ///< Copied: the run that was copied.
  std::string text;          ///< Stopped: the reason; Changed: the name.
  double value = 0.0;        ///< Changed: the new value.
};

/// "admitted", "stopped", "copied" or "changed".
const char *nameOf(FitEvent::Kind kind);

/// Keeps what a fit does, and knows from where to go on. All calls come from
/// fit()'s thread while no run is being advanced. An error from any of them
/// ends the fit with this error.
class FitSink {
public:
  virtual ~FitSink();

  /// Called when everything has been checked, before the first step. Returns
  /// what to go on from, or nothing. Where all runs have ended, fit() calls
  /// finish() at once and returns the reports of the snapshot.
  virtual Expected<std::optional<Snapshot>> start(const FitPlan &plan) = 0;

  /// New records.
  virtual Status records(const RecordBatch &batch) = 0;

  /// Runs have ended; their records were given before. Called before their
  /// places are taken.
  virtual Status ended(const std::vector<RunReport> &reports,
                       const StateReader &readState) = 0;

  virtual Status event(const FitEvent &event) = 0;

  /// Whether it wants a snapshot now; `steps` are those executed by this fit,
  /// summed over its runs. Asked every second or so.
  virtual bool wantsSnapshot(int64_t steps) = 0;

  /// A snapshot, because it wanted one, or because training ends before all
  /// runs have. All records and ended runs before it were given.
  virtual Status snapshot(const Snapshot &snapshot) = 0;

  /// All runs have ended. `last` is the state at the end.
  virtual Status finish(const FitReport &report, const Snapshot &last) = 0;
};

} // namespace ensc

#endif // ENSC_LEARNER_FITSINK_H
