//===- GoOnTest.cpp - Fits that go on with more epochs or after damage ----===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptFit.h"
#include "TestExperiment.h"

#include <atomic>
#include <nlohmann/json.hpp>

using namespace ensc;
using namespace ensc::test;
namespace fs = std::filesystem;

TEST_F(KeptFitTest, EpochsGrow) {
  Learner learner = makeLearner();
  fit(learner, makeOptions("grown", 5));
  std::string plan = readBytes(directory.file("grown/plan.json"));
  fit(learner, makeOptions("grown", 8));
  fit(learner, makeOptions("whole", 8));
  expectGrown("grown", "whole");
  EXPECT_EQ(readBytes(directory.file("grown/plan.json")), plan);
  EXPECT_EQ(open("grown").epochs(), 8);
  EXPECT_CONTAINS(errorOf(learner, makeOptions("grown", 7)),
                  "epochs: was 8, is 7; they may only grow");
  EXPECT_CONTAINS(errorOf(learner, makeOptions("grown", 4)),
                  "epochs: was 5, is 4; they may only grow");
  EXPECT_EQ(fit(learner, makeOptions("grown", 8)).runSteps, 0);
}

TEST_F(KeptFitTest, EpochsGrowWhereRunsEndByThemselves) {
  Learner learner = makeLearner();
  auto optionsOf = [&](const std::string &name, int64_t epochs) {
    FitOptions options = makeOptions(name, epochs);
    // 3 steps are an epoch.
    options.maxSteps = {6, 15, 24, 7, 6, 15, 100, 100, 100, 100};
    options.patience = {1};
    for (int64_t run = 4; run < options.runs; ++run)
      options.hypers["lr"][run] = run;
    return options;
  };
  for (int64_t epochs : {2, 3, 5, 9, 20})
    if (epochs != 3) {
      fit(learner, optionsOf("grown", epochs));
      fit(learner, optionsOf("whole" + std::to_string(epochs), epochs));
      expectGrown("grown", "whole" + std::to_string(epochs));
    } else {
      // An interruption of the longer fit.
      FitOptions options = optionsOf("grown", 5);
      std::atomic<bool> flag = true;
      options.interrupt = &flag;
      EXPECT_CONTAINS(errorOf(learner, options), "interrupted");
    }
  EXPECT_TRUE(warnings.empty());
}

TEST_F(KeptFitTest, ARefusedGrowthChangesNothing) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp", 5);
  options.recordEvery = 4;
  fit(learner, options);
  auto files = filesOf(directory.file("exp"));
  std::string events = readBytes(directory.file("exp/events.jsonl"));
  for (int attempt = 0; attempt < 2; ++attempt) {
    options.epochs = 7;
    EXPECT_CONTAINS(errorOf(learner, options), "cannot grow: run 0 ended");
    options.epochs = 5;
    EXPECT_EQ(fit(learner, options).runSteps, 0);
    EXPECT_TRUE(filesOf(directory.file("exp")) == files);
    EXPECT_EQ(readBytes(directory.file("exp/events.jsonl")), events);
  }
}

TEST_F(KeptFitTest, EpochsDoNotGrowWhereResultsWouldDiffer) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("records");
  options.recordEvery = 5;
  fit(learner, options);
  options.epochs = 10;
  EXPECT_CONTAINS(errorOf(learner, options),
                  "run 0 ended after 24 steps, but records with validation "
                  "are made every 5");
  options = makeOptions("places");
  options.inFlight = 4;
  fit(learner, options);
  options.epochs = 10;
  EXPECT_CONTAINS(errorOf(learner, options),
                  "another run has taken the memory of run");
}

