//===- TrainingOutput.cpp - What ensc train shows -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOutput.h"

#include "ensc/Runtime/Memory.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

#include <unistd.h>

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
  std::vector<size_t> widths(table.columns.size());
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto &line : lines) {
    for (size_t i = 0; i < line.size(); ++i)
      text += (i ? "  " : "") + std::string(widths[i] - line[i].size(), ' ') +
              line[i];
    text += "\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void tool::printMemoryPlan(const MemoryPlan &plan) {
  llvm::errs() << llvm::formatv(
      "memory: {0} at most: data {1}, {2} {3} of {4}, {5} {6} of {7}, metrics "
      "{8}",
      formatBytes(plan.peakBytes), formatBytes(plan.dataBytes), plan.workers,
      plan.workers == 1 ? "worker" : "workers", formatBytes(plan.workerBytes),
      plan.inFlight, plan.inFlight == 1 ? "run" : "runs",
      formatBytes(plan.runBytes), formatBytes(plan.reportBytes));
  if (plan.inFlight < plan.runs)
    llvm::errs() << llvm::formatv(" (of {0} runs)", plan.runs);
  llvm::errs() << "\n";
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

static void printProgress(const Learner &learner,
                          std::chrono::steady_clock::time_point start) {
  Learner::Progress progress = learner.progress();
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (progress.done == 0 || elapsed.count() <= 0)
    return;
  double rate = progress.done / elapsed.count();
  double left = (progress.planned - progress.done) / rate;
  llvm::errs() << llvm::formatv(
      "\r\033[K{0}% of {1} run-steps, {2} run-steps/s, {3} s left",
      100 * progress.done / std::max<int64_t>(progress.planned, 1),
      progress.planned, static_cast<int64_t>(rate), llvm::format("%.0f", left));
}

tool::ProgressLine::ProgressLine(const Learner &learner) {
  if (!isatty(STDERR_FILENO))
    return;
  printer = std::thread([this, &learner] {
    auto start = std::chrono::steady_clock::now();
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      printProgress(learner, start);
    }
    llvm::errs() << "\r\033[K";
  });
}

tool::ProgressLine::~ProgressLine() {
  done = true;
  if (printer.joinable())
    printer.join();
}
