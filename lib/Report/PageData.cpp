//===- PageData.cpp - What a page knows of an experiment ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"

#include "ensc/Report/Bands.h"
#include "ensc/Report/HtmlReport.h"
#include "ensc/Report/ProgramLabels.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace ensc;

//===----------------------------------------------------------------------===//
// JSON as text
//===----------------------------------------------------------------------===//

/// Five digits are finer than a screen. JSON has no word for what is not
/// finite.
static void appendCoarse(std::string &text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  char buffer[32];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value,
                                   std::chars_format::general, 5);
  text.append(buffer, end);
}

static std::string dump(const Json &value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (char c : text)
    // Inside strings only, where this means the same.
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

/// `[a,b,...]` of what `append` writes for each item.
template <typename Range, typename Append>
static void appendList(std::string &text, const Range &items, Append append) {
  text += '[';
  bool first = true;
  for (const auto &item : items) {
    if (!first)
      text += ',';
    first = false;
    append(item);
  }
  text += ']';
}

namespace {
/// Writes the members of one object.
class PageWriter {
public:
  PageWriter(const RunHistory &history, std::string_view title)
      : history_(history), experiment_(history.experiment()), title_(title) {}

  std::string write();

private:
  void chooseRuns();
  void begin(const char *name) { text_ += std::string(",\"") + name + "\":"; }
  void add(const char *name, const Json &value) {
    begin(name);
    text_ += dump(value);
  }
  template <typename Value> void addPerRun(const char *name, Value value) {
    begin(name);
    appendList(text_, shown_,
               [&](int64_t run) { text_ += dump(Json(value(run))); });
  }
  void addHead();
  void addFacts();
  void addColumns();
  void addValues(const char *name, std::vector<double> RunTrack::*values);
  void addBands();
  void addGrids();
  void addCurves();
  void appendCurve(int64_t run, size_t metric);

  const RunHistory &history_;
  const ExperimentReader &experiment_;
  std::string_view title_;
  std::vector<int64_t> shown_;              ///< Ascending numbers of runs.
  std::vector<std::vector<int64_t>> grids_; ///< Kept steps by program.
  std::string text_;
};
} // namespace

//===----------------------------------------------------------------------===//
// The experiment
//===----------------------------------------------------------------------===//

/// All runs, or of too many the best ones and a sample of the others, evenly
/// spread: the best ones alone would not tell which values are bad.
void PageWriter::chooseRuns() {
  auto runs = static_cast<size_t>(experiment_.runs());
  if (runs > reportRuns)
    shown_ = history_.bestRuns(experiment_.monitor(), reportRuns / 2);
  std::vector<bool> taken(runs);
  for (int64_t run : shown_)
    taken[run] = true;
  std::vector<int64_t> others;
  for (size_t run = 0; run < runs; ++run)
    if (!taken[run])
      others.push_back(static_cast<int64_t>(run));
  size_t room = std::min(reportRuns - shown_.size(), others.size());
  for (size_t i = 0; i < room; ++i)
    shown_.push_back(others[i * others.size() / room]);
  std::sort(shown_.begin(), shown_.end());
}

/// A text of the plan, or "" where it has none.
static std::string textIn(const Json &plan, const char *key) {
  auto found = plan.find(key);
  return found != plan.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

void PageWriter::addHead() {
  const Json &plan = experiment_.plan();
  std::string learner = textIn(plan, "learner");
  std::string created = textIn(plan, "created");
  std::string subtitle = learner.empty() ? "" : "learner " + learner;
  if (!created.empty())
    subtitle += (subtitle.empty() ? "started " : ", started ") + created;
  text_ = "{\"title\":" + dump(Json(std::string(title_)));
  add("subtitle", subtitle);
  add("state", nameOf(history_.state()));
  add("runs", experiment_.runs());
  add("doneSteps", history_.doneSteps());
  add("plannedSteps", history_.plannedSteps());
  Json metrics = Json::array(), statuses = Json::array();
  for (const ExperimentMetric &metric : experiment_.metrics())
    metrics.push_back({{"name", metric.name}, {"max", metric.maximize}});
  for (RunStatus status : statusOrder)
    statuses.push_back(nameOf(status));
  add("metrics", metrics);
  add("monitor", experiment_.monitor());
  add("programs", labelPrograms(experiment_));
  add("statuses", statuses);
  add("counts", history_.countStatuses());
}

/// What the plan says besides values per run: names and compact JSON.
void PageWriter::addFacts() {
  Json facts = Json::array();
  for (const auto &[name, value] : experiment_.plan().items()) {
    if (name == "columns" || name == "format" || value.empty())
      continue;
    std::string text =
        value.is_string()
            ? value.get<std::string>()
            : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    facts.push_back({name, text});
  }
  for (const HistoryColumn &column : history_.columns())
    if (!column.varies && !column.numbers.empty())
      facts.push_back({column.name, formatNumber(column.numbers.front())});
    else if (!column.varies && !column.texts.empty())
      facts.push_back({column.name, column.texts.front()});
  add("facts", facts);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void PageWriter::addColumns() {
  begin("columns");
  bool first = true;
  text_ += '[';
  for (const HistoryColumn &column : history_.columns()) {
    if (!first)
      text_ += ',';
    first = false;
    text_ += "{\"name\":" + dump(Json(column.name));
    add("text", !column.numeric);
    add("varies", column.varies);
    add("log", column.logarithmic);
    addPerRun("values", [&](int64_t run) {
      if (!column.numeric)
        return Json(column.texts[run]);
      double number = column.numbers[run];
      return std::isnan(number) ? Json() : jsonNumber(number);
    });
    text_ += '}';
  }
  text_ += ']';
}

/// Values of a run's metrics, to the bit: one list per metric.
void PageWriter::addValues(const char *name,
                           std::vector<double> RunTrack::*values) {
  begin(name);
  text_ += '[';
  for (size_t metric = 0; metric < experiment_.metrics().size(); ++metric) {
    if (metric > 0)
      text_ += ',';
    appendList(text_, shown_, [&](int64_t run) {
      const RunTrack &track = history_.runs()[run];
      text_ += track.records == 0 ? "null"
                                  : dump(jsonNumber((track.*values)[metric]));
    });
  }
  text_ += ']';
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

void PageWriter::addBands() {
  begin("bands");
  text_ += '[';
  size_t programs = std::max<size_t>(experiment_.programs().size(), 1);
  for (size_t program = 0; program < programs; ++program) {
    text_ += program > 0 ? ",[" : "[";
    for (size_t metric = 0; metric < experiment_.metrics().size(); ++metric) {
      Band band = makeBand(history_, metric, program);
      auto number = [&](double value) { appendCoarse(text_, value); };
      auto count = [&](int64_t value) { text_ += std::to_string(value); };
      text_ += metric > 0 ? ",{\"steps\":" : "{\"steps\":";
      appendList(text_, band.steps, count);
      begin("low");
      appendList(text_, band.low, number);
      begin("median");
      appendList(text_, band.median, number);
      begin("high");
      appendList(text_, band.high, number);
      begin("counts");
      appendList(text_, band.counts, count);
      text_ += '}';
    }
    text_ += ']';
  }
  text_ += ']';
}

/// Runs of one program are measured at the same steps, which are told once:
/// those of the run that was measured most often.
void PageWriter::addGrids() {
  grids_.resize(std::max<size_t>(experiment_.programs().size(), 1));
  for (int64_t run : shown_) {
    std::vector<int64_t> &grid = grids_[history_.programOf(run)];
    if (history_.runs()[run].keptSteps.size() > grid.size())
      grid = history_.runs()[run].keptSteps;
  }
  add("grid", grids_);
  begin("own");
  text_ += '{';
  bool first = true;
  for (size_t row = 0; row < shown_.size(); ++row) {
    const std::vector<int64_t> &steps = history_.runs()[shown_[row]].keptSteps;
    const std::vector<int64_t> &grid = grids_[history_.programOf(shown_[row])];
    if (std::equal(steps.begin(), steps.end(), grid.begin()))
      continue;
    text_ += (first ? "\"" : ",\"") + std::to_string(row) +
             "\":" + dump(Json(steps));
    first = false;
  }
  text_ += '}';
}

void PageWriter::appendCurve(int64_t run, size_t metric) {
  appendList(text_, curveOf(history_, run, metric),
             [&](double value) { appendCoarse(text_, value); });
}

void PageWriter::addCurves() {
  begin("curve");
  appendList(text_, shown_, [&](int64_t run) {
    text_ += '[';
    for (size_t metric = 0; metric < experiment_.metrics().size(); ++metric) {
      if (metric > 0)
        text_ += ',';
      appendCurve(run, metric);
    }
    text_ += ']';
  });
}

std::string PageWriter::write() {
  chooseRuns();
  addHead();
  addFacts();
  auto track = [&](int64_t run) -> const RunTrack & {
    return history_.runs()[run];
  };
  addPerRun("run", [&](int64_t run) { return run; });
  addPerRun("program", [&](int64_t run) { return history_.programOf(run); });
  addPerRun("status", [&](int64_t run) {
    return std::find(statusOrder.begin(), statusOrder.end(),
                     track(run).status) -
           statusOrder.begin();
  });
  addPerRun("reason", [&](int64_t run) { return track(run).reason; });
  addPerRun("steps", [&](int64_t run) { return track(run).steps; });
  addColumns();
  addValues("final", &RunTrack::latest);
  addValues("best", &RunTrack::best);
  addBands();
  addGrids();
  addCurves();
  return text_ + "}";
}

std::string ensc::makePageData(const RunHistory &history,
                               std::string_view title) {
  return PageWriter(history, title).write();
}
