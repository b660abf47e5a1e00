//===- RunsList.cpp - ensc runs ls, compare and best ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RunsCommands.h"
#include "Terminal.h"
#include "TrainingOutput.h"

#include "ensc/API/Learner.h"
#include "ensc/Report/Bands.h"
#include "ensc/Report/RunTables.h"
#include "ensc/Report/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Choosing runs
//===----------------------------------------------------------------------===//

Expected<tool::RunsTable> tool::RunsTable::open(const RunsRequest &request) {
  Expected<ExperimentReader> experiment =
      ExperimentReader::open(request.experiment);
  if (!experiment)
    return experiment.error();
  Expected<CsvTable> table = readCurrentTable(*experiment);
  if (!table)
    return table.error();
  std::string metric = request.metric;
  if (metric.empty())
    metric = experiment->metrics()[experiment->monitor()].name;
  if (Expected<bool> known = isMaximized(*experiment, metric); !known)
    return known.error();
  return RunsTable{std::move(*experiment), std::move(*table), metric};
}

Expected<std::vector<size_t>> tool::RunsTable::rankMeasured() const {
  Expected<std::vector<size_t>> order = rankRuns(experiment, table, metric);
  if (!order)
    return order;
  size_t column = *table.column("final_" + metric);
  std::optional<size_t> status = table.column("status");
  llvm::erase_if(*order, [&](size_t row) {
    std::optional<double> number = table.number(row, column);
    bool diverged =
        status && table.rows[row][*status] == nameOf(RunStatus::Diverged);
    return !number || std::isnan(*number) || diverged;
  });
  return order;
}

Expected<std::vector<int64_t>> tool::chosenRuns(const RunsRequest &request,
                                                const RunsTable &runs) {
  std::vector<int64_t> numbers;
  for (llvm::StringRef word : request.runs) {
    int64_t number = 0;
    if (word == "all") {
      for (size_t row = 0; row < runs.table.rows.size(); ++row)
        numbers.push_back(runOf(runs.table, row));
    } else if (word == "best") {
      Expected<std::vector<size_t>> order = runs.rankMeasured();
      if (!order)
        return order.error();
      order->resize(std::min(order->size(), request.limit.value_or(1)));
      for (size_t row : *order)
        numbers.push_back(runOf(runs.table, row));
    } else if (!word.getAsInteger(10, number)) {
      if (Expected<size_t> row = findRun(runs.table, number); !row)
        return row.error();
      numbers.push_back(number);
    } else {
      return Error(ErrorKind::InvalidArgument,
                   "expected the number of a run, 'best' or 'all', got '" +
                       word.str() + "'");
    }
  }
  std::set<int64_t> known;
  for (int64_t number : numbers)
    if (!known.insert(number).second)
      return Error(ErrorKind::InvalidArgument,
                   "run " + std::to_string(number) + " is named twice");
  if (numbers.empty())
    return Error(ErrorKind::InvalidArgument,
                 request.runs.empty()
                     ? "name runs by their numbers, 'best' or 'all'"
                     : "no run has a value of " + runs.metric + " yet");
  return numbers;
}

