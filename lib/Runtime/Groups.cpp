//===- Groups.cpp - Calling an entry for many runs ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Groups.h"
#include "ensc/Runtime/Memory.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdlib>

#include <sched.h>
#include <unistd.h>

using namespace ensc;

//===----------------------------------------------------------------------===//
// AlignedBuffer
//===----------------------------------------------------------------------===//

static constexpr size_t arenaAlignment = 64;

AlignedBuffer::AlignedBuffer(size_t bytes) : bytes_(bytes) {
  size_t rounded = (bytes / arenaAlignment + 1) * arenaAlignment;
  data_ = std::shared_ptr<void>(std::aligned_alloc(arenaAlignment, rounded),
                                std::free);
}

//===----------------------------------------------------------------------===//
// GroupCaller
//===----------------------------------------------------------------------===//

GroupCaller::GroupCaller(const Program &program, const ManifestEntry &entry,
                         bool useLanes, std::vector<RunMemory> arguments,
                         std::vector<RunMemory> results)
    : kernel(useLanes ? &program.kernelsOf(entry).lanes
                      : &program.kernelsOf(entry).solo),
      instance(useLanes ? &*entry.lanes : &*entry.solo), entry(&entry),
      arguments(std::move(arguments)), results(std::move(results)),
      laneIds(instance->lanes), arena(instance->arenaBytes) {
  size_t slots = 0;
  for (const ManifestValue &argument : entry.arguments)
    slots += argument.perRun ? lanes() : 1;
  argumentPointers.resize(slots);
  resultPointers.resize(entry.results.size() * lanes());
  for (const ManifestValue &result : entry.results)
    discarded.emplace_back(numElements(result.shape) * sizeOf(result.dtype));
}

Status ensc::checkArena(const ManifestEntry &entry, bool useLanes) {
  const ManifestInstance &instance = useLanes ? *entry.lanes : *entry.solo;
  return checkFits("the scratch memory of @" + entry.name + " for a group",
                   instance.lanes, instance.arenaBytes / instance.lanes);
}

int64_t GroupCaller::call(const int64_t *runs, const int64_t *ids,
                          int64_t count, int64_t begin, int64_t end) {
  size_t slot = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    int64_t copies = entry->arguments[i].perRun ? lanes() : 1;
    // Lanes without a run of their own repeat the last one.
    for (int64_t lane = 0; lane < copies; ++lane)
      argumentPointers[slot++] =
          arguments[i].of(runs[std::min(lane, count - 1)]);
  }
  slot = 0;
  for (size_t i = 0; i < results.size(); ++i)
    for (int64_t lane = 0; lane < lanes(); ++lane)
      resultPointers[slot++] =
          lane < count ? results[i].of(runs[lane]) : discarded[i].data();
  for (int64_t lane = 0; lane < lanes(); ++lane)
    laneIds[lane] = ids[std::min(lane, count - 1)];

  ensc_group group;
  group.abi_version = ENSC_ABI_VERSION;
  group.lanes = static_cast<uint32_t>(lanes());
  group.arguments = argumentPointers.data();
  group.results = resultPointers.data();
  group.run_ids = laneIds.data();
  group.arena = arena.data();
  return (*kernel)(&group, begin, end);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

int ensc::availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return 1;
}

void ensc::parallelFor(int64_t items, int threads,
                       const std::function<void(int64_t)> &work) {
  if (threads <= 0)
    threads = availableThreads();
  threads = static_cast<int>(std::min<int64_t>(threads, items));
  if (threads <= 1) {
    for (int64_t item = 0; item < items; ++item)
      work(item);
    return;
  }
  // More threads than cores are allowed, too, where the user asks for them.
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                            static_cast<size_t>(threads));
  tbb::task_arena workers(threads);
  workers.execute([&] {
    tbb::parallel_for(
        int64_t{0}, items, [&](int64_t item) { work(item); },
        tbb::simple_partitioner());
  });
}

//===----------------------------------------------------------------------===//
// Choice of the instance
//===----------------------------------------------------------------------===//

/// Bytes of second-level cache of a core; a common size where it is unknown.
static int64_t levelTwoBytes() {
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : 1 << 20;
}

bool ensc::usesLanes(const ManifestEntry &entry, RunSchedule schedule,
                     int64_t runs) {
  if (!entry.lanes || !entry.solo)
    return entry.lanes.has_value();
  if (schedule != RunSchedule::Auto)
    return schedule == RunSchedule::Lanes;
  return runs >= entry.lanes->lanes &&
         entry.lanes->arenaBytes <= levelTwoBytes();
}
