//===- StartExperiment.cpp - Beginning a fit, or going on with it ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExperimentSink.h"

#include "RecordLog.h"
#include "RecordText.h"

#include "ensc/Experiment/JsonFields.h"
#include "ensc/Experiment/PlanFile.h"

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
  // What begun runs began with may be gone by now.
  Expected<Json> kept = options.fresh ? Expected<Json>(Json())
                                      : readJson(Layout{options.path}.plan());
  Expected<Json> json = makePlan(*plan, kept ? &*kept : nullptr);
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
  if (!directory->isNew()) {
    Json latest = reader->lastEvent();
    bool hasEnded = textOf(findField(latest, "event")) == "finished";
    int64_t epochs = integerOf(findField(latest, "epochs")).value_or(0);
    if (hasEnded)
      if (Status status = checkEpochs(epochs); !status)
        return status;
    isComplete = hasEnded && epochs == plan->options->epochs;
  }
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

Status ExperimentSink::checkEpochs(int64_t was) const {
  int64_t is = plan->options->epochs;
  return was > is ? otherPlan(options.path, {describeEpochs(was, is)})
                  : Status::success();
}

/// Whether metrics.csv has the records that were made before a checkpoint.
Status ExperimentSink::checkRecords(const StoredSnapshot &stored) {
  std::vector<int64_t> steps(plan->options->runs, -1);
  for (const RunReport &report : stored.snapshot.reports)
    steps[report.run] = report.steps;
  Expected<int64_t> count =
      countRecordsUntil(directory->layout().metrics(), metrics, steps);
  if (!count)
    return count.error();
  int64_t records =
      integerOf(findField(*stored.fields, "records")).value_or(-1);
  if (*count == records)
    return Status::success();
  if (isComplete) {
    Expected<bool> restored = restoreRecords(stored.snapshot.reports, records);
    if (!restored || *restored)
      return restored ? Status::success() : restored.error();
  }
  std::string lost = "metrics.csv has " + std::to_string(*count) +
                     " records of the " + std::to_string(records) +
                     " that there were at the checkpoint " + stored.name;
  // That of the newest one is told.
  if (lostRecords.empty())
    lostRecords = lost;
  return Error(ErrorKind::InvalidData, lost);
}

/// Takes a snapshot from which this fit can go on.
Status ExperimentSink::acceptSnapshot(const StoredSnapshot &stored) {
  std::optional<int64_t> epochs =
      integerOf(findField(*stored.fields, "epochs"));
  for (const char *field : {"epochs", "records", "events_bytes"})
    if (integerOf(findField(*stored.fields, field)).value_or(-1) < 0)
      return Error(ErrorKind::InvalidData, "the checkpoint " + stored.name +
                                               " does not say its " + field);
  if (Status status = checkEpochs(*epochs); !status)
    return status;
  const std::vector<RunReport> &reports = stored.snapshot.reports;
  if (isComplete && !std::all_of(reports.begin(), reports.end(), hasEnded))
    return Error(ErrorKind::InvalidData,
                 "the checkpoint " + stored.name + " is not that of the end");
  return checkRecords(stored);
}

/// The newest checkpoint from which this fit can go on. What was passed over
/// for it is told.
Expected<std::optional<StoredSnapshot>> ExperimentSink::findCheckpoint() {
  std::vector<std::string> passedOver;
  Expected<std::optional<StoredSnapshot>> stored = checkpoints->readNewest(
      [&](const StoredSnapshot &snapshot) { return acceptSnapshot(snapshot); },
      [&](const Error &error) { passedOver.push_back(error.message()); });
  if (!stored)
    return stored.error();
  // What there is to go on from is worth more than a new beginning.
  if (!*stored && !isComplete && !lostRecords.empty())
    return Error(ErrorKind::InvalidData,
                 "cannot go on with the experiment '" + options.path +
                     "': " + lostRecords +
                     "; put the file back, or start over with --fresh, which "
                     "moves this one aside");
  std::string instead = *stored
                            ? "the checkpoint " + (*stored)->name + " is used"
                        : isComplete ? "the results are those of runs.csv"
                                     : "training starts over";
  for (const std::string &text : passedOver)
    warn(text + "; " + instead);
  return stored;
}

/// Lets runs that were complete go on where there are more epochs now.
Status ExperimentSink::reviveCompleted(Snapshot &snapshot) const {
  std::set<int64_t> inMemory;
  for (const Snapshot::Ensemble &ensemble : snapshot.ensembles)
    if (const Tensor *runs = ensemble.find("run");
        runs && runs->dtype() == DType::I64)
      inMemory.insert(runs->data<int64_t>(),
                      runs->data<int64_t>() + runs->size());
  auto cannotGrow = [&](const std::string &why) {
    return Error(ErrorKind::Unsupported, "the epochs of '" + options.path +
                                             "' cannot grow: " + why +
                                             "; start anew in another "
                                             "directory");
  };
  for (RunReport &report : snapshot.reports) {
    if (snapshot.over || report.status != RunStatus::Completed ||
        report.steps >= plan->lastSteps[report.run])
      continue;
    if (!plan->options->metrics)
      return cannotGrow("without metrics the records of runs end with the "
                        "epochs that there were");
    // Otherwise the last record would not be there in a fit of more epochs.
    const PlannedProgram &program = plan->programs[report.program];
    int64_t interval = program.recordSteps * plan->options->validateEvery;
    if (report.steps % interval != 0)
      return cannotGrow("run " + std::to_string(report.run) + " ended after " +
                        std::to_string(report.steps) +
                        " steps, but records with validation are made every " +
                        std::to_string(interval));
    if (!inMemory.count(report.run))
      return cannotGrow("another run has taken the memory of run " +
                        std::to_string(report.run) +
                        ", so that no checkpoint has all of its state");
    report.status = RunStatus::Running;
  }
  return Status::success();
}

