//===- ValuesTest.cpp - Tests of values per run ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/Values.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace ensc;

namespace {
std::vector<double> expand(const std::string &text, int64_t runs) {
  Expected<Values> values = Values::parse("--set lr", text);
  EXPECT_TRUE(values) << values.error().message();
  Expected<std::vector<double>> result = values->expand(runs);
  EXPECT_TRUE(result) << result.error().message();
  return *result;
}

std::string parseError(const std::string &text) {
  Expected<Values> values = Values::parse("--set lr", text);
  return values ? "no error" : values.error().message();
}

std::string expandError(const std::string &text, int64_t runs) {
  Expected<Values> values = Values::parse("--set lr", text);
  if (!values)
    return values.error().message();
  Expected<std::vector<double>> result = values->expand(runs);
  return result ? "no error" : result.error().message();
}

using Numbers = std::vector<double>;
} // namespace

TEST(ValuesTest, OneValueServesAllRuns) {
  EXPECT_EQ(expand("0.5", 3), (Numbers{0.5, 0.5, 0.5}));
  EXPECT_EQ(expand("-1e-3", 1), (Numbers{-1e-3}));
  EXPECT_EQ(expand("1e30", 1), (Numbers{1e30}));
  EXPECT_EQ(expand("5", 0), Numbers{});
}

TEST(ValuesTest, AListHasOneValuePerRun) {
  EXPECT_EQ(expand("0.1,0.2,0.4", 3), (Numbers{0.1, 0.2, 0.4}));
}

TEST(ValuesTest, IntegersIncludeBothEnds) {
  EXPECT_EQ(expand("3..6", 4), (Numbers{3, 4, 5, 6}));
  EXPECT_EQ(expand("-1..1", 3), (Numbers{-1, 0, 1}));
  EXPECT_EQ(expand("7..7", 2), (Numbers{7, 7}));
}

