//===- RunDirectoryTest.cpp - Tests of experiments on disk ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/RunDirectory.h"

#include "TestFiles.h"

#include <nlohmann/json.hpp>

using namespace ensc;

TEST(RunDirectoryTest, WhatIsCreatedOpens) {
  TemporaryDirectory directory;
  std::string path = directory.file("a/b/exp");
  Expected<RunDirectory> made =
      RunDirectory::create(path, 64, {{"model", "digits.mlir"}});
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_TRUE(made->createRun(7));
  ASSERT_TRUE(made->createRun(7));
  ASSERT_TRUE(made->writeTable({{"run"}, {{"7"}}}));
  EXPECT_EQ(made->metricsPath(7), path + "/runs/0007/metrics.jsonl");
  EXPECT_EQ(made->finalStatePath(7), path + "/runs/0007/final.safetensors");

  Expected<RunDirectory> opened = RunDirectory::open(path);
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(opened->runs(), 64);
  EXPECT_EQ(*opened->listRuns(), std::vector<int64_t>{7});
  EXPECT_EQ(opened->readTable()->rows.size(), 1u);
  EXPECT_EQ(opened->readDescription()->dump(),
            R"({"format":1,"runs":64,"model":"digits.mlir"})");
}

TEST(RunDirectoryTest, NamesHaveTheDigitsOfTheLargestRun) {
  TemporaryDirectory directory;
  auto name = [&](int64_t runs, int64_t run) {
    std::string path = directory.file(std::to_string(runs));
    return RunDirectory::create(path, runs, Json::object())
        ->runPath(run)
        .substr(path.size());
  };
  EXPECT_EQ(name(1, 0), "/runs/0000");
  EXPECT_EQ(name(10000, 9999), "/runs/9999");
  EXPECT_EQ(name(10001, 7), "/runs/00007");
}

TEST(RunDirectoryTest, AnEmptyDirectoryMayBeUsed) {
  TemporaryDirectory directory;
  EXPECT_TRUE(RunDirectory::create(directory.path(), 1, Json::object()));
}

TEST(RunDirectoryTest, WhatExistsIsRefused) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  ASSERT_TRUE(RunDirectory::create(path, 1, Json::object()));
  EXPECT_EQ(errorOf(RunDirectory::create(path, 1, Json::object())),
            "cannot create the experiment '" + path +
                "': it exists already; name another directory or remove this "
                "one");
  writeBytes(directory.file("file"), "x");
  EXPECT_EQ(errorOf(RunDirectory::checkVacant(directory.file("file"))),
            "cannot create the experiment '" + directory.file("file") +
                "': a file of that name exists");
  EXPECT_CONTAINS(errorOf(RunDirectory::checkVacant(directory.path())),
                  "the directory is not empty");
  EXPECT_CONTAINS(errorOf(RunDirectory::checkVacant(directory.file("file/x"))),
                  "file' is not a directory");
  EXPECT_CONTAINS(errorOf(RunDirectory::checkVacant("")), "path is empty");
}

TEST(RunDirectoryTest, AFailureLeavesNothing) {
  if (!std::filesystem::exists("/proc/self"))
    GTEST_SKIP() << "no directory that refuses even root";
  EXPECT_CONTAINS(
      errorOf(RunDirectory::create("/proc/ensc/exp", 1, Json::object())),
      "cannot create the experiment '/proc/ensc/exp': ");
  EXPECT_FALSE(std::filesystem::exists("/proc/ensc"));
}

TEST(RunDirectoryTest, WhatCannotBeCompletedIsDiscarded) {
  TemporaryDirectory directory;
  std::string above = directory.file("above"), path = above + "/exp";
  Expected<RunDirectory> made = RunDirectory::create(path, 2, Json::object());
  ASSERT_TRUE(made);
  ASSERT_TRUE(made->createRun(1));
  ASSERT_TRUE(made->writeTable({{"run"}, {{"1"}}}));
  made->discard();
  EXPECT_FALSE(std::filesystem::exists(above));
  // What was there before stays, and what others put there.
  std::filesystem::create_directories(path);
  made = RunDirectory::create(path, 2, Json::object());
  ASSERT_TRUE(made);
  writeBytes(above + "/note", "x");
  made->discard();
  EXPECT_TRUE(std::filesystem::is_empty(path));
  EXPECT_TRUE(std::filesystem::exists(above + "/note"));
}

TEST(RunDirectoryTest, OtherDirectoriesAreNoExperiments) {
  TemporaryDirectory directory;
  EXPECT_EQ(errorOf(RunDirectory::open(directory.path())),
            "'" + directory.path() +
                "' is not an experiment: it has no experiment.json");
  writeBytes(directory.file("experiment.json"), "[]");
  EXPECT_CONTAINS(errorOf(RunDirectory::open(directory.path())),
                  "expected the fields format and runs");
  writeBytes(directory.file("experiment.json"), R"({"format":2,"runs":1})");
  EXPECT_CONTAINS(errorOf(RunDirectory::open(directory.path())),
                  "format 2 is not supported; expected 1");
}

TEST(RunDirectoryTest, ForeignDirectoriesAreNotListed) {
  TemporaryDirectory directory;
  Expected<RunDirectory> made =
      RunDirectory::create(directory.file("exp"), 20, Json::object());
  ASSERT_TRUE(made);
  for (int64_t run : {12, 3})
    ASSERT_TRUE(made->createRun(run));
  for (const char *name : {"7", "0099", "notes", "1e01"})
    std::filesystem::create_directory(made->path() + "/runs/" + name);
  EXPECT_EQ(*made->listRuns(), (std::vector<int64_t>{3, 12}));
}
