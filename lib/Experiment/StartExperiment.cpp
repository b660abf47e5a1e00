//===- StartExperiment.cpp - Beginning a fit, or going on with it ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExperimentSink.h"

#include "JsonFields.h"
#include "PlanFile.h"
#include "RecordLog.h"
#include "RecordText.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

static bool hasEnded(const RunReport &report) {
  return report.status != RunStatus::Pending &&
         report.status != RunStatus::Running;
}

void ExperimentSink::noteComputedMetrics() {
  onlyLoss.assign(metrics.size(), false);
  onlyLoss[0] = true;
  for (const PlannedProgram &program : plan->programs) {
    isComputed.push_back(onlyLoss);
    const ManifestEntry *evaluate = program.executable->manifest().findEntry(
        program.learner->name + ".evaluate");
    if (!evaluate)
      continue;
    for (const ManifestValue &result : evaluate->results)
      for (size_t i = 0; i < metrics.size(); ++i)
        if (metrics[i].name == result.name)
          isComputed.back()[i] = true;
  }
}

Expected<std::optional<Snapshot>> ExperimentSink::start(const FitPlan &given) {
  plan = &given;
  for (const MetricInfo &metric : plan->metrics)
    metrics.push_back({metric.name, metric.maximize});
  noteComputedMetrics();
  Expected<Json> json = makePlan(*plan);
  if (!json)
    return json.error();
  std::vector<std::string> texts;
  for (const PlannedProgram &program : plan->programs)
    texts.push_back(program.executable->origin().text);
  Expected<Directory> opened =
      Directory::open(options.path, options.fresh, *json, texts);
  if (!opened)
    return opened.error();
  directory.emplace(std::move(*opened));
  if (Status status = openFiles(*json); !status)
    return status.error();
  last = Clock::now();
  return goOn();
}

