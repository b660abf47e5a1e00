//===- RunColumns.cpp - What a plan says of runs --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunColumns.h"

#include "ensc/Artifact/Checksum.h"
#include "ensc/Runtime/Names.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace ensc;

static const RunColumn *findColumn(const FitOptions &options,
                                   const char *name) {
  for (const RunColumn &column : options.columns)
    if (column.name == name)
      return &column;
  return nullptr;
}

Status ensc::checkColumns(const FitPlan &plan) {
  const FitOptions &options = *plan.options;
  std::set<std::string> names(std::begin(runColumns), std::end(runColumns));
  for (const auto &[name, values] : plan.hypers)
    names.insert(name);
  for (const RunColumn &column : options.columns) {
    if (std::string fault = describeBadName(column.name); !fault.empty())
      return Error(ErrorKind::InvalidArgument,
                   "FitOptions::columns: '" + column.name +
                       "' is no name: " + fault);
    if (!names.insert(column.name).second)
      return Error(ErrorKind::InvalidArgument,
                   "FitOptions::columns: there is another column '" +
                       column.name + "'");
    size_t cells = std::max(column.numbers.size(), column.texts.size());
    if (cells != static_cast<size_t>(options.runs))
      return Error(ErrorKind::InvalidArgument,
                   "FitOptions::columns: '" + column.name + "' has " +
                       std::to_string(cells) + " cells for " +
                       std::to_string(options.runs) + " runs");
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static std::string describeSubset(const RowChoice &choice) {
  uint32_t checksum =
      crc32Of(choice.rows.data(), choice.rows.size() * sizeof(choice.rows[0]));
  return std::to_string(choice.rows.size()) + " rows, crc32 " +
         std::to_string(checksum);
}

/// As a plan spells it. The rows of a subset are many: their checksum stands
/// for them.
static std::string formatChoice(const RowChoice &choice) {
  switch (choice.kind) {
  case RowChoice::All:
    return "all";
  case RowChoice::Bootstrap:
    return "bootstrap";
  case RowChoice::Fold:
    return "fold:" + std::to_string(choice.fold) + "/" +
           std::to_string(choice.folds);
  case RowChoice::Subset:
    break;
  }
  return describeSubset(choice);
}

static Json textCell(const std::string &text) {
  return text.empty() ? Json() : Json(text);
}

static Json numberCell(double number) {
  constexpr double mostExactInteger = 9007199254740992.0;
  if (std::isnan(number))
    return Json();
  if (number == std::floor(number) && std::fabs(number) <= mostExactInteger)
    return static_cast<int64_t>(number);
  return jsonNumber(number);
}

/// A column of values that are given once for all runs, or for each.
template <typename T, typename Format>
static void addColumn(Json &columns, const char *name, int64_t runs,
                      const std::vector<T> &values, Format format) {
  if (values.empty())
    return;
  Json &cells = columns[name] = Json::array();
  for (int64_t run = 0; run < runs; ++run)
    cells.push_back(format(values[values.size() == 1 ? 0 : run]));
}

Json ensc::describeRuns(const FitPlan &plan) {
  const FitOptions &options = *plan.options;
  Json columns = Json::object();
  for (const RunColumn &column : options.columns) {
    addColumn(columns, column.name.c_str(), options.runs, column.texts,
              textCell);
    addColumn(columns, column.name.c_str(), options.runs, column.numbers,
              numberCell);
  }
  addColumn(columns, "order_seed", options.runs, options.orderSeeds,
            [](int64_t seed) { return Json(seed); });
  addColumn(columns, "init", options.runs, options.initialStates, textCell);
  if (!findColumn(options, "data"))
    addColumn(
        columns, "data", options.runs, options.rowChoices,
        [](const RowChoice &choice) { return Json(formatChoice(choice)); });
  addColumn(
      columns, "patience", options.runs, options.patience,
      [](int64_t records) { return records > 0 ? Json(records) : Json(); });
  addColumn(
      columns, "max_steps", options.runs, options.maxSteps,
      [](int64_t step) { return step < INT64_MAX ? Json(step) : Json(); });
  return columns;
}

Json ensc::describeSubsets(const FitOptions &options) {
  Json subsets = Json::object();
  const RunColumn *names = findColumn(options, "data");
  if (!names)
    return subsets;
  for (size_t run = 0; run < names->texts.size(); ++run) {
    if (options.rowChoices.empty() || subsets.contains(names->texts[run]))
      continue;
    const RowChoice &choice =
        options.rowChoices[options.rowChoices.size() == 1 ? 0 : run];
    if (choice.kind == RowChoice::Subset)
      subsets[names->texts[run]] = describeSubset(choice);
  }
  return subsets;
}
