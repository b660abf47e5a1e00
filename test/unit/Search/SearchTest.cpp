//===- SearchTest.cpp - Tests of what searches decide ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Search/PopulationTraining.h"
#include "ensc/Search/SuccessiveHalving.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace ensc;

namespace {
/// Runs with metrics that a test gives, and a hyper-parameter in [0, 1].
class ScriptedPopulation : public Population {
public:
  ScriptedPopulation(std::vector<double> values, bool maximize = false)
      : values(std::move(values)), info{{"loss", false}, {"score", maximize}} {
    for (size_t run = 0; run < this->values.size(); ++run) {
      runs.push_back(static_cast<int64_t>(run));
      lr[static_cast<int64_t>(run)] = 0.1 * static_cast<double>(run + 1);
    }
  }

  int64_t tick() const override { return now; }
  const std::vector<int64_t> &live() const override { return runs; }
  const std::vector<MetricInfo> &metrics() const override { return info; }
  size_t monitor() const override { return 1; }
  int64_t steps(int64_t) const override { return now; }
  double latest(int64_t run, size_t metric) const override {
    return metric == 1 ? values[run] : 0.0;
  }
  double best(int64_t run, size_t metric) const override {
    return latest(run, metric);
  }
  Status stop(int64_t run, const std::string &reason) override {
    EXPECT_EQ(reason, "halving");
    runs.erase(std::find(runs.begin(), runs.end(), run));
    return Status::success();
  }
  Status stopAll(const std::string &) override { return Status::success(); }
  Status copy(int64_t from, int64_t to) override {
    copies.emplace_back(from, to);
    return Status::success();
  }
  Expected<double> hyper(int64_t run, const std::string &name) const override {
    if (name != "lr")
      return Error(ErrorKind::InvalidArgument, "no " + name);
    return lr.at(run);
  }
  Status setHyper(int64_t run, const std::string &, double value) override {
    if (value < 0 || value > 1)
      return Error(ErrorKind::InvalidArgument, "out of range");
    lr[run] = value;
    return Status::success();
  }

  int64_t now = 0;
  std::vector<double> values;
  std::vector<MetricInfo> info;
  std::vector<int64_t> runs;
  std::map<int64_t, double> lr;
  std::vector<std::pair<int64_t, int64_t>> copies;
};

using Runs = std::vector<int64_t>;
const double notANumber = std::nan("");

HyperChange perturb(double low, double high) {
  return {"lr", low, high, std::nullopt, ""};
}
} // namespace

TEST(SuccessiveHalvingTest, MeetsAtPowersOfEta) {
  SuccessiveHalving halving(3, 2);
  EXPECT_EQ(halving.nextSync(0), 2);
  EXPECT_EQ(halving.nextSync(2), 6);
  EXPECT_EQ(halving.nextSync(5), 6);
  EXPECT_EQ(halving.nextSync(6), 18);
  EXPECT_EQ(halving.nextSync(INT64_MAX - 1), Search::never);
  EXPECT_EQ(SuccessiveHalving(2, 1).nextSync(int64_t(1) << 62), Search::never);
}

TEST(SuccessiveHalvingTest, TheBestGoOn) {
  SuccessiveHalving halving(3, 1);
  ScriptedPopulation population({5, 1, notANumber, 4, 1, 9, 0, 7, 2, 3});
  population.now = 1;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(population.runs, (Runs{1, 4, 6}));
  population.now = 3;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(population.runs, (Runs{6}));
  population.now = 9;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(population.runs, (Runs{6}));
}

TEST(SuccessiveHalvingTest, MoreMayBeBetterAndNaNIsWorst) {
  SuccessiveHalving halving(2, 1);
  ScriptedPopulation population({notANumber, -5, notANumber, 3}, true);
  population.now = 1;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(population.runs, (Runs{1, 3}));
  ScriptedPopulation none({notANumber, notANumber, notANumber, notANumber});
  none.now = 1;
  ASSERT_TRUE(SuccessiveHalving(2, 1).decide(none));
  EXPECT_EQ(none.runs, (Runs{0, 1}));
}

TEST(SuccessiveHalvingTest, RunsThatDivergedCountAmongThoseThatEnd) {
  SuccessiveHalving halving(2, 1);
  ScriptedPopulation population({0, 1, 2, 3, 4, 5, 6, 7});
  population.now = 1;
  ASSERT_TRUE(halving.decide(population));
  population.runs = {1, 2, 3};
  population.now = 2;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(population.runs, (Runs{1, 2}));
}

TEST(SuccessiveHalvingTest, RunsThatDivergedBeforeDoNotCount) {
  SuccessiveHalving halving(3, 1);
  ScriptedPopulation population({0, 1, 2, 3, 4, 5, 6, 7, 8});
  population.runs = {2, 3, 4, 5, 6, 7};
  population.now = 1;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(population.runs, (Runs{2, 3}));
}

TEST(SuccessiveHalvingTest, GoesOnFromItsState) {
  SuccessiveHalving halving(2, 1), resumed(2, 1);
  ScriptedPopulation population({0, 1, 2, 3, 4, 5, 6, 7});
  population.now = 1;
  ASSERT_TRUE(halving.decide(population));
  EXPECT_EQ(halving.save(), "{\"runs\":8}");
  ASSERT_TRUE(resumed.load(halving.save()));
  population.runs = {1, 2, 3};
  population.now = 2;
  ASSERT_TRUE(resumed.decide(population));
  EXPECT_EQ(population.runs, (Runs{1, 2}));
  for (const char *bad : {"", "[]", "{}", "{\"runs\":-1}", "{\"runs\":\"x\"}"})
    EXPECT_FALSE(resumed.load(bad)) << bad;
}