TEST_F(KeptFitTest, OtherRunsMayBeTheBestAfterMoreEpochs) {
  Learner learner = makeLearner();
  for (int64_t epochs : {2, 5, 9}) {
    FitOptions options = makeOptions("grown", epochs);
    options.experiment.keepBest = 3;
    fit(learner, options);
    options.experiment.path = directory.file("whole" + std::to_string(epochs));
    fit(learner, options);
    expectGrown("grown", "whole" + std::to_string(epochs));
  }
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

TEST_F(KeptFitTest, PassesOverADamagedCheckpoint) {
  Learner learner = makeLearner();
  FitOptions options = leaveHalted(learner, "damaged");
  std::vector<std::string> names = open("damaged").checkpoints();
  ASSERT_GE(names.size(), 2u);
  fs::resize_file(
      directory.file("damaged/checkpoints/" + names[0] + "/0.safetensors"),
      100);
  fit(learner, options);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_CONTAINS(warnings[0], names[0] + "/0.safetensors' is damaged");
  EXPECT_CONTAINS(warnings[0], "the checkpoint " + names[1] + " is used");
  expectSame("damaged", "whole");
}

/// Damages the first file of each of some checkpoints.
static void damage(const std::string &checkpoints,
                   const std::vector<std::string> &names) {
  for (const std::string &name : names)
    fs::resize_file(checkpoints + "/" + name + "/0.safetensors", 100);
}

TEST_F(KeptFitTest, StartsOverWhereNoCheckpointIsIntact) {
  Learner learner = makeLearner();
  FitOptions options = leaveHalted(learner, "damaged");
  std::vector<std::string> names = open("damaged").checkpoints();
  damage(directory.file("damaged/checkpoints"), names);
  fit(learner, options);
  ASSERT_EQ(warnings.size(), names.size());
  EXPECT_CONTAINS(warnings[0], "training starts over");
  EXPECT_CONTAINS(resumed, "starts over");
  expectSame("damaged", "whole");
  for (const std::string &name : names)
    EXPECT_TRUE(
        fs::exists(directory.file("damaged/checkpoints/damaged-" + name)));
}

TEST_F(KeptFitTest, LostRecordsLoseNoCheckpoint) {
  Learner learner = makeLearner();
  FitOptions options = leaveHalted(learner, "cut");
  std::vector<std::string> names = open("cut").checkpoints();
  std::string path = directory.file("cut/metrics.csv"),
              intact = readBytes(path);
  writeBytes(path, intact.substr(0, 60));
  std::string message = errorOf(learner, options);
  EXPECT_CONTAINS(message, "metrics.csv has ");
  EXPECT_CONTAINS(message, "at the checkpoint " + names[0] + ";");
  EXPECT_CONTAINS(message, "put the file back, or start over with --fresh");
  // A file that cannot be read now may be intact.
  fs::remove(path);
  fs::create_symlink("metrics.csv", path);
  EXPECT_CONTAINS(errorOf(learner, options), "symbolic links");
  fs::remove(path);
  EXPECT_EQ(open("cut").checkpoints(), names);
  writeBytes(path, intact);
  fit(learner, options);
  EXPECT_CONTAINS(resumed,
                  "goes on from checkpoint " + names[0] + " (75 % of ");
  EXPECT_TRUE(warnings.empty());
  expectSame("cut", "whole");
}

TEST_F(KeptFitTest, CheckpointsThatCannotBeReadAreNotLost) {
  Learner learner = makeLearner();
  FitOptions options = leaveHalted(learner, "closed");
  std::string newest = directory.file("closed/checkpoints/") +
                       open("closed").checkpoints().front();
  for (std::string file : {"/0.safetensors", "/state.json"}) {
    fs::rename(newest + file, newest + ".moved");
    fs::create_symlink(newest + file, newest + file);
    EXPECT_CONTAINS(errorOf(learner, options), "symbolic links");
    fs::remove(newest + file);
    fs::rename(newest + ".moved", newest + file);
  }
  fit(learner, options);
  EXPECT_TRUE(warnings.empty());
  expectSame("closed", "whole");
}

TEST_F(KeptFitTest, ACompleteExperimentIsReadWithoutItsLastCheckpoint) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.callbacks = {endAt(-1)};
  FitReport first = fit(learner, options);
  auto files = filesOf(directory.file("exp"));
  std::vector<std::string> names = open("exp").checkpoints();
  // The one before was made when all runs had just ended.
  ASSERT_EQ(names.size(), 3u);
  damage(directory.file("exp/checkpoints"), {names[0], names[1]});
  FitReport again = fit(learner, options);
  EXPECT_EQ(again.runSteps, 0);
  for (size_t i = 0; i < again.runs.size(); ++i)
    expectSameReport(again.runs[i], first.runs[i]);
  ASSERT_EQ(warnings.size(), names.size());
  EXPECT_CONTAINS(warnings[0], "the results are those of runs.csv");
  EXPECT_TRUE(filesOf(directory.file("exp")) == files);
  fs::remove(directory.file("exp/runs.csv"));
  EXPECT_CONTAINS(errorOf(learner, options), "start over with --fresh");
}

