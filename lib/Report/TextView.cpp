//===- TextView.cpp - An experiment in a terminal -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/TextView.h"

#include "ensc/Report/Bands.h"
#include "ensc/Report/Text.h"
#include "ensc/Runtime/Memory.h"

#include <algorithm>
#include <cmath>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Parts of a line
//===----------------------------------------------------------------------===//

/// Colours of a terminal: numbers of SGR.
static const char *colourOf(RunStatus status) {
  switch (status) {
  case RunStatus::Running:
    return "34";
  case RunStatus::Completed:
    return "32";
  case RunStatus::Reached:
    return "36";
  case RunStatus::Stopped:
    return "33";
  case RunStatus::Diverged:
    return "31";
  case RunStatus::Pending:
    return "2";
  }
  return "0";
}

static std::string percent(const ViewState &state) {
  double share = state.plannedSteps > 0
                     ? double(state.doneSteps) / double(state.plannedSteps)
                     : 0;
  // 100 is kept for the end.
  int whole = static_cast<int>(100 * std::clamp(share, 0.0, 1.0));
  return std::to_string(whole) + " %";
}

static std::string describeCounts(const ViewState &state) {
  std::string text;
  for (size_t i = 0; i < statusOrder.size(); ++i)
    if (state.counts[i] > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(state.counts[i]) +
              " " + nameOf(statusOrder[i]);
  return text;
}

/// Rate, time left and memory, as far as they are known.
static std::vector<std::string> describeSpeed(const ViewState &state) {
  std::vector<std::string> parts;
  if (state.stepsPerSecond > 0) {
    parts.push_back(shortCount(state.stepsPerSecond) + " run-steps/s");
    double left = double(state.plannedSteps - state.doneSteps);
    if (left > 0)
      parts.push_back(shortDuration(left / state.stepsPerSecond) + " left");
  }
  if (state.memoryBytes > 0)
    parts.push_back(formatBytes(state.memoryBytes));
  return parts;
}

std::string ensc::renderLine(const ViewState &state) {
  std::string line = percent(state) + " of " +
                     shortCount(double(state.plannedSteps)) + " run-steps";
  for (const std::string &part : describeSpeed(state))
    line += ", " + part;
  // Without its files nothing is known of runs.
  if (state.runs > 0)
    line += "; " + describeCounts(state);
  if (state.metrics.empty() || std::isnan(state.metrics[0].median))
    return line;
  const ViewState::Metric &metric = state.metrics[0];
  return line + "; " + metric.name + " median " + shortNumber(metric.median) +
         ", best " + shortNumber(metric.ofBestRun) + " (run " +
         std::to_string(metric.bestRun) + ")";
}

//===----------------------------------------------------------------------===//
// A frame
//===----------------------------------------------------------------------===//

namespace {
/// Collects lines, clipped to the width while they are still without colours.
class Frame {
public:
  explicit Frame(const ViewStyle &style) : style_(style) {}

  /// A part of the line that is being written, in a colour or without.
  Frame &add(const std::string &text, const char *colour = nullptr) {
    std::string shown = clip(text, style_.width - used_);
    used_ += displayWidth(shown);
    if (colour && style_.colour && !shown.empty())
      line_ += std::string("\033[") + colour + "m" + shown + "\033[0m";
    else
      line_ += shown;
    return *this;
  }
  void end() {
    if (lines_.size() < style_.height)
      lines_.push_back(std::move(line_));
    line_.clear();
    used_ = 0;
  }
  size_t left() const { return style_.width - used_; }
  size_t linesLeft() const { return style_.height - lines_.size(); }
  std::vector<std::string> take() { return std::move(lines_); }

private:
  ViewStyle style_;
  std::vector<std::string> lines_;
  std::string line_;
  size_t used_ = 0;
};
} // namespace

static void addHead(Frame &frame, const ViewState &state) {
  const char *colour = state.state == ExperimentState::Running    ? "34"
                       : state.state == ExperimentState::Complete ? "32"
                                                                  : "33";
  frame.add(state.title, "1").add("  ").add(nameOf(state.state), colour);
  if (state.state == ExperimentState::Halted)
    frame.add(": no process works on it; its command goes on");
  frame.end();
  std::string text = percent(state) + " of " +
                     shortCount(double(state.plannedSteps)) + " run-steps";
  for (const std::string &part : describeSpeed(state))
    text += " · " + part;
  size_t width =
      frame.left() > displayWidth(text) + 12
          ? std::min<size_t>(frame.left() - displayWidth(text) - 2, 30)
          : 0;
  if (width > 0) {
    double share = state.plannedSteps > 0
                       ? double(state.doneSteps) / double(state.plannedSteps)
                       : 0;
    auto full =
        static_cast<size_t>(double(width) * std::clamp(share, 0.0, 1.0));
    std::string done, rest;
    for (size_t i = 0; i < width; ++i)
      (i < full ? done : rest) += i < full ? "█" : "░";
    frame.add(done, colour).add(rest, "2").add("  ");
  }
  frame.add(text).end();
  frame.add(std::to_string(state.runs) + (state.runs == 1 ? " run" : " runs"));
  for (size_t i = 0; i < statusOrder.size(); ++i)
    if (state.counts[i] > 0) {
      RunStatus status = statusOrder[i];
      frame.add("  ").add("●", colourOf(status));
      frame.add(" " + std::to_string(state.counts[i]) + " " + nameOf(status));
    }
  frame.end();
}

static void addMetrics(Frame &frame, const ViewState &state) {
  size_t width = 0;
  for (const ViewState::Metric &metric : state.metrics)
    width = std::max(width, displayWidth(metric.name));
  width = std::min<size_t>(width, 24);
  frame.end();
  frame.add(padRight("metric", width) + "      median   quartiles             "
                                        "     best     run",
            "2");
  frame.end();
  for (const ViewState::Metric &metric : state.metrics) {
    frame.add(padRight(clip(metric.name, width), width),
              metric.monitored ? "1" : nullptr);
    std::string quartiles =
        shortNumber(metric.low) + " .. " + shortNumber(metric.high);
    std::string run = metric.bestRun < 0 ? "–" : std::to_string(metric.bestRun);
    frame.add("  " + padLeft(shortNumber(metric.median), 10) + "   " +
              padRight(quartiles, 24) +
              padLeft(shortNumber(metric.ofBestRun), 10) + padLeft(run, 8) +
              "  ");
    if (frame.left() >= 8)
      frame.add(sparkline(metric.medians, std::min<size_t>(frame.left(), 30)),
                "34");
    frame.end();
  }
}

static void addBest(Frame &frame, const ViewState &state, size_t limit) {
  if (state.best.empty() || limit < 3)
    return;
  frame.end();
  frame.add("best runs by " + state.metrics[0].name, "2").end();
  size_t rows = std::min(state.best.size(), limit - 2);
  for (size_t i = 0; i < rows; ++i) {
    const ViewState::Run &run = state.best[i];
    frame.add(padLeft(std::to_string(run.run), 7) + "  " +
                  padLeft(shortNumber(run.latest), 10) + "  ",
              i == 0 ? "1" : nullptr);
    frame.add("●", colourOf(run.status));
    frame.add(" " + padRight(nameOf(run.status), 9) + "  step " +
              padRight(std::to_string(run.steps), 8) + "  ");
    if (frame.left() >= 24)
      frame.add(padRight(sparkline(run.values, 16), 16) + "  ", "34");
    frame.add(run.hypers).end();
  }
}

std::vector<std::string> ensc::renderView(const ViewState &state,
                                          const ViewStyle &style) {
  Frame frame(style);
  addHead(frame, state);
  addMetrics(frame, state);
  size_t events = std::min<size_t>(state.events.size(), 3);
  if (frame.linesLeft() < events + 5)
    events = 0;
  addBest(frame, state, frame.linesLeft() - (events ? events + 2 : 0));
  if (events > 0) {
    frame.end();
    frame.add("last events", "2").end();
    for (size_t i = state.events.size() - events; i < state.events.size(); ++i)
      frame.add(state.events[i]).end();
  }
  return frame.take();
}
