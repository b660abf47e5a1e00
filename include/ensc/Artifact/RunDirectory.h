//===- RunDirectory.h - The files of an experiment --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   EXP/
//     experiment.json            what was run: format, number of runs, ...
//     runs.csv                   one row per run
//     runs/0007/metrics.jsonl    what run 7 measured, epoch by epoch
//     runs/0007/final.safetensors
//
// The names of runs have as many digits as the largest needs, but at least 4.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_RUNDIRECTORY_H
#define ENSC_ARTIFACT_RUNDIRECTORY_H

#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Artifact/Safetensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ensc {

/// An experiment on disk.
class RunDirectory {
public:
  /// What create() refuses without having touched the disk: a path that is a
  /// file, a directory that is not empty, a parent that cannot be written. To
  /// be called before hours of work.
  static Status checkVacant(const std::string &path);

  /// Creates the experiment, with missing directories above it, for runs 0 to
  /// `runs` - 1. `description` is an object whose fields experiment.json has
  /// besides "format" and "runs". Where it fails, nothing is left behind.
  static Expected<RunDirectory> create(const std::string &path, int64_t runs,
                                       const Json &description);

  /// Removes the files of an experiment that create() made and that cannot be
  /// completed, and the directories that it made.
  void discard() const;

  /// Opens an experiment for reading.
  static Expected<RunDirectory> open(const std::string &path);

  const std::string &path() const { return path_; }

  /// The number of runs that the experiment was planned with; --only-run
  /// executes one of them.
  int64_t runs() const { return runs_; }

  std::string descriptionPath() const { return path_ + "/experiment.json"; }
  std::string tablePath() const { return path_ + "/runs.csv"; }
  std::string runPath(int64_t run) const;
  std::string metricsPath(int64_t run) const {
    return runPath(run) + "/metrics.jsonl";
  }
  std::string finalStatePath(int64_t run) const {
    return runPath(run) + "/final.safetensors";
  }

  /// Creates the directory of a run. It may exist.
  Status createRun(int64_t run) const;

  /// The runs that have a directory, in ascending order.
  Expected<std::vector<int64_t>> listRuns() const;

  Expected<Json> readDescription() const;
  Expected<CsvTable> readTable() const;

  /// Writes the table, after all files of the runs are on disk.
  Status writeTable(const CsvTable &table) const;

  /// Writes the final state of a run, whose directory must exist.
  Status writeFinalState(int64_t run, const Safetensors &state) const;

private:
  RunDirectory(std::string path, int64_t runs)
      : path_(std::move(path)), runs_(runs) {}

  std::string path_;
  int64_t runs_;
  std::vector<std::string> made_; ///< Directories that create() made, in order.
};

} // namespace ensc

#endif // ENSC_ARTIFACT_RUNDIRECTORY_H
