//===- KeptFitTest.cpp - Fits in directories ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptFit.h"
#include "../Artifact/FileSizeLimit.h"
#include "../Artifact/Python.h"
#include "TestExperiment.h"

#include "ensc/Artifact/Checksum.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Experiment/Reader.h"

#include <cmath>
#include <sched.h>
#include <sys/mount.h>

using namespace ensc;
using namespace ensc::test;
namespace fs = std::filesystem;

namespace {
bool sameNumber(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}
} // namespace

TEST_F(KeptFitTest, TheFilesHoldWhatAFitReports) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.hypers["lr"][3] = 1e30;
  options.maxSteps = {20, 24, 24, 24, 24, 24, 24, 24, 7, 24};
  FitReport kept = fit(learner, options);
  options.experiment = {};
  FitReport plain = fit(learner, options);
  ExperimentReader reader = open("exp");
  EXPECT_EQ(reader.state(), ExperimentState::Complete);
  Expected<CsvTable> table = reader.readTable();
  ASSERT_TRUE(table) << table.error().message();
  auto records = reader.readRecordsOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  ASSERT_TRUE(records) << records.error().message();
  for (const RunReport &run : plain.runs) {
    expectSameReport(kept.runs[run.run], run);
    size_t status = *table->column("status");
    EXPECT_EQ(table->rows[run.run][status], nameOf(run.status));
    EXPECT_EQ(table->rows[run.run][status + 1], run.reason);
    const std::vector<RunRecord> &own = (*records)[run.run];
    ASSERT_EQ(own.size(), run.epochs.size());
    for (size_t i = 0; i < own.size(); ++i) {
      EXPECT_EQ(own[i].step, run.epochs[i].step);
      EXPECT_EQ(own[i].epoch, run.epochs[i].epoch);
      for (size_t m = 0; m < own[i].values.size(); ++m)
        EXPECT_TRUE(sameNumber(own[i].values[m], run.epochs[i].values[m]));
    }
    Expected<Safetensors> state = reader.readState(run.run);
    ASSERT_TRUE(state) << state.error().message();
    std::vector<std::string> names = learner.stateNames();
    ASSERT_EQ(state->tensors.size(), names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(state->tensors[i].name, names[i]);
      EXPECT_TRUE(state->tensors[i].tensor.bitwiseEquals(
          *learner.parameter(run.run, names[i])));
    }
  }
}

TEST_F(KeptFitTest, RunsInFlightArePartOfAPlanWithDecisions) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("plain", 2);
  options.inFlight = 4;
  fit(learner, options);
  options.inFlight = 10;
  fit(learner, options);
  options = makeOptions("goal", 2);
  options.inFlight = 4;
  options.goal = Goal{"loss", true, 1e-9, 1};
  fit(learner, options);
  options.inFlight = 10;
  EXPECT_CONTAINS(errorOf(learner, options), "in_flight: was 4, is 10");
}

