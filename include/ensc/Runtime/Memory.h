//===- Memory.h - What fits into this machine -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_MEMORY_H
#define ENSC_RUNTIME_MEMORY_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ensc {

/// Fails if `runs` runs of `bytesPerRun` bytes each exceed the memory of this
/// machine. `what` begins the error, as in "the state": "the state of 10 runs
/// takes 80 GiB, ...".
Status checkFits(const std::string &what, int64_t runs, int64_t bytesPerRun);

/// The memory of this machine, or what a container leaves of it.
int64_t machineBytes();

/// The number of bytes in a file of a cgroup. Nothing if there is no such file,
/// or if it says "max".
std::optional<int64_t> readMemoryLimit(const std::string &path);

/// "512 bytes", "12.3 MiB".
std::string formatBytes(int64_t bytes);

/// The bytes that text such as "4096", "512M" or "2G" says, in powers of 1024.
/// `option` begins the error.
Expected<int64_t> parseBytes(const std::string &option,
                             const std::string &text);

} // namespace ensc

#endif // ENSC_RUNTIME_MEMORY_H
