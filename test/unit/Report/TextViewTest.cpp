//===- TextViewTest.cpp - Tests of views in a terminal --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/TextView.h"

#include "../Experiment/TestExperiment.h"

#include "ensc/Report/Text.h"

#include <cmath>

using namespace ensc;

static ViewState describe(const std::string &plan = testPlan,
                          const std::string &moreEvents = "") {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  writeTestExperiment(path, plan);
  writeBytes(path + "/events.jsonl",
             "{\"time\":\"2026-11-30T16:30:01Z\",\"event\":\"started\","
             "\"by\":\"a\\u001b[2Jb\"}\n17\n" +
                 moreEvents);
  Expected<RunHistory> history = RunHistory::open(path, 8);
  EXPECT_TRUE(history && history->refresh());
  return describeExperiment(*history, "my\nexp", 5);
}

/// All lines, each of which must fit the width.
static std::string render(const ViewState &state, const ViewStyle &style) {
  std::string text;
  std::vector<std::string> lines = renderView(state, style);
  EXPECT_LE(lines.size(), style.height);
  for (const std::string &line : lines) {
    if (!style.colour)
      EXPECT_LE(displayWidth(line), style.width) << line;
    text += line + "\n";
  }
  return text;
}

TEST(TextViewTest, AFrameTellsAll) {
  ViewState state = describe();
  state.stepsPerSecond = 3;
  state.plannedSteps = 36;
  state.memoryBytes = 3 << 20;
  std::string text = render(state, {100, 40, false});
  EXPECT_CONTAINS(text, "my�exp  halted: no process works on it");
  EXPECT_CONTAINS(text, "16 % of 36 run-steps · 3 run-steps/s · 10 s left · "
                        "3 MiB");
  EXPECT_CONTAINS(text, "3 runs  ● 2 running  ● 1 pending");
  EXPECT_CONTAINS(text, "val_accuracy        0.75   0.75 .. 0.75");
  EXPECT_CONTAINS(text, "lr 0.1");
  EXPECT_CONTAINS(text, "16:30:01  started: by a�[2Jb");
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

TEST(TextViewTest, LinesAreShort) {
  std::string plan =
      replaced(testPlan, "[0.1, null, 1e-05]",
               "[0.1, 0.2, 0.3], \"optimizer\": [\"adam\", \"sgd\", \"\"]");
  ViewState state = describe(plan, "{\"event\":\"admitted\",\"runs\":"
                                   "[0,1,2,3,4,5,7]}\n");
  ASSERT_FALSE(state.best.empty());
  EXPECT_EQ(state.best[0].hypers, "lr 0.1");
  ASSERT_FALSE(state.events.empty());
  EXPECT_CONTAINS(state.events.back(), "admitted: runs 0 to 7 (7)");
}

TEST(TextViewTest, EmptyCellsAreNotShown) {
  ViewState state =
      describe(replaced(testPlan, "[0.1, null, 1e-05]",
                        "[null, 0.5, 1e-05], \"data\": [\"all\", \"\", \"\"]"));
  ASSERT_FALSE(state.best.empty());
  EXPECT_EQ(state.best[0].run, 0);
  EXPECT_EQ(state.best[0].hypers, "data all");
}

TEST(TextViewTest, FramesFitSmallTerminals) {
  ViewState state = describe();
  for (size_t width : {0, 1, 7, 20, 40, 80})
    for (size_t height : {0, 1, 2, 5, 9, 14, 24})
      render(state, {width, height, false});
}

TEST(TextViewTest, ColoursEndWhereTheyBegin) {
  std::string text = render(describe(), {60, 24, true});
  size_t on = 0, off = 0;
  for (size_t at = 0; (at = text.find('\033', at)) != std::string::npos; ++at)
    ++(text.compare(at, 4, "\033[0m") == 0 ? off : on);
  EXPECT_GT(on, 3u);
  EXPECT_EQ(on, off);
}

TEST(TextViewTest, ALineIsForLogs) {
  ViewState state = describe();
  state.plannedSteps = 24;
  EXPECT_EQ(renderLine(state),
            "25 % of 24 run-steps; 2 running, 1 pending; val_accuracy median "
            "0.75, best 0.75 (run 0)");
}

TEST(TextViewTest, RatesFollowTheLastSeconds) {
  RateMeter meter;
  EXPECT_EQ(meter.stepsPerSecond(), 0);
  meter.add(0, 1000);
  EXPECT_EQ(meter.stepsPerSecond(), 0);
  meter.add(2, 1200);
  EXPECT_EQ(meter.stepsPerSecond(), 100);
  for (int second = 3; second < 60; ++second)
    meter.add(second, 1200 + 10 * (second - 2));
  EXPECT_NEAR(meter.stepsPerSecond(), 10, 1e-9);
  // Back to a checkpoint.
  meter.add(60, 500);
  EXPECT_EQ(meter.stepsPerSecond(), 0);
}
