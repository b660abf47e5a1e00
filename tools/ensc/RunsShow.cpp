//===- RunsShow.cpp - ensc runs show --------------------------------------===//
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
#include "ensc/Report/RunHistory.h"
#include "ensc/Report/RunTables.h"
#include "ensc/Report/Text.h"

#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace ensc;

/// The columns of the plan, "name value" each.
static std::string describeRow(const tool::RunsTable &runs, size_t row) {
  std::string text;
  for (const std::string &name : runs.experiment.rows().columns) {
    std::optional<size_t> column = runs.table.column(name);
    if (!column || runs.table.rows[row][*column].empty())
      continue;
    text += (text.empty() ? "" : ", ") + printable(name) + " " +
            printable(runs.table.rows[row][*column]);
  }
  return text;
}

static std::string field(const CsvTable &table, size_t row, const char *name) {
  std::optional<size_t> column = table.column(name);
  return column ? table.rows[row][*column] : "";
}

/// First, last and best value of each metric, and its curve.
static std::string describeMetrics(const ExperimentReader &experiment,
                                   const std::vector<RunRecord> &records) {
  constexpr size_t width = 32;
  std::vector<std::vector<std::string>> lines = {
      {"metric", "first", "last", "best", "at step", "curve"}};
  for (size_t m = 0; m < experiment.metrics().size(); ++m) {
    const ExperimentMetric &metric = experiment.metrics()[m];
    std::vector<double> values;
    for (const RunRecord &record : records)
      values.push_back(record.values[m]);
    const RunRecord *best = findBest(records, m, metric.maximize);
    auto measured = [](double value) { return !std::isnan(value); };
    auto first = std::find_if(values.begin(), values.end(), measured);
    bool any = first != values.end();
    lines.push_back({printable(metric.name), any ? shortNumber(*first) : "",
                     values.empty() ? "" : formatNumber(values.back()),
                     best ? formatNumber(best->values[m]) : "",
                     best ? std::to_string(best->step) : "",
                     sparkline(values, width)});
  }
  return formatTable(lines, tool::tableStyle());
}

static void printFiles(const ExperimentReader &experiment, int64_t run) {
  std::error_code code;
  std::vector<std::string> files;
  for (const auto &entry :
       std::filesystem::directory_iterator(experiment.runPath(run), code))
    files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  if (files.empty())
    return;
  llvm::outs() << "\nfiles in " << printable(experiment.runPath(run)) << ":";
  for (const std::string &file : files)
    llvm::outs() << " " << printable(file);
  llvm::outs() << "\n";
}

/// Whether a run alone does what it did among the others: nothing that looks at
/// several runs has decided how it goes on.
static bool isIndependent(const Json &plan, const std::string &status,
                          const std::string &reason) {
  auto search = plan.find("search");
  bool isSearched = search != plan.end() && !search->empty();
  bool isOwnEnd = status != nameOf(RunStatus::Stopped) ||
                  reason == "max_steps" || reason == "patience";
  return !isSearched && isOwnEnd;
}

/// The hyper-parameters that are not what the plan says, as a line.
static std::string
describeChanges(const std::map<std::string, double> &changed) {
  std::string text;
  for (const auto &[name, value] : changed)
    text +=
        (text.empty() ? "changed while it was trained, at last to " : ", ") +
        printable(name) + " " + formatNumber(value);
  return text.empty() ? "" : text + "\n";
}

static void printRun(const tool::RunsTable &runs, int64_t run,
                     const std::map<std::string, double> &changed,
                     const std::vector<RunRecord> &records) {
  size_t row = *findRun(runs.table, run);
  std::string status = field(runs.table, row, "status");
  std::string reason = field(runs.table, row, "reason");
  llvm::outs() << "run " << run << "  " << printable(status)
               << (reason.empty() ? "" : " (" + printable(reason) + ")")
               << " at step " << printable(field(runs.table, row, "steps"))
               << "\n"
               << describeRow(runs, row) << "\n"
               << describeChanges(changed) << "\n"
               << describeMetrics(runs.experiment, records);
  printFiles(runs.experiment, run);
  if (isIndependent(runs.experiment.plan(), status, reason))
    llvm::outs() << "alone: the command of the experiment with --only-run="
                 << run << " and another -o\n";
}

/// Its row, and its records.
static void printAsJson(const tool::RunsTable &runs, int64_t run,
                        const std::map<std::string, double> &changed,
                        const std::vector<RunRecord> &records) {
  Json object = tool::rowAsJson(runs.table, *findRun(runs.table, run));
  object["path"] = runs.experiment.runPath(run);
  for (const auto &[name, value] : changed)
    object["changed"][name] = jsonNumber(value);
  Json list = Json::array();
  for (const RunRecord &record : records) {
    Json line = {{"step", record.step}, {"epoch", record.epoch}};
    for (size_t m = 0; m < record.values.size(); ++m)
      line[runs.experiment.metrics()[m].name] = jsonNumber(record.values[m]);
    list.push_back(std::move(line));
  }
  object["records"] = std::move(list);
  llvm::outs() << object.dump(-1, ' ', false, Json::error_handler_t::replace)
               << "\n";
}

Status tool::showRuns(const RunsRequest &request) {
  Expected<RunsTable> runs = RunsTable::open(request);
  if (!runs)
    return runs.error();
  Expected<std::vector<int64_t>> numbers = chosenRuns(request, *runs);
  if (!numbers)
    return numbers.error();
  warnOfLostRecords(runs->experiment);
  Expected<std::vector<std::vector<RunRecord>>> records =
      runs->experiment.readRecordsOf(*numbers);
  if (!records)
    return records.error();
  auto changed = runs->experiment.readChangedHypers();
  if (!changed)
    return changed.error();
  for (size_t i = 0; i < numbers->size(); ++i) {
    const std::map<std::string, double> &own = (*changed)[(*numbers)[i]];
    if (request.json) {
      printAsJson(*runs, (*numbers)[i], own, (*records)[i]);
      continue;
    }
    if (i > 0)
      llvm::outs() << "\n";
    printRun(*runs, (*numbers)[i], own, (*records)[i]);
  }
  return Status::success();
}
