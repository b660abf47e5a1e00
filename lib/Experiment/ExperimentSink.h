//===- ExperimentSink.h - Keeping a fit in a directory ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_EXPERIMENTSINK_H
#define ENSC_LIB_EXPERIMENT_EXPERIMENTSINK_H

#include "CheckpointStore.h"
#include "Directory.h"
#include "EventLog.h"
#include "RunFiles.h"
#include "RunsTable.h"

#include "ensc/Artifact/LogFile.h"
#include "ensc/Experiment/Reader.h"
#include "ensc/Experiment/Sink.h"

#include <chrono>
#include <memory>
#include <optional>
#include <set>

namespace ensc {

/// The runs whose files stay: all of them, or those that have ended with the
/// best values.
class KeptRuns {
public:
  /// `count` of 0: all.
  KeptRuns(int64_t count, size_t monitor, bool maximize)
      : count(count), monitor(monitor), maximize(maximize) {}

  /// Whether a run that has ended stays. `removed` becomes the run that goes in
  /// its place, if there is one.
  bool add(const RunReport &report, std::optional<int64_t> &removed);

  bool contains(const RunReport &report) const {
    return count == 0 || runs.count(keyOf(report));
  }

private:
  using Key = std::pair<double, int64_t>; ///< Smaller is better.
  Key keyOf(const RunReport &report) const;

  int64_t count;
  size_t monitor;
  bool maximize;
  std::set<Key> runs;
};

class ExperimentSink : public FitSink {
public:
  explicit ExperimentSink(const ExperimentOptions &options)
      : options(options) {}

  Expected<std::optional<Snapshot>> start(const FitPlan &plan) override;
  Status records(const RecordBatch &batch) override;
  Status ended(const std::vector<RunReport> &reports,
               const StateReader &readState) override;
  Status event(const FitEvent &event) override;
  bool wantsSnapshot(int64_t steps) override;
  Status snapshot(const Snapshot &snapshot) override;
  Status finish(const FitReport &report, const Snapshot &last) override;

private:
  using Clock = std::chrono::steady_clock;

  Status openFiles(const Json &json);
  Expected<std::optional<Snapshot>> goOn();
  Expected<std::optional<StoredSnapshot>> findCheckpoint();
  Status acceptSnapshot(const StoredSnapshot &stored);
  Status checkEpochs(int64_t was) const;
  Status checkRecords(const StoredSnapshot &stored);
  Status openLogs(const std::vector<int64_t> &steps,
                  const std::optional<StoredSnapshot> &stored);
  void tellResumed(const std::optional<StoredSnapshot> &stored);
  Status reviveCompleted(Snapshot &snapshot) const;
  Expected<std::optional<Snapshot>> readResults() const;
  void noteComputedMetrics();
  Status writeCheckpoint(const Snapshot &snapshot);
  Status writeTable(const std::vector<RunReport> &reports);
  Status writeRunFiles(const std::vector<RunReport> &reports);
  /// Writes metrics.csv from the files of runs, if these have `count` records.
  /// Returns whether they do.
  Expected<bool> restoreRecords(const std::vector<RunReport> &reports,
                                int64_t count);
  /// Writes final states that are missing, or damaged in an experiment that was
  /// complete, from the checkpoint that was used.
  Status restoreStates(const std::vector<RunReport> &reports);
  /// The runs that lack files other than the state. Adds the names of these.
  std::vector<const RunReport *>
  findLacking(const std::vector<RunReport> &reports,
              std::vector<std::string> &names) const;
  /// Writes what such runs lack, from their reports and records.
  Status restoreOthers(const std::vector<const RunReport *> &lacking);
  /// Writes all files of a complete experiment that are missing.
  Status restoreFiles(const std::vector<RunReport> &reports);
  void tellRestored(const std::vector<std::string> &names);
  /// Notes which runs that had ended stay.
  void noteKept(const std::vector<RunReport> &reports);
  void warn(const std::string &text);
  /// Tells where another version of ensc goes on.
  void warnOfVersion();

  ExperimentOptions options;
  const FitPlan *plan = nullptr;
  std::vector<ExperimentMetric> metrics;
  /// Which metrics each program computes; before validation only the loss.
  std::vector<std::vector<bool>> isComputed;
  std::vector<bool> onlyLoss;

  std::optional<Directory> directory;
  std::optional<EventLog> events;
  std::optional<LogFile> log; ///< metrics.csv.
  int64_t recordCount = 0;    ///< In it.
  std::optional<CheckpointStore> checkpoints;
  std::optional<RunsTable> table;
  std::optional<RunFiles> files;
  std::optional<KeptRuns> kept;
  std::string text; ///< Memory for lines.

  /// From which the fit went on, or that it wrote last; empty: none.
  std::string usedCheckpoint;
  bool isComplete = false;   ///< Before this fit began.
  bool hasGrown = false;     ///< There are more epochs than at the checkpoint.
  std::string lostRecords;   ///< What metrics.csv misses of a checkpoint.
  bool wasWanted = false;    ///< Whether the next snapshot was asked for.
  bool hasNewFiles = false;  ///< Files of runs that may not be on disk yet.
  int64_t stepsAtLast = 0;   ///< At the last checkpoint.
  Clock::time_point last;    ///< When the last checkpoint was complete.
  double lastDuration = 0.0; ///< Seconds that it took.
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_EXPERIMENTSINK_H
