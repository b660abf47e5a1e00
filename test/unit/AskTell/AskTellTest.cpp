//===- AskTellTest.cpp - Tests of training as others ask for it -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/AskTell/AskTell.h"

#include "TinyLearner.h"

#include "ensc/Artifact/JsonLines.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
/// A peer that says its lines, and at the ticks of a batch what a test wants.
class ScriptedPeer : public LineChannel {
public:
  explicit ScriptedPeer(std::vector<std::string> lines)
      : lines(lines.begin(), lines.end()) {}

  Expected<std::optional<std::string>> read() override {
    if (lines.empty())
      return std::optional<std::string>();
    std::string line = lines.front();
    lines.pop_front();
    return std::optional<std::string>(line);
  }

  Status write(const std::string &line) override {
    heard.push_back(Json::parse(line));
    const Json &json = heard.back();
    if (!json.contains("waiting"))
      return Status::success();
    int64_t tick = json["waiting"].get<int64_t>();
    if (tick == leaveAt) {
      lines.clear();
      return Status::success();
    }
    lines.push_front("{\"continue\": true}");
    for (const std::string &id : stopAt[tick])
      lines.push_front("{\"stop\": " + id + "}");
    return Status::success();
  }

  /// The lines that have this key.
  std::vector<Json> heardWith(const char *key) const {
    std::vector<Json> found;
    for (const Json &line : heard)
      if (line.contains(key))
        found.push_back(line);
    return found;
  }

  std::deque<std::string> lines;
  std::vector<Json> heard;
  std::map<int64_t, std::vector<std::string>> stopAt;
  int64_t leaveAt = -1;
};

class NoSearch : public Search {
public:
  std::string describe() const override { return "{}"; }
  int64_t nextSync(int64_t) const override { return never; }
  Status decide(Population &) override { return Status::success(); }
};

class AskTellTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    Compiler compiler(test::tinyOptions());
    program = new Executable(std::move(*compiler.compileFile(ENSC_TINY_MODEL)));
  }
  static void TearDownTestSuite() { delete program; }

  void SetUp() override {
    options.directory = ::testing::TempDir() + "AskTellTest";
    std::filesystem::remove_all(options.directory);
    options.fit.epochs = 4;
    options.fit.threads = 1;
    options.makeLearner = [](const Plan &) -> Expected<Learner> {
      Expected<Learner> learner = Learner::create(*program);
      if (learner)
        test::giveTinyData(*learner);
      return learner;
    };
  }
  void TearDown() override { std::filesystem::remove_all(options.directory); }

  /// What goes wrong, or nothing.
  std::string serve(ScriptedPeer &peer) {
    Expected<AskTellSummary> summary = serveAskTell(options, peer);
    return summary ? "" : summary.error().message();
  }

  AskTellOptions options;
  static Executable *program;
};
Executable *AskTellTest::program = nullptr;

const std::vector<std::string> twoRuns = {
    "{\"ask\": {\"lr\": 0.01}, \"id\": 5}",
    "{\"ask\": {\"lr\": 0.02}, \"id\": \"b\"}", "{\"train\": true}"};

std::vector<std::string> operator+(std::vector<std::string> a,
                                   const std::vector<std::string> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
} // namespace

TEST_F(AskTellTest, GreetsWithWhatCanBeAsked) {
  ScriptedPeer peer({"{\"finish\": true}"});
  EXPECT_EQ(serve(peer), "");
  ASSERT_EQ(peer.heard.size(), 2u);
  const Json &ready = peer.heard[0]["ready"];
  EXPECT_EQ(ready["learner"], "tiny");
  EXPECT_EQ(ready["hypers"][0],
            Json::parse("{\"name\":\"lr\",\"default\":0.01,\"at_least\":0.0}"))
      << ready["hypers"][0];
  EXPECT_EQ(ready["batches"], 0);
  EXPECT_EQ(peer.heard[1], Json({{"finished", 0}}));
}

TEST_F(AskTellTest, RunsAreThoseOfAFit) {
  ScriptedPeer peer(twoRuns);
  ASSERT_EQ(serve(peer), "");
  Expected<Learner> learner = Learner::create(*program);
  test::giveTinyData(*learner);
  FitOptions fit = options.fit;
  fit.runs = 2;
  fit.hypers["lr"] = {0.01, 0.02};
  Expected<FitReport> report = learner->fit(fit);
  ASSERT_TRUE(report) << report.error().message();
  std::vector<Json> ended = peer.heardWith("status");
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0]["id"], 5);
  EXPECT_EQ(ended[1]["id"], "b");
  EXPECT_EQ(ended[1]["seed"], 1);
  for (size_t run = 0; run < 2; ++run)
    EXPECT_EQ(ended[run]["final"]["loss"].get<double>(),
              report->runs[run].final[0]);
  // A report of each run after each epoch, but the last.
  std::vector<Json> steps = peer.heardWith("step");
  ASSERT_EQ(steps.size(), 6u);
  EXPECT_EQ(steps[1]["id"], "b");
  EXPECT_EQ(steps[1]["step"], 3);
  EXPECT_EQ(steps[1]["loss"].get<double>(),
            report->runs[1].epochs[0].values[0]);
  EXPECT_EQ(peer.heardWith("waiting").size(), 3u);
}

