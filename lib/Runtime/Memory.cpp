//===- Memory.cpp - What fits into this machine ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Memory.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <string_view>

#include <unistd.h>

using namespace ensc;

std::optional<int64_t> ensc::readMemoryLimit(const std::string &path) {
  std::ifstream file(path);
  int64_t bytes = 0;
  if (file >> bytes && bytes > 0)
    return bytes;
  return std::nullopt;
}

int64_t ensc::machineBytes() {
  int64_t bytes =
      static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  // Where a container sees the limits of its own cgroup, versions 2 and 1.
  for (const char *path : {"/sys/fs/cgroup/memory.max",
                           "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::optional<int64_t> limit = readMemoryLimit(path))
      bytes = std::min(bytes, *limit);
  return bytes;
}

static std::string inGibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g GiB", bytes / (1 << 30));
  return text;
}

Status ensc::checkFits(const std::string &what, int64_t runs,
                       int64_t bytesPerRun) {
  double memory = static_cast<double>(machineBytes());
  // As f64, since the product may exceed every integer type.
  double needed = static_cast<double>(runs) * static_cast<double>(bytesPerRun);
  if (needed <= memory)
    return Status::success();
  return Error(ErrorKind::InvalidArgument,
               what + " of " + std::to_string(runs) + " runs takes " +
                   inGibibytes(needed) + ", but this machine has " +
                   inGibibytes(memory) + "; use fewer runs at a time");
}

std::string ensc::formatBytes(int64_t bytes) {
  constexpr const char *units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024)
    return std::to_string(bytes) + " bytes";
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 999.5 && unit < 3; ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g %s", value, units[unit]);
  return text;
}

Expected<int64_t> ensc::parseBytes(const std::string &option,
                                   const std::string &text) {
  constexpr std::string_view units = "KMGT";
  const char *begin = text.data(), *end = begin + text.size();
  int64_t number = 0;
  auto [stop, code] = std::from_chars(begin, end, number);
  int shift = 0;
  if (stop + 1 == end && units.find(*stop) != std::string_view::npos) {
    shift = 10 * (1 + static_cast<int>(units.find(*stop)));
    ++stop;
  }
  if (code == std::errc() && stop == end && number > 0 &&
      number <= INT64_MAX >> shift)
    return number << shift;
  return Error(ErrorKind::InvalidArgument,
               option + "=" + text +
                   ": expected a number of bytes, as in 4096, 512M or 2G");
}
