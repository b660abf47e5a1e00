//===- SnapshotFiles.h - Snapshots as files ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_SNAPSHOTFILES_H
#define ENSC_LIB_EXPERIMENT_SNAPSHOTFILES_H

#include "ensc/Artifact/JsonLines.h"
#include "ensc/Learner/FitSink.h"

#include <string>

namespace ensc {

/// What a snapshot must fit.
struct SnapshotLimits {
  int64_t runs = 0, programs = 0;
  size_t metrics = 0;
};

/// Writes a snapshot to the existing directory `path`, which becomes a
/// checkpoint. `fields` are further fields of its state.json.
Status writeSnapshot(const std::string &path, const Snapshot &snapshot,
                     Json fields);

/// A snapshot that was read, and all fields of its state.json.
struct StoredSnapshot {
  std::string name; ///< Of the checkpoint.
  Snapshot snapshot;
  std::shared_ptr<const Json> fields;
};

/// Reads the checkpoint at `path`. Fails where anything of it is damaged.
Expected<StoredSnapshot> readSnapshot(const std::string &path,
                                      const SnapshotLimits &limits);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_SNAPSHOTFILES_H
