//===- RunHistory.cpp - What views know of an experiment ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/RunHistory.h"

#include "ensc/Experiment/JsonFields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ensc;

static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

const char *ensc::nameOf(ExperimentState state) {
  switch (state) {
  case ExperimentState::Running:
    return "running";
  case ExperimentState::Halted:
    return "halted";
  case ExperimentState::Complete:
    return "complete";
  }
  return "";
}

double ensc::betterOf(double a, double b, bool maximize) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  return maximize ? std::max(a, b) : std::min(a, b);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Whether numbers cover decades, and more evenly so than they cover units.
static bool spreadsLogarithmically(std::vector<double> numbers) {
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(),
                               [](double x) { return std::isnan(x); }),
                numbers.end());
  std::sort(numbers.begin(), numbers.end());
  double low = numbers.front(), high = numbers.back();
  if (!(low > 0) || !std::isfinite(high) || high / low < 20)
    return false;
  double middle = numbers[numbers.size() / 2];
  double place = (middle - low) / (high - low);
  double logPlace = std::log(middle / low) / std::log(high / low);
  return std::abs(logPlace - 0.5) < std::abs(place - 0.5);
}

static HistoryColumn readColumn(const CsvTable &rows, size_t index) {
  HistoryColumn column;
  column.name = rows.columns[index];
  bool onlyNumbers = true;
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    const std::string &field = rows.rows[row][index];
    std::optional<double> number = rows.number(row, index);
    column.numeric |= number.has_value();
    onlyNumbers &= number || field.empty();
    column.numbers.push_back(number.value_or(missing));
    column.varies |= field != rows.rows[0][index];
  }
  column.numeric &= onlyNumbers;
  if (column.numeric) {
    column.logarithmic =
        column.varies && spreadsLogarithmically(column.numbers);
    return column;
  }
  column.numbers.clear();
  for (const std::vector<std::string> &row : rows.rows)
    column.texts.push_back(row[index]);
  return column;
}

/// An integer of a plan that nobody vouches for, at most 2^40.
static int64_t countIn(const Json &value) {
  constexpr int64_t most = int64_t(1) << 40;
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<uint64_t>() > most))
    return 0;
  return std::clamp<int64_t>(value.get<int64_t>(), 0, most);
}

Expected<RunHistory> RunHistory::open(const std::string &path,
                                      size_t pointsPerRun) {
  Expected<ExperimentReader> experiment = ExperimentReader::open(path);
  if (!experiment)
    return experiment.error();
  return RunHistory(std::move(*experiment), std::max<size_t>(pointsPerRun, 2));
}

RunHistory::RunHistory(ExperimentReader experiment, size_t pointsPerRun)
    : experiment_(std::move(experiment)), pointsPerRun_(pointsPerRun),
      runs_(experiment_.runs()),
      events_(std::make_shared<const std::vector<Json>>()) {
  const CsvTable &rows = experiment_.rows();
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    columns_.push_back(readColumn(rows, i));
    if (columns_.back().name == "program" && columns_.back().numeric)
      programColumn_ = i;
  }
  for (RunTrack &run : runs_)
    run.latest = run.best =
        std::vector<double>(experiment_.metrics().size(), missing);
  planSteps();
}

/// Steps of an epoch of each program; 0 where the plan does not say.
static std::vector<int64_t> stepsPerEpoch(const ExperimentReader &experiment) {
  std::vector<int64_t> steps(std::max<size_t>(experiment.programs().size(), 1));
  const Json *programs = findField(experiment.plan(), "programs");
  for (size_t i = 0; i < experiment.programs().size(); ++i)
    if (const Json *count = findField((*programs)[i], "steps_per_epoch"))
      steps[i] = countIn(*count);
  return steps;
}

void RunHistory::planSteps() {
  std::vector<int64_t> steps = stepsPerEpoch(experiment_);
  const Json *onlyRun = findField(experiment_.plan(), "only_run");
  const HistoryColumn *limit = nullptr;
  for (const HistoryColumn &column : columns_)
    if (column.name == "max_steps" && column.numeric)
      limit = &column;
  auto epochs = static_cast<double>(experiment_.epochs());
  for (size_t run = 0; run < runs_.size(); ++run) {
    if (onlyRun && countIn(*onlyRun) != static_cast<int64_t>(run))
      continue;
    double planned = double(steps[programOf(run)]) * epochs;
    if (limit && limit->numbers[run] > 0)
      planned = std::min(planned, limit->numbers[run]);
    runs_[run].plannedSteps =
        static_cast<int64_t>(std::clamp(planned, 0.0, 1e15));
  }
}