TEST(SuccessiveHalvingTest, DescribesItsParameters) {
  EXPECT_EQ(SuccessiveHalving(3, 2).describe(),
            "{\"search\":\"halving\",\"eta\":3,\"first\":2}");
}

TEST(PopulationTrainingTest, TheWorstCopyTheBest) {
  PopulationTraining training(5, 0.4, {perturb(0.5, 2.0)}, 7);
  EXPECT_EQ(training.nextSync(0), 5);
  EXPECT_EQ(training.nextSync(5), 10);
  EXPECT_EQ(training.nextSync(INT64_MAX - 1), Search::never);
  ScriptedPopulation population({3, 1, notANumber, 2, 4});
  population.now = 5;
  ASSERT_TRUE(training.decide(population));
  EXPECT_EQ(population.copies,
            (std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {3, 4}}));
  EXPECT_TRUE(population.lr[2] == 0.1 || population.lr[2] == 0.4);
  EXPECT_TRUE(population.lr[4] == 0.2 || population.lr[4] == 0.8);
  EXPECT_EQ(population.lr[0], 0.1);
  EXPECT_EQ(population.lr[1], 0.2);
}

TEST(PopulationTrainingTest, ValuesStayInTheirRange) {
  PopulationTraining training(1, 0.5, {perturb(3.0, 9.0)}, 7);
  ScriptedPopulation population({1, 0});
  population.lr[1] = 0.9;
  population.now = 1;
  ASSERT_TRUE(training.decide(population));
  EXPECT_EQ(population.lr[0], 0.9);
}

TEST(PopulationTrainingTest, ChanceDependsOnSeedRunAndTick) {
  auto learn = [](int64_t seed, int64_t tick) {
    HyperChange change = perturb(1.0, 1.0);
    change.distribution = *Distribution::parse("lr", "uniform:0..1");
    PopulationTraining training(1, 0.5, {change}, seed);
    ScriptedPopulation population({4, 3, 1, 2});
    population.now = tick;
    EXPECT_TRUE(training.decide(population));
    return std::pair(population.lr[0], population.lr[1]);
  };
  EXPECT_EQ(learn(1, 1), learn(1, 1));
  EXPECT_NE(learn(1, 1), learn(2, 1));
  EXPECT_NE(learn(1, 1), learn(1, 2));
  EXPECT_NE(learn(1, 1).first, learn(1, 1).second);
}

TEST(PopulationTrainingTest, ResamplesOneTimeInFour) {
  HyperChange change = perturb(1.5, 2.0);
  change.distribution = *Distribution::parse("lr", "uniform:0..0.1");
  PopulationTraining training(1, 0.5, {change}, 3);
  int drawn = 0, low = 0;
  for (int64_t tick = 1; tick <= 400; ++tick) {
    ScriptedPopulation population({1, 0});
    population.now = tick;
    ASSERT_TRUE(training.decide(population));
    drawn += population.lr[0] <= 0.1;
    low += population.lr[0] == 0.2 * 1.5;
  }
  EXPECT_NEAR(drawn, 100, 30);
  EXPECT_NEAR(low, 150, 35);
}

TEST(PopulationTrainingTest, OneRunIsAloneWithItself) {
  PopulationTraining training(1, 0.5, {perturb(0.5, 2.0)}, 7);
  ScriptedPopulation population({1});
  population.now = 1;
  ASSERT_TRUE(training.decide(population));
  EXPECT_TRUE(population.copies.empty());
}

TEST(PopulationTrainingTest, AnUnknownHyperParameterIsAnError) {
  PopulationTraining training(1, 0.5, {{"rate", 0.5, 2.0, {}, ""}}, 7);
  ScriptedPopulation population({1, 0});
  population.now = 1;
  Status status = training.decide(population);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "no rate");
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Runs of one program that make so many records.
static SearchedRuns runsWith(std::vector<int64_t> records) {
  SearchedRuns runs;
  runs.programs.assign(records.size(), 0);
  runs.records = std::move(records);
  runs.hypers = {{"lr"}};
  return runs;
}

TEST(SearchCheckTest, SomethingMustBeDecided) {
  SuccessiveHalving halving(3, 4);
  EXPECT_TRUE(halving.check(runsWith({5, 5, 2})));
  EXPECT_EQ(halving.check(runsWith({4, 4, 4})).error().message(),
            "successive halving would decide nothing: it does so for the first "
            "time after record 4, but runs end with record 4 or before; make "
            "more records, by more epochs or fewer steps from one to the next, "
            "or decide earlier, by a smaller 'first'");
  EXPECT_NE(halving.check(runsWith({4, 9, 4}))
                .error()
                .message()
                .find("after record 4, when only one run goes on; make more"),
            std::string::npos);
  EXPECT_EQ(halving.check(runsWith({9})).error().message(),
            "successive halving compares runs, but there is only one");
  PopulationTraining population(7, 0.2, {perturb(0.5, 2)}, 0);
  EXPECT_TRUE(population.check(runsWith({8, 8})));
  EXPECT_NE(population.check(runsWith({6, 7}))
                .error()
                .message()
                .find("population-based training would decide nothing: it does "
                      "so for the "
                      "first time after record 7, but runs end with record 7 "
                      "or before"),
            std::string::npos);
}

TEST(SearchCheckTest, ThereMustBeSomethingToCompare) {
  SuccessiveHalving halving(3, 4);
  SearchedRuns runs = runsWith({9, 9});
  runs.firstValue = 4;
  EXPECT_TRUE(halving.check(runs));
  runs.firstValue = 5;
  EXPECT_EQ(halving.check(runs).error().message(),
            "successive halving decides for the first time after record 4, but "
            "the metric by which it compares runs is first there with record "
            "5; validate more often, or decide later, by a larger 'first'");
}
