//===- Runs.cpp - ensc runs -----------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "TrainingOutput.h"

#include "ensc/Artifact/RunDirectory.h"
#include "ensc/Runtime/Suggest.h"

#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace ensc;
namespace cl = llvm::cl;

// LLVM takes the values of a positional option with cl::values for flags.
static cl::opt<std::string>
    action(cl::Positional, cl::Required,
           cl::desc("<ls (in the order of their numbers) or compare (from best "
                    "to worst)>"),
           cl::cat(tool::category), cl::sub(tool::runsCommand));
static cl::opt<std::string> experiment(cl::Positional, cl::Required,
                                       cl::desc("<experiment>"),
                                       cl::cat(tool::category),
                                       cl::sub(tool::runsCommand));
static cl::opt<std::string>
    metric("metric",
           cl::desc("Compare by this metric (default: what the program "
                    "monitors)"),
           cl::value_desc("name"), cl::cat(tool::category),
           cl::sub(tool::runsCommand));
static cl::opt<bool> json("json", cl::desc("Print one JSON object per run"),
                          cl::cat(tool::category), cl::sub(tool::runsCommand));

/// The field of experiment.json, or "" if there is none.
static std::string field(const Json &description, const char *key) {
  auto found = description.find(key);
  return found != description.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

static void printJson(const CsvTable &table, const std::vector<size_t> &order) {
  for (size_t row : order)
    llvm::outs() << tool::rowAsJson(table, row).dump() << "\n";
}

static std::vector<std::string> metricNames(const CsvTable &table) {
  std::vector<std::string> names;
  for (llvm::StringRef column : table.columns)
    if (column.consume_front("best_"))
      names.push_back(column.str());
  return names;
}

static Status listOrCompare() {
  bool compare = action == "compare";
  if (!compare && action != "ls")
    return Error(ErrorKind::InvalidArgument,
                 "expected 'runs ls' or 'runs compare', got 'runs " + action +
                     "'");
  Expected<RunDirectory> directory = RunDirectory::open(experiment);
  if (!directory)
    return directory.error();
  Expected<CsvTable> table = directory->readTable();
  if (!table)
    return table.error();
  Expected<Json> description = directory->readDescription();
  if (!description)
    return description.error();
  std::string monitor =
      metric.empty() ? field(*description, "monitor") : metric.getValue();
  bool maximize = field(*description, "direction") == "max";
  if (!metric.empty() && metric != field(*description, "monitor"))
    maximize = !llvm::StringRef(metric).contains("loss");
  std::string ranked = compare ? monitor : "";
  if (compare && !table->column("best_" + monitor))
    return Error(ErrorKind::InvalidArgument,
                 "the runs have no metric '" + monitor + "'" +
                     suggest(monitor, metricNames(*table)));
  if (!json) {
    llvm::outs() << tool::formatLeaderboard(*table, ranked, maximize,
                                            table->rows.size());
    return Status::success();
  }
  std::vector<size_t> order;
  if (std::optional<size_t> column = table->column("best_" + ranked))
    order = table->rank(*column, maximize);
  else
    for (size_t row = 0; row < table->rows.size(); ++row)
      order.push_back(row);
  printJson(*table, order);
  return Status::success();
}

int tool::runsMain() {
  Status status = listOrCompare();
  return status ? 0 : fail(status.error());
}
