//===- RunsTable.cpp - The table of all runs ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunsTable.h"

using namespace ensc;

std::vector<std::string>
ensc::runsTableColumns(const std::vector<std::string> &planColumns,
                       const std::vector<ExperimentMetric> &metrics) {
  std::vector<std::string> columns = {"run"};
  columns.insert(columns.end(), planColumns.begin(), planColumns.end());
  columns.insert(columns.end(), {"status", "reason", "steps"});
  for (const ExperimentMetric &metric : metrics) {
    columns.push_back("final_" + metric.name);
    columns.push_back("best_" + metric.name);
  }
  return columns;
}

CsvTable ensc::makePendingTable(const CsvTable &rows,
                                const std::vector<ExperimentMetric> &metrics) {
  CsvTable table;
  table.columns = runsTableColumns(rows.columns, metrics);
  for (const std::vector<std::string> &row : rows.rows) {
    std::vector<std::string> fields = {std::to_string(table.rows.size())};
    fields.insert(fields.end(), row.begin(), row.end());
    fields.insert(fields.end(), {"pending", "", "0"});
    fields.resize(table.columns.size());
    table.rows.push_back(std::move(fields));
  }
  return table;
}
