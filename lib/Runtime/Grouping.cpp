//===- Grouping.cpp - Which runs share a group ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Grouping.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <unistd.h>

using namespace ensc;

static int64_t cacheBytes(int name, int64_t common) {
  long bytes = sysconf(name);
  return bytes > 0 ? bytes : common;
}

/// About the cycles of one step of a group: those of the instructions, and for
/// each level of the caches that does not hold what a step touches those of the
/// bytes that come from behind it. The cycles per byte are fitted to the 72
/// models of `ens-bench schedules`.
static double cyclesOf(const ManifestInstance &instance, int threads) {
  struct Level {
    int64_t size; ///< For one thread.
    double cyclesPerByte;
  };
  // A hypervisor may take its time to answer.
  static const int64_t shared = cacheBytes(_SC_LEVEL3_CACHE_SIZE, 32 << 20);
  static const Level own[] = {
      {cacheBytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10), 1.0 / 128},
      {cacheBytes(_SC_LEVEL2_CACHE_SIZE, 1 << 20), 1.0 / 25}};
  const Level levels[] = {own[0], own[1], {shared / threads, 1.0 / 4}};
  auto moved = static_cast<double>(instance.bytesMoved);
  auto cycles = static_cast<double>(instance.cyclesPerStep);
  for (const Level &level : levels)
    if (instance.bytesTouched > level.size)
      cycles += moved * level.cyclesPerByte *
                (1 - static_cast<double>(level.size) /
                         static_cast<double>(instance.bytesTouched));
  return std::max(cycles, 1.0);
}

Status ensc::checkInstance(const Manifest &manifest, const ManifestEntry &entry,
                           RunSchedule schedule) {
  if (manifest.cpu == "interpreter")
    return Status::success();
  if (schedule == RunSchedule::Lanes && !entry.lanes)
    return Error(ErrorKind::Unsupported,
                 "the schedule 'lanes' needs a lanes instance of '" +
                     entry.name +
                     "', which the program was compiled without; compile it "
                     "with 8 or 16 lanes, or leave the schedule to ensc");
  if (schedule == RunSchedule::Solo && !entry.solo)
    return Error(ErrorKind::Unsupported,
                 "the schedule 'solo' needs a solo instance of '" + entry.name +
                     "', which the program was compiled without; leave the "
                     "schedule to ensc");
  return Status::success();
}

GroupRules ensc::rulesOf(const ManifestEntry &entry, RunSchedule schedule,
                         int64_t runs, int threads) {
  GroupRules rules;
  rules.threads = threads > 0 ? threads : availableThreads();
  rules.single = entry.solo && (schedule != RunSchedule::Lanes || !entry.lanes);
  if (entry.solo)
    rules.singleCost = cyclesOf(*entry.solo, rules.threads);
  if (!entry.lanes || (schedule == RunSchedule::Solo && entry.solo))
    return rules;
  rules.width = entry.lanes->lanes;
  rules.groupCost = cyclesOf(*entry.lanes, rules.threads);
  if (!rules.prefersLanes(std::min(rules.width, runs)))
    rules.width = 0;
  return rules;
}

/// When `grouping` ends if all of it starts at once: groups are dealt out to
/// the threads, single runs fill up the threads that got fewer groups, the rest
/// is dealt out, too.
static double costOf(const GroupRules &rules, const Grouping &grouping) {
  int64_t threads = rules.threads;
  int64_t longer = grouping.groups % threads;
  double end = rules.groupCost *
               static_cast<double>((grouping.groups + threads - 1) / threads);
  double filled = longer ? std::floor(rules.groupCost / rules.singleCost) *
                               static_cast<double>(threads - longer)
                         : 0;
  double left = std::max(static_cast<double>(grouping.single) - filled, 0.0);
  return end +
         rules.singleCost * std::ceil(left / static_cast<double>(threads));
}

Grouping ensc::chooseGrouping(const GroupRules &rules, int64_t runs) {
  if (!rules.width)
    return {0, runs};
  int64_t most = (runs + rules.width - 1) / rules.width;
  Grouping best = {most, 0};
  if (!rules.single)
    return best;
  // Of what ends at the same time, less work is better.
  auto rank = [&](const Grouping &grouping) {
    return std::make_pair(
        costOf(rules, grouping),
        rules.groupCost * static_cast<double>(grouping.groups) +
            rules.singleCost * static_cast<double>(grouping.single));
  };
  for (int64_t groups = most; groups-- > 0;) {
    Grouping other = {groups, runs - groups * rules.width};
    if (rank(other) < rank(best))
      best = other;
  }
  return best;
}

bool ensc::usesLanes(const ManifestEntry &entry, RunSchedule schedule,
                     int64_t runs, int threads) {
  return chooseGrouping(rulesOf(entry, schedule, runs, threads), runs).groups >
         0;
}
