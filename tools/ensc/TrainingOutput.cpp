//===- TrainingOutput.cpp - What ensc train shows -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOutput.h"

#include "Terminal.h"

#include "ensc/Report/RunTables.h"
#include "ensc/Runtime/Memory.h"

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

std::string tool::formatLeaderboard(const CsvTable &table,
                                    const std::string &monitor, bool maximize,
                                    size_t limit) {
  std::vector<size_t> order;
  if (std::optional<size_t> column = table.column("final_" + monitor))
    order = rankRows(table, *column, maximize);
  else
    for (size_t row = 0; row < table.rows.size(); ++row)
      order.push_back(row);
  order.resize(std::min(order.size(), limit));
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (size_t row : order)
    lines.push_back(table.rows[row]);
  return formatTable(lines, leaderboardStyle(monitor));
}

TableStyle tool::leaderboardStyle(const std::string &monitor) {
  return tableStyle({"run", "status", "final_" + monitor, "best_" + monitor});
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
