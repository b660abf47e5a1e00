//===- CheckpointTest.cpp - Snapshots on disk -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Artifact/FileSizeLimit.h"
#include "../Artifact/TestFiles.h"
#include "CheckpointStore.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
constexpr SnapshotLimits limits = {3, 1, 1};

/// A snapshot whose best run has the loss `loss`.
Snapshot makeTestSnapshot(double loss, int64_t rows = 2) {
  Snapshot snapshot;
  snapshot.tick = 5;
  snapshot.search = "{\"rung\":1}";
  snapshot.ensembles.push_back(
      {0,
       {{"run", Tensor::of<int64_t>({2}, {0, 2})},
        {"state.w", Tensor::zeros(DType::F32, {2, rows})}}});
  for (int64_t run : {2, 0}) {
    RunReport report;
    report.run = run;
    report.seed = 7 + run;
    report.status = run ? RunStatus::Diverged : RunStatus::Running;
    report.reason = run ? "loss" : "";
    report.value = run ? -INFINITY : 0.0;
    report.steps = 40 + run;
    report.final = {run ? std::nan("") : loss};
    report.best = {0.1};
    snapshot.reports.push_back(report);
  }
  return snapshot;
}

CheckpointStore makeStore(const TemporaryDirectory &directory,
                          int64_t keep = 2) {
  return CheckpointStore(directory.file("checkpoints"), limits, 0,
                         /*maximize=*/false, keep);
}

struct Read {
  std::optional<StoredSnapshot> stored;
  std::vector<std::string> passedOver;
};

Read readNewest(CheckpointStore &store) {
  Read read;
  auto stored = store.readNewest(
      [](const StoredSnapshot &) { return Status::success(); },
      [&](const Error &error) { read.passedOver.push_back(error.message()); });
  EXPECT_TRUE(stored) << stored.error().message();
  read.stored = std::move(*stored);
  return read;
}

std::vector<std::string> namesIn(const std::string &path) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}
} // namespace

TEST(CheckpointTest, SnapshotsReadBackAsTheyWere) {
  TemporaryDirectory directory;
  CheckpointStore store = makeStore(directory);
  EXPECT_FALSE(readNewest(store).stored);
  Snapshot snapshot = makeTestSnapshot(0.25);
  snapshot.over = true;
  Expected<std::string> name = store.write(snapshot, {{"records", 12}});
  ASSERT_TRUE(name) << name.error().message();
  EXPECT_EQ(*name, "000000000001");
  CheckpointStore again = makeStore(directory);
  Read read = readNewest(again);
  ASSERT_TRUE(read.stored);
  EXPECT_EQ((*read.stored->fields)["records"], 12);
  const Snapshot &kept = read.stored->snapshot;
  EXPECT_EQ(kept.tick, 5);
  EXPECT_TRUE(kept.over);
  EXPECT_EQ(kept.search, snapshot.search);
  ASSERT_EQ(kept.ensembles.size(), 1u);
  EXPECT_TRUE(kept.ensembles[0].find("run")->bitwiseEquals(
      *snapshot.ensembles[0].find("run")));
  ASSERT_EQ(kept.reports.size(), 2u);
  EXPECT_EQ(kept.reports[0].run, 2);
  EXPECT_EQ(kept.reports[0].seed, 9);
  EXPECT_EQ(kept.reports[0].status, RunStatus::Diverged);
  EXPECT_EQ(kept.reports[0].reason, "loss");
  EXPECT_EQ(kept.reports[0].value, -INFINITY);
  EXPECT_TRUE(std::isnan(kept.reports[0].final[0]));
  EXPECT_EQ(kept.reports[1].status, RunStatus::Running);
  EXPECT_EQ(kept.reports[1].steps, 40);
  EXPECT_EQ(kept.reports[1].final[0], 0.25);
}

