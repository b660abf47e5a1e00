//===- RestoreFiles.cpp - Files of ended runs that are missing ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExperimentSink.h"

#include "CheckpointFiles.h"
#include "RecordLog.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Artifact/Safetensors.h"

#include <algorithm>

using namespace ensc;

/// The first few of several things.
static std::string listed(const std::vector<std::string> &names) {
  constexpr size_t shown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += (i ? ", " : "") + names[i];
  if (names.size() > shown)
    text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

/// "a is missing", or "a, b are missing".
static std::string areMissing(const std::vector<std::string> &names) {
  return listed(names) + (names.size() == 1 ? " is missing" : " are missing");
}

Expected<bool>
ExperimentSink::restoreRecords(const std::vector<RunReport> &reports,
                               int64_t count) {
  const Layout &layout = directory->layout();
  std::vector<std::pair<int64_t, std::string>> runs;
  for (const RunReport &report : reports)
    runs.emplace_back(report.run, layout.run(report.run) + "/metrics.csv");
  std::sort(runs.begin(), runs.end());
  Expected<bool> restored =
      gatherRecords(layout.metrics(), metrics, runs, count);
  if (restored && *restored)
    tellRestored({"metrics.csv"});
  return restored;
}

/// Whether there is something else where a whole file should be.
static bool isDamaged(const std::string &path) {
  Status whole = checkSafetensors(path);
  return !whole && whole.error().kind() == ErrorKind::InvalidData;
}

Status ExperimentSink::restoreStates(const std::vector<RunReport> &reports) {
  const Layout &layout = directory->layout();
  std::set<int64_t> missing;
  for (const RunReport &report : reports)
    if (kept->contains(report) &&
        (isMissing(layout.finalState(report.run)) ||
         // Those that this fit has written are whole.
         (isComplete && isDamaged(layout.finalState(report.run)))))
      missing.insert(report.run);
  if (missing.empty())
    return Status::success();
  std::map<int64_t, Safetensors> states;
  if (!usedCheckpoint.empty()) {
    Expected<std::map<int64_t, Safetensors>> read =
        readCheckpointStates(layout.checkpoint(usedCheckpoint), missing);
    if (!read)
      return read.error();
    states = std::move(*read);
  }
  std::vector<std::string> written, lost;
  for (int64_t run : missing) {
    std::string name = "runs/" + layout.runName(run) + "/final.safetensors";
    auto state = states.find(run);
    if (state == states.end()) {
      lost.push_back(name);
      continue;
    }
    if (Status status = files->writeFinalState(run, state->second.tensors);
        !status)
      return status;
    written.push_back(name);
  }
  tellRestored(written);
  if (!lost.empty())
    warn(listed(lost) + (lost.size() == 1 ? " is" : " are") +
         " missing or damaged, and no checkpoint has the state; to have it, "
         "train anew in another "
         "directory");
  return flushFileSystem(layout.root);
}

std::vector<const RunReport *>
ExperimentSink::findLacking(const std::vector<RunReport> &reports,
                            std::vector<std::string> &names) const {
  const Layout &layout = directory->layout();
  std::vector<const RunReport *> lacking;
  for (const RunReport &report : reports)
    for (const char *name : RunFiles::otherNames)
      if (kept->contains(report) &&
          isMissing(layout.run(report.run) + "/" + name)) {
        names.push_back("runs/" + layout.runName(report.run) + "/" + name);
        if (lacking.empty() || lacking.back() != &report)
          lacking.push_back(&report);
      }
  return lacking;
}

Status
ExperimentSink::restoreOthers(const std::vector<const RunReport *> &lacking) {
  if (lacking.empty())
    return Status::success();
  std::map<int64_t, std::vector<std::string>> lines;
  for (const RunReport *report : lacking)
    lines[report->run];
  Status status =
      forEachRun(directory->layout().metrics(),
                 [&](int64_t run, const std::vector<std::string> &own) {
                   if (auto place = lines.find(run); place != lines.end())
                     place->second = own;
                   return Status::success();
                 });
  if (!status)
    return status;
  for (const RunReport *report : lacking)
    if (Status written = files->writeOthers(*report, lines[report->run],
                                            /*onlyMissing=*/true);
        !written)
      return written;
  return Status::success();
}

Status ExperimentSink::restoreFiles(const std::vector<RunReport> &reports) {
  if (Status status = restoreStates(reports); !status)
    return status;
  std::vector<std::string> names;
  std::vector<const RunReport *> lacking = findLacking(reports, names);
  // Without a checkpoint not all of the reports is known.
  if (!lacking.empty() && usedCheckpoint.empty()) {
    warn(areMissing(names) + ", and there is no checkpoint to write " +
         (names.size() == 1 ? "it" : "them") +
         " from; to have that, train anew in another directory");
    return Status::success();
  }
  if (Status status = restoreOthers(lacking); !status)
    return status;
  const Layout &layout = directory->layout();
  if (isMissing(layout.table())) {
    names.push_back("runs.csv");
    if (Status status = writeTable(reports); !status)
      return status;
  }
  tellRestored(names);
  return lacking.empty() ? Status::success() : flushFileSystem(layout.root);
}

void ExperimentSink::tellRestored(const std::vector<std::string> &names) {
  if (!names.empty() && options.onResume)
    options.onResume(options.path + ": wrote " + listed(names) +
                     " again, which " + (names.size() == 1 ? "was" : "were") +
                     " missing or damaged");
}
