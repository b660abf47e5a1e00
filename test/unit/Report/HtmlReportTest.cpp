//===- HtmlReportTest.cpp - Tests of pages --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/HtmlReport.h"

#include "../Experiment/TestExperiment.h"

#include "nlohmann/json.hpp"

using namespace ensc;

static std::string makePage(const std::string &plan,
                            const std::string &title = "exp",
                            const std::string &metrics = testMetrics) {
  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  writeTestExperiment(path, plan, metrics);
  Expected<RunHistory> history = RunHistory::open(path, 8);
  EXPECT_TRUE(history && history->refresh());
  return makeHtmlReport(*history, title);
}

/// The data that a page carries.
static Json dataOf(const std::string &page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  size_t from = page.find(begin) + begin.size();
  Json data = Json::parse(
      page.substr(from, page.find("</script>", from) - from), nullptr, false);
  EXPECT_FALSE(data.is_discarded());
  return data;
}

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

TEST(HtmlReportTest, NumbersAreThoseOfTheFiles) {
  Json data = dataOf(makePage(testPlan));
  EXPECT_EQ(data["run"], Json({0, 1, 2}));
  EXPECT_EQ(data["best"],
            Json::parse("[[0.25,null,\"nan\"],[0.75,null,0.25]]"));
  EXPECT_EQ(data["columns"][1]["values"], Json::parse("[0.1,null,1e-05]"));
  EXPECT_EQ(data["grid"], Json::parse("[[2,4]]"));
  EXPECT_EQ(data["own"], Json::object());
  EXPECT_EQ(data["curve"], Json::parse("[[[0.5,0.25],[null,0.75]],[[],[]],"
                                       "[[null],[0.25]]]"));
  EXPECT_EQ(data["bands"][0][1]["median"], Json::parse("[0.25,0.75]"));
  EXPECT_EQ(data["monitor"], 1);
  EXPECT_EQ(data["state"], "halted");
}

TEST(HtmlReportTest, RunsMayHaveStepsOfTheirOwn) {
  Json data = dataOf(makePage(testPlan, "exp",
                              "run,step,epoch,loss,val_accuracy\n0,2,0,1,1\n"
                              "0,4,0,1,1\n0,6,0,1,1\n1,3,0,1,1\n1,5,0,1,1\n"));
  EXPECT_EQ(data["grid"], Json::parse("[[2,4,6]]"));
  EXPECT_EQ(data["own"], Json::parse("{\"1\":[3,5]}"));
}

TEST(HtmlReportTest, ProgramsHaveLabelsOfTheirOwn) {
  std::string plan = replaced(testPlan, "[{\"name\": \"net.mlir\"", R"([
    {"name": "a/net.mlir", "learner": "net", "file": "program/0.mlir",
     "hash": "00",
     "options": {"rows": 8, "optimizer": "sgd<lr = 1.0>"}},
    {"name": "net.mlir", "learner": "net", "file": "program/1.mlir",
     "hash": "00",
     "options": {"rows": 8, "own_rows": 6, "own_validation_rows": 2}},
    {"name": "net.mlir", "learner": "net", "file": "program/2.mlir",
     "hash": "00"},
    {"name": "other.mlir")");
  plan = replaced(plan, "program/0.mlir\", \"hash\": \"00\"}",
                  "program/3.mlir\", \"hash\": \"00\"}");
  EXPECT_EQ(dataOf(makePage(plan))["programs"],
            Json({"net.mlir (rows 8, optimizer sgd<lr = 1.0>)",
                  "net.mlir (rows 8, 6 training rows, 2 rows left out)",
                  "net.mlir", "other.mlir"}));
}

TEST(HtmlReportTest, NamesAreNeverMarkup) {
  std::string evil = "</script><script>alert(1)</script><!--";
  std::string plan = replaced(testPlan, "\"learner\": \"net\"",
                              "\"learner\": \"" + evil + "\"");
  plan = replaced(plan, "\"lr\": [", "\"" + evil + "\": [");
  plan = replaced(plan, "[\"lr\"]", "[\"" + evil + "\"]");
  std::string harmless = makePage(testPlan), page = makePage(plan, evil);
  EXPECT_EQ(count(page, "<script"), count(harmless, "<script"));
  EXPECT_EQ(count(page, "</script"), count(harmless, "</script"));
  EXPECT_EQ(count(page, "<!--"), count(harmless, "<!--"));
  EXPECT_EQ(count(page, "alert(1)<"), 0u);
  EXPECT_EQ(dataOf(page)["columns"][1]["name"], evil);
}

TEST(HtmlReportTest, NothingIsLoaded) {
  std::string page = makePage(testPlan);
  EXPECT_CONTAINS(page, "default-src 'none'");
  for (const char *load :
       {" src=", " href=", "url(", "@import", "fetch(\"", "XMLHttpRequest(\""})
    EXPECT_EQ(count(page, load), 0u) << load;
  EXPECT_CONTAINS(page, "Redistribution and use in source and binary forms");
}

TEST(HtmlReportTest, OfManyRunsThePageHasTheBestAndASample) {
  constexpr int64_t runs = 3000;
  std::string seeds = "[0", rates = "[0";
  std::string metrics = "run,step,epoch,loss,val_accuracy\n0,1,0,1,0\n";
  for (int64_t run = 1; run < runs; ++run) {
    std::string number = std::to_string(run);
    seeds += "," + number;
    rates += "," + number;
    metrics += number + ",1,0,1," + number + "\n";
  }
  std::string plan = replaced(testPlan, "\"runs\": 3", "\"runs\": 3000");
  plan = replaced(plan, "[5, 6, 7]", seeds + "]");
  plan = replaced(plan, "[0.1, null, 1e-05]", rates + "]");
  std::vector<int64_t> shown =
      dataOf(makePage(plan, "exp", metrics))["run"].get<std::vector<int64_t>>();
  ASSERT_EQ(shown.size(), reportRuns);
  EXPECT_EQ(shown[0], 0);
  EXPECT_EQ(shown[1], 2);
  EXPECT_EQ(shown[999], 1998);
  EXPECT_EQ(shown[1000], 2000);
  EXPECT_EQ(shown[1999], 2999);
}

TEST(HtmlReportTest, PagesStaySmall) {
  EXPECT_EQ(reportPointsPerRun(1, 1), 256u);
  EXPECT_EQ(reportPointsPerRun(1000, 3), 116u);
  EXPECT_EQ(reportPointsPerRun(10'000'000, 4), 43u);
  EXPECT_EQ(reportPointsPerRun(10'000'000, 1000), 8u);
  EXPECT_EQ(reportPointsPerRun(0, 0), 256u);
}