TEST_F(KeptFitTest, FilesSayOfRunsWhatThePlanSays) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp", 2);
  options.runs = 3;
  options.hypers["lr"] = {0.5, 0.25, 0.125};
  options.patience = {0, 2, 0};
  options.maxSteps = {INT64_MAX, INT64_MAX, 5};
  options.columns = {{"optimizer", {}, {"", "adam<lr = 0.5>", ""}},
                     {"batch_size", {NAN, 4, NAN}, {}}};
  fit(learner, options);
  Expected<CsvTable> table = open("exp").readTable();
  ASSERT_TRUE(table) << table.error().message();
  std::vector<std::vector<std::string>> cells;
  for (std::vector<std::string> row : table->rows)
    cells.emplace_back(row.begin(), row.begin() + 7);
  EXPECT_EQ(std::vector<std::string>(table->columns.begin(),
                                     table->columns.begin() + 7),
            (std::vector<std::string>{"run", "seed", "optimizer", "batch_size",
                                      "patience", "max_steps", "lr"}));
  EXPECT_EQ(cells, (std::vector<std::vector<std::string>>{
                       {"0", "0", "", "", "", "", "0.5"},
                       {"1", "1", "adam<lr = 0.5>", "4", "2", "", "0.25"},
                       {"2", "2", "", "", "", "5", "0.125"}}));
  std::string first = readBytes(directory.file("exp/runs/0000/hparams.yaml"));
  std::string second = readBytes(directory.file("exp/runs/0001/hparams.yaml"));
  EXPECT_EQ(first.find("optimizer"), std::string::npos) << first;
  EXPECT_EQ(first.find("patience"), std::string::npos) << first;
  EXPECT_EQ(first.find("max_steps"), std::string::npos) << first;
  EXPECT_CONTAINS(second, "optimizer: \"adam<lr = 0.5>\"\npatience: 2\n");
  for (const char *name :
       {"optimizer", "adam<lr = 0.5>", "batch_size", "patience"}) {
    EXPECT_EQ(eventsFileOf("0000").find(name), std::string::npos) << name;
    EXPECT_NE(eventsFileOf("0001").find(name), std::string::npos) << name;
  }
  EXPECT_CONTAINS(eventsFileOf("0002"), "max_steps");
  // The same program may come from another file, other words are another plan.
  options.columns.push_back({"model", {}, {"a.mlir", "a.mlir", "b.mlir"}});
  options.experiment.path = directory.file("moved");
  fit(learner, options);
  options.columns.back().texts = {"c.mlir", "c.mlir", "d.mlir"};
  EXPECT_EQ(fit(learner, options).runSteps, 0);
  options.columns[0].texts[2] = "sgd";
  EXPECT_CONTAINS(errorOf(learner, options),
                  "columns.optimizer of run 2: was null, is \"sgd\"");
  options.columns = {{"lr", {1, 2, 3}, {}}};
  EXPECT_EQ(errorOf(learner, options),
            "FitOptions::columns: there is another column 'lr'");
  options.columns = {{"a\nb", {1, 2, 3}, {}}};
  EXPECT_CONTAINS(errorOf(learner, options),
                  "FitOptions::columns: 'a\nb' is no name: it has U+000A");
  options.columns = {{"note", {}, {"one", "two"}}};
  EXPECT_EQ(errorOf(learner, options),
            "FitOptions::columns: 'note' has 2 cells for 3 runs");
}

/// A tensor as read_experiment.py prints it.
static std::string describe(int64_t run, const std::string &name,
                            const Tensor &tensor) {
  std::string shape;
  for (int64_t extent : tensor.shape())
    shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
  return std::to_string(run) + " " + name + " float32 [" + shape + "] " +
         std::to_string(crc32Of(tensor.bytes(), tensor.sizeInBytes())) + "\n";
}

TEST_F(KeptFitTest, OtherProgramsReadIt) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.hypers["lr"][3] = 1e30;
  options.hypers["lr"][4] = 1e-05;
  options.recordEvery = 2;
  options.validateEvery = 3;
  fit(learner, options);
  PythonResult result =
      runPython(ENSC_SOURCE_DIR "/test/unit/Experiment/read_experiment.py",
                directory.file("exp"));
  if (result.code == 77)
    GTEST_SKIP() << "a package is not installed: " << result.output;
  EXPECT_EQ(result.code, 0) << result.output;
  std::vector<std::string> names = learner.stateNames();
  std::sort(names.begin(), names.end());
  std::string expected;
  for (int64_t run = 0; run < options.runs; ++run)
    for (const std::string &name : names)
      expected += describe(run, name, *learner.parameter(run, name));
  EXPECT_TRUE(result.output == expected);
}

TEST_F(KeptFitTest, ACompleteExperimentIsReadAndNotTrained) {
  Learner learner = makeLearner();
  FitReport first = fit(learner, makeOptions("exp"));
  auto files = filesOf(directory.file("exp"));
  for (bool hasCheckpoints : {true, false}) {
    if (!hasCheckpoints)
      fs::remove_all(directory.file("exp/checkpoints"));
    FitReport again = fit(learner, makeOptions("exp"));
    EXPECT_EQ(again.runSteps, 0);
    ASSERT_EQ(again.runs.size(), first.runs.size());
    for (size_t i = 0; i < again.runs.size(); ++i)
      expectSameReport(again.runs[i], first.runs[i]);
    EXPECT_TRUE(filesOf(directory.file("exp")) == files);
  }
}