void ExperimentSink::noteKept(const std::vector<RunReport> &reports) {
  std::optional<int64_t> removed;
  for (const RunReport &report : reports)
    if (hasEnded(report))
      kept->add(report, removed);
}

/// The reports of a complete experiment without a checkpoint, from runs.csv.
Expected<std::optional<Snapshot>> ExperimentSink::readResults() const {
  Expected<ExperimentReader> reader = ExperimentReader::open(options.path);
  if (!reader)
    return reader.error();
  std::error_code code;
  if (!fs::exists(directory->layout().table(), code))
    return Error(ErrorKind::InvalidData,
                 "the experiment '" + options.path +
                     "' was complete, but has neither an intact checkpoint "
                     "nor runs.csv; start over with --fresh, which moves it "
                     "aside");
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

/// Opens the logs, and drops from them what was done after a checkpoint.
Status ExperimentSink::openLogs(const std::vector<int64_t> &steps,
                                const std::optional<StoredSnapshot> &stored) {
  const Layout &layout = directory->layout();
  Expected<int64_t> count = dropRecordsAfter(layout.metrics(), metrics, steps);
  if (!count)
    return count.error();
  recordCount = *count;
  Expected<LogFile> opened = LogFile::open(layout.metrics());
  if (!opened)
    return opened.error();
  log.emplace(std::move(*opened));
  uint64_t eventBytes =
      stored ? integerOf(findField(*stored->fields, "events_bytes")).value_or(0)
             : 0;
  if (eventBytes > events->size())
    warn("events.jsonl has " + std::to_string(events->size()) +
         " bytes of the " + std::to_string(eventBytes) +
         " that there were at the checkpoint " + stored->name);
  if (Status status = events->rewind(eventBytes); !status)
    return status;
  Json fields = {{"process", ::getpid()},
                 {"version", ENSC_VERSION},
                 {"epochs", plan->options->epochs}};
  if (stored) {
    fields["checkpoint"] = stored->name;
    fields["tick"] = stored->snapshot.tick;
  }
  events->add(directory->isNew() ? "started" : "resumed", fields);
  warnOfVersion();
  return events->write();
}

/// A number with commas between thousands.
static std::string groupDigits(int64_t number) {
  std::string text = std::to_string(number);
  for (size_t place = text.size(); place > 3;)
    text.insert(place -= 3, ",");
  return text;
}

/// Says from where the fit goes on.
void ExperimentSink::tellResumed(const std::optional<StoredSnapshot> &stored) {
  if (!options.onResume || directory->isNew())
    return;
  if (!stored) {
    options.onResume(options.path +
                     ": has no checkpoint to go on from; starts over");
    return;
  }
  std::vector<int64_t> left = plan->lastSteps;
  double done = 0, planned = 0;
  for (const RunReport &report : stored->snapshot.reports) {
    done += static_cast<double>(report.steps);
    if (hasEnded(report))
      left[report.run] = report.steps;
  }
  for (size_t run = 0; run < left.size(); ++run)
    if (!plan->options->onlyRun ||
        *plan->options->onlyRun == static_cast<int64_t>(run))
      planned += static_cast<double>(left[run]);
  int64_t percent =
      planned > 0 ? static_cast<int64_t>(100 * done / planned) : 100;
  options.onResume(options.path + ": goes on from checkpoint " + stored->name +
                   " (" + std::to_string(percent) + " % of " +
                   groupDigits(static_cast<int64_t>(planned)) + " run-steps)");
}

Expected<std::optional<Snapshot>> ExperimentSink::goOn() {
  if (!directory->isNew())
    removeAllTemporaries(directory->layout());
  Expected<std::optional<StoredSnapshot>> stored = findCheckpoint();
  if (!stored)
    return stored.error();
  if (*stored)
    usedCheckpoint = (*stored)->name;
  if (isComplete) {
    std::optional<Snapshot> results;
    if (*stored)
      results = std::move((*stored)->snapshot);
    else if (Expected<std::optional<Snapshot>> read = readResults(); !read)
      return read.error();
    else
      results = std::move(*read);
    noteKept(results->reports);
    return results;
  }
  std::vector<int64_t> steps(plan->options->runs, -1);
  if (*stored) {
    Snapshot &snapshot = (*stored)->snapshot;
    hasGrown = integerOf(findField(*(*stored)->fields, "epochs")) <
               plan->options->epochs;
    if (Status status = reviveCompleted(snapshot); !status)
      return status.error();
    for (const RunReport &report : snapshot.reports)
      steps[report.run] = report.steps;
    noteKept(snapshot.reports);
  }
  if (Status status = openLogs(steps, *stored); !status)
    return status.error();
  tellResumed(*stored);
  if (!*stored)
    return std::optional<Snapshot>();
  return std::optional<Snapshot>(std::move((*stored)->snapshot));
}
