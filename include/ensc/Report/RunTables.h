//===- RunTables.h - Tables of runs --------------------------- -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_RUNTABLES_H
#define ENSC_REPORT_RUNTABLES_H

#include "ensc/Artifact/Csv.h"
#include "ensc/Experiment/Reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ensc {

/// runs.csv as it would be if it were written now: of runs that have not
/// ended, the metrics are those of the last record.
Expected<CsvTable> readCurrentTable(const ExperimentReader &experiment);

/// The row of a run of the plan, by its number.
Expected<size_t> findRun(const CsvTable &table, int64_t run);

/// The number of the run in a row.
int64_t runOf(const CsvTable &table, size_t row);

/// Whether more of a metric is better; an error for an unknown one.
Expected<bool> isMaximized(const ExperimentReader &experiment,
                           const std::string &metric);

/// Rows from best to worst by the last value of a metric, that of the state
/// which a run ended with. Those that diverged come last, whatever they had.
Expected<std::vector<size_t>> rankRuns(const ExperimentReader &experiment,
                                       const CsvTable &table,
                                       const std::string &metric);

/// The same by the column of a table that has its last values.
std::vector<size_t> rankRows(const CsvTable &table, size_t column,
                             bool maximize);

/// All rows in the order of a column: a metric (its last values, from best to
/// worst) or a column of the table, ascending; a '-' in front turns it around.
/// Numbers come before other text, and empty fields last.
Expected<std::vector<size_t>> sortRuns(const ExperimentReader &experiment,
                                       const CsvTable &table,
                                       const std::string &column);

/// The record of a run with the best value of a metric, the first of equal
/// ones; nothing where there is no value.
const RunRecord *findBest(const std::vector<RunRecord> &records, size_t metric,
                          bool maximize);

/// Some rows of the table as another one.
CsvTable selectRows(const CsvTable &table, const std::vector<size_t> &rows);

} // namespace ensc

#endif // ENSC_REPORT_RUNTABLES_H
