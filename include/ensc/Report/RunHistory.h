//===- RunHistory.h - What views know of an experiment ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the files of an experiment, whether a process writes them, was
// killed or has ended. Memory depends on the number of runs, not on how long
// they train: curves are thinned.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_RUNHISTORY_H
#define ENSC_REPORT_RUNHISTORY_H

#include "ensc/API/Error.h"
#include "ensc/API/Learner.h"
#include "ensc/Experiment/Reader.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// The statuses in the order in which views tell and count them.
constexpr std::array<RunStatus, 6> statusOrder = {
    RunStatus::Running, RunStatus::Completed, RunStatus::Reached,
    RunStatus::Stopped, RunStatus::Diverged,  RunStatus::Pending};

/// Numbers of runs, one for each status of statusOrder.
using StatusCounts = std::array<int64_t, statusOrder.size()>;

/// "running", "halted" or "complete".
const char *nameOf(ExperimentState state);

/// What is known of a run.
struct RunTrack {
  RunStatus status = RunStatus::Pending;
  std::string reason;       ///< Why it ended early, in a word.
  int64_t steps = 0;        ///< At its last record.
  int64_t plannedSteps = 0; ///< That it has if nothing ends it before.
  int64_t records = 0;      ///< All of them, kept or not.
  std::vector<double>
      latest;               ///< One per metric: the last one computed, or NaN.
  std::vector<double> best; ///< One per metric; NaN where there is none.
  /// Steps of the records that are kept: one in every stride() of them.
  std::vector<int64_t> keptSteps;
  std::vector<float> keptValues; ///< One per kept record and metric.
};

/// The best of two values of a metric, of which either may be NaN.
double betterOf(double a, double b, bool maximize);

/// A column of the plan.
struct HistoryColumn {
  std::string name;
  bool numeric = false;        ///< Every field is a number or empty.
  bool varies = false;         ///< Not all fields are the same.
  bool logarithmic = false;    ///< Its numbers spread evenly in the logarithm.
  std::vector<double> numbers; ///< One per run, if numeric; NaN if empty.
  std::vector<std::string> texts; ///< One per run, if not.
};

/// The runs of an experiment and what they measured so far.
class RunHistory {
public:
  /// Opens the experiment at `path`. Of each run and metric at most
  /// `pointsPerRun` values are kept, at least 2; nothing is read before
  /// refresh().
  static Expected<RunHistory> open(const std::string &path,
                                   size_t pointsPerRun);

  /// Reads what was written since the last time.
  Status refresh();

  const ExperimentReader &experiment() const { return experiment_; }
  const std::vector<HistoryColumn> &columns() const { return columns_; }
  const std::vector<RunTrack> &runs() const { return runs_; }

  /// Which of the programs a run executes.
  size_t programOf(int64_t run) const;

  /// runs.csv as it was at the last refresh().
  const CsvTable &table() const { return table_; }

  /// events.jsonl as it was at the last refresh().
  const std::vector<Json> &events() const { return *events_; }

  ExperimentState state() const { return state_; }
  int64_t stride() const { return stride_; }

  /// Steps that all runs have done, and those that they have if nothing ends a
  /// run early that has not ended yet.
  int64_t doneSteps() const;
  int64_t plannedSteps() const;

  /// How many runs stand how.
  StatusCounts countStatuses() const;

  /// The numbers of the `limit` best runs by the last value of a metric, the
  /// best one first. Runs without a number and those that diverged are left
  /// out.
  std::vector<int64_t> bestRuns(size_t metric, size_t limit) const;

private:
  RunHistory(ExperimentReader experiment, size_t pointsPerRun);
  void planSteps();
  void add(const RunRecord &record);
  void thin();
  void takeTable(CsvTable table);
  void takeEvents(std::vector<Json> events);

  ExperimentReader experiment_;
  size_t pointsPerRun_;
  std::vector<HistoryColumn> columns_;
  std::optional<size_t> programColumn_;
  std::vector<RunTrack> runs_;
  CsvTable table_;
  std::shared_ptr<const std::vector<Json>> events_;
  RecordCursor cursor_;
  ExperimentState state_ = ExperimentState::Halted;
  int64_t stride_ = 1;
};

} // namespace ensc

#endif // ENSC_REPORT_RUNHISTORY_H
