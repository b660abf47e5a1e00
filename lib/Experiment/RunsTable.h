//===- RunsTable.h - The table of all runs ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_RUNSTABLE_H
#define ENSC_LIB_EXPERIMENT_RUNSTABLE_H

#include "ensc/Experiment/Reader.h"

namespace ensc {

/// runs.csv of runs that have all not begun: one row for each row of the plan.
CsvTable makePendingTable(const CsvTable &rows,
                          const std::vector<ExperimentMetric> &metrics);

/// The columns of runs.csv: the run, the columns of the plan, then these.
std::vector<std::string>
runsTableColumns(const std::vector<std::string> &planColumns,
                 const std::vector<ExperimentMetric> &metrics);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_RUNSTABLE_H