TEST_F(KeptFitTest, AnotherPlanIsRefused) {
  Learner learner = makeLearner();
  fit(learner, makeOptions("exp"));
  FitOptions options = makeOptions("exp");
  options.hypers["lr"][4] = 0.5;
  options.seed = 3;
  std::string message = errorOf(learner, options);
  EXPECT_CONTAINS(message, "columns.lr of run 4: was 0.005, is 0.5");
  EXPECT_CONTAINS(message, "columns.seed of run 1: was 1, is 4");
  EXPECT_CONTAINS(message, "columns.seed: 8 more runs differ");
  auto [x, y] = tinyData(tinyRows, 5);
  ASSERT_TRUE(learner.setData("x", x));
  EXPECT_CONTAINS(errorOf(learner, makeOptions("exp")), "data 'x'.crc32: was");
  giveTinyData(learner);
  // What decides nothing may change.
  options = makeOptions("exp");
  options.threads = 1;
  options.schedule = RunSchedule::Solo;
  options.inFlight = 3;
  options.experiment.keepCheckpoints = 7;
  EXPECT_EQ(fit(learner, options).runSteps, 0);
}

TEST_F(KeptFitTest, CallbacksArePartOfAPlanWhereRunsWait) {
  Learner learner = makeLearner();
  FitOptions options;
  // Callbacks may come and go where no runs wait.
  Callback look = {2, [](Population &) { return Status::success(); }};
  for (int64_t inFlight : {10, 4}) {
    options = makeOptions("callbacks" + std::to_string(inFlight));
    options.inFlight = inFlight;
    options.callbacks = {look};
    fit(learner, options);
    EXPECT_EQ(fit(learner, options).runSteps, 0);
    options.callbacks.clear();
    if (inFlight == 10)
      EXPECT_EQ(fit(learner, options).runSteps, 0);
    else
      EXPECT_CONTAINS(errorOf(learner, options), "callbacks: was [2], is null");
  }
  options.callbacks = {look};
  options.inFlight = 5;
  EXPECT_CONTAINS(errorOf(learner, options), "in_flight: was 4, is 5");
  options.inFlight = 4;
  options.syncEvery = 3;
  EXPECT_CONTAINS(errorOf(learner, options), "sync_every: was 1, is 3");
}

TEST_F(KeptFitTest, GoesOnAfterAnError) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("whole");
  options.callbacks = {endAt(-1)};
  fit(learner, options);
  options = makeOptions("ended");
  for (int64_t tick : {2, 3, 6}) {
    options.callbacks = {endAt(tick)};
    EXPECT_EQ(errorOf(learner, options), "that is enough");
    EXPECT_EQ(open("ended").state(), ExperimentState::Halted);
    EXPECT_EQ(eventsOf("ended").back(), "interrupted");
    EXPECT_EQ(open("ended").readTable()->rows[0][3], "running");
    EXPECT_TRUE(open("ended").readState(4));
  }
  options.callbacks = {endAt(-1)};
  fit(learner, options);
  expectSame("ended", "whole");
  EXPECT_TRUE(warnings.empty());
  std::vector<std::string> events = eventsOf("ended");
  EXPECT_EQ(std::count(events.begin(), events.end(), "resumed"), 3);
  EXPECT_EQ(std::count(events.begin(), events.end(), "interrupted"), 3);
  EXPECT_EQ(events.back(), "finished");
}

#include "TestExperiment.h"
TEST_F(KeptFitTest, AFullDiskLosesNothing) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("whole", 60);
  options.callbacks = {endAt(-1)};
  fit(learner, options);
  options.experiment.path = directory.file("full");
  for (rlim_t bytes : {9000, 16000, 24000}) {
    FileSizeLimit limit(bytes);
    EXPECT_CONTAINS(errorOf(learner, options), "File too large");
  }
  EXPECT_FALSE(open("full").checkpoints().empty());
  fit(learner, options);
  EXPECT_TRUE(warnings.empty());
  expectSame("full", "whole");
}

