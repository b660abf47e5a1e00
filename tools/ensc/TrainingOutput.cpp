//===- TrainingOutput.cpp - What ensc train leaves and shows --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOutput.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

#include <unistd.h>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Status writeMetrics(const RunDirectory &directory,
                           const Learner &learner, const RunReport &run) {
  Expected<JsonLinesWriter> writer =
      JsonLinesWriter::open(directory.metricsPath(run.run));
  if (!writer)
    return writer.error();
  for (const EpochRecord &record : run.epochs) {
    Json line = {{"epoch", record.epoch}, {"step", record.step}};
    for (size_t i = 0; i < record.values.size(); ++i)
      line[learner.metrics()[i].name] = jsonNumber(record.values[i]);
    if (Status status = writer->append(line); !status)
      return status;
  }
  return writer->flush();
}

static Status writeRun(const RunDirectory &directory, const Learner &learner,
                       const RunReport &run) {
  if (Status status = directory.createRun(run.run); !status)
    return status;
  if (Status status = writeMetrics(directory, learner, run); !status)
    return status;
  Safetensors state;
  for (const std::string &name : learner.stateNames()) {
    Expected<Tensor> tensor = learner.parameter(run.run, name);
    if (!tensor)
      return tensor.error();
    state.tensors.push_back({name, *tensor});
  }
  return directory.writeFinalState(run.run, state);
}

static CsvTable makeTable(const Learner &learner, const FitReport &report,
                          const std::vector<tool::SetHyper> &hypers) {
  CsvTable table;
  table.columns = {"run", "seed"};
  for (const tool::SetHyper &hyper : hypers)
    table.columns.push_back(hyper.name);
  table.columns.insert(table.columns.end(), {"status", "steps"});
  for (const MetricInfo &metric : learner.metrics()) {
    table.columns.push_back("final_" + metric.name);
    table.columns.push_back("best_" + metric.name);
  }
  for (const RunReport &run : report.runs) {
    std::vector<std::string> row = {std::to_string(run.run),
                                    std::to_string(run.seed)};
    for (const tool::SetHyper &hyper : hypers)
      row.push_back(formatNumber(hyper.values[run.run]));
    row.push_back(nameOf(run.status));
    row.push_back(std::to_string(run.steps));
    for (size_t i = 0; i < learner.metrics().size(); ++i) {
      bool known = !run.epochs.empty();
      row.push_back(known ? formatNumber(run.epochs.back().values[i]) : "");
      row.push_back(
          known ? formatNumber(run.best(i, learner.metrics()[i].maximize))
                : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Status tool::writeExperiment(const RunDirectory &directory,
                             const Learner &learner, const FitReport &report,
                             const std::vector<SetHyper> &hypers) {
  for (const RunReport &run : report.runs)
    if (Status status = writeRun(directory, learner, run); !status)
      return status;
  return directory.writeTable(makeTable(learner, report, hypers));
}

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