TEST_F(AskTellTest, ThePeerStopsRuns) {
  ScriptedPeer peer(twoRuns);
  peer.stopAt[2] = {"5"};
  peer.stopAt[3] = {"5"};
  ASSERT_EQ(serve(peer), "");
  std::vector<Json> ended = peer.heardWith("status");
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0]["status"], "stopped");
  EXPECT_EQ(ended[0]["reason"], "asked");
  EXPECT_EQ(ended[0]["steps"], 6);
  EXPECT_EQ(ended[1]["status"], "completed");
  EXPECT_EQ(peer.heardWith("step").size(), 5u);
}

TEST_F(AskTellTest, SeedsCountThroughBatches) {
  ScriptedPeer peer(twoRuns + twoRuns);
  ASSERT_EQ(serve(peer), "");
  std::vector<Json> ended = peer.heardWith("status");
  ASSERT_EQ(ended.size(), 4u);
  EXPECT_EQ(ended[2]["seed"], 2);
  EXPECT_EQ(ended[3]["seed"], 3);
}

TEST_F(AskTellTest, TheSameLinesGetTheSameAnswers) {
  std::vector<std::string> lines = twoRuns + twoRuns;
  ScriptedPeer peer(lines);
  peer.stopAt[2] = {"5"};
  ASSERT_EQ(serve(peer), "");
  options.makeLearner = [made = 0, make = options.makeLearner](
                            const Plan &plan) mutable -> Expected<Learner> {
    EXPECT_EQ(made++, 0) << "only what can be asked is looked up";
    return make(plan);
  };
  ScriptedPeer again(lines);
  again.stopAt[2] = {"5"};
  ASSERT_EQ(serve(again), "");
  EXPECT_EQ(again.heard.front()["ready"]["batches"], 2);
  peer.heard.erase(peer.heard.begin());
  again.heard.erase(again.heard.begin());
  EXPECT_EQ(peer.heard, again.heard);
}

TEST_F(AskTellTest, GoesOnWhereThePeerLeft) {
  ScriptedPeer whole(twoRuns);
  whole.stopAt[3] = {"\"b\""};
  ASSERT_EQ(serve(whole), "");
  for (int64_t tick : {1, 3}) {
    std::filesystem::remove_all(options.directory);
    ScriptedPeer leaving(twoRuns);
    leaving.leaveAt = tick;
    leaving.stopAt = whole.stopAt;
    EXPECT_EQ(serve(leaving), "the other side left in the middle of a batch; "
                              "the same command goes on from here");
    ScriptedPeer again(twoRuns);
    again.stopAt = whole.stopAt;
    ASSERT_EQ(serve(again), "");
    EXPECT_EQ(whole.heard, again.heard) << tick;
  }
}

TEST_F(AskTellTest, OtherLinesAreRefused) {
  ScriptedPeer peer(twoRuns);
  ASSERT_EQ(serve(peer), "");
  ScriptedPeer other(
      {"{\"ask\": {\"lr\": 0.5}, \"id\": 5}", "{\"train\": true}"});
  EXPECT_EQ(serve(other),
            "batch 0: another batch is asked for than before in " +
                options.directory +
                "; take another directory, or start over with "
                "--fresh");
  ScriptedPeer stopping(twoRuns);
  stopping.stopAt[1] = {"5"};
  EXPECT_NE(
      serve(stopping).find("other runs are stopped at tick 1 than before"),
      std::string::npos);
  options.fit.epochs = 5;
  ScriptedPeer longer(twoRuns);
  EXPECT_EQ(serve(longer), options.directory +
                               " was begun with another plan\n"
                               "  epochs: was 4, is 5\n"
                               "take another directory, or start over with "
                               "--fresh");
}

