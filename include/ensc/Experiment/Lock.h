//===- Lock.h - One writer per experiment -----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPERIMENT_LOCK_H
#define ENSC_EXPERIMENT_LOCK_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ensc {

/// A lock on a file, which ends with the process at the latest.
class Lock {
public:
  /// Locks the file `path`, which is made if it is missing. Does not wait: an
  /// error names the process that holds it.
  static Expected<Lock> take(const std::string &path);

  Lock(Lock &&other) noexcept : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  Lock &operator=(Lock &&) = delete;
  ~Lock();

private:
  explicit Lock(int descriptor) : descriptor(descriptor) {}

  int descriptor;
};

/// The process that holds the lock on the file `path`, or nothing. Takes no
/// lock itself.
std::optional<int64_t> lockHolder(const std::string &path);

/// Gives a directory another name, with ".old-1" and so on behind it. Nobody
/// may hold the lock on the file `lock` in it.
Status moveAside(const std::string &directory);

} // namespace ensc

#endif // ENSC_EXPERIMENT_LOCK_H
