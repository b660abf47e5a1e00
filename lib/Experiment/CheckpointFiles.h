//===- CheckpointFiles.h - Checkpoints as files -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   checkpoints/000000000123/state.json           {"crc32": .., "state": {..}}
//   checkpoints/000000000123/0.safetensors        of the first ensemble
//   checkpoints/000000000123/reports.safetensors  of all runs that have begun
//
// state.json holds the checksum of itself and of the other files, and is
// written last.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_CHECKPOINTFILES_H
#define ENSC_LIB_EXPERIMENT_CHECKPOINTFILES_H

#include "ensc/API/Error.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Artifact/Safetensors.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ensc {

/// A file of a checkpoint beside state.json.
struct CheckpointFile {
  std::string name;
  uint64_t bytes = 0;
  uint32_t checksum = 0;
  int64_t program = -1; ///< Of an ensemble; -1: the file is none of these.
};

/// What state.json says.
struct CheckpointState {
  std::shared_ptr<const Json> fields; ///< An object.
  std::vector<CheckpointFile> files;

  /// The file called `name`, or null.
  const CheckpointFile *find(const std::string &name) const;
};

/// The names of the checkpoints in a directory, the newest first, whole or not.
/// None where there is no such directory.
std::vector<std::string> listCheckpoints(const std::string &directory);

/// Reads state.json of the checkpoint at `path`. Fails where it is damaged.
Expected<CheckpointState> readCheckpointState(const std::string &path);

/// Reads another file of it. Fails where it is damaged.
Expected<Safetensors> readCheckpointFile(const std::string &path,
                                         const CheckpointFile &file);

/// The states of those of some runs that the checkpoint at `path` has.
Expected<std::map<int64_t, Safetensors>>
readCheckpointStates(const std::string &path, const std::set<int64_t> &runs);

/// Writes tensors to the file `name` of a checkpoint, down to the disk.
Expected<CheckpointFile> writeCheckpointFile(const std::string &path,
                                             const std::string &name,
                                             const Safetensors &content);

/// Writes state.json: `fields`, and what there is of `files`.
Status writeCheckpointState(const std::string &path, Json fields,
                            const std::vector<CheckpointFile> &files);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_CHECKPOINTFILES_H