TEST(CheckpointTest, TheNewestAndTheBestStay) {
  TemporaryDirectory directory;
  CheckpointStore store = makeStore(directory);
  readNewest(store);
  for (double loss : {0.5, 0.1, 0.4, 0.3, 0.2})
    ASSERT_TRUE(store.write(makeTestSnapshot(loss), Json::object()));
  using Names = std::vector<std::string>;
  EXPECT_EQ(namesIn(directory.file("checkpoints")),
            (Names{"000000000002", "000000000004", "000000000005"}));
  // Another process knows which one is the best.
  CheckpointStore again = makeStore(directory, 1);
  readNewest(again);
  ASSERT_TRUE(again.write(makeTestSnapshot(0.7), Json::object()));
  EXPECT_EQ(namesIn(directory.file("checkpoints")),
            (Names{"000000000002", "000000000006"}));
}

TEST(CheckpointTest, DamagedOnesArePassedOver) {
  TemporaryDirectory directory;
  CheckpointStore store = makeStore(directory);
  readNewest(store);
  for (double loss : {0.5, 0.4})
    ASSERT_TRUE(store.write(makeTestSnapshot(loss), Json::object()));
  std::string newest = directory.file("checkpoints/000000000002/");
  for (std::string file :
       {"state.json", "0.safetensors", "reports.safetensors"}) {
    std::string intact = readBytes(newest + file), flipped = intact;
    flipped[flipped.size() / 2] ^= 4;
    for (const std::string &bytes :
         {flipped, intact.substr(0, intact.size() - 3), std::string()}) {
      writeBytes(newest + file, bytes);
      CheckpointStore again = makeStore(directory);
      Read read = readNewest(again);
      ASSERT_TRUE(read.stored) << file;
      EXPECT_EQ(read.stored->snapshot.reports[1].final[0], 0.5);
      ASSERT_EQ(read.passedOver.size(), 1u);
      EXPECT_CONTAINS(read.passedOver[0], "000000000002");
    }
    std::filesystem::remove(newest + file);
    CheckpointStore again = makeStore(directory);
    EXPECT_EQ(readNewest(again).passedOver.size(), 1u);
    writeBytes(newest + file, intact);
  }
  CheckpointStore again = makeStore(directory);
  EXPECT_TRUE(readNewest(again).passedOver.empty());
  // A damaged one does not take the place of one that is whole.
  writeBytes(newest + "state.json", "");
  CheckpointStore last = makeStore(directory);
  readNewest(last);
  ASSERT_TRUE(last.write(makeTestSnapshot(0.6), Json::object()));
  EXPECT_EQ(namesIn(directory.file("checkpoints")),
            (std::vector<std::string>{"000000000001", "000000000003",
                                      "damaged-000000000002"}));
}

TEST(CheckpointTest, AFullDiskLeavesTheOneBefore) {
  TemporaryDirectory directory;
  CheckpointStore store = makeStore(directory, 1);
  readNewest(store);
  ASSERT_TRUE(store.write(makeTestSnapshot(0.5), Json::object()));
  {
    FileSizeLimit limit(20000);
    EXPECT_CONTAINS(
        errorOf(store.write(makeTestSnapshot(0.4, 10000), Json::object())),
        "File too large");
  }
  EXPECT_EQ(namesIn(directory.file("checkpoints")),
            std::vector<std::string>{"000000000001"});
  CheckpointStore again = makeStore(directory);
  EXPECT_TRUE(readNewest(again).stored);
}

TEST(CheckpointTest, OnesThatWereNotCompletedGo) {
  TemporaryDirectory directory;
  std::string left = directory.file("checkpoints/.tmp-000000000001");
  std::filesystem::create_directories(left);
  writeBytes(left + "/0.safetensors", "x");
  CheckpointStore store = makeStore(directory);
  EXPECT_FALSE(readNewest(store).stored);
  EXPECT_TRUE(namesIn(directory.file("checkpoints")).empty());
}
