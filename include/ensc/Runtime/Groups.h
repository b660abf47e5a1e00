//===- Groups.h - Calling an entry for many runs ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_GROUPS_H
#define ENSC_RUNTIME_GROUPS_H

#include "ensc/Runtime/Grouping.h"
#include "ensc/Runtime/Program.h"

#include <memory>
#include <optional>
#include <vector>

namespace ensc {

/// Where the elements of an argument or a result are: those of run r at
/// `base + r * stride` bytes. A stride of 0 means that all runs share them.
struct RunMemory {
  void *base = nullptr;
  size_t stride = 0;
  /// Whether r is the global number of a run, not its position in the memory of
  /// those that are called.
  bool byId = false;

  void *of(int64_t run) const {
    return static_cast<char *>(base) + static_cast<size_t>(run) * stride;
  }
};

/// How much memory calls need that come one after the other.
struct ScratchBytes {
  size_t arena = 0;     ///< Of the kernel that needs most.
  size_t discarded = 0; ///< For results that nobody reads.

  int64_t total() const { return static_cast<int64_t>(arena + discarded); }

  /// Makes room for the calls of an entry that its rules allow. Fails if one
  /// exceeds the memory of this machine.
  Status include(const ManifestEntry &entry, const GroupRules &rules);
};

/// The memory of a worker's calls. Copies share it.
struct Scratch {
  /// Fails where memory is short.
  static Expected<Scratch> allocate(const ScratchBytes &bytes);

  std::shared_ptr<void> arena, discarded;
};

/// An entry with the memory of its arguments and results: what a worker needs
/// to advance groups of runs. One object belongs to one thread at a time, and
/// allocates when it is made, never when it is called.
class GroupCaller {
public:
  /// `arguments` and `results` are those of the entry, in order. The entry's
  /// lanes instance is called if `useLanes`, its solo instance otherwise; it
  /// must exist. `scratch` must have room for it.
  GroupCaller(const Program &program, const ManifestEntry &entry, bool useLanes,
              std::vector<RunMemory> arguments, std::vector<RunMemory> results,
              Scratch scratch);

  /// Runs that one call advances.
  int64_t lanes() const { return instance->lanes; }

  /// Advances `count` runs, at least 1 and at most lanes(), over the steps
  /// [begin, end). `runs` index the memory; `ids` are their global numbers.
  /// Returns the step reached.
  int64_t call(const int64_t *runs, const int64_t *ids, int64_t count,
               int64_t begin, int64_t end);

private:
  const Kernel *kernel;
  const ManifestInstance *instance;
  const ManifestEntry *entry;
  std::vector<RunMemory> arguments, results;
  std::vector<const void *> argumentPointers;
  std::vector<void *> resultPointers;
  std::vector<int64_t> laneIds;
  /// The lanes that repeat a run write their results to its second part.
  Scratch scratch;
};

/// Calls the instances of an entry as its rules say.
class EntryCaller {
public:
  EntryCaller(const Program &program, const ManifestEntry &entry,
              const GroupRules &rules, const std::vector<RunMemory> &arguments,
              const std::vector<RunMemory> &results, const Scratch &scratch);

  /// Advances `count` runs over the steps [begin, end), in lanes or one after
  /// the other, whichever costs less. `runs` and `ids` as for
  /// GroupCaller::call. Returns whether all kernels could do their work.
  bool call(const int64_t *runs, const int64_t *ids, int64_t count,
            int64_t begin, int64_t end);

private:
  GroupRules rules;
  std::optional<GroupCaller> lanes, solo;
};

/// The seed of a run: `seed + run`, from the largest on to the smallest.
inline int64_t seedOf(int64_t seed, int64_t run) {
  return static_cast<int64_t>(static_cast<uint64_t>(seed) +
                              static_cast<uint64_t>(run));
}

} // namespace ensc

#endif // ENSC_RUNTIME_GROUPS_H
