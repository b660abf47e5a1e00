//===- TextView.h - An experiment in a terminal -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_TEXTVIEW_H
#define ENSC_REPORT_TEXTVIEW_H

#include "ensc/Report/RunHistory.h"

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace ensc {

/// Steps per second over the last seconds.
class RateMeter {
public:
  /// `done` steps were done at `seconds` of a clock that never goes back.
  void add(double seconds, int64_t done);

  /// 0 while it is not known.
  double stepsPerSecond() const;

private:
  std::deque<std::pair<double, int64_t>> samples_;
};

/// What a view of an experiment shows at an instant.
struct ViewState {
  struct Metric {
    std::string name;
    bool monitored = false;
    double low, median, high; ///< At the last step; NaN where there is none.
    double ofBestRun; ///< Its last value; NaN where there is no best run.
    int64_t bestRun = -1;
    std::vector<double> medians; ///< From the first to the last step.
  };
  struct Run {
    int64_t run = 0, steps = 0;
    RunStatus status = RunStatus::Pending;
    double latest;              ///< Of the monitored metric.
    std::string hypers;         ///< As in "lr 0.01, decay 0.1".
    std::vector<double> values; ///< Of the monitored metric.
  };
  std::string title;
  ExperimentState state = ExperimentState::Running;
  int64_t runs = 0, doneSteps = 0, plannedSteps = 0;
  double stepsPerSecond = 0; ///< 0: not known.
  int64_t memoryBytes = 0;   ///< 0: not known.
  StatusCounts counts{};
  std::vector<Metric> metrics; ///< The monitored one first.
  std::vector<Run> best;       ///< The best one first.
  std::vector<std::string> events;
};

/// What the files of an experiment say, with the `bestRuns` best runs. Rate and
/// memory are left open. The history must have been refreshed.
ViewState describeExperiment(const RunHistory &history,
                             const std::string &title, size_t bestRuns);

struct ViewStyle {
  size_t width = 80, height = 24; ///< Of the terminal.
  bool colour = true;
};

/// Lines that fit `style`. None of them has control characters but those that
/// set colours.
std::vector<std::string> renderView(const ViewState &state,
                                    const ViewStyle &style);

/// All in one line without colours, for logs.
std::string renderLine(const ViewState &state);

} // namespace ensc

#endif // ENSC_REPORT_TEXTVIEW_H
