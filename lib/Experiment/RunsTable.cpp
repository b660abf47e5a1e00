//===- RunsTable.cpp - The table of all runs ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunsTable.h"

#include "RecordText.h"

#include "ensc/Experiment/JsonFields.h"

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

std::optional<std::string> ensc::formatCell(const Json &cell) {
  if (cell.is_null())
    return std::string();
  if (cell.is_string())
    return cell.get<std::string>();
  if (std::optional<int64_t> integer = integerOf(&cell))
    return std::to_string(*integer);
  if (cell.is_number())
    return formatNumber(cell.get<double>());
  return std::nullopt;
}

CsvTable ensc::makePendingTable(const CsvTable &rows,
                                const std::vector<ExperimentMetric> &metrics,
                                std::optional<int64_t> onlyRun) {
  CsvTable table;
  table.columns = runsTableColumns(rows.columns, metrics);
  for (size_t run = 0; run < rows.rows.size(); ++run) {
    if (onlyRun && static_cast<size_t>(*onlyRun) != run)
      continue;
    std::vector<std::string> fields = {std::to_string(run)};
    fields.insert(fields.end(), rows.rows[run].begin(), rows.rows[run].end());
    fields.insert(fields.end(), {"pending", "", "0"});
    fields.resize(table.columns.size());
    table.rows.push_back(std::move(fields));
  }
  return table;
}

/// Fields as a line without its end.
static std::string formatFields(const std::vector<std::string> &fields) {
  CsvTable line;
  line.columns = fields;
  std::string text = formatCsv(line);
  text.pop_back();
  return text;
}

RunsTable::RunsTable(const Json &plan)
    : onlyRun(integerOf(findField(plan, "only_run"))) {
  std::vector<ExperimentMetric> metrics;
  for (const Json &metric : arrayOf(plan, "metrics"))
    metrics.push_back({textOf(findField(metric, "name")).value_or(""), false});
  blanks.assign(2 * metrics.size(), ',');
  const Json &columns = plan["columns"];
  std::vector<std::string> names;
  for (const auto &[name, values] : columns.items())
    names.push_back(name);
  header = formatFields(runsTableColumns(names, metrics));
  int64_t runs = integerOf(findField(plan, "runs")).value_or(0);
  for (int64_t run = 0; run < runs; ++run) {
    std::vector<std::string> fields = {std::to_string(run)};
    for (const auto &[name, values] : columns.items())
      fields.push_back(formatCell(values[run]).value_or(""));
    beginnings.push_back(formatFields(fields));
  }
}

std::string RunsTable::format(const std::vector<RunReport> &reports) const {
  std::vector<const RunReport *> reportOf(beginnings.size());
  for (const RunReport &report : reports)
    reportOf[report.run] = &report;
  std::string text = header + "\n";
  for (size_t run = 0; run < beginnings.size(); ++run) {
    if (onlyRun && static_cast<size_t>(*onlyRun) != run)
      continue;
    text += beginnings[run];
    const RunReport *report = reportOf[run];
    if (!report || report->status == RunStatus::Pending) {
      text += ",pending,,0" + blanks + "\n";
      continue;
    }
    text += "," + formatFields({nameOf(report->status), report->reason}) + ",";
    appendNumber(text, report->steps);
    for (size_t i = 0; i < report->final.size(); ++i) {
      text += ',';
      appendNumber(text, report->final[i]);
      text += ',';
      appendNumber(text, report->best[i]);
    }
    text += '\n';
  }
  return text;
}