TEST_F(KeptFitTest, ASmallFileSystemLosesNothing) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("whole", 20);
  options.callbacks = {endAt(-1)};
  fit(learner, options);
  std::string mount = directory.file("small");
  fs::create_directory(mount);
  // Only this thread sees it.
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("none", mount.c_str(), "tmpfs", 0, "size=160k") != 0)
    GTEST_SKIP() << "this user may not mount a file system";
  options.experiment.path = mount + "/exp";
  EXPECT_CONTAINS(errorOf(learner, options), "No space left on device");
  ASSERT_EQ(::mount("none", mount.c_str(), "tmpfs", MS_REMOUNT, "size=4m"), 0);
  EXPECT_FALSE(open("small/exp").checkpoints().empty());
  fit(learner, options);
  EXPECT_TRUE(warnings.empty());
  expectSame("small/exp", "whole");
  EXPECT_EQ(::umount(mount.c_str()), 0);
}

TEST_F(KeptFitTest, AnExperimentThatIsRemovedEndsTheFit) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.callbacks = {endAt(-1), {3, [&](Population &) {
                                     fs::remove_all(directory.file("exp"));
                                     return Status::success();
                                   }}};
  EXPECT_CONTAINS(errorOf(learner, options),
                  "exp' was removed while it trained");
  EXPECT_FALSE(fs::exists(directory.file("exp/checkpoints")));
  options.callbacks = {endAt(-1)};
  fit(learner, options);
  EXPECT_EQ(open("exp").state(), ExperimentState::Complete);
}

TEST_F(KeptFitTest, ManyStepsMayPassUntilACheckpointIsDue) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.callbacks = {endAt(-1)};
  options.experiment.checkpointSteps = INT64_MAX / 2;
  fit(learner, options);
  std::vector<std::string> events = eventsOf("exp");
  EXPECT_EQ(std::count(events.begin(), events.end(), "checkpoint"), 1);
}

TEST_F(KeptFitTest, TheBestRunsKeepTheirFiles) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.inFlight = 3;
  options.experiment.keepBest = 4;
  FitReport report = fit(learner, options);
  std::vector<std::pair<double, int64_t>> order;
  for (const RunReport &run : report.runs)
    order.emplace_back(-run.final[learner.monitor()], run.run);
  std::sort(order.begin(), order.end());
  ExperimentReader reader = open("exp");
  for (size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(reader.hasFinalState(order[i].second), i < 4);
    EXPECT_EQ(fs::exists(reader.runPath(order[i].second)), i < 4);
  }
}

TEST_F(KeptFitTest, AProgramWithoutTextIsKeptAndTold) {
  Learner learner = makeLearner({Executable(jit->program())});
  fit(learner, makeOptions("library"));
  EXPECT_EQ(open("library").programs().at(0).path, "");
  EXPECT_EQ(fit(learner, makeOptions("library")).runSteps, 0);
  Learner other = makeLearner();
  EXPECT_CONTAINS(errorOf(other, makeOptions("library")),
                  "started with another plan");
}

TEST_F(KeptFitTest, OneFitAtATime) {
  Learner learner = makeLearner(), other = makeLearner();
  FitOptions options = makeOptions("exp");
  std::string message;
  options.callbacks = {{4, [&](Population &) {
                          message = errorOf(other, makeOptions("exp"));
                          return Status::success();
                        }}};
  fit(learner, options);
  EXPECT_CONTAINS(message,
                  "process " + std::to_string(::getpid()) + " works on it");
}

TEST_F(KeptFitTest, ARunAloneHasItsRow) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("all");
  fit(learner, options);
  options = makeOptions("one");
  options.onlyRun = 7;
  fit(learner, options);
  Expected<CsvTable> all = open("all").readTable(),
                     one = open("one").readTable();
  ASSERT_EQ(one->rows.size(), 1u);
  EXPECT_EQ(one->rows[0], all->rows[7]);
  EXPECT_EQ(readBytes(directory.file("one/runs/0007/metrics.csv")),
            readBytes(directory.file("all/runs/0007/metrics.csv")));
}
