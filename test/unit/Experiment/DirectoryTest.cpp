//===- DirectoryTest.cpp - The directory of a fit -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Directory.h"
#include "TestExperiment.h"

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

namespace {
Json makeTestPlan() {
  Json plan = Json::parse(testPlan);
  plan.erase("created");
  plan.erase("versions");
  plan["goal"] = nullptr;
  plan["search"] = nullptr;
  plan["data"] = {{{"name", "x"}, {"type", "3xf32"}, {"crc32", 1}}};
  return plan;
}

const std::vector<std::string> texts = {"a\nb\nc\n"};

Expected<Directory> openTest(const std::string &path, const Json &plan,
                             bool fresh = false) {
  return Directory::open(path, fresh, plan, texts);
}
} // namespace

TEST(DirectoryTest, IsCreatedOnceAndOpenedAgain) {
  TemporaryDirectory directory;
  std::string path = directory.file("a/b");
  {
    Expected<Directory> created = openTest(path, makeTestPlan());
    ASSERT_TRUE(created) << created.error().message();
    EXPECT_TRUE(created->isNew());
    EXPECT_EQ(readBytes(path + "/program/0.mlir"), texts[0]);
    EXPECT_TRUE(ExperimentReader::open(path));
    EXPECT_CONTAINS(errorOf(openTest(path, makeTestPlan())), "works on it");
  }
  std::string before = readBytes(path + "/plan.json");
  Expected<Directory> opened = openTest(path, makeTestPlan());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_FALSE(opened->isNew());
  EXPECT_EQ(readBytes(path + "/plan.json"), before);
}

TEST(DirectoryTest, SaysWhatDiffersFromAnotherPlan) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  ASSERT_TRUE(openTest(path, makeTestPlan()));
  Json plan = makeTestPlan();
  plan["columns"]["lr"][2] = 0.5;
  plan["data"][0]["crc32"] = 2;
  plan["learner"] = "other";
  std::string message = errorOf(openTest(path, plan));
  EXPECT_CONTAINS(message, "it was started with another plan");
  EXPECT_CONTAINS(message, "\n  columns.lr of run 2: was 1e-05, is 0.5");
  EXPECT_CONTAINS(message, "\n  data 'x'.crc32: was 1, is 2: the content");
  EXPECT_CONTAINS(message, "\n  learner: was \"net\", is \"other\"");
  EXPECT_CONTAINS(message, "--fresh");
  message =
      errorOf(Directory::open(path, false, makeTestPlan(), {"a\nB\nc\n"}));
  EXPECT_CONTAINS(message, "\n  program 0, line 2: was 'b', is 'B'");
  message = errorOf(Directory::open(path, false, makeTestPlan(), {"a\nb\n"}));
  EXPECT_CONTAINS(message, "\n  program 0, line 3: was 'c', is ''");
}

TEST(DirectoryTest, OnlyEpochsMayGrow) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  ASSERT_TRUE(openTest(path, makeTestPlan()));
  Json plan = makeTestPlan();
  plan["epochs"] = 1;
  EXPECT_CONTAINS(errorOf(openTest(path, plan)),
                  "epochs: was 2, is 1; they may only grow");
  plan["epochs"] = 5;
  std::string bytes = readBytes(path + "/plan.json");
  EXPECT_TRUE(openTest(path, plan));
  EXPECT_EQ(readBytes(path + "/plan.json"), bytes);
}

TEST(DirectoryTest, ADamagedPlanSaysWhatToDo) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  ASSERT_TRUE(openTest(path, makeTestPlan()));
  std::filesystem::resize_file(path + "/plan.json", 20);
  std::string message = errorOf(openTest(path, makeTestPlan()));
  EXPECT_CONTAINS(message, "not a JSON file; put the file back");
  EXPECT_TRUE(openTest(path, makeTestPlan(), /*fresh=*/true));
}