TEST_F(AskTellTest, OtherProgramsDataAndOptionsAreRefused) {
  ScriptedPeer peer(twoRuns);
  ASSERT_EQ(serve(peer), "");
  const AskTellOptions same = options;
  auto expectRefused = [&](const std::string &difference) {
    ScriptedPeer again(twoRuns);
    std::string message = serve(again);
    EXPECT_NE(message.find("was begun with another plan"), std::string::npos)
        << message;
    EXPECT_NE(message.find(difference), std::string::npos) << message;
    EXPECT_TRUE(again.heard.empty());
    options = same;
  };
  options.fit.recordEvery = 2;
  expectRefused("tiny.mlir'.record_steps: was 3, is 2");
  options.fit.goal = Goal{"val_loss", true, 0.1, 1};
  expectRefused("goal: was null, is {");
  options.fit.dataSeed = 4;
  expectRefused("data_seed: was 0, is 4");
  options.makeLearner = [&](const Plan &plan) {
    Expected<Learner> learner = same.makeLearner(plan);
    EXPECT_TRUE(learner->setData("x", test::tinyData(test::tinyRows, 9).first));
    return learner;
  };
  expectRefused("data 'x'.crc32: was ");
  CompileOptions compileOptions = test::tinyOptions();
  compileOptions.optimizer = "sgd";
  Compiler compiler(compileOptions);
  Expected<Executable> other = compiler.compileFile(ENSC_TINY_MODEL);
  ASSERT_TRUE(other) << other.error().message();
  options.makeLearner = [&](const Plan &) -> Expected<Learner> {
    Expected<Learner> learner = Learner::create(*other);
    if (learner)
      test::giveTinyData(*learner);
    return learner;
  };
  expectRefused("tiny.mlir'.options.optimizer: was null, is \"sgd\"");
  // What decides nothing may change.
  options.fit.threads = 2;
  options.fit.schedule = RunSchedule::Solo;
  ScriptedPeer again(twoRuns);
  EXPECT_EQ(serve(again), "");
}

TEST_F(AskTellTest, APeerMayRememberBatches) {
  ScriptedPeer peer(twoRuns + twoRuns);
  ASSERT_EQ(serve(peer), "");
  ScriptedPeer again({"{\"from\": 3}", "{\"from\": 2}",
                      "{\"ask\": {}, \"id\": 9}", "{\"train\": true}"});
  ASSERT_EQ(serve(again), "");
  EXPECT_EQ(again.heard[1]["error"], "{\"from\": N} comes first, with N from 0 "
                                     "to 2");
  std::vector<Json> ended = again.heardWith("status");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["seed"], 4);
  EXPECT_EQ(again.heardWith("trained")[0]["trained"], 2);
}

TEST_F(AskTellTest, WhatMakesNoSenseIsAnswered) {
  const std::vector<std::pair<std::vector<std::string>, const char *>> cases = {
      {{"lr"}, "expected a JSON object, found lr"},
      {{"{\"ask\": {\"lr\": " + std::string(100000, '[')},
       "expected a JSON object, found {\"ask\""},
      {{"{\"ask\": {}}"}, "expected {\"ask\": {..}, \"id\": ID}"},
      {{"{\"ask\": {}, \"id\": 1.5}"}, "expected {\"ask\": {..}, \"id\": ID}"},
      {{"{\"train\": false}"}, "expected {\"ask\""},
      {{"{\"from\": -1}"}, "expected {\"ask\""},
      {{"{\"train\": true}"}, "nothing was asked for"},
      {{"{\"stop\": 1}"}, "no run is training"},
      {{"{\"ask\": {}, \"id\": 1}", "{\"ask\": {}, \"id\": 1}"},
       "the batch has a run 1 already"},
      {{"{\"ask\": {\"lrr\": 1}, \"id\": 1}", "{\"train\": true}"},
       "the batch: column 'lrr': the program has no hyper-parameter 'lrr'; did "
       "you mean 'lr'?"},
      {{"{\"ask\": {\"lr\": \"x\"}, \"id\": 1}", "{\"train\": true}"},
       "the batch: row 0, column 'lr': expected a finite number"},
      {{"{\"ask\": {\"lr\": [1]}, \"id\": 1}", "{\"train\": true}"},
       "expected a number or text, found an array"},
      {{"{\"ask\": {\"lr\": -1}, \"id\": 1}", "{\"train\": true}"},
       "the batch: row 0, column 'lr': must be at least 0, got -1; the batch "
       "is "
       "dropped"}};
  for (const auto &[lines, message] : cases) {
    std::filesystem::remove_all(options.directory);
    ScriptedPeer peer(lines);
    ASSERT_EQ(serve(peer), "") << lines.front();
    std::vector<Json> errors = peer.heardWith("error");
    ASSERT_EQ(errors.size(), 1u) << lines.front();
    std::string said = errors[0]["error"].get<std::string>();
    EXPECT_NE(said.find(message), std::string::npos) << said;
  }
}

TEST_F(AskTellTest, WhatIsLeftOutHasItsDefault) {
  ScriptedPeer peer({"{\"ask\": {\"lr\": 0.02, \"seed\": 3}, \"id\": 1}",
                     "{\"ask\": {\"beta1\": 0.9, \"seed\": 4}, \"id\": 2}",
                     "{\"ask\": {\"lr\": 0.01, \"seed\": 4}, \"id\": 3}",
                     "{\"train\": true}"});
  ASSERT_EQ(serve(peer), "");
  std::vector<Json> ended = peer.heardWith("status");
  ASSERT_EQ(ended.size(), 3u);
  EXPECT_NE(ended[0]["final"], ended[1]["final"]);
  EXPECT_EQ(ended[1]["final"], ended[2]["final"]);
}

