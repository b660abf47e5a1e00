//===- Experiment.h - The files that ensc train leaves ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_EXPERIMENT_H
#define ENSC_TOOLS_ENSC_EXPERIMENT_H

#include "ensc/API/Learner.h"
#include "ensc/Artifact/RunDirectory.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ensc::tool {

/// A hyper-parameter that the user set, with one value per run of the plan.
struct SetHyper {
  std::string name;
  std::vector<double> values;
};

/// The directory of an experiment, which is made when the first runs have
/// ended. Without its table it is incomplete: the destructor removes it.
class Experiment {
public:
  /// What RunDirectory::create takes, and the learner that trains.
  Experiment(std::string path, int64_t runs, Json description,
             const Learner &learner)
      : path(std::move(path)), runs(runs), description(std::move(description)),
        learner(learner) {}
  ~Experiment();
  Experiment(const Experiment &) = delete;
  Experiment &operator=(const Experiment &) = delete;

  /// Writes metrics and final state of runs whose state the learner has. Where
  /// a file cannot be written, the experiment is removed.
  Status writeRuns(const std::vector<RunReport> &reports);

  /// Writes the table of all runs, and reads it back.
  Expected<CsvTable> writeTable(const FitReport &report,
                                const std::vector<SetHyper> &hypers);

private:
  /// Says that what was written will be removed.
  Error abandon(const Error &error) const;

  std::string path;
  int64_t runs;
  Json description;
  const Learner &learner;
  std::optional<RunDirectory> directory;
  bool complete = false;
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_EXPERIMENT_H