/// Keeps the rows whose status was asked for, and as many as were asked for.
static Status restrictRows(const tool::RunsRequest &request,
                           const CsvTable &table, std::vector<size_t> &rows) {
  for (const std::string &status : request.statuses)
    if (Expected<RunStatus> known = parseRunStatus(status); !known)
      return known.error();
  std::optional<size_t> column = table.column("status");
  if (!request.statuses.empty() && column)
    llvm::erase_if(rows, [&](size_t row) {
      return !llvm::is_contained(request.statuses, table.rows[row][*column]);
    });
  if (request.limit && *request.limit < rows.size())
    rows.resize(*request.limit);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Tables of runs
//===----------------------------------------------------------------------===//

void tool::printRows(const RunsRequest &request, const RunsTable &runs,
                     const std::vector<size_t> &rows) {
  const CsvTable &table = runs.table;
  if (!request.json) {
    std::vector<std::vector<std::string>> lines = {table.columns};
    for (size_t row : rows)
      lines.push_back(table.rows[row]);
    llvm::outs() << formatTable(lines, leaderboardStyle(runs.metric));
    return;
  }
  for (size_t row : rows)
    llvm::outs() << rowAsJson(table, row)
                        .dump(-1, ' ', false, Json::error_handler_t::replace)
                 << "\n";
}

/// Opens the experiment for an action that is about all of its runs.
static Expected<tool::RunsTable> openForAll(const tool::RunsRequest &request,
                                            const char *action) {
  if (request.runs.empty())
    return tool::RunsTable::open(request);
  return Error(ErrorKind::InvalidArgument,
               std::string("runs ") + action + " takes no runs, got '" +
                   request.runs.front() + "'; runs show takes them");
}

Status tool::listRuns(const RunsRequest &request) {
  Expected<RunsTable> runs = openForAll(request, "ls");
  if (!runs)
    return runs.error();
  Expected<std::vector<size_t>> rows =
      sortRuns(runs->experiment, runs->table,
               request.sort.empty() ? "run" : request.sort);
  if (!rows)
    return rows.error();
  if (Status status = restrictRows(request, runs->table, *rows); !status)
    return status;
  printRows(request, *runs, *rows);
  return Status::success();
}

/// Where the state of a run is, what it is worth, and whether the run has been
/// better before.
static Status printState(const tool::RunsTable &runs, size_t row) {
  int64_t run = runOf(runs.table, row);
  if (!runs.experiment.hasFinalState(run))
    return Status::success();
  Expected<std::vector<std::vector<RunRecord>>> records =
      runs.experiment.readRecordsOf({run});
  if (!records)
    return records.error();
  size_t metric = *runs.experiment.findMetric(runs.metric);
  bool maximize = runs.experiment.metrics()[metric].maximize;
  double last =
      *runs.table.number(row, *runs.table.column("final_" + runs.metric));
  llvm::outs() << "final state: " << printable(runs.experiment.runPath(run))
               << "/final.safetensors, of step "
               << printable(runs.table.rows[row][*runs.table.column("steps")])
               << " with " << printable(runs.metric) << " " << shortNumber(last)
               << "\n";
  const RunRecord *best = findBest(records->front(), metric, maximize);
  if (best && best->values[metric] != last)
    llvm::outs() << "it was better at step " << best->step << ": "
                 << shortNumber(best->values[metric])
                 << "; --max-steps=" << best->step << " ends there\n";
  return Status::success();
}

Status tool::showBestRuns(const RunsRequest &request) {
  Expected<RunsTable> runs = openForAll(request, "best");
  if (!runs)
    return runs.error();
  Expected<std::vector<size_t>> rows = runs->rankMeasured();
  if (!rows)
    return rows.error();
  if (rows->empty())
    return Error(ErrorKind::InvalidArgument,
                 "no run has a value of " + runs->metric + " yet");
  RunsRequest one = request;
  one.limit = request.limit.value_or(1);
  if (Status status = restrictRows(one, runs->table, *rows); !status)
    return status;
  printRows(request, *runs, *rows);
  return request.json || rows->size() != 1 ? Status::success()
                                           : printState(*runs, rows->front());
}

//===----------------------------------------------------------------------===//
// Side by side
//===----------------------------------------------------------------------===//

/// A line per column of the table, a column per run.
static Status printSideBySide(const tool::RunsTable &runs,
                              const std::vector<int64_t> &numbers) {
  std::vector<size_t> rows;
  for (int64_t number : numbers)
    rows.push_back(*findRun(runs.table, number));
  std::vector<std::vector<std::string>> lines;
  std::string same;
  for (size_t i = 0; i < runs.table.columns.size(); ++i) {
    const std::string &name = runs.table.columns[i];
    lines.push_back({printable(name)});
    for (size_t row : rows)
      lines.back().push_back(shortField(runs.table.rows[row][i]));
    bool equal = llvm::all_equal(
        llvm::drop_begin(llvm::ArrayRef<std::string>(lines.back())));
    // What all have in common is told once, below.
    if (i == 0 || !equal || rows.size() == 1)
      continue;
    same += (same.empty() ? "" : ", ") + lines.back()[0] + " " +
            (lines.back()[1].empty() ? "(none)" : lines.back()[1]);
    lines.pop_back();
  }
  constexpr size_t width = 16;
  tool::warnOfLostRecords(runs.experiment);
  Expected<std::vector<std::vector<RunRecord>>> records =
      runs.experiment.readRecordsOf(numbers);
  if (!records)
    return records.error();
  for (size_t m = 0; m < runs.experiment.metrics().size(); ++m) {
    lines.push_back({printable(runs.experiment.metrics()[m].name)});
    for (const std::vector<RunRecord> &run : *records) {
      std::vector<double> values;
      for (const RunRecord &record : run)
        values.push_back(record.values[m]);
      lines.back().push_back(sparkline(values, width));
    }
  }
  llvm::outs() << formatTable(lines, tool::tableStyle());
  if (!same.empty())
    llvm::outs() << "in all of them: " << same << "\n";
  return Status::success();
}

Status tool::compareRuns(const RunsRequest &request) {
  Expected<RunsTable> runs = RunsTable::open(request);
  if (!runs)
    return runs.error();
  if (request.runs.empty()) {
    Expected<std::vector<size_t>> rows =
        rankRuns(runs->experiment, runs->table, runs->metric);
    if (!rows)
      return rows.error();
    if (Status status = restrictRows(request, runs->table, *rows); !status)
      return status;
    printRows(request, *runs, *rows);
    return Status::success();
  }
  Expected<std::vector<int64_t>> numbers = chosenRuns(request, *runs);
  if (!numbers)
    return numbers.error();
  if (!request.json)
    return printSideBySide(*runs, *numbers);
  std::vector<size_t> rows;
  for (int64_t number : *numbers)
    rows.push_back(*findRun(runs->table, number));
  printRows(request, *runs, rows);
  return Status::success();
}
