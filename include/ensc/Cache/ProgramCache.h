//===- ProgramCache.h - Compiled programs on disk ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_CACHE_PROGRAMCACHE_H
#define ENSC_CACHE_PROGRAMCACHE_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ensc {

/// A program as it is kept: all that it takes to load it.
struct CachedProgram {
  std::string manifest; ///< What Manifest::toJson gave.
  /// ELF objects that together have the symbols that it names.
  std::vector<std::string> objects;
};

/// A directory of compiled programs, each in a file of its own.
///
/// A program is found by its key, a text that says everything that the code
/// depends on. The file repeats the key and has a checksum over all of it, so
/// that what is found is what was stored under that very key; anything else,
/// such as a file that is truncated or damaged, is as good as none and is
/// replaced by the next store. The same holds for a file that belongs to
/// another user or that others may write, and nothing is found in such a
/// directory: what is found runs. Files appear whole or not at all: any number
/// of processes may use a directory at once.
class ProgramCache {
public:
  /// How many bytes all files together may have.
  static constexpr uint64_t defaultLimit = uint64_t(256) << 20;

  explicit ProgramCache(std::string directory, uint64_t limit = defaultLimit)
      : directory_(std::move(directory)), limit_(limit) {}

  /// The directory that the environment names: $ENSC_CACHE_DIR, else
  /// $XDG_CACHE_HOME/ensc, else $HOME/.cache/ensc. Nothing if none of them is
  /// set, or if ENSC_CACHE_DIR is set to nothing, which switches the cache off.
  static std::optional<std::string> findDirectory();

  /// What was stored under `key`, or nothing. Counts as a use of it.
  std::optional<CachedProgram> find(std::string_view key) const;

  /// Keeps a program, in place of what the key had before; the directory is
  /// made where it is missing, for this user alone, as is the file. Fails if
  /// others may write the directory. Then removes the files that were not used
  /// for the longest time until all are within the limit.
  Status store(std::string_view key, const CachedProgram &program) const;

private:
  std::string pathOf(std::string_view key) const;
  void evict() const;

  std::string directory_;
  uint64_t limit_;
};

} // namespace ensc

#endif // ENSC_CACHE_PROGRAMCACHE_H
