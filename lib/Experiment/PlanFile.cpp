//===- PlanFile.cpp - What a fit computes, as JSON ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Experiment/PlanFile.h"

#include "Layout.h"
#include "RunColumns.h"

#include "ensc/Artifact/Checksum.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Experiment/JsonFields.h"
#include "ensc/Experiment/ProgramOptions.h"

#include <cmath>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Parts of a plan
//===----------------------------------------------------------------------===//

static Json metricsAsJson(const FitPlan &plan) {
  Json metrics = Json::array();
  for (const MetricInfo &metric : plan.metrics)
    metrics.push_back({{"name", metric.name},
                       {"direction", metric.maximize ? "max" : "min"}});
  return metrics;
}

static Json programsAsJson(const FitPlan &plan) {
  Json programs = Json::array();
  for (const PlannedProgram &program : plan.programs) {
    const ProgramOrigin &origin = program.executable->origin();
    // The text of a library's program is not known, but its manifest is.
    bool isKnown = !origin.text.empty();
    std::string text =
        isKnown ? origin.text : program.executable->manifest().toJson();
    Json file = nullptr;
    if (isKnown)
      file = "program/" + std::to_string(programs.size()) + ".mlir";
    Json parameters = Json::array();
    for (const ManifestValue &state : program.states)
      if (state.role == "param")
        parameters.push_back({{"name", state.name},
                              {"type", typeString(state.dtype, state.shape)}});
    programs.push_back({{"name", origin.name},
                        {"learner", program.learner->name},
                        {"file", file},
                        {"hash", sha256Of(text)},
                        {"options", compileOptionsAsJson(origin.options)},
                        {"batch_size", program.learner->batchSize},
                        {"steps_per_epoch", program.learner->stepsPerEpoch},
                        {"record_steps", program.recordSteps},
                        {"parameters", parameters}});
  }
  return programs;
}

static Json dataAsJson(const FitPlan &plan) {
  Json data = Json::array();
  for (const auto &[name, tensor] : plan.data)
    data.push_back({{"name", name},
                    {"type", typeString(tensor.dtype(), tensor.shape())},
                    {"crc32", crc32Of(tensor.bytes(), tensor.sizeInBytes())}});
  return data;
}

static Json goalAsJson(const std::optional<Goal> &goal) {
  if (!goal)
    return nullptr;
  return {{"metric", goal->metric},
          {"below", goal->below},
          {"value", jsonNumber(goal->value)},
          {"count", goal->count}};
}

