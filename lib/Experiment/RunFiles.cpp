//===- RunFiles.cpp - The files of one run --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFiles.h"

#include "Yaml.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Artifact/TensorBoard.h"
#include "ensc/Experiment/JsonFields.h"

#include <cmath>
#include <filesystem>

using namespace ensc;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Status RunFiles::makeDirectory(int64_t run) const {
  std::error_code code;
  fs::create_directories(layout.run(run), code);
  if (code)
    return Error(ErrorKind::Io, "cannot make the directory '" +
                                    layout.run(run) + "': " + code.message());
  return Status::success();
}

Status RunFiles::write(int64_t run, const char *name,
                       std::string_view text) const {
  Expected<AtomicFile> file = AtomicFile::create(layout.run(run) + "/" + name);
  if (!file)
    return file.error();
  if (Status status = file->write(text); !status)
    return status;
  return file->commit(Durability::Deferred);
}

Status RunFiles::writeFinalState(int64_t run,
                                 std::vector<NamedTensor> tensors) const {
  if (Status status = makeDirectory(run); !status)
    return status;
  return writeSafetensors(layout.finalState(run), {std::move(tensors), {}},
                          Durability::Deferred);
}

Status RunFiles::remove(int64_t run) const {
  std::error_code code;
  fs::remove_all(layout.run(run), code);
  if (code)
    return Error(ErrorKind::Io,
                 "cannot remove '" + layout.run(run) + "': " + code.message());
  return Status::success();
}

Expected<std::string>
RunFiles::format(const std::string &name, const RunReport &report,
                 const std::vector<std::string> &lines) const {
  if (name == "hparams.yaml")
    return formatHypers(report);
  if (name == "metrics.csv")
    return formatCsvLines(lines);
  if (name == "metrics.jsonl")
    return formatJsonLines(lines);
  if (name == "status.json")
    return formatStatus(report);
  return makeEvents(report, lines);
}

Status RunFiles::writeOthers(const RunReport &report,
                             const std::vector<std::string> &lines,
                             bool onlyMissing) const {
  if (Status status = makeDirectory(report.run); !status)
    return status;
  for (const char *name : otherNames) {
    if (onlyMissing && !isMissing(layout.run(report.run) + "/" + name))
      continue;
    Expected<std::string> text = format(name, report, lines);
    if (!text)
      return text.error();
    if (Status status = write(report.run, name, *text); !status)
      return status;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// What a run is, and how it ended
//===----------------------------------------------------------------------===//

std::string RunFiles::formatHypers(const RunReport &report) const {
  int64_t batchSize = plan.programs[report.program].learner->batchSize;
  YamlMap yaml;
  yaml.add("run", report.run);
  yaml.add("program", plan.programs[report.program].executable->origin().name);
  yaml.add("seed", report.seed);
  for (const auto &[name, cells] : columns.items()) {
    const Json &cell = cells[report.run];
    // It is said below of all runs.
    if (cell.is_null() || name == "batch_size")
      continue;
    if (std::optional<int64_t> integer = integerOf(&cell))
      yaml.add(name, *integer);
    else if (cell.is_number())
      yaml.add(name, cell.get<double>());
    else
      yaml.add(name, cell.get<std::string>());
  }
  yaml.add("epochs", plan.options->epochs);
  yaml.add("batch_size", batchSize);
  for (const auto &[name, values] : plan.hypers)
    if (!std::isnan(values[report.run]))
      yaml.add(name, values[report.run]);
  return yaml.text();
}

std::string RunFiles::formatStatus(const RunReport &report) const {
  Json final = Json::object(), best = Json::object();
  for (size_t i = 0; i < plan.metrics.size(); ++i) {
    final[plan.metrics[i].name] = jsonNumber(report.final[i]);
    best[plan.metrics[i].name] = jsonNumber(report.best[i]);
  }
  Json json = {{"run", report.run},
               {"seed", report.seed},
               {"program", report.program},
               {"status", nameOf(report.status)},
               {"reason", report.reason},
               {"steps", report.steps},
               {"final", final},
               {"best", best}};
  if (report.status == RunStatus::Diverged)
    json["value"] = jsonNumber(report.value);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

//===----------------------------------------------------------------------===//
// Metrics
//===----------------------------------------------------------------------===//

/// The fields of a line of numbers, which has no quotes.
static std::vector<std::string_view> splitFields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos)
      return fields;
    line.remove_prefix(comma + 1);
  }
}

/// The fields step, epoch and the metrics of a line.
static Expected<std::vector<std::string_view>>
splitRecord(std::string_view line, size_t metrics) {
  std::vector<std::string_view> fields = splitFields(line);
  if (fields.size() != metrics + 2)
    return Error(ErrorKind::InvalidData,
                 "metrics.csv: '" + std::string(line) + "' is no record");
  return fields;
}

std::string
RunFiles::formatCsvLines(const std::vector<std::string> &lines) const {
  CsvTable header;
  header.columns = {"step", "epoch"};
  for (const MetricInfo &metric : plan.metrics)
    header.columns.push_back(metric.name);
  std::string text = formatCsv(header);
  for (const std::string &line : lines)
    text += line + '\n';
  return text;
}

Expected<std::string>
RunFiles::formatJsonLines(const std::vector<std::string> &lines) const {
  std::vector<std::string> keys = {"{\"step\":", ",\"epoch\":"};
  for (const MetricInfo &metric : plan.metrics)
    keys.push_back("," + dumpLine(metric.name) + ":");
  std::string text;
  for (const std::string &line : lines) {
    auto fields = splitRecord(line, plan.metrics.size());
    if (!fields)
      return fields.error();
    for (size_t i = 0; i < keys.size(); ++i) {
      std::string_view field = (*fields)[i];
      if (field.empty())
        continue;
      // JSON has no words for what is not finite.
      bool isWord = field.find_first_of("ni") != std::string_view::npos;
      text += keys[i];
      text += isWord ? "\"" : "";
      text += field;
      text += isWord ? "\"" : "";
    }
    text += "}\n";
  }
  return text;
}

Expected<std::string>
RunFiles::makeEvents(const RunReport &report,
                     const std::vector<std::string> &lines) const {
  std::vector<EventHyper> hypers = {{"seed", static_cast<double>(report.seed)}};
  if (plan.programs.size() > 1)
    hypers.push_back(
        {"program", plan.programs[report.program].executable->origin().name});
  for (const auto &[name, cells] : columns.items()) {
    const Json &cell = cells[report.run];
    if (cell.is_number())
      hypers.push_back({name, cell.get<double>()});
    else if (cell.is_string())
      hypers.push_back({name, cell.get<std::string>()});
  }
  for (const auto &[name, values] : plan.hypers)
    if (!std::isnan(values[report.run]))
      hypers.push_back({name, values[report.run]});
  EventFile events(created);
  events.addHypers(hypers);
  std::vector<std::string> tags;
  std::vector<double> values;
  for (const std::string &line : lines) {
    auto fields = splitRecord(line, plan.metrics.size());
    if (!fields)
      return fields.error();
    tags.clear();
    values.clear();
    for (size_t i = 0; i < plan.metrics.size(); ++i)
      if (std::optional<double> value = parseNumber((*fields)[i + 2])) {
        tags.push_back(plan.metrics[i].name);
        values.push_back(*value);
      }
    double step = parseNumber((*fields)[0]).value_or(0.0);
    events.addScalars(static_cast<int64_t>(step), tags, values.data());
  }
  events.addEnd(report.status == RunStatus::Diverged);
  return events.bytes();
}
