//===- ExperimentSink.cpp - Keeping a fit in a directory ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExperimentSink.h"

#include "RecordLog.h"
#include "RecordText.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Experiment/JsonFields.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>
#include <utility>

using namespace ensc;

std::unique_ptr<FitSink>
ensc::makeExperimentSink(const ExperimentOptions &options) {
  return std::make_unique<ExperimentSink>(options);
}

//===----------------------------------------------------------------------===//
// Runs whose files stay
//===----------------------------------------------------------------------===//

KeptRuns::Key KeptRuns::keyOf(const RunReport &report) const {
  double value = report.final[monitor];
  if (std::isnan(value) || report.status == RunStatus::Diverged)
    value = INFINITY;
  else if (maximize)
    value = -value;
  return {value, report.run};
}

bool KeptRuns::add(const RunReport &report, std::optional<int64_t> &removed) {
  if (count == 0)
    return true;
  Key key = keyOf(report);
  runs.insert(key);
  if (runs.size() <= static_cast<size_t>(count))
    return true;
  Key worst = *std::prev(runs.end());
  runs.erase(worst);
  if (worst == key)
    return false;
  removed = worst.second;
  return true;
}

//===----------------------------------------------------------------------===//
// While training
//===----------------------------------------------------------------------===//

Status ExperimentSink::records(const RecordBatch &batch) {
  text.clear();
  for (const RecordRow &row : batch)
    appendRecord(text, row.run, row.step, row.epoch, row.values,
                 row.validated ? isComputed[plan->programOf[row.run]]
                               : onlyLoss);
  recordCount += static_cast<int64_t>(batch.size());
  return log->append(text);
}

Status ExperimentSink::ended(const std::vector<RunReport> &reports,
                             const StateReader &readState) {
  for (const RunReport &report : reports) {
    events->add("ended", {{"run", report.run},
                          {"status", nameOf(report.status)},
                          {"reason", report.reason},
                          {"steps", report.steps}});
    std::optional<int64_t> removed;
    bool stays = kept->add(report, removed);
    if (removed)
      if (Status status = files->remove(*removed); !status)
        return status;
    if (!stays)
      continue;
    Expected<std::vector<NamedTensor>> state = readState(report.run);
    if (!state)
      return state.error();
    if (Status status = files->writeFinalState(report.run, std::move(*state));
        !status)
      return status;
    hasNewFiles = true;
  }
  return events->write();
}

Status ExperimentSink::event(const FitEvent &event) {
  Json fields = {{"tick", event.tick}, {"runs", event.runs}};
  if (event.kind == FitEvent::Copied)
    fields["from"] = event.from;
  if (event.kind == FitEvent::Stopped)
    fields["reason"] = event.text;
  if (event.kind == FitEvent::Changed) {
    fields["name"] = event.text;
    fields["value"] = jsonNumber(event.value);
  }
  events->add(nameOf(event.kind), fields);
  return events->write();
}

bool ExperimentSink::wantsSnapshot(int64_t steps) {
  std::chrono::duration<double> passed = Clock::now() - last;
  int64_t stepsOfEach = (steps - stepsAtLast) / plan->inFlight;
  bool isDue =
      options.checkpointSteps > 0 && stepsOfEach >= options.checkpointSteps;
  // The growth of the epochs is known from checkpoints alone.
  isDue |= std::exchange(hasGrown, false);
  // Large states on slow disks must not take more than a small part of the
  // time.
  isDue |=
      options.checkpointSeconds > 0 &&
      passed.count() >= std::max(options.checkpointSeconds, 50 * lastDuration);
  if (isDue)
    stepsAtLast = steps;
  wasWanted = isDue;
  return isDue;
}

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

void ExperimentSink::warn(const std::string &text) {
  events->add("warning", {{"text", text}});
  if (options.onWarning)
    options.onWarning(text);
}

void ExperimentSink::warnOfVersion() {
  const Json *versions = findField(directory->plan(), "versions");
  std::optional<std::string> was =
      versions ? textOf(findField(*versions, "ensc")) : std::nullopt;
  if (was != ENSC_VERSION)
    warn("the experiment was begun by ensc " + was.value_or("of no version") +
         " and goes on with " ENSC_VERSION
         ", which may compute some bits differently");
}

Status ExperimentSink::writeTable(const std::vector<RunReport> &reports) {
  return writeFileAtomically(directory->layout().table(),
                             table->format(reports));
}

Status ExperimentSink::writeCheckpoint(const Snapshot &snapshot) {
  if (isMissing(directory->layout().plan()))
    return Error(ErrorKind::Io, "the experiment '" + options.path +
                                    "' was removed while it trained: it has "
                                    "no plan.json any more");
  // What the checkpoint relies on must be on disk before it.
  if (Status status = log->flush(); !status)
    return status;
  if (Status status = events->flush(); !status)
    return status;
  if (hasNewFiles)
    if (Status status = flushFileSystem(directory->layout().root); !status)
      return status;
  hasNewFiles = false;
  Expected<std::string> name =
      checkpoints->write(snapshot, {{"epochs", plan->options->epochs},
                                    {"records", recordCount},
                                    {"events_bytes", events->size()}});
  if (!name)
    return name.error();
  usedCheckpoint = *name;
  events->add("checkpoint", {{"name", *name}, {"tick", snapshot.tick}});
  return events->write();
}

Status ExperimentSink::snapshot(const Snapshot &snapshot) {
  Clock::time_point begin = Clock::now();
  if (Status status = writeCheckpoint(snapshot); !status)
    return status;
  if (Status status = writeTable(snapshot.reports); !status)
    return status;
  if (!wasWanted)
    events->add("interrupted", Json::object());
  wasWanted = false;
  last = Clock::now();
  lastDuration = std::chrono::duration<double>(last - begin).count();
  return events->write();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

Status ExperimentSink::writeRunFiles(const std::vector<RunReport> &reports) {
  auto next = reports.begin();
  auto write = [&](const std::vector<std::string> &lines) {
    const RunReport &report = *next++;
    // In a fit of fewer epochs other runs may have been the best ones.
    return kept->contains(report) ? files->writeOthers(report, lines)
                                  : files->remove(report.run);
  };
  Status status = forEachRun(
      directory->layout().metrics(),
      [&](int64_t run, const std::vector<std::string> &lines) -> Status {
        // Runs may have ended without a record.
        while (next != reports.end() && next->run < run)
          if (Status status = write({}); !status)
            return status;
        return next == reports.end() || next->run != run ? Status::success()
                                                         : write(lines);
      });
  while (status && next != reports.end())
    status = write({});
  return status;
}

Status ExperimentSink::finish(const FitReport &report, const Snapshot &last) {
  if (isComplete)
    return restoreFiles(last.reports);
  if (Status status = writeCheckpoint(last); !status)
    return status;
  std::vector<RunReport> reports = last.reports;
  std::sort(reports.begin(), reports.end(),
            [](const auto &a, const auto &b) { return a.run < b.run; });
  const Layout &layout = directory->layout();
  if (Status status = sortRecords(layout.metrics(), metrics, layout.runs);
      !status)
    return status;
  if (Status status = writeRunFiles(reports); !status)
    return status;
  if (Status status = restoreStates(reports); !status)
    return status;
  if (Status status = flushFileSystem(layout.root); !status)
    return status;
  if (Status status = writeTable(reports); !status)
    return status;
  events->add("finished", {{"epochs", plan->options->epochs},
                           {"run_steps", report.runSteps},
                           {"seconds", jsonNumber(report.seconds)}});
  if (Status status = events->write(); !status)
    return status;
  isComplete = true;
  return events->flush();
}