size_t RunHistory::programOf(int64_t run) const {
  if (!programColumn_)
    return 0;
  double number = columns_[*programColumn_].numbers[run];
  return number >= 0 && number < double(experiment_.programs().size())
             ? static_cast<size_t>(number)
             : 0;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void RunHistory::add(const RunRecord &record) {
  RunTrack &run = runs_[record.run];
  // A line that comes again says the same: records follow from the plan.
  if (run.records > 0 && record.step <= run.steps)
    return;
  run.steps = record.step;
  for (size_t i = 0; i < record.values.size(); ++i) {
    // Of a run that has not diverged, a NaN means that nothing was computed.
    if (!std::isnan(record.values[i]) || std::isnan(record.values[0]))
      run.latest[i] = record.values[i];
    run.best[i] = betterOf(run.best[i], record.values[i],
                           experiment_.metrics()[i].maximize);
  }
  if (run.status == RunStatus::Pending)
    run.status = RunStatus::Running;
  // Counted from 1: what is computed at every other record stays so.
  if (++run.records % stride_ != 0)
    return;
  run.keptSteps.push_back(record.step);
  for (double value : record.values)
    run.keptValues.push_back(static_cast<float>(value));
  while (run.keptSteps.size() > pointsPerRun_)
    thin();
}

/// Drops every other kept record of all runs, so that the steps of different
/// runs stay the same.
void RunHistory::thin() {
  stride_ *= 2;
  size_t width = experiment_.metrics().size();
  for (RunTrack &run : runs_) {
    size_t kept = run.keptSteps.size() / 2;
    for (size_t i = 0; i < kept; ++i) {
      run.keptSteps[i] = run.keptSteps[2 * i + 1];
      std::copy_n(run.keptValues.begin() + (2 * i + 1) * width, width,
                  run.keptValues.begin() + i * width);
    }
    run.keptSteps.resize(kept);
    run.keptValues.resize(kept * width);
  }
}

/// What runs.csv says of how runs stand. It is renewed less often than records
/// are written.
void RunHistory::takeTable(CsvTable table) {
  table_ = std::move(table);
  std::optional<size_t> number = table_.column("run");
  std::optional<size_t> status = table_.column("status");
  std::optional<size_t> reason = table_.column("reason");
  for (size_t row = 0; row < table_.rows.size(); ++row) {
    double run = number ? table_.number(row, *number).value_or(-1) : -1;
    if (!(run >= 0 && run < double(runs_.size())) || !status)
      continue;
    RunTrack &track = runs_[static_cast<size_t>(run)];
    Expected<RunStatus> known = parseRunStatus(table_.rows[row][*status]);
    track.status = known ? *known : RunStatus::Pending;
    if (track.status == RunStatus::Pending && track.records > 0)
      track.status = RunStatus::Running;
    track.reason = reason ? table_.rows[row][*reason] : "";
  }
}

/// Events tell of ends at once.
void RunHistory::takeEvents(std::vector<Json> events) {
  events_ = std::make_shared<const std::vector<Json>>(std::move(events));
  for (const Json &event : *events_) {
    const Json *number = findField(event, "run");
    if (textOf(findField(event, "event")) != "ended" || !number ||
        !number->is_number_unsigned())
      continue;
    int64_t run = countIn(*number);
    Expected<RunStatus> status =
        parseRunStatus(textOf(findField(event, "status")).value_or(""));
    if (run >= static_cast<int64_t>(runs_.size()) || !status)
      continue;
    runs_[run].status = *status;
    runs_[run].reason = textOf(findField(event, "reason")).value_or("");
  }
}

Status RunHistory::refresh() {
  // Records last: what has ended has all of them in the file.
  state_ = experiment_.state();
  Expected<CsvTable> table = experiment_.readTable();
  if (!table)
    return table.error();
  Expected<std::vector<Json>> events = experiment_.readEvents();
  if (!events)
    return events.error();
  Expected<RecordCursor> cursor = experiment_.readRecords(
      [this](const RunRecord &record) { add(record); }, cursor_);
  if (!cursor)
    return cursor.error();
  cursor_ = *cursor;
  takeTable(std::move(*table));
  takeEvents(std::move(*events));
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

int64_t RunHistory::doneSteps() const {
  int64_t steps = 0;
  for (const RunTrack &run : runs_)
    steps += run.steps;
  return steps;
}

int64_t RunHistory::plannedSteps() const {
  int64_t steps = 0;
  for (const RunTrack &run : runs_) {
    bool open =
        run.status == RunStatus::Running || run.status == RunStatus::Pending;
    steps += open ? std::max(run.plannedSteps, run.steps) : run.steps;
  }
  return steps;
}

StatusCounts RunHistory::countStatuses() const {
  StatusCounts counts{};
  for (size_t i = 0; i < statusOrder.size(); ++i)
    for (const RunTrack &run : runs_)
      counts[i] += run.status == statusOrder[i];
  return counts;
}

std::vector<int64_t> RunHistory::bestRuns(size_t metric, size_t limit) const {
  bool maximize = experiment_.metrics()[metric].maximize;
  std::vector<int64_t> order;
  for (size_t run = 0; run < runs_.size(); ++run)
    if (runs_[run].status != RunStatus::Diverged &&
        !std::isnan(runs_[run].latest[metric]))
      order.push_back(static_cast<int64_t>(run));
  limit = std::min(limit, order.size());
  std::partial_sort(order.begin(), order.begin() + limit, order.end(),
                    [&](int64_t a, int64_t b) {
                      double x = runs_[a].latest[metric];
                      double y = runs_[b].latest[metric];
                      if (x != y)
                        return maximize ? x > y : x < y;
                      return a < b;
                    });
  order.resize(limit);
  return order;
}
