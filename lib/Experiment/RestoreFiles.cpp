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

#include <filesystem>

using namespace ensc;
namespace fs = std::filesystem;

static bool isMissing(const std::string &path) {
  std::error_code code;
  return !fs::exists(path, code) && !code;
}

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

Status ExperimentSink::restoreStates(const std::vector<RunReport> &reports) {
  const Layout &layout = directory->layout();
  std::set<int64_t> missing;
  for (const RunReport &report : reports)
    if (kept->contains(report) && isMissing(layout.finalState(report.run)))
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
    warn(areMissing(lost) +
         ", and no checkpoint has the state; to have it, train anew in another "
         "directory");
  return flushFileSystem(layout.root);
}

Status ExperimentSink::restoreFiles(const std::vector<RunReport> &reports) {
  if (Status status = restoreStates(reports); !status)
    return status;
  const Layout &layout = directory->layout();
  std::vector<std::string> written;
  std::vector<const RunReport *> lacking;
  for (const RunReport &report : reports)
    for (const char *name : RunFiles::otherNames)
      if (kept->contains(report) &&
          isMissing(layout.run(report.run) + "/" + name)) {
        written.push_back("runs/" + layout.runName(report.run) + "/" + name);
        if (lacking.empty() || lacking.back() != &report)
          lacking.push_back(&report);
      }
  // Without a checkpoint not all of the reports is known.
  if (!lacking.empty() && usedCheckpoint.empty()) {
    warn(areMissing(written) + ", and there is no checkpoint to write " +
         (written.size() == 1 ? "it" : "them") +
         " from; to have that, train anew in another directory");
    return Status::success();
  }
  std::map<int64_t, std::vector<std::string>> lines;
  for (const RunReport *report : lacking)
    lines[report->run];
  if (!lacking.empty())
    if (Status status =
            forEachRun(layout.metrics(),
                       [&](int64_t run, const std::vector<std::string> &own) {
                         if (auto place = lines.find(run); place != lines.end())
                           place->second = own;
                         return Status::success();
                       });
        !status)
      return status;
  for (const RunReport *report : lacking)
    if (Status status = files->writeOthers(*report, lines[report->run],
                                           /*onlyMissing=*/true);
        !status)
      return status;
  if (isMissing(layout.table())) {
    written.push_back("runs.csv");
    if (Status status = writeTable(reports); !status)
      return status;
  }
  tellRestored(written);
  return lacking.empty() ? Status::success() : flushFileSystem(layout.root);
}

void ExperimentSink::tellRestored(const std::vector<std::string> &names) {
  if (!names.empty() && options.onResume)
    options.onResume(options.path + ": wrote " + listed(names) +
                     " again, which " + (names.size() == 1 ? "was" : "were") +
                     " missing");
}
