//===- CheckpointStore.cpp - The checkpoints that stay --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointStore.h"

#include "CheckpointFiles.h"
#include "Layout.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Experiment/JsonFields.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>

using namespace ensc;
namespace fs = std::filesystem;

static Error cannotWrite(const std::string &path, const std::string &why) {
  return Error(ErrorKind::Io,
               "cannot write the checkpoint '" + path + "': " + why);
}

/// Removes checkpoints that were never completed.
static void removeTemporaries(const std::string &directory) {
  std::error_code code;
  std::vector<fs::path> found;
  fs::directory_iterator entry(directory, code), end;
  for (; !code && entry != end; entry.increment(code))
    if (entry->path().filename().string().rfind(".tmp", 0) == 0)
      found.push_back(entry->path());
  for (const fs::path &path : found)
    fs::remove_all(path, code);
}

Expected<std::optional<StoredSnapshot>> CheckpointStore::readNewest(
    const std::function<Status(const StoredSnapshot &)> &accept,
    const std::function<void(const Error &)> &passOver) {
  removeTemporaries(path);
  std::optional<StoredSnapshot> newest;
  std::vector<std::string> names = listCheckpoints(path);
  for (const std::string &name : names) {
    int64_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    next = std::max(next, number + 1);
  }
  for (const std::string &name : names) {
    if (newest) {
      // Of the others only the score is of interest.
      Expected<CheckpointState> state = readCheckpointState(path + "/" + name);
      kept.push_back({name, state ? numberOf(findField(*state->fields, "score"))
                                  : std::nullopt});
      continue;
    }
    Expected<StoredSnapshot> stored = readSnapshot(path + "/" + name, limits);
    if (stored)
      stored->name = name;
    Status status = stored ? accept(*stored) : Status(stored.error());
    // What cannot be read now may be intact.
    if (!status && status.error().kind() != ErrorKind::InvalidData)
      return status.error();
    if (!status) {
      passOver(status.error());
      kept.push_back({name, std::nullopt, true});
      continue;
    }
    kept.push_back({name, scoreOf(stored->snapshot)});
    newest = std::move(*stored);
  }
  std::reverse(kept.begin(), kept.end());
  return newest;
}

std::optional<double> CheckpointStore::scoreOf(const Snapshot &snapshot) const {
  std::optional<double> score;
  for (const RunReport &report : snapshot.reports) {
    double value = report.final[monitor];
    if (!std::isnan(value) &&
        (!score || (maximize ? value > *score : value < *score)))
      score = value;
  }
  return score;
}

Expected<std::string> CheckpointStore::write(const Snapshot &snapshot,
                                             Json fields) {
  std::string name = Layout::padded(next, 12);
  std::string target = path + "/" + name, temporary = path + "/.tmp-" + name;
  std::error_code code;
  fs::remove_all(temporary, code);
  fs::create_directories(temporary, code);
  if (code)
    return cannotWrite(target, code.message());
  std::optional<double> score = scoreOf(snapshot);
  fields["score"] = score ? jsonNumber(*score) : Json(nullptr);
  Status status = writeSnapshot(temporary, snapshot, std::move(fields));
  if (status && std::rename(temporary.c_str(), target.c_str()) != 0)
    status = cannotWrite(target, describeErrno(errno));
  if (!status) {
    fs::remove_all(temporary, code);
    return status.error();
  }
  // Those before must not go until the new one is there to stay.
  if (status = flushDirectory(path); !status)
    return status.error();
  ++next;
  kept.push_back({name, score});
  if (status = prune(); !status)
    return status.error();
  return name;
}

Status CheckpointStore::prune() {
  const Kept *best = nullptr;
  int64_t newer = 0;
  for (const Kept &checkpoint : kept) {
    newer += !checkpoint.isDamaged;
    if (checkpoint.score &&
        (!best || (maximize ? *checkpoint.score > *best->score
                            : *checkpoint.score < *best->score)))
      best = &checkpoint;
  }
  std::vector<Kept> stay;
  for (const Kept &checkpoint : kept) {
    bool isNew = !checkpoint.isDamaged && newer-- <= keep;
    if (isNew || &checkpoint == best) {
      stay.push_back(checkpoint);
      continue;
    }
    std::error_code code;
    std::string old = path + "/" + checkpoint.name;
    // Somebody may mend it.
    if (checkpoint.isDamaged)
      fs::rename(old, path + "/damaged-" + checkpoint.name, code);
    else
      fs::remove_all(old, code);
    if (code)
      return Error(ErrorKind::Io, "cannot remove the checkpoint '" + path +
                                      "/" + checkpoint.name +
                                      "': " + code.message());
  }
  kept = std::move(stay);
  return Status::success();
}
