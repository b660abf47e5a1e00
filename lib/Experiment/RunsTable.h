//===- RunsTable.h - The table of all runs ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_RUNSTABLE_H
#define ENSC_LIB_EXPERIMENT_RUNSTABLE_H

#include "ensc/Experiment/Reader.h"
#include "ensc/Learner/FitSink.h"

#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// The columns of runs.csv: the run, the columns of the plan, then these.
std::vector<std::string>
runsTableColumns(const std::vector<std::string> &planColumns,
                 const std::vector<ExperimentMetric> &metrics);

/// The text of a value in a column of a plan; nothing for what is no value.
std::optional<std::string> formatCell(const Json &cell);

/// runs.csv of runs that have all not begun: one row for each row of the plan,
/// or for the only run of it that is trained.
CsvTable makePendingTable(const CsvTable &rows,
                          const std::vector<ExperimentMetric> &metrics,
                          std::optional<int64_t> onlyRun);

/// Writes runs.csv again and again while runs go on.
class RunsTable {
public:
  /// `plan` is what makePlan() gives.
  explicit RunsTable(const Json &plan);

  /// The text of the table. Runs without a report are pending.
  std::string format(const std::vector<RunReport> &reports) const;

private:
  std::string header;
  std::string blanks; ///< Of metrics that were not computed.
  std::optional<int64_t> onlyRun;
  std::vector<std::string> beginnings; ///< Of the rows: what the plan says.
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_RUNSTABLE_H
