//===- ViewState.cpp - What a view of an experiment shows -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/Bands.h"
#include "ensc/Report/ProgramLabels.h"
#include "ensc/Report/Text.h"
#include "ensc/Report/TextView.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Rate
//===----------------------------------------------------------------------===//

void RateMeter::add(double seconds, int64_t done) {
  constexpr double window = 15;
  // A process that went back to a checkpoint does steps again.
  if (!samples_.empty() && done < samples_.back().second)
    samples_.clear();
  samples_.emplace_back(seconds, done);
  while (samples_.size() > 2 && seconds - samples_[1].first > window)
    samples_.pop_front();
}

double RateMeter::stepsPerSecond() const {
  if (samples_.size() < 2)
    return 0;
  double seconds = samples_.back().first - samples_.front().first;
  int64_t steps = samples_.back().second - samples_.front().second;
  return seconds > 0 ? double(steps) / seconds : 0;
}

//===----------------------------------------------------------------------===//
// Metrics and runs
//===----------------------------------------------------------------------===//

/// The band of the program that most runs execute.
static Band mainBand(const RunHistory &history, size_t metric) {
  std::vector<size_t> counts(
      std::max<size_t>(history.experiment().programs().size(), 1));
  for (size_t run = 0; run < history.runs().size(); ++run)
    ++counts[history.programOf(static_cast<int64_t>(run))];
  size_t program = 0;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > counts[program])
      program = i;
  return makeBand(history, metric, program);
}

static ViewState::Metric describeMetric(const RunHistory &history,
                                        size_t metric) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  ViewState::Metric view;
  view.name = printable(history.experiment().metrics()[metric].name);
  view.monitored = metric == history.experiment().monitor();
  view.low = view.median = view.high = view.ofBestRun = nan;
  Band band = mainBand(history, metric);
  if (!band.steps.empty()) {
    view.low = band.low.back();
    view.median = band.median.back();
    view.high = band.high.back();
  }
  view.medians = std::move(band.median);
  std::vector<int64_t> best = history.bestRuns(metric, 1);
  if (!best.empty()) {
    view.bestRun = best.front();
    view.ofBestRun = history.runs()[best.front()].latest[metric];
  }
  return view;
}

/// The hyper-parameters in which runs differ, without their seeds.
static std::string describeHypers(const RunHistory &history, int64_t run) {
  // The label of a program says what it was made of.
  static const char *const untold[] = {"seed", "order_seed", "model",
                                       "optimizer", "batch_size"};
  std::string text;
  for (const HistoryColumn &column : history.columns()) {
    if (!column.varies || std::find(std::begin(untold), std::end(untold),
                                    column.name) != std::end(untold))
      continue;
    if (column.name == "program") {
      text = printable(
          labelPrograms(history.experiment())[history.programOf(run)]);
      continue;
    }
    bool isEmpty = column.numeric ? std::isnan(column.numbers[run])
                                  : column.texts[run].empty();
    if (isEmpty)
      continue;
    text += text.empty() ? "" : ", ";
    text += printable(column.name) + " ";
    text += column.numeric ? shortNumber(column.numbers[run])
                           : printable(column.texts[run]);
  }
  return text;
}

static ViewState::Run describeRun(const RunHistory &history, int64_t run) {
  size_t monitor = history.experiment().monitor();
  const RunTrack &track = history.runs()[run];
  ViewState::Run view;
  view.run = run;
  view.steps = track.steps;
  view.status = track.status;
  view.latest = track.latest[monitor];
  view.hypers = describeHypers(history, run);
  view.values = curveOf(history, run, monitor);
  return view;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// A value of an event. The ends of a long list are enough for a line.
static std::string describeValue(const Json &value) {
  constexpr size_t fewValues = 6;
  if (value.is_string())
    return value.get<std::string>();
  auto dump = [](const Json &json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  if (!value.is_array() || value.size() <= fewValues)
    return dump(value);
  return dump(value.front()) + " to " + dump(value.back()) + " (" +
         std::to_string(value.size()) + ")";
}

/// The time of day of an event, and what it says besides, in its own words.
static std::string describeEvent(const Json &event) {
  if (!event.is_object())
    return "";
  std::string time, name, rest;
  for (const auto &[key, value] : event.items()) {
    std::string text = describeValue(value);
    if (key == "time")
      time = text.size() > 18 ? text.substr(11, 8) : text;
    else if (key == "event")
      name = text;
    else if (!text.empty())
      rest += (rest.empty() ? "" : ", ") + key + " " + text;
  }
  std::string line = time + "  " + name + (rest.empty() ? "" : ": " + rest);
  return clip(printable(line), 200);
}

ViewState ensc::describeExperiment(const RunHistory &history,
                                   const std::string &title, size_t bestRuns) {
  constexpr size_t lastEvents = 5;
  const ExperimentReader &experiment = history.experiment();
  ViewState view;
  view.title = printable(title);
  view.state = history.state();
  view.runs = experiment.runs();
  view.doneSteps = history.doneSteps();
  view.plannedSteps = history.plannedSteps();
  view.counts = history.countStatuses();
  size_t monitor = experiment.monitor();
  view.metrics.push_back(describeMetric(history, monitor));
  for (size_t i = 0; i < experiment.metrics().size(); ++i)
    if (i != monitor)
      view.metrics.push_back(describeMetric(history, i));
  for (int64_t run : history.bestRuns(monitor, bestRuns))
    view.best.push_back(describeRun(history, run));
  const std::vector<Json> &events = history.events();
  size_t first = events.size() > lastEvents ? events.size() - lastEvents : 0;
  for (size_t i = first; i < events.size(); ++i)
    view.events.push_back(describeEvent(events[i]));
  return view;
}
