//===- Groups.cpp - Calling an entry for many runs ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Groups.h"

#include "ensc/API/Allocate.h"
#include "ensc/Runtime/Memory.h"

#include <algorithm>

using namespace ensc;

//===----------------------------------------------------------------------===//
// GroupCaller
//===----------------------------------------------------------------------===//

GroupCaller::GroupCaller(const Program &program, const ManifestEntry &entry,
                         bool useLanes, std::vector<RunMemory> arguments,
                         std::vector<RunMemory> results, Scratch scratch)
    : kernel(useLanes ? &program.kernelsOf(entry).lanes
                      : &program.kernelsOf(entry).solo),
      instance(useLanes ? &*entry.lanes : &*entry.solo), entry(&entry),
      arguments(std::move(arguments)), results(std::move(results)),
      laneIds(instance->lanes), scratch(std::move(scratch)) {
  size_t slots = 0;
  for (const ManifestValue &argument : entry.arguments)
    slots += argument.perRun ? lanes() : 1;
  argumentPointers.resize(slots);
  resultPointers.resize(entry.results.size() * lanes());
}

int64_t GroupCaller::call(const int64_t *runs, const int64_t *ids,
                          int64_t count, int64_t begin, int64_t end) {
  size_t slot = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    int64_t copies = entry->arguments[i].perRun ? lanes() : 1;
    // Lanes without a run of their own repeat the last one.
    const int64_t *positions = arguments[i].byId ? ids : runs;
    for (int64_t lane = 0; lane < copies; ++lane)
      argumentPointers[slot++] =
          arguments[i].of(positions[std::min(lane, count - 1)]);
  }
  slot = 0;
  for (size_t i = 0; i < results.size(); ++i)
    for (int64_t lane = 0; lane < lanes(); ++lane)
      resultPointers[slot++] =
          lane < count ? results[i].of(runs[lane]) : scratch.discarded.get();
  for (int64_t lane = 0; lane < lanes(); ++lane)
    laneIds[lane] = ids[std::min(lane, count - 1)];

  ensc_group group;
  group.abi_version = ENSC_ABI_VERSION;
  group.lanes = static_cast<uint32_t>(lanes());
  group.arguments = argumentPointers.data();
  group.results = resultPointers.data();
  group.run_ids = laneIds.data();
  group.arena = scratch.arena.get();
  return (*kernel)(&group, begin, end);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

Expected<Scratch> Scratch::allocate(const ScratchBytes &bytes) {
  Scratch scratch;
  for (auto [memory, size] : {std::pair(&scratch.arena, bytes.arena),
                              std::pair(&scratch.discarded, bytes.discarded)}) {
    Expected<std::shared_ptr<void>> allocated =
        allocateAligned(size, "the scratch memory of a thread");
    if (!allocated)
      return allocated.error();
    *memory = std::move(*allocated);
  }
  return scratch;
}

Status ScratchBytes::include(const ManifestEntry &entry,
                             const GroupRules &rules) {
  for (bool lanes : {true, false}) {
    if (lanes ? !rules.width : !rules.single)
      continue;
    const ManifestInstance &instance = lanes ? *entry.lanes : *entry.solo;
    if (Status status =
            checkFits("the scratch memory of @" + entry.name + " for a group",
                      instance.lanes, instance.arenaBytes / instance.lanes);
        !status)
      return status;
    arena = std::max<size_t>(arena, instance.arenaBytes);
    // Only lanes repeat runs.
    if (lanes)
      for (const ManifestValue &result : entry.results)
        discarded = std::max<size_t>(discarded, numElements(result.shape) *
                                                    sizeOf(result.dtype));
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// EntryCaller
//===----------------------------------------------------------------------===//

EntryCaller::EntryCaller(const Program &program, const ManifestEntry &entry,
                         const GroupRules &rules,
                         const std::vector<RunMemory> &arguments,
                         const std::vector<RunMemory> &results,
                         const Scratch &scratch)
    : rules(rules) {
  if (rules.width)
    lanes.emplace(program, entry, /*useLanes=*/true, arguments, results,
                  scratch);
  if (rules.single)
    solo.emplace(program, entry, /*useLanes=*/false, arguments, results,
                 scratch);
}

bool EntryCaller::call(const int64_t *runs, const int64_t *ids, int64_t count,
                       int64_t begin, int64_t end) {
  bool done = true;
  for (int64_t first = 0; first < count;) {
    // The entries of a program may differ in their lanes.
    int64_t group = std::min(count - first, rules.width);
    bool inLanes = rules.prefersLanes(group);
    GroupCaller &caller = inLanes ? *lanes : *solo;
    int64_t advanced = inLanes ? group : 1;
    done &= caller.call(runs + first, ids + first, advanced, begin, end) >= 0;
    first += advanced;
  }
  return done;
}
