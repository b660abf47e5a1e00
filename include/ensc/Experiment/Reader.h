//===- Reader.h - Reading experiments ---------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reads the directory of a fit while it is written, after it was killed and
// when it is complete. The files are not trusted: whatever they hold, reading
// gives an error or values that are safe to use. Nothing here writes, nor
// keeps a fit from going on.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPERIMENT_READER_H
#define ENSC_EXPERIMENT_READER_H

#include "ensc/API/Error.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Artifact/Safetensors.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// A metric as plan.json names it.
struct ExperimentMetric {
  std::string name;
  bool maximize = false;
};

/// A program as plan.json names it.
struct ExperimentProgram {
  std::string name;    ///< Of the file that it came from.
  std::string learner; ///< Its name, without the @.
  std::string path;    ///< Of its text, in the directory; empty: not known.
  std::string hash;    ///< SHA-256 of its text, in hexadecimal digits.
};

/// A line of metrics.csv.
struct RunRecord {
  int64_t run = 0, step = 0, epoch = 0;
  /// One per metric; NaN where none was computed: there the file has nothing
  /// between the commas.
  std::vector<double> values;
};

/// How far metrics.csv was read.
struct RecordCursor {
  uint64_t offset = 0;
  uint64_t file = 0; ///< Which file it was; 0: none so far.
};

/// Where an experiment stands.
enum class ExperimentState {
  Running,  ///< A process works on it.
  Halted,   ///< It is not complete, and no process works on it.
  Complete, ///< All runs have ended, and all their files are there.
};

/// An experiment on disk.
///
/// ```cpp
/// Expected<ExperimentReader> experiment = ExperimentReader::open("EXP");
/// Expected<CsvTable> table = experiment->readTable();
/// ```
class ExperimentReader {
public:
  /// Opens the experiment at `path` and reads its plan.
  static Expected<ExperimentReader> open(const std::string &path);

  const std::string &path() const { return path_; }

  /// All of plan.json: an object. Check the types of what is taken from it.
  const Json &plan() const { return *plan_; }

  int64_t runs() const { return runs_; }

  /// Those of the newest checkpoint that says it: they may grow after the plan
  /// was made.
  int64_t epochs() const;

  /// The run of the plan that is trained alone, or nothing: all of them.
  std::optional<int64_t> onlyRun() const;

  const std::vector<ExperimentMetric> &metrics() const { return metrics_; }

  /// The position of the metric called `name`, or nothing.
  std::optional<size_t> findMetric(const std::string &name) const;

  /// The position of the metric that decides which run is best.
  size_t monitor() const { return monitor_; }

  const std::vector<ExperimentProgram> &programs() const { return programs_; }

  /// The columns of the plan that hold a value for each run, such as "seed" and
  /// the hyper-parameters that were given, in the order of the plan. Numbers
  /// are as formatNumber writes them.
  const CsvTable &rows() const { return rows_; }

  /// The columns that are hyper-parameters.
  const std::vector<std::string> &hypers() const { return hypers_; }

  ExperimentState state() const;

  /// What happened last: a line of events.jsonl; null where there is none, or
  /// where it is no JSON.
  Json lastEvent() const;

  /// The process that works on it, or nothing.
  std::optional<int64_t> writer() const;

  /// Seconds since 1970 at which it was started; 0 if the plan does not say.
  double created() const;

  /// runs.csv. Where it is not written yet: the rows of the plan, all of them
  /// pending.
  Expected<CsvTable> readTable() const;

  /// Calls `use` for each line of metrics.csv from `from` on. Gives where to go
  /// on when more is written. Lines may come a second time, with the same
  /// values: from the beginning where the file was replaced. A torn last line
  /// is left out. An unfinished experiment has its lines in the order of time,
  /// a complete one by run and step.
  Expected<RecordCursor>
  readRecords(const std::function<void(const RunRecord &)> &use,
              RecordCursor from = {}) const;

  /// The records of some runs, in the order of `runs`, each sorted by step.
  Expected<std::vector<std::vector<RunRecord>>>
  readRecordsOf(const std::vector<int64_t> &runs) const;

  /// What metrics.csv of a complete experiment has lost, for people; nothing if
  /// all records are there, or if no checkpoint says how many there were.
  std::optional<std::string> describeLostRecords() const;

  /// events.jsonl, without lines that are no JSON.
  Expected<std::vector<Json>> readEvents() const;

  /// The last values that a search or a callback gave to hyper-parameters of
  /// runs while they were trained, by run and name.
  Expected<std::map<int64_t, std::map<std::string, double>>>
  readChangedHypers() const;

  /// The directory of a run's files. It may not exist (yet).
  std::string runPath(int64_t run) const;

  /// Whether `path` is a file of the experiment, which nobody else may write.
  bool owns(const std::string &path) const;

  /// Whether a run has its final.safetensors.
  bool hasFinalState(int64_t run) const;

  /// Parameters, then leaves of the optimizer of a run: its final state if it
  /// has ended, or that of the newest intact checkpoint. Fails for a run that
  /// has neither.
  Expected<Safetensors> readState(int64_t run) const;

  /// The same of several runs, in the order of `runs`. Reads each file once.
  Expected<std::vector<Safetensors>>
  readStates(const std::vector<int64_t> &runs) const;

  /// The names of the checkpoints, the newest first, whole or not.
  std::vector<std::string> checkpoints() const;

private:
  ExperimentReader() = default;
  Status parsePlan();
  Status parseMetrics();
  Status parsePrograms();
  Status parseColumns();

  std::string path_;
  std::shared_ptr<const Json> plan_;
  int64_t runs_ = 0, epochs_ = 0;
  std::vector<ExperimentMetric> metrics_;
  size_t monitor_ = 0;
  std::vector<ExperimentProgram> programs_;
  CsvTable rows_;
  std::vector<std::string> hypers_;
};

} // namespace ensc

#endif // ENSC_EXPERIMENT_READER_H