static Json searchAsJson(const std::shared_ptr<Search> &search) {
  if (!search)
    return nullptr;
  std::string text = search->describe();
  Json json = parseJson(text);
  return json.is_discarded() ? Json(text) : json;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

static Json columnsAsJson(const FitPlan &plan) {
  Json columns = Json::object();
  if (plan.programs.size() > 1)
    columns["program"] = plan.programOf;
  columns["seed"] = plan.seeds;
  Json told = describeRuns(plan);
  for (auto &[name, cells] : told.items())
    columns[name] = std::move(cells);
  for (const auto &[name, values] : plan.options->hypers) {
    Json &cells = columns[name] = Json::array();
    auto resolved = plan.hypers.find(name);
    const std::vector<double> &used =
        resolved == plan.hypers.end() ? values : resolved->second;
    for (int64_t run = 0; run < plan.options->runs; ++run) {
      double value = used[used.size() == 1 ? 0 : run];
      cells.push_back(std::isnan(value) ? Json() : jsonNumber(value));
    }
  }
  return columns;
}

/// The checksums of files with initial states, each once.
static Expected<Json> initialStatesAsJson(const FitOptions &options,
                                          const Json *kept) {
  Json files = Json::object();
  const Json *known = kept ? findField(*kept, "initial_states") : nullptr;
  for (size_t run = 0; run < options.initialStates.size(); ++run) {
    const std::string &path = options.initialStates[run];
    if (path.empty() || files.contains(path))
      continue;
    const Json *was = known ? findField(*known, path.c_str()) : nullptr;
    if (was && isMissing(path)) {
      files[path] = *was;
      continue;
    }
    Expected<uint32_t> checksum = crc32OfFile(path);
    if (!checksum) {
      std::string place = options.placeOf ? options.placeOf(run, "init") : "";
      return place.empty() ? checksum.error()
                           : checksum.error().inContext(place);
    }
    files[path] = *checksum;
  }
  return files;
}

/// What decides where runs meet, and which of them, where results depend on it.
/// What callbacks do is not known: where all runs train at once, they may only
/// look on, and come and go.
static void addSyncPoints(const FitPlan &plan, Json &json) {
  const FitOptions &options = *plan.options;
  bool runsWait = plan.inFlight < (options.onlyRun ? 1 : options.runs);
  if (!options.goal && !options.search &&
      (options.callbacks.empty() || !runsWait))
    return;
  json["sync_every"] = plan.syncEvery;
  json["in_flight"] = plan.inFlight;
  if (options.callbacks.empty() || !runsWait)
    return;
  Json every = Json::array();
  for (const Callback &callback : options.callbacks)
    every.push_back(callback.every);
  json["callbacks"] = std::move(every);
}

Expected<Json> ensc::makePlan(const FitPlan &plan, const Json *kept) {
  const FitOptions &options = *plan.options;
  if (Status status = checkColumns(plan); !status)
    return status.error();
  Expected<Json> initialStates = initialStatesAsJson(options, kept);
  if (!initialStates)
    return initialStates.error();
  const MetricInfo &monitor = plan.metrics[plan.monitor];
  Json hypers = Json::array();
  for (const auto &[name, values] : options.hypers)
    hypers.push_back(name);
  Json json = {{"format", experimentFormat},
               {"learner", plan.programs.front().learner->name},
               {"metrics", metricsAsJson(plan)},
               {"monitor", monitor.name},
               {"direction", monitor.maximize ? "max" : "min"},
               {"programs", programsAsJson(plan)},
               {"data", dataAsJson(plan)},
               {"runs", options.runs},
               {"epochs", options.epochs}};
  if (options.onlyRun)
    json["only_run"] = *options.onlyRun;
  json["data_seed"] = options.dataSeed;
  json["validate_every"] = options.validateEvery;
  json["metrics_kept"] = options.metrics;
  json["min_delta"] = jsonNumber(options.minDelta);
  json["goal"] = goalAsJson(options.goal);
  json["search"] = searchAsJson(options.search);
  addSyncPoints(plan, json);
  if (!initialStates->empty())
    json["initial_states"] = std::move(*initialStates);
  if (Json subsets = describeSubsets(options); !subsets.empty())
    json["subsets"] = std::move(subsets);
  json["hypers"] = std::move(hypers);
  json["columns"] = columnsAsJson(plan);
  return json;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

namespace {
class PlanComparison {
public:
  /// Lines for people.
  std::vector<std::string> lines;
  bool textsDiffer = false;

  void compare(const std::string &path, const Json &was, const Json &is) {
    if (was == is)
      return;
    if (was.is_object() && is.is_object())
      return compareObjects(path, was, is);
    if (was.is_array() && is.is_array() && was.size() == is.size())
      return compareArrays(path, was, is);
    lines.push_back(path + ": was " + shorten(was) + ", is " + shorten(is) +
                    (isChecksum(path) ? ": the content has changed" : ""));
  }

private:
  static bool isChecksum(const std::string &path) {
    std::string name = path.substr(std::min(path.rfind('.'), path.size()));
    return name == ".crc32" || path.compare(0, 15, "initial_states.") == 0 ||
           path.compare(0, 8, "subsets.") == 0;
  }

  /// The same program may come from another file, and where texts differ their
  /// checksums say nothing new.
  bool isUnimportant(const std::string &path, const std::string &key) const {
    if (path == "columns")
      return key == "model";
    return path.compare(0, 8, "programs") == 0 &&
           (key == "name" || (key == "hash" && textsDiffer));
  }

  static std::string shorten(const Json &json) {
    std::string text = dumpLine(json);
    return text.size() <= 80 ? text : text.substr(0, 77) + "...";
  }

  void compareObjects(const std::string &path, const Json &was,
                      const Json &is) {
    std::string prefix = path.empty() ? "" : path + ".";
    for (const auto &[key, value] : was.items()) {
      if (isUnimportant(path, key))
        continue;
      const Json *other = findField(is, key.c_str());
      compare(prefix + key, value, other ? *other : Json());
    }
    for (const auto &[key, value] : is.items())
      if (!was.contains(key))
        compare(prefix + key, Json(), value);
  }

  void compareArrays(const std::string &path, const Json &was, const Json &is) {
    constexpr int64_t shown = 2;
    int64_t differing = 0;
    for (size_t i = 0; i < was.size(); ++i) {
      // Things with names go by them, numbers by their run.
      if (was[i].is_structured()) {
        std::optional<std::string> name = textOf(findField(was[i], "name"));
        compare(path + " " + (name ? "'" + *name + "'" : std::to_string(i)),
                was[i], is[i]);
        continue;
      }
      if (was[i] != is[i] && differing++ < shown)
        compare(path + " of run " + std::to_string(i), was[i], is[i]);
    }
    if (differing > shown)
      lines.push_back(path + ": " + std::to_string(differing - shown) +
                      " more runs differ");
  }
};

/// The first line that differs between two texts.
std::string firstDifference(const std::string &was, const std::string &is) {
  size_t begin = 0, line = 1;
  while (true) {
    size_t wasEnd = std::min(was.find('\n', begin), was.size());
    size_t isEnd = std::min(is.find('\n', begin), is.size());
    std::string wasLine = was.substr(begin, wasEnd - begin);
    std::string isLine = is.substr(begin, isEnd - begin);
    if (wasLine != isLine)
      return "line " + std::to_string(line) + ": was '" + wasLine + "', is '" +
             isLine + "'";
    if (wasEnd == was.size() || isEnd == is.size())
      return "line " + std::to_string(line + 1) + ": one of the texts ends";
    begin = wasEnd + 1;
    ++line;
  }
}
} // namespace

std::vector<std::string>
ensc::comparePlans(const Json &was, const Json &is,
                   const std::vector<std::string> &wasTexts,
                   const std::vector<std::string> &isTexts) {
  PlanComparison comparison;
  Json before = was, after = is;
  for (const char *field : {"created", "versions", "epochs"}) {
    before.erase(field);
    after.erase(field);
  }
  for (size_t i = 0; i < std::min(wasTexts.size(), isTexts.size()); ++i)
    if (wasTexts[i] != isTexts[i]) {
      comparison.textsDiffer = true;
      comparison.lines.push_back("program " + std::to_string(i) + ", " +
                                 firstDifference(wasTexts[i], isTexts[i]));
    }
  comparison.compare("", before, after);
  return std::move(comparison.lines);
}