Status ExperimentSink::openFiles(const Json &json) {
  const Layout &layout = directory->layout();
  Expected<ExperimentReader> reader = ExperimentReader::open(options.path);
  if (!reader)
    return reader.error();
  std::vector<std::string> checkpointNames = reader->checkpoints();
  Expected<std::vector<Json>> known = reader->readEvents();
  isComplete = !directory->isNew() && !directory->fewerEpochs() && known &&
               !known->empty() &&
               textOf(findField(known->back(), "event")) == "finished";
  Expected<EventLog> eventLog = EventLog::open(layout.events());
  if (!eventLog)
    return eventLog.error();
  events.emplace(std::move(*eventLog));
  const MetricInfo &monitor = plan->metrics[plan->monitor];
  checkpoints.emplace(
      layout.checkpoints(),
      SnapshotLimits{layout.runs, static_cast<int64_t>(plan->programs.size()),
                     metrics.size()},
      plan->monitor, monitor.maximize, options.keepCheckpoints);
  table.emplace(json);
  files.emplace(layout, *plan, reader->created());
  kept.emplace(options.keepBest, plan->monitor, monitor.maximize);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Going on
//===----------------------------------------------------------------------===//

/// Takes a snapshot if metrics.csv has the records that were made before it,
/// and drops those that were made later.
Status ExperimentSink::acceptSnapshot(const StoredSnapshot &stored) {
  std::optional<int64_t> records =
      integerOf(findField(*stored.fields, "records"));
  std::optional<int64_t> bytes =
      integerOf(findField(*stored.fields, "events_bytes"));
  if (!records || !bytes || *bytes < 0)
    return Error(ErrorKind::InvalidData,
                 "a checkpoint does not say how long the logs are");
  std::vector<int64_t> steps(plan->options->runs, -1);
  for (const RunReport &report : stored.snapshot.reports)
    steps[report.run] = report.steps;
  Expected<int64_t> count =
      countRecordsUntil(directory->layout().metrics(), metrics, steps);
  if (!count)
    return count.error();
  if (*count != *records)
    return Error(ErrorKind::InvalidData,
                 "metrics.csv has " + std::to_string(*count) +
                     " records of the " + std::to_string(*records) +
                     " that there were at a checkpoint");
  return Status::success();
}

/// Lets runs that were complete go on, for there are more epochs now.
Status ExperimentSink::reviveCompleted(Snapshot &snapshot) const {
  std::set<int64_t> inMemory;
  for (const Snapshot::Ensemble &ensemble : snapshot.ensembles)
    if (const Tensor *runs = ensemble.find("run");
        runs && runs->dtype() == DType::I64)
      inMemory.insert(runs->data<int64_t>(),
                      runs->data<int64_t>() + runs->size());
  for (RunReport &report : snapshot.reports) {
    if (report.status != RunStatus::Completed)
      continue;
    // Otherwise the last record would not be there in a fit of more epochs.
    const PlannedProgram &program = plan->programs[report.program];
    int64_t interval = program.recordSteps * plan->options->validateEvery;
    if (!plan->options->metrics || report.steps % interval != 0)
      return Error(ErrorKind::Unsupported,
                   "the epochs of '" + options.path + "' cannot grow: run " +
                       std::to_string(report.run) + " ended after " +
                       std::to_string(report.steps) +
                       " steps, but records with validation are made every " +
                       std::to_string(interval) +
                       "; start anew in another directory");
    if (!inMemory.count(report.run))
      return Error(ErrorKind::Unsupported,
                   "the epochs of '" + options.path +
                       "' cannot grow: another run has taken the memory of "
                       "run " +
                       std::to_string(report.run) +
                       ", so that no checkpoint has all of its state; start "
                       "anew in another directory");
    report.status = RunStatus::Running;
  }
  return Status::success();
}

/// The reports of a complete experiment without a checkpoint, from runs.csv.
Expected<std::optional<Snapshot>> ExperimentSink::readResults() const {
  Expected<ExperimentReader> reader = ExperimentReader::open(options.path);
  if (!reader)
    return reader.error();
  Expected<CsvTable> results = reader->readTable();
  if (!results)
    return results.error();
  Snapshot snapshot;
  snapshot.over = true;
  size_t first = results->columns.size() - 2 * metrics.size() - 3;
  for (size_t row = 0; row < results->rows.size(); ++row) {
    const std::vector<std::string> &fields = results->rows[row];
    Expected<RunStatus> status = parseRunStatus(fields[first]);
    std::optional<double> run = parseNumber(fields[0]);
    if (!status || !run || *run < 0 || *run >= plan->options->runs)
      return Error(ErrorKind::InvalidData,
                   directory->layout().table() + ": row " +
                       std::to_string(row + 1) + " names no run or no status");
    if (*status == RunStatus::Pending)
      continue;
    RunReport report;
    report.run = static_cast<int64_t>(*run);
    report.seed = plan->seeds[report.run];
    report.program = plan->programOf[report.run];
    report.status = *status;
    report.reason = fields[first + 1];
    report.steps = results->number(row, first + 2).value_or(0);
    for (size_t i = 0; i < metrics.size(); ++i) {
      report.final.push_back(
          results->number(row, first + 3 + 2 * i).value_or(0));
      report.best.push_back(
          results->number(row, first + 4 + 2 * i).value_or(0));
    }
    snapshot.reports.push_back(std::move(report));
  }
  return std::optional<Snapshot>(std::move(snapshot));
}

/// Removes the files in a directory that a process was writing when it died.
static void removeTemporaries(const fs::path &path) {
  std::error_code code;
  std::vector<fs::path> found;
  fs::directory_iterator entry(path, code), end;
  for (; !code && entry != end; entry.increment(code)) {
    std::string name = entry->path().filename().string();
    if (name.front() == '.' && entry->path().extension() == ".tmp")
      found.push_back(entry->path());
  }
  for (const fs::path &file : found)
    fs::remove(file, code);
}

/// The same for all directories but those of checkpoints.
static void removeAllTemporaries(const Layout &layout) {
  std::error_code code;
  for (const std::string &path : {layout.root, layout.programs()})
    removeTemporaries(path);
  fs::directory_iterator run(layout.runDirectories(), code), end;
  for (; !code && run != end; run.increment(code))
    removeTemporaries(run->path());
}

Expected<std::optional<Snapshot>> ExperimentSink::goOn() {
  const Layout &layout = directory->layout();
  if (!isComplete && !directory->isNew())
    removeAllTemporaries(layout);
  Expected<std::optional<StoredSnapshot>> stored = checkpoints->readNewest(
      [&](const StoredSnapshot &snapshot) { return acceptSnapshot(snapshot); },
      [&](const Error &error) {
        warn(error.message() + "; an earlier state is used");
      });
  if (!stored)
    return stored.error();
  if (isComplete && !*stored)
    return readResults();
  std::vector<int64_t> steps(plan->options->runs, -1);
  uint64_t eventBytes = 0;
  std::optional<Snapshot> snapshot;
  if (*stored) {
    snapshot = std::move((*stored)->snapshot);
    eventBytes =
        integerOf(findField(*(*stored)->fields, "events_bytes")).value_or(0);
    if (directory->fewerEpochs())
      if (Status status = reviveCompleted(*snapshot); !status)
        return status.error();
    for (const RunReport &report : snapshot->reports) {
      steps[report.run] = report.steps;
      std::optional<int64_t> removed;
      if (hasEnded(report))
        kept->add(report, removed);
    }
  }
  if (isComplete)
    return snapshot;
  Expected<int64_t> count = dropRecordsAfter(layout.metrics(), metrics, steps);
  if (!count)
    return count.error();
  recordCount = *count;
  Expected<LogFile> opened = LogFile::open(layout.metrics());
  if (!opened)
    return opened.error();
  log.emplace(std::move(*opened));
  if (Status status = events->rewind(eventBytes); !status)
    return status.error();
  Json fields = {{"process", ::getpid()},
                 {"version", ENSC_VERSION},
                 {"epochs", plan->options->epochs}};
  if (snapshot)
    fields["tick"] = snapshot->tick;
  events->add(directory->isNew() ? "started" : "resumed", fields);
  warnOfVersion();
  if (Status status = events->write(); !status)
    return status.error();
  return snapshot;
}