TEST_F(KeptFitTest, LostFilesOfACompleteExperimentAreWrittenAgain) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.hypers["lr"][6] = 1e30; // Diverges.
  fit(learner, options);
  auto files = filesOf(directory.file("exp"));
  std::string events = readBytes(directory.file("exp/events.jsonl"));
  auto lose = [&](const std::vector<std::string> &names) {
    for (const std::string &name : names)
      fs::remove_all(directory.file("exp/" + name));
    resumed.clear();
    fit(learner, options);
    EXPECT_TRUE(filesOf(directory.file("exp")) == files);
    EXPECT_EQ(readBytes(directory.file("exp/events.jsonl")), events);
  };
  lose({"runs.csv"});
  EXPECT_CONTAINS(resumed,
                  "exp: wrote runs.csv again, which was missing or damaged");
  lose({"runs/0002/final.safetensors"});
  EXPECT_CONTAINS(resumed, "exp: wrote runs/0002/final.safetensors again");
  lose({"runs/0006/status.json", "runs/0003/metrics.csv"});
  EXPECT_CONTAINS(resumed,
                  "wrote runs/0003/metrics.csv, runs/0006/status.json again");
  lose({"runs", "runs.csv"});
  EXPECT_CONTAINS(resumed, " and 48 more again");
  // A process that wrote some again died meanwhile.
  writeBytes(directory.file("exp/.runs.csv.1.0.tmp"), "run,");
  writeBytes(directory.file("exp/runs/0002/.final.safetensors.1.1.tmp"), "?");
  lose({"runs/0002/final.safetensors"});
  EXPECT_TRUE(warnings.empty());
}

TEST_F(KeptFitTest, DamagedFilesOfACompleteExperimentAreWrittenAgain) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  fit(learner, options);
  auto files = filesOf(directory.file("exp"));
  std::string records = readBytes(directory.file("exp/metrics.csv"));
  EXPECT_EQ(open("exp").describeLostRecords(), std::nullopt);
  auto damage = [&](const std::string &name, const std::string &bytes) {
    writeBytes(directory.file("exp/" + name), bytes);
    resumed.clear();
    fit(learner, options);
    EXPECT_CONTAINS(resumed, "exp: wrote " + name +
                                 " again, which was missing or damaged");
    EXPECT_TRUE(filesOf(directory.file("exp")) == files);
  };
  std::string state = "runs/0002/final.safetensors";
  damage(state, readBytes(directory.file("exp/" + state)).substr(0, 100));
  damage("metrics.csv", records.substr(0, 300));
  damage("metrics.csv", "");
  EXPECT_TRUE(warnings.empty());
  // What runs have lost, too, is lost.
  writeBytes(directory.file("exp/metrics.csv"), records.substr(0, 300));
  fs::remove(directory.file("exp/runs/0003/metrics.csv"));
  EXPECT_CONTAINS(open("exp").describeLostRecords().value_or(""),
                  "exp/metrics.csv has ");
  fit(learner, options);
  EXPECT_FALSE(warnings.empty());
  EXPECT_EQ(readBytes(directory.file("exp/metrics.csv")),
            records.substr(0, 300));
}

TEST_F(KeptFitTest, OnlyFilesThatAreKeptAreWrittenAgain) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.experiment.keepBest = 3;
  fit(learner, options);
  auto files = filesOf(directory.file("exp"));
  fit(learner, options);
  EXPECT_EQ(resumed, "");
  fs::remove_all(directory.file("exp/runs"));
  fit(learner, options);
  EXPECT_TRUE(filesOf(directory.file("exp")) == files);
}

TEST_F(KeptFitTest, LostStatesThatNoCheckpointHasAreTold) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.inFlight = 4;
  fit(learner, options);
  fs::remove(directory.file("exp/runs/0000/final.safetensors"));
  fs::remove(directory.file("exp/runs/0009/final.safetensors"));
  fit(learner, options);
  EXPECT_CONTAINS(resumed, "wrote runs/0009/final.safetensors again");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_CONTAINS(warnings[0],
                  "runs/0000/final.safetensors is missing or damaged, and no "
                  "checkpoint has the state");
  // Nothing says what else there was.
  fs::remove_all(directory.file("exp/checkpoints"));
  fs::remove(directory.file("exp/runs/0001/status.json"));
  fit(learner, options);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_CONTAINS(warnings[2], "runs/0001/status.json is missing, and there is "
                               "no checkpoint to write it from");
}

