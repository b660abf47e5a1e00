//===- RunTables.cpp - Tables of runs -------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/RunTables.h"

#include "ensc/Report/RunHistory.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace ensc;

//===----------------------------------------------------------------------===//
// The table as of now
//===----------------------------------------------------------------------===//

static bool isOpen(const std::vector<std::string> &row, size_t status) {
  return row[status] == nameOf(RunStatus::Pending) ||
         row[status] == nameOf(RunStatus::Running);
}

static bool hasOpenRuns(const CsvTable &table, size_t status) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](auto &row) { return isOpen(row, status); });
}

/// Fills in what the records of a run say.
static void updateRow(std::vector<std::string> &row, const RunTrack &run,
                      size_t status) {
  row[status] = nameOf(run.status);
  row[status + 1] = run.reason;
  row[status + 2] = std::to_string(run.steps);
  for (size_t i = 0; i < run.latest.size(); ++i) {
    row[status + 3 + 2 * i] = formatNumber(run.latest[i]);
    row[status + 4 + 2 * i] = formatNumber(run.best[i]);
  }
}

Expected<CsvTable> ensc::readCurrentTable(const ExperimentReader &experiment) {
  Expected<CsvTable> table = experiment.readTable();
  if (!table)
    return table;
  std::optional<size_t> status = table->column("status");
  size_t width = 3 + 2 * experiment.metrics().size();
  if (!status || *status + width != table->columns.size() ||
      !hasOpenRuns(*table, *status))
    return table;
  Expected<RunHistory> history = RunHistory::open(experiment.path(), 2);
  if (!history)
    return history.error();
  if (Status read = history->refresh(); !read)
    return read.error();
  CsvTable current = history->table();
  for (size_t row = 0; row < current.rows.size(); ++row) {
    int64_t number = runOf(current, row);
    if (number < 0 || number >= experiment.runs())
      continue;
    const RunTrack &run = history->runs()[number];
    if (run.records > 0 && isOpen(current.rows[row], *status))
      updateRow(current.rows[row], run, *status);
  }
  return current;
}

//===----------------------------------------------------------------------===//
// Finding runs
//===----------------------------------------------------------------------===//

int64_t ensc::runOf(const CsvTable &table, size_t row) {
  std::optional<size_t> column = table.column("run");
  double number = column ? table.number(row, *column).value_or(-1) : -1;
  return number >= 0 && number < 1e15 ? static_cast<int64_t>(number) : -1;
}

Expected<size_t> ensc::findRun(const CsvTable &table, int64_t run) {
  // Row i tells of run i, unless a part of the plan was trained.
  if (run >= 0 && run < static_cast<int64_t>(table.rows.size()) &&
      runOf(table, run) == run)
    return static_cast<size_t>(run);
  for (size_t row = 0; row < table.rows.size(); ++row)
    if (runOf(table, row) == run)
      return row;
  std::string known = table.rows.empty()
                          ? "it has none"
                          : "it has " + std::to_string(table.rows.size()) +
                                ", from " + table.rows.front()[0] + " to " +
                                table.rows.back()[0];
  return Error(ErrorKind::InvalidArgument, "the experiment has no run " +
                                               std::to_string(run) + "; " +
                                               known);
}

Expected<bool> ensc::isMaximized(const ExperimentReader &experiment,
                                 const std::string &metric) {
  if (std::optional<size_t> found = experiment.findMetric(metric))
    return experiment.metrics()[*found].maximize;
  std::vector<std::string> names;
  for (const ExperimentMetric &known : experiment.metrics())
    names.push_back(known.name);
  return Error(ErrorKind::InvalidArgument, "the runs have no metric '" +
                                               metric + "'" +
                                               suggest(metric, names));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

std::vector<size_t> ensc::rankRows(const CsvTable &table, size_t column,
                                   bool maximize) {
  std::vector<size_t> order, diverged;
  std::optional<size_t> status = table.column("status");
  for (size_t row : table.rank(column, maximize))
    (status && table.rows[row][*status] == nameOf(RunStatus::Diverged)
         ? diverged
         : order)
        .push_back(row);
  order.insert(order.end(), diverged.begin(), diverged.end());
  return order;
}

Expected<std::vector<size_t>> ensc::rankRuns(const ExperimentReader &experiment,
                                             const CsvTable &table,
                                             const std::string &metric) {
  Expected<bool> maximize = isMaximized(experiment, metric);
  if (!maximize)
    return maximize.error();
  std::optional<size_t> column = table.column("final_" + metric);
  if (!column)
    return Error(ErrorKind::InvalidData,
                 "runs.csv has no column 'final_" + metric + "'");
  return rankRows(table, *column, *maximize);
}

/// Numbers, then other text, then nothing.
static int classOf(const CsvTable &table, size_t row, size_t column) {
  if (table.rows[row][column].empty())
    return 2;
  std::optional<double> number = table.number(row, column);
  return number && !std::isnan(*number) ? 0 : 1;
}

static bool comesBefore(const CsvTable &table, size_t column, bool descending,
                        size_t a, size_t b) {
  int first = classOf(table, a, column), second = classOf(table, b, column);
  if (first != second)
    return first < second;
  if (descending)
    std::swap(a, b);
  if (first == 0)
    return *table.number(a, column) < *table.number(b, column);
  return table.rows[a][column] < table.rows[b][column];
}

Expected<std::vector<size_t>> ensc::sortRuns(const ExperimentReader &experiment,
                                             const CsvTable &table,
                                             const std::string &column) {
  bool descending = !column.empty() && column[0] == '-';
  std::string name = descending ? column.substr(1) : column;
  if (experiment.findMetric(name)) {
    Expected<std::vector<size_t>> order = rankRuns(experiment, table, name);
    if (order && descending)
      std::reverse(order->begin(), order->end());
    return order;
  }
  std::optional<size_t> position = table.column(name);
  if (!position)
    return Error(ErrorKind::InvalidArgument, "the runs have no column '" +
                                                 name + "'" +
                                                 suggest(name, table.columns));
  std::vector<size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    bool before = comesBefore(table, *position, descending, a, b);
    return before != comesBefore(table, *position, descending, b, a) ? before
                                                                     : a < b;
  });
  return order;
}

const RunRecord *ensc::findBest(const std::vector<RunRecord> &records,
                                size_t metric, bool maximize) {
  const RunRecord *best = nullptr;
  for (const RunRecord &record : records) {
    double value = record.values[metric];
    if (!std::isnan(value) &&
        (!best || (maximize ? value > best->values[metric]
                            : value < best->values[metric])))
      best = &record;
  }
  return best;
}

CsvTable ensc::selectRows(const CsvTable &table,
                          const std::vector<size_t> &rows) {
  CsvTable selected;
  selected.columns = table.columns;
  for (size_t row : rows)
    selected.rows.push_back(table.rows[row]);
  return selected;
}