TEST_F(AskTellTest, DroppedBatchesLeaveNoTrace) {
  std::vector<std::string> bad = {"{\"ask\": {\"lr\": -1}, \"id\": 1}",
                                  "{\"train\": true}"};
  ScriptedPeer peer(bad + twoRuns), calm(twoRuns);
  ASSERT_EQ(serve(peer), "");
  ASSERT_EQ(serve(calm), "");
  EXPECT_EQ(peer.heardWith("status"), calm.heardWith("status"));
}

TEST_F(AskTellTest, WhatMakesNoSenseWhileRunsTrainIsAnswered) {
  std::vector<std::string> lines = twoRuns;
  ScriptedPeer peer(lines);
  peer.stopAt[1] = {"7"};
  ASSERT_EQ(serve(peer), "");
  EXPECT_EQ(peer.heardWith("error")[0]["error"],
            "no run of this batch is called 7");
  EXPECT_EQ(peer.heardWith("status")[0]["status"], "completed");
}

TEST_F(AskTellTest, AForeignLogIsRefused) {
  std::filesystem::create_directories(options.directory);
  std::ofstream(options.directory + "/ask-tell.jsonl")
      << "{\"begin\": {}}\n[]\n";
  ScriptedPeer peer(twoRuns);
  EXPECT_EQ(serve(peer), options.directory +
                             "/ask-tell.jsonl: line 2 is no part of a "
                             "dialogue, or out of place");
}

TEST_F(AskTellTest, LogsOutOfOrderAreRefused) {
  const std::string begin = "{\"begin\": {}}\n", ended = "{\"ended\": []}\n",
                    tick = "{\"tick\": 1, \"reports\": [], \"stops\": []}\n";
  auto batch = [](int number, const char *ids = "[]") {
    return "{\"batch\": " + std::to_string(number) + ", \"ids\": " + ids +
           ", \"asks\": []}\n";
  };
  const std::pair<std::string, int> cases[] = {
      {batch(0), 1},
      {"{\"begin\": 1}\n", 1},
      {begin + begin, 2},
      {begin + ended, 2},
      {begin + tick, 2},
      {begin + batch(1), 2},
      {begin + batch(0, "[1]"), 2},
      {begin + batch(0) + batch(0), 3},
      {begin + batch(0) + batch(1), 3},
      {begin + batch(0) + tick + begin, 4},
      {begin + batch(0) + ended + ended, 4},
      {begin + batch(0) + ended + batch(0), 4},
      {begin + batch(0) + "{\"ended\": [], \"tick\": 1}\n", 3}};
  std::filesystem::create_directories(options.directory);
  for (const auto &[text, line] : cases) {
    std::ofstream(options.directory + "/ask-tell.jsonl") << text;
    ScriptedPeer peer(twoRuns);
    EXPECT_EQ(serve(peer), options.directory + "/ask-tell.jsonl: line " +
                               std::to_string(line) +
                               " is no part of a dialogue, or out of place")
        << text;
  }
}

TEST_F(AskTellTest, ADirectoryThatWasOnlyLockedIsUsed) {
  std::filesystem::create_directories(options.directory);
  std::ofstream(options.directory + "/lock").flush();
  ScriptedPeer peer(twoRuns);
  EXPECT_EQ(serve(peer), "");
  EXPECT_EQ(peer.heardWith("trained").size(), 1u);
}

TEST_F(AskTellTest, OtherDirectoriesAreRefusedAndOldOnesMovedAside) {
  std::filesystem::create_directories(options.directory + "/sub");
  ScriptedPeer peer({});
  EXPECT_EQ(serve(peer), "cannot use '" + options.directory +
                             "': it holds something else; name another "
                             "directory");
  std::filesystem::remove(options.directory + "/sub");
  ScriptedPeer first({}), second({});
  EXPECT_EQ(serve(first), "");
  options.fit.epochs = 5;
  options.fit.experiment.fresh = true;
  EXPECT_EQ(serve(second), "");
  std::string old = options.directory + ".old-1";
  EXPECT_TRUE(std::filesystem::exists(old + "/ask-tell.jsonl"));
  std::filesystem::remove_all(old);
}

TEST_F(AskTellTest, OptionsAreChecked) {
  ScriptedPeer peer({});
  options.every = 0;
  EXPECT_EQ(serve(peer),
            "the records between two reports must be at least 1, got 0");
  options.every = 1;
  options.fit.search = std::make_shared<NoSearch>();
  EXPECT_EQ(serve(peer), "a peer decides which runs go on: there can be no "
                         "other search");
}
