//===- HostileFilesTest.cpp - Tests of views of damaged files -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/HtmlReport.h"
#include "ensc/Report/RunTables.h"
#include "ensc/Report/TextView.h"

#include "../Experiment/TestExperiment.h"

#include <random>

using namespace ensc;

static const char *const testTable =
    "run,seed,lr,status,reason,steps,final_loss,best_loss,final_val_accuracy,"
    "best_val_accuracy\n"
    "0,5,0.1,running,,4,0.25,0.25,0.75,0.75\n"
    "1,6,,pending,,0,,,,\n"
    "2,7,1e-05,diverged,\"loss, \"\"nan\"\"\",2,nan,nan,0.25,0.25\n";

static const char *const testEvents =
    "{\"time\":\"2026-11-30T16:30:01Z\",\"event\":\"started\"}\n"
    "{\"time\":\"2026-11-30T16:30:02Z\",\"event\":\"ended\",\"run\":2,"
    "\"status\":\"diverged\",\"at\":[1]}\n";

/// Damages a text at a random place: a bit, a part that is gone or comes twice,
/// or a word that matters.
static std::string damage(std::string text, std::mt19937 &random) {
  static constexpr const char *words[] = {"\"",
                                          "[",
                                          "}",
                                          ",",
                                          "null",
                                          "-1",
                                          "1e999",
                                          "nan",
                                          "\n",
                                          "\xFF",
                                          "2.5",
                                          "true",
                                          "9223372036854775808",
                                          "\\u0000"};
  size_t at = random() % text.size();
  size_t length = random() % 9;
  switch (random() % 4) {
  case 0:
    text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
    return text;
  case 1:
    return text.erase(at, length);
  case 2:
    return text.insert(at, text.substr(at, length));
  default:
    return text.replace(at, length, words[random() % std::size(words)]);
  }
}

/// Looks at an experiment in all ways. Errors are as good as views.
static bool look(const std::string &path) {
  Expected<RunHistory> history = RunHistory::open(path, 4);
  if (!history || !history->refresh())
    return false;
  EXPECT_FALSE(makeHtmlReport(*history, "x").empty());
  ViewState view = describeExperiment(*history, "x", 3);
  for (const std::string &line : renderView(view, {80, 24, false}))
    EXPECT_EQ(line.find_first_of("\033\n\r"), std::string::npos) << line;
  Expected<CsvTable> table = readCurrentTable(history->experiment());
  if (!table)
    return false;
  for (const std::string &column : table->columns)
    (void)sortRuns(history->experiment(), *table, "-" + column);
  for (int64_t run = -1; run < 4; ++run)
    (void)findRun(*table, run);
  return static_cast<bool>(
      rankRuns(history->experiment(), *table, "val_accuracy"));
}

TEST(HostileFilesTest, DamageIsAnErrorOrAView) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  const std::string whole[] = {testPlan, testMetrics, testTable, testEvents};
  const std::string names[] = {"/plan.json", "/metrics.csv", "/runs.csv",
                               "/events.jsonl"};
  std::filesystem::create_directories(path);
  for (int i = 0; i < 4; ++i)
    writeBytes(path + names[i], whole[i]);
  ASSERT_TRUE(look(path));
  std::mt19937 random(1);
  int seen = 0;
  constexpr int trials = 600;
  for (int trial = 0; trial < trials; ++trial) {
    size_t file = random() % 4;
    std::string text = whole[file];
    for (size_t times = 1 + random() % 3; times > 0 && !text.empty(); --times)
      text = damage(text, random);
    writeBytes(path + names[file], text);
    seen += look(path);
    writeBytes(path + names[file], whole[file]);
  }
  // Neither is everything refused, nor nothing.
  EXPECT_GT(seen, trials / 20);
  EXPECT_LT(seen, trials);
}