TEST(ValuesTest, LinearIncludesBothEnds) {
  EXPECT_EQ(expand("linear:0..1", 5), (Numbers{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(expand("linear:1..0", 3), (Numbers{1, 0.5, 0}));
  EXPECT_EQ(expand("linear:0.1..0.3", 2), (Numbers{0.1, 0.3}));
}

TEST(ValuesTest, LogIncludesBothEndsAndDecades) {
  Numbers values = expand("log:1e-4..1e-1", 4);
  EXPECT_EQ(values.front(), 1e-4);
  EXPECT_EQ(values.back(), 1e-1);
  EXPECT_EQ(static_cast<float>(values[1]), 1e-3f);
  EXPECT_EQ(static_cast<float>(values[2]), 1e-2f);
}

TEST(ValuesTest, RangesAreMonotoneAndKeepTheirEnds) {
  const std::pair<const char *, std::pair<double, double>> ranges[] = {
      {"log:1e-4..1e-1", {1e-4, 1e-1}},
      {"log:0.1..0.1000001", {0.1, 0.1000001}},
      {"log:1e-300..1e300", {1e-300, 1e300}},
      {"log:10..0.3", {10, 0.3}},
      {"linear:-0.7..0.1", {-0.7, 0.1}},
      {"linear:-1e-9..3e15", {-1e-9, 3e15}},
  };
  for (const auto &[text, ends] : ranges)
    for (int64_t runs : {2, 3, 7, 64, 1000}) {
      Numbers values = expand(text, runs);
      EXPECT_EQ(values.front(), ends.first) << text;
      EXPECT_EQ(values.back(), ends.second) << text;
      bool rises = ends.first < ends.second;
      for (size_t i = 1; i < values.size(); ++i)
        EXPECT_TRUE(rises ? values[i - 1] <= values[i]
                          : values[i - 1] >= values[i])
            << text << " at " << i << " of " << runs;
    }
}

TEST(ValuesTest, OneRunOfARangeGetsItsFirstEnd) {
  EXPECT_EQ(expand("linear:2..5", 1), (Numbers{2}));
  EXPECT_EQ(expand("log:2..5", 1), (Numbers{2}));
}

TEST(ValuesTest, CountIsWhatTheTextFixes) {
  auto count = [](const char *text) {
    return Values::parse("--set lr", text)->count();
  };
  EXPECT_EQ(count("1,2,3"), 3);
  EXPECT_EQ(count("0..63"), 64);
  EXPECT_EQ(count("1"), std::nullopt);
  EXPECT_EQ(count("log:1..2"), std::nullopt);
  EXPECT_EQ(count("-9007199254740992..9007199254740992"),
            int64_t(18014398509481985));
}

TEST(ValuesTest, RangesMaySayHowManyValuesTheyHave) {
  EXPECT_EQ(expand("linear:0..1/3", 3), (Numbers{0, 0.5, 1}));
  EXPECT_EQ(expand("log:2..2/1", 1), (Numbers{2}));
  EXPECT_EQ(expandError("log:1..2/3", 4),
            "--set lr=log:1..2/3 gives 3 values for 4 runs; give one for each "
            "run, or a single one for all");
  EXPECT_EQ(Values::parse("--set lr", "log:1..2/5")->count(), 5);
  EXPECT_FALSE(Values::parse("--set lr", "log:1..2/5")->isUncounted());
  EXPECT_TRUE(Values::parse("--set lr", "log:1..2")->isUncounted());
  EXPECT_FALSE(Values::parse("--set lr", "1")->isUncounted());
}

TEST(ValuesTest, AnotherNumberOfValuesIsAnError) {
  EXPECT_EQ(expandError("1,2,3", 64),
            "--set lr=1,2,3 gives 3 values for 64 runs; give one for each run, "
            "or a single one for all");
  EXPECT_EQ(
      expandError("0..9", 1),
      "--set lr=0..9 gives 10 values for 1 run; give one for each run, or "
      "a single one for all");
  // Too many to count one by one.
  EXPECT_NE(expandError("0..9007199254740992", 2), "no error");
}

TEST(ValuesTest, MalformedTextIsLocated) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "expected a number, found nothing at character 1 of ''"},
      {"abc", "expected a number, found 'abc' at character 1"},
      {"0.1,,2", "expected a number, found nothing at character 5"},
      {"0.1,2x", "expected a number, found '2x' at character 6"},
      {"1,nan", "expected a finite number, found 'nan' at character 3"},
      {"inf", "expected a finite number, found 'inf' at character 1"},
      {"1e999", "'1e999' is too large or too small for f64"},
      {"1..2.5", "A..B counts integers, but found '2.5'"},
      {"5..1", "1 is less than 5; A..B counts upwards at character 4"},
      {"0..1e17", "'1e17' is beyond 2^53 at character 4"},
      {"1..", "expected a number, found nothing at character 4"},
      {"log:1", "expected A..B after 'log:' at character 5"},
      {"log:0..1", "must be greater than 0, but found 0 at character 5"},
      {"log:1..-2", "must be greater than 0, but found -2 at character 8"},
      {"linear:-1e308..1e308", "the range is too wide for f64"},
      {"log:1..2/0", "expected a number of values, found '0' at character 10"},
      {"log:1..2/1", "one value cannot be both 1 and 2; ask for 2 or more"},
      {"log:1..2/1.5", "expected a number of values, found '1.5'"},
      {"log:1..2/", "expected a number, found nothing at character 10"},
      {"geo:1..2", "expected 'linear:' or 'log:', found 'geo:'"},
      {" 1", "expected a number, found ' 1'"}};
  for (auto [text, part] : cases) {
    std::string message = parseError(text);
    EXPECT_EQ(message.rfind("--set lr=" + std::string(text) + ": ", 0), 0u);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(ValuesTest, AssignmentsHaveANameAndValues) {
  Expected<Assignment> assignment = Assignment::parse("--set", "lr=1,2");
  ASSERT_TRUE(assignment);
  EXPECT_EQ(assignment->name, "lr");
  EXPECT_EQ(assignment->values.text(), "1,2");
  EXPECT_EQ(Assignment::parse("--set", "lr").error().message(),
            "--set lr: expected NAME=VALUES, as in --set lr=0.1");
  EXPECT_EQ(Assignment::parse("--set", "lr=x").error().message(),
            "--set lr=x: expected a number, found 'x' at character 1 of 'x'");
}
