//===- RunHistoryTest.cpp - Tests of what views know ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/RunHistory.h"

#include "../Experiment/TestExperiment.h"

#include "ensc/Report/Bands.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace ensc;

namespace {
class RunHistoryTest : public testing::Test {
protected:
  /// The history of an experiment with these files.
  RunHistory open(const std::string &metrics, size_t points = 8,
                  const std::string &plan = testPlan) {
    writeTestExperiment(path, plan, metrics);
    Expected<RunHistory> history = RunHistory::open(path, points);
    EXPECT_TRUE(history) << history.error().message();
    Status status = history->refresh();
    EXPECT_TRUE(status) << status.error().message();
    return std::move(*history);
  }

  TemporaryDirectory directory;
  std::string path = directory.file("exp");
};
} // namespace

/// Lines of metrics.csv: a run measured at each of `steps`.
static std::string linesOf(int run, const std::vector<int> &steps) {
  std::string text;
  for (int step : steps)
    text += std::to_string(run) + "," + std::to_string(step) + ",0," +
            std::to_string(run + step) + "," + std::to_string(run) + "\n";
  return text;
}

static const std::string header = "run,step,epoch,loss,val_accuracy\n";

TEST_F(RunHistoryTest, RecordsSayHowRunsStand) {
  RunHistory history = open(testMetrics);
  const RunTrack &run = history.runs()[0];
  EXPECT_EQ(run.status, RunStatus::Running);
  EXPECT_EQ(run.steps, 4);
  EXPECT_EQ(run.records, 2);
  EXPECT_EQ(run.latest, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(run.best, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(history.runs()[1].status, RunStatus::Pending);
  EXPECT_TRUE(std::isnan(history.runs()[1].best[0]));
  EXPECT_TRUE(std::isnan(history.runs()[2].latest[0]));
  EXPECT_EQ(history.state(), ExperimentState::Halted);
  EXPECT_EQ(history.bestRuns(1, 9), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(history.bestRuns(0, 9), (std::vector<int64_t>{0}));
  EXPECT_EQ(history.countStatuses(), (StatusCounts{2, 0, 0, 0, 0, 1}));
}

TEST_F(RunHistoryTest, ValuesThatWereNotComputedLeaveTheLatest) {
  RunHistory history =
      open(header + "0,2,0,0.5,0.75\n0,4,1,0.25,\n1,2,0,nan,nan\n");
  EXPECT_EQ(history.runs()[0].latest, (std::vector<double>{0.25, 0.75}));
  EXPECT_TRUE(std::isnan(history.runs()[1].latest[1]));
}

TEST_F(RunHistoryTest, ColumnsKnowWhatTheyHold) {
  RunHistory history =
      open("", 8,
           replaced(testPlan, "[0.1, null, 1e-05]",
                    R"([0.1, 0.001, 1e-05], "note": ["a", "", "b"],
                  "gap": [1, null, 3], "same": [2, 2, 2])"));
  const std::vector<HistoryColumn> &columns = history.columns();
  ASSERT_EQ(columns.size(), 5u);
  EXPECT_TRUE(columns[0].numeric && columns[0].varies);
  EXPECT_FALSE(columns[0].logarithmic);
  EXPECT_TRUE(columns[1].logarithmic);
  EXPECT_EQ(columns[2].texts, (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(columns[3].numeric);
  EXPECT_TRUE(std::isnan(columns[3].numbers[1]));
  EXPECT_FALSE(columns[4].varies);
}

TEST_F(RunHistoryTest, PlannedStepsEndWithTheRuns) {
  std::string plan = replaced(testPlan, "\"hash\": \"00\"",
                              "\"hash\": \"00\", \"steps_per_epoch\": 5");
  plan = replaced(plan, "\"lr\":", "\"max_steps\": [0, 3, 100], \"lr\":");
  RunHistory history = open(header + linesOf(0, {4}), 8, plan);
  EXPECT_EQ(history.plannedSteps(), 10 + 3 + 10);
  EXPECT_EQ(history.doneSteps(), 4);
  writeBytes(path + "/runs.csv",
             "run,seed,max_steps,lr,status,reason,steps,final_loss,best_loss,"
             "final_val_accuracy,best_val_accuracy\n"
             "0,5,0,0.1,stopped,patience,4,,,,\n");
  ASSERT_TRUE(history.refresh());
  EXPECT_EQ(history.runs()[0].status, RunStatus::Stopped);
  EXPECT_EQ(history.runs()[0].reason, "patience");
  EXPECT_EQ(history.plannedSteps(), 4 + 3 + 10);
}

TEST_F(RunHistoryTest, EventsTellOfEndsBeforeTheTable) {
  RunHistory history = open(testMetrics);
  writeBytes(path + "/events.jsonl",
             "{\"event\":\"ended\",\"run\":0,\"status\":\"stopped\",\"reason\":"
             "\"patience\"}\n{\"event\":\"ended\",\"run\":3,\"status\":"
             "\"stopped\"}\n{\"event\":\"ended\",\"run\":-1}\n[]\n");
  ASSERT_TRUE(history.refresh());
  EXPECT_EQ(history.runs()[0].status, RunStatus::Stopped);
  EXPECT_EQ(history.runs()[0].reason, "patience");
  EXPECT_EQ(history.runs()[2].status, RunStatus::Running);
  EXPECT_EQ(history.events().size(), 4u);
}

TEST_F(RunHistoryTest, CurvesAreThinnedAlike) {
  std::vector<int> steps;
  for (int i = 1; i <= 100; ++i)
    steps.push_back(2 * i);
  RunHistory history = open(header + linesOf(0, steps) + linesOf(1, {2, 4, 6}));
  EXPECT_EQ(history.stride(), 16);
  const RunTrack &run = history.runs()[0];
  EXPECT_EQ(run.records, 100);
  EXPECT_EQ(run.steps, 200);
  EXPECT_EQ(run.keptSteps, (std::vector<int64_t>{32, 64, 96, 128, 160, 192}));
  EXPECT_EQ(history.runs()[1].keptSteps, std::vector<int64_t>{});
  EXPECT_EQ(curveOf(history, 0, 0),
            (std::vector<double>{32, 64, 96, 128, 160, 192, 200}));
  EXPECT_EQ(curveOf(history, 1, 0), std::vector<double>{7});
}

TEST_F(RunHistoryTest, ThinnedCurvesKeepWhatIsValidatedSeldom) {
  std::string lines = header;
  for (int i = 1; i <= 100; ++i)
    lines += "0," + std::to_string(i) + ",0,1," + (i % 4 ? "" : "0.5") + "\n";
  RunHistory history = open(lines);
  std::vector<double> curve = curveOf(history, 0, 1);
  EXPECT_EQ(curve, std::vector<double>(7, 0.5));
}

TEST_F(RunHistoryTest, RefreshReadsOnAndIgnoresRepetitions) {
  RunHistory history = open(header + linesOf(0, {2, 4}));
  writeBytes(path + "/metrics.csv",
             header + linesOf(0, {2, 4}) + linesOf(1, {2}) + "1,4,0,7");
  ASSERT_TRUE(history.refresh());
  EXPECT_EQ(history.runs()[1].steps, 2);
  // Cut back and written again, as after a kill.
  std::filesystem::remove(path + "/metrics.csv");
  writeBytes(path + "/metrics.csv", header + linesOf(0, {2, 4, 6}));
  ASSERT_TRUE(history.refresh());
  EXPECT_EQ(history.runs()[0].records, 3);
  EXPECT_EQ(history.runs()[0].keptSteps, (std::vector<int64_t>{2, 4, 6}));
}

TEST_F(RunHistoryTest, BandsAreQuartilesOfTheRunsThatAreLeft) {
  RunHistory history = open(header + linesOf(0, {2, 4, 5}) +
                            linesOf(1, {2, 4, 6}) + linesOf(2, {2, 4, 6, 8}));
  Band band = makeBand(history, 0, 0);
  EXPECT_EQ(band.steps, (std::vector<int64_t>{2, 4, 5, 6, 8}));
  EXPECT_EQ(band.median, (std::vector<double>{3, 5, 5, 7.5, 10}));
  EXPECT_EQ(band.low.front(), 2.5);
  EXPECT_EQ(band.high.front(), 3.5);
  EXPECT_EQ(band.counts, (std::vector<int64_t>{3, 3, 1, 2, 1}));
}

TEST_F(RunHistoryTest, StepsOfLoneEndsAreNoPartOfABand) {
  std::string plan = replaced(testPlan, "\"runs\": 3", "\"runs\": 5");
  plan = replaced(plan, "[5, 6, 7]", "[1, 2, 3, 4, 5]");
  plan = replaced(plan, "[0.1, null, 1e-05]", "[1, 2, 3, 4, 5]");
  std::string lines = header + linesOf(0, {2, 3});
  for (int run : {1, 2, 3, 4})
    lines += linesOf(run, {2, 4});
  Band band = makeBand(open(lines, 8, plan), 0, 0);
  EXPECT_EQ(band.steps, (std::vector<int64_t>{2, 4}));
}
