//===- CheckpointStore.h - The checkpoints that stay ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_CHECKPOINTSTORE_H
#define ENSC_LIB_EXPERIMENT_CHECKPOINTSTORE_H

#include "SnapshotFiles.h"

#include <functional>
#include <optional>
#include <string>

namespace ensc {

/// The directory of checkpoints. A new one appears whole or not at all, before
/// an old one goes.
class CheckpointStore {
public:
  /// `keep` are the newest checkpoints that stay, beside the best one: that
  /// with the best run, where more may be better.
  CheckpointStore(std::string path, SnapshotLimits limits, size_t monitor,
                  bool maximize, int64_t keep)
      : path(std::move(path)), limits(limits), monitor(monitor),
        maximize(maximize), keep(keep < 1 ? 1 : keep) {}

  /// Reads the newest checkpoint that is whole and that `accept` takes. Calls
  /// `passOver` for each that is damaged, or refused as InvalidData; any other
  /// error is returned. Removes what is left of one that was not completed.
  Expected<std::optional<StoredSnapshot>>
  readNewest(const std::function<Status(const StoredSnapshot &)> &accept,
             const std::function<void(const Error &)> &passOver);

  /// Writes a new one, and gives its name.
  Expected<std::string> write(const Snapshot &snapshot, Json fields);

private:
  struct Kept {
    std::string name;
    std::optional<double> score; ///< The best value of a run, if there is one.
    bool isDamaged = false;
  };

  std::optional<double> scoreOf(const Snapshot &snapshot) const;
  /// Removes those that are neither new nor the best. Those that were passed
  /// over get another name.
  Status prune();

  std::string path;
  SnapshotLimits limits;
  size_t monitor;
  bool maximize;
  int64_t keep;
  std::vector<Kept> kept; ///< The oldest first.
  int64_t next = 1;       ///< The number of the next one.
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_CHECKPOINTSTORE_H