TEST_F(KeptFitTest, AStateThatIsLostBeforeTheEndIsWrittenAgain) {
  Learner learner = makeLearner();
  auto optionsOf = [&](const std::string &name, int64_t end) {
    FitOptions options = makeOptions(name);
    options.maxSteps = {9, 24, 24, 24, 24, 24, 24, 24, 24, 24};
    options.callbacks = {endAt(end)};
    return options;
  };
  fit(learner, optionsOf("whole", -1));
  EXPECT_EQ(errorOf(learner, optionsOf("exp", 6)), "that is enough");
  fs::remove(directory.file("exp/runs/0000/final.safetensors"));
  fit(learner, optionsOf("exp", -1));
  EXPECT_CONTAINS(resumed, "wrote runs/0000/final.safetensors again");
  expectSame("exp", "whole");
}

TEST_F(KeptFitTest, TellsThatAnotherVersionGoesOn) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions("exp");
  options.callbacks = {endAt(3)};
  errorOf(learner, options);
  std::string plan = readBytes(directory.file("exp/plan.json"));
  writeBytes(directory.file("exp/plan.json"),
             replaced(plan, "\"ensc\": \"", "\"ensc\": \"0.0."));
  options.callbacks = {endAt(-1)};
  fit(learner, options);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_CONTAINS(warnings[0], "the experiment was begun by ensc 0.0.");
  EXPECT_CONTAINS(warnings[0], " and goes on with ");
  Expected<std::vector<Json>> events = open("exp").readEvents();
  ASSERT_TRUE(events) << events.error().message();
  for (const Json &event : *events)
    if (event["event"] == "started" || event["event"] == "resumed")
      EXPECT_CONTAINS(warnings[0], event["version"].get<std::string>());
  // A complete one is only read.
  fit(learner, options);
  EXPECT_EQ(warnings.size(), 1u);
}

//===----------------------------------------------------------------------===//
// Files that runs began with
//===----------------------------------------------------------------------===//

TEST_F(KeptFitTest, FilesThatRunsBeganWithMayGo) {
  Learner learner = makeLearner();
  fit(learner, makeOptions("first", 1));
  std::string state = directory.file("first/runs/0003/final.safetensors"),
              file = directory.file("begin.safetensors");
  auto optionsOf = [&](const std::string &name, int64_t inFlight, int64_t end) {
    FitOptions options = makeOptions(name);
    options.inFlight = inFlight;
    options.initialStates.assign(10, "");
    options.initialStates[0] = options.initialStates[9] = file;
    options.placeOf = [](int64_t run, const std::string &column) {
      return "rows.csv: row " + std::to_string(run) + ", column " + column;
    };
    options.callbacks = {endAt(end)};
    return options;
  };
  // Nothing vouches for it in another experiment.
  EXPECT_CONTAINS(errorOf(learner, optionsOf("new", 10, -1)),
                  "begin.safetensors': No such file or directory");
  EXPECT_FALSE(fs::exists(directory.file("new")));
  fs::copy_file(state, file);
  for (int64_t inFlight : {10, 4}) {
    std::string n = std::to_string(inFlight);
    fit(learner, optionsOf("whole" + n, inFlight, -1));
    EXPECT_EQ(errorOf(learner, optionsOf("gone" + n, inFlight, 6)),
              "that is enough");
  }
  fs::remove(file);
  fit(learner, optionsOf("gone10", 10, -1));
  expectSame("gone10", "whole10");
  EXPECT_EQ(fit(learner, optionsOf("gone10", 10, -1)).runSteps, 0);
  EXPECT_CONTAINS(errorOf(learner, optionsOf("gone4", 4, -1)),
                  "begin.safetensors' does not exist, but run 9, which has not "
                  "begun, needs it for its initial state; put the file back");
  EXPECT_CONTAINS(errorOf(learner, optionsOf("gone4", 4, -1)),
                  "rows.csv: row 9, column init: '");
  writeBytes(file, "something else");
  EXPECT_CONTAINS(errorOf(learner, optionsOf("gone4", 4, -1)), "malformed");
  fs::remove(file);
  fs::copy_file(state, file);
  fit(learner, optionsOf("gone4", 4, -1));
  expectSame("gone4", "whole4");
}
