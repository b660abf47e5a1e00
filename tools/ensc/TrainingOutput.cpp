//===- TrainingOutput.cpp - What ensc train shows -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOutput.h"

#include "Terminal.h"

#include "ensc/Runtime/Memory.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ensc;

Json tool::rowAsJson(const CsvTable &table, size_t row) {
  Json object = Json::object();
  for (size_t i = 0; i < table.columns.size(); ++i) {
    llvm::StringRef text = table.rows[row][i];
    int64_t integer = 0;
    Json &field = object[table.columns[i]];
    if (!text.getAsInteger(10, integer))
      field = integer;
    else if (std::optional<double> number = table.number(row, i))
      field = jsonNumber(*number);
    else
      field = text.str();
  }
  return object;
}

//===----------------------------------------------------------------------===//
// Leaderboard
//===----------------------------------------------------------------------===//

/// A number as people like it in a table; other text as it is.
static std::string shorten(const std::string &field) {
  int64_t integer = 0;
  std::optional<double> number = parseNumber(field);
  if (!number || field.size() <= 6 ||
      !llvm::StringRef(field).getAsInteger(10, integer))
    return field;
  return llvm::formatv("{0}", llvm::format("%.4g", *number)).str();
}

/// Lines of cells, in columns as wide as their widest cell. A column that is
/// empty but for its name is left out.
static std::string
formatColumns(const std::vector<std::vector<std::string>> &lines) {
  std::vector<size_t> widths(lines.front().size());
  std::vector<bool> shown(lines.front().size());
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], line[i].size());
      shown[i] = shown[i] || lines.size() == 1 ||
                 (&line != &lines.front() && !line[i].empty());
    }
  std::string text;
  for (const auto &line : lines) {
    std::string separator;
    for (size_t i = 0; i < line.size(); ++i) {
      if (!shown[i])
        continue;
      text +=
          separator + std::string(widths[i] - line[i].size(), ' ') + line[i];
      separator = "  ";
    }
    text += "\n";
  }
  return text;
}

std::string tool::formatLeaderboard(const CsvTable &table,
                                    const std::string &monitor, bool maximize,
                                    size_t limit) {
  std::vector<size_t> order;
  if (std::optional<size_t> column = table.column("best_" + monitor))
    order = table.rank(*column, maximize);
  else
    for (size_t row = 0; row < table.rows.size(); ++row)
      order.push_back(row);
  order.resize(std::min(order.size(), limit));

  std::vector<std::vector<std::string>> lines = {table.columns};
  for (size_t row : order) {
    lines.emplace_back();
    for (const std::string &field : table.rows[row])
      lines.back().push_back(shorten(field));
  }
  return formatColumns(lines);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void tool::printMemoryPlan(const MemoryPlan &plan) {
  std::string line = llvm::formatv(
      "memory: {0} at most: data {1}, {2} {3} of {4}, {5} {6} of {7}, metrics "
      "{8}",
      formatBytes(plan.peakBytes), formatBytes(plan.dataBytes), plan.workers,
      plan.workers == 1 ? "worker" : "workers", formatBytes(plan.workerBytes),
      plan.inFlight, plan.inFlight == 1 ? "run" : "runs",
      formatBytes(plan.runBytes), formatBytes(plan.reportBytes));
  if (plan.inFlight < plan.runs)
    line += llvm::formatv(" (of {0} runs)", plan.runs);
  printMessage(line);
}
