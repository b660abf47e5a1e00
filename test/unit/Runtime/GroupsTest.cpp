//===- GroupsTest.cpp - Calling an entry for many runs --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Groups.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace ensc;

namespace {

constexpr int64_t lanes = 4;

/// y = x + shared for each lane; notes what it was called with.
struct Recorder {
  std::vector<int64_t> ids, bounds;
  bool aligned = true;

  int64_t operator()(const ensc_group *group, int64_t begin, int64_t end) {
    EXPECT_EQ(group->abi_version, uint32_t{ENSC_ABI_VERSION});
    aligned &= reinterpret_cast<uintptr_t>(group->arena) % 64 == 0;
    const auto *shared = static_cast<const int32_t *>(group->arguments[0]);
    for (uint32_t lane = 0; lane < group->lanes; ++lane) {
      const auto *x = static_cast<const int32_t *>(group->arguments[1 + lane]);
      *static_cast<int32_t *>(group->results[lane]) = *x + *shared;
      ids.push_back(group->run_ids[lane]);
    }
    bounds = {begin, end};
    return end;
  }
};

Program makeProgram(Recorder &recorder) {
  ManifestEntry entry;
  entry.name = "add";
  entry.arguments = {{"b", "data", DType::I32, {1}, false, false, {}},
                     {"x", "", DType::I32, {}, true, false, {}}};
  entry.results = {{"y", "", DType::I32, {}, true, false, {}}};
  entry.solo = ManifestInstance{"s", 1, 1, 0};
  entry.lanes = ManifestInstance{"l", lanes, 100, 0};
  Manifest manifest;
  manifest.entries = {entry};
  Kernel kernel = [&recorder](const ensc_group *group, int64_t begin,
                              int64_t end) {
    return recorder(group, begin, end);
  };
  return Program(manifest, {{kernel, kernel}}, nullptr);
}

/// Rules that allow groups in lanes at the price of `groupCost` single runs.
GroupRules makeRules(double groupCost) {
  GroupRules rules;
  rules.width = lanes;
  rules.groupCost = groupCost;
  return rules;
}

Scratch makeScratch(const Program &program) {
  ScratchBytes bytes;
  EXPECT_TRUE(bytes.include(program.manifest().entries[0], makeRules(1)));
  EXPECT_EQ(bytes.arena, 100u);
  EXPECT_EQ(bytes.discarded, 4u);
  return *Scratch::allocate(bytes);
}

TEST(GroupCaller, FillsAPartialGroupWithTheLastRun) {
  Recorder recorder;
  Program program = makeProgram(recorder);
  int32_t shared = 100, x[5] = {0, 1, 2, 3, 4}, y[5] = {-1, -1, -1, -1, -1};
  GroupCaller caller(program, program.manifest().entries[0], /*useLanes=*/true,
                     {{&shared, 0}, {x, 4}}, {{y, 4}}, makeScratch(program));
  EXPECT_EQ(caller.lanes(), lanes);
  const int64_t runs[] = {3, 1}, ids[] = {13, 11};
  EXPECT_EQ(caller.call(runs, ids, 2, 5, 9), 9);
  EXPECT_EQ(recorder.bounds, (std::vector<int64_t>{5, 9}));
  EXPECT_EQ(recorder.ids, (std::vector<int64_t>{13, 11, 11, 11}));
  EXPECT_TRUE(recorder.aligned);
  // Runs of the group are written, and no other memory.
  EXPECT_EQ(std::vector<int32_t>(y, y + 5),
            (std::vector<int32_t>{-1, 101, -1, 103, -1}));
}

TEST(GroupCaller, TakesOneRunAtATimeAlone) {
  Recorder recorder;
  Program program = makeProgram(recorder);
  int32_t shared = 7, x[2] = {1, 2}, y[2] = {0, 0};
  GroupCaller caller(program, program.manifest().entries[0], /*useLanes=*/false,
                     {{&shared, 0}, {x, 4}}, {{y, 4}}, makeScratch(program));
  EXPECT_EQ(caller.lanes(), 1);
  const int64_t run = 1, id = 40;
  caller.call(&run, &id, 1, 0, 0);
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], 9);
  EXPECT_EQ(recorder.ids, std::vector<int64_t>{40});
}

TEST(EntryCaller, SplitsRunsByWhatTheyCost) {
  Recorder recorder;
  Program program = makeProgram(recorder);
  int32_t shared = 0, x[7] = {0, 1, 2, 3, 4, 5, 6}, y[7] = {};
  std::vector<int64_t> runs(7);
  std::iota(runs.begin(), runs.end(), 0);
  EntryCaller caller(program, program.manifest().entries[0], makeRules(3.5),
                     {{&shared, 0}, {x, 4}}, {{y, 4}}, makeScratch(program));
  EXPECT_TRUE(caller.call(runs.data(), runs.data(), 7, 0, 1));
  // A full group, then three runs that are cheaper alone.
  EXPECT_EQ(recorder.ids, runs);
  EXPECT_TRUE(std::equal(x, x + 7, y));
}

TEST(EntryCaller, SaysWhetherAKernelRefuses) {
  Recorder recorder;
  Program program = makeProgram(recorder);
  Kernel refuse = [](const ensc_group *, int64_t, int64_t) {
    return int64_t{-1};
  };
  Program refusing(program.manifest(), {{refuse, refuse}}, nullptr);
  int32_t x = 0;
  const int64_t run = 0;
  EntryCaller caller(refusing, refusing.manifest().entries[0], makeRules(3.5),
                     {{&x, 0}, {&x, 4}}, {{&x, 4}}, makeScratch(refusing));
  EXPECT_FALSE(caller.call(&run, &run, 1, 0, 1));
}

} // namespace