TEST(DirectoryTest, EpochsDoNotGrowWhereTheyDecided) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  Json plan = makeTestPlan();
  plan["goal"] = {{"metric", "loss"}};
  ASSERT_TRUE(openTest(path, plan));
  plan["epochs"] = 5;
  EXPECT_CONTAINS(errorOf(openTest(path, plan)), "they cannot grow");
}

TEST(DirectoryTest, FreshMovesAsideAndDeletesNothing) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  for (int i = 0; i < 3; ++i) {
    Json plan = makeTestPlan();
    plan["learner"] = "net" + std::to_string(i);
    Expected<Directory> created = openTest(path + "/", plan, /*fresh=*/true);
    ASSERT_TRUE(created) << created.error().message();
    EXPECT_TRUE(created->isNew());
    // It is in use.
    EXPECT_CONTAINS(errorOf(openTest(path, plan, /*fresh=*/true)),
                    "works on it");
  }
  for (int i = 0; i < 2; ++i)
    EXPECT_CONTAINS(
        readBytes(path + ".old-" + std::to_string(i + 1) + "/plan.json"),
        "net" + std::to_string(i));
  EXPECT_CONTAINS(readBytes(path + "/plan.json"), "net2");
}

TEST(DirectoryTest, RefusesWhatIsSomethingElse) {
  TemporaryDirectory directory;
  EXPECT_CONTAINS(errorOf(openTest("", makeTestPlan())), "its path is empty");
  writeBytes(directory.file("file"), "");
  for (bool fresh : {false, true}) {
    EXPECT_CONTAINS(
        errorOf(openTest(directory.file("file"), makeTestPlan(), fresh)),
        "a file of that name exists");
    EXPECT_CONTAINS(errorOf(openTest(directory.path(), makeTestPlan(), fresh)),
                    "holds something else");
  }
  fs::remove(directory.file("file"));
  writeBytes(directory.file("experiment.json"), "{}");
  EXPECT_CONTAINS(errorOf(openTest(directory.path(), makeTestPlan())),
                  "in format 1");
  EXPECT_EQ(directory.count(), 1);
}

TEST(DirectoryTest, GoesOnWhereCreatingWasKilled) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  fs::create_directories(path + "/program");
  writeBytes(path + "/lock", "123\n");
  writeBytes(path + "/.plan.json.123.0.tmp", "{");
  Expected<Directory> created = openTest(path, makeTestPlan());
  ASSERT_TRUE(created) << created.error().message();
  EXPECT_TRUE(created->isNew());
}

TEST(DirectoryTest, ADeadProcessHoldsNoLock) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  pid_t child = ::fork();
  if (child == 0) {
    Expected<Directory> created = openTest(path, makeTestPlan());
    ::kill(::getpid(), SIGKILL);
  }
  int code = 0;
  ::waitpid(child, &code, 0);
  EXPECT_TRUE(WIFSIGNALED(code));
  EXPECT_TRUE(openTest(path, makeTestPlan()));
}

/// In a process of its own, which may become another user.
static void expectReadOnlyIsRefused() {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  EXPECT_TRUE(openTest(path, makeTestPlan()));
  fs::permissions(path, fs::perms(0555));
  EXPECT_CONTAINS(errorOf(openTest(path, makeTestPlan())), "Permission denied");
  fs::permissions(path, fs::perms(0755));
  fs::permissions(directory.path(), fs::perms(0555));
  EXPECT_CONTAINS(errorOf(openTest(directory.file("new"), makeTestPlan())),
                  "Permission denied");
  fs::permissions(directory.path(), fs::perms(0755));
}

TEST(DirectoryTest, RefusesADirectoryThatIsReadOnly) {
  constexpr int skipped = 77, nobody = 65534;
  pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::seteuid(nobody) != 0)
      ::_exit(skipped);
    expectReadOnlyIsRefused();
    ::_exit(testing::Test::HasFailure());
  }
  int code = 0;
  ::waitpid(child, &code, 0);
  if (WIFEXITED(code) && WEXITSTATUS(code) == skipped)
    GTEST_SKIP() << "this user may write everywhere";
  EXPECT_TRUE(WIFEXITED(code) && WEXITSTATUS(code) == 0);
}
