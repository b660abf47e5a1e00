//===- SearchTrainingTest.cpp - Tests of searches over real runs ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Search/PopulationTraining.h"
#include "ensc/Search/SuccessiveHalving.h"

#include "MemorySink.h"
#include "TinyLearner.h"

#include <algorithm>
#include <cmath>

using namespace ensc;

namespace {
class SearchTrainingTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    Compiler compiler(test::tinyOptions());
    program = new Executable(std::move(*compiler.compileFile(ENSC_TINY_MODEL)));
  }
  static void TearDownTestSuite() { delete program; }

  /// A learner after a fit of `runs` runs with different learning rates.
  Learner fit(int64_t runs, std::shared_ptr<Search> search, int threads = 2) {
    Learner learner = std::move(*Learner::create(*program));
    test::giveTinyData(learner);
    FitOptions options;
    options.runs = runs;
    options.epochs = 12;
    options.threads = threads;
    options.hypers["lr"] = test::tinyRates(runs);
    options.search = std::move(search);
    Expected<FitReport> result = learner.fit(options);
    EXPECT_TRUE(result) << result.error().message();
    if (result)
      report = std::move(*result);
    return learner;
  }

  FitReport report;
  static Executable *program;
};
Executable *SearchTrainingTest::program = nullptr;

constexpr int64_t stepsPerEpoch = 3;
} // namespace

TEST_F(SearchTrainingTest, HalvingStopsAllButTheBest) {
  fit(20, nullptr);
  FitReport all = std::move(report);
  fit(20, std::make_shared<SuccessiveHalving>(2, 3));
  std::vector<int64_t> counts(3);
  for (const RunReport &run : report.runs) {
    if (run.status == RunStatus::Completed)
      ++counts[0];
    else if (run.steps == 3 * stepsPerEpoch)
      ++counts[1];
    else if (run.steps == 6 * stepsPerEpoch)
      ++counts[2];
    if (run.status == RunStatus::Stopped)
      EXPECT_EQ(run.reason, "halving");
    // What runs did until then does not depend on the search.
    const RunReport &alone = all.runs[run.run];
    for (size_t i = 0; i < run.epochs.size(); ++i)
      EXPECT_EQ(run.epochs[i].values, alone.epochs[i].values);
  }
  EXPECT_EQ(counts, (std::vector<int64_t>{5, 10, 5}));
  EXPECT_EQ(report.runSteps, (10 * 3 + 5 * 6 + 5 * 12) * stepsPerEpoch);
}

TEST_F(SearchTrainingTest, ResultsDoNotDependOnThreads) {
  for (bool isHalving : {true, false}) {
    auto make = [&]() -> std::shared_ptr<Search> {
      if (isHalving)
        return std::make_shared<SuccessiveHalving>(3, 1);
      return std::make_shared<PopulationTraining>(
          2, 0.4, std::vector<HyperChange>{{"lr", 0.5, 2.0, {}, ""}}, 7);
    };
    Learner one = fit(19, make(), 1);
    FitReport first = report;
    Learner two = fit(19, make(), 2);
    for (int64_t run = 0; run < 19; ++run) {
      EXPECT_EQ(first.runs[run].final, report.runs[run].final) << run;
      EXPECT_TRUE(
          test::sameState(test::stateOf(one, run), test::stateOf(two, run)))
          << run;
    }
  }
}

TEST_F(SearchTrainingTest, APopulationCopiesItsBest) {
  // The last decision falls on tick 11, one record before the end. Without a
  // change of the learning rate the copy of a run differs from it by the order
  // of its data alone.
  auto still = std::vector<HyperChange>{{"lr", 1.0, 1.0, {}, ""}};
  fit(10, nullptr);
  FitReport alone = report;
  fit(10, std::make_shared<PopulationTraining>(11, 0.5, still, 7));
  std::vector<int64_t> unchanged;
  for (int64_t run = 0; run < 10; ++run)
    if (alone.runs[run].final == report.runs[run].final)
      unchanged.push_back(run);
  EXPECT_EQ(unchanged.size(), 5u);
  auto worst = [](const FitReport &of) {
    double value = 0;
    for (const RunReport &run : of.runs)
      value = std::max(value, run.final[0]);
    return value;
  };
  EXPECT_LT(worst(report), worst(alone));
}

TEST_F(SearchTrainingTest, GoesOnAfterCrashesToTheSameBits) {
  auto fitOnce = [](const std::shared_ptr<Search> &search, int threads,
                    test::MemorySink &sink) {
    Learner learner = std::move(*Learner::create(*program));
    test::giveTinyData(learner);
    FitOptions options;
    options.runs = 21;
    options.epochs = 40;
    options.threads = threads;
    options.hypers["lr"] = test::tinyRates(21);
    options.search = search;
    return bool(learner.fit(options, sink));
  };
  for (const char *kind : {"halving", "population"}) {
    // A new process has a new search.
    auto make = [&]() -> std::shared_ptr<Search> {
      if (std::string(kind) == "halving")
        return std::make_shared<SuccessiveHalving>(2, 1);
      HyperChange change{"lr", 0.8, 1.25, {}, "uniform:0..0.1"};
      change.distribution = *Distribution::parse("lr", change.text);
      return std::make_shared<PopulationTraining>(
          2, 0.3, std::vector<HyperChange>{change}, 7);
    };
    test::KeptFit expected, kept;
    test::MemorySink whole(expected);
    ASSERT_TRUE(fitOnce(make(), 2, whole));
    int attempts = 0;
    while (true) {
      ASSERT_LT(++attempts, 1000);
      test::MemorySink sink(kept);
      sink.keepEvery = 2;
      sink.failAfter = 3 + attempts % 4;
      if (fitOnce(make(), 1 + attempts % 2, sink))
        break;
    }
    EXPECT_GT(attempts, 3) << kind;
    test::expectSameFit(expected, kept);
  }
}

TEST_F(SearchTrainingTest, MistakesAreFoundBeforeTheFirstStep) {
  std::vector<Executable> two = {*program, *program};
  Learner learner = std::move(*Learner::create(two));
  test::giveTinyData(learner);
  FitOptions options;
  options.runs = 3;
  auto errorOf = [&](const char *name) {
    // A callback would see the first record.
    options.callbacks = {{1, [](Population &) {
                            ADD_FAILURE() << "training has begun";
                            return Status::success();
                          }}};
    options.search = std::make_shared<PopulationTraining>(
        2, 0.4, std::vector<HyperChange>{{name, 0.5, 2.0, {}, ""}}, 7);
    Expected<FitReport> result = learner.fit(options);
    return result ? "no error" : result.error().message();
  };
  EXPECT_EQ(errorOf("lrr").rfind("population-based training changes 'lrr', but "
                                 "the program has no hyper-parameter of this "
                                 "name; did you mean 'lr'?",
                                 0),
            0u)
      << errorOf("lrr");
  options.programs = {0, 0, 1};
  EXPECT_EQ(errorOf("lr"),
            "population-based training copies the state of runs, so that all "
            "must be of one program, but run 2 is of another than run 0");
}

TEST_F(SearchTrainingTest, AllRunsMustTrainAtTheSameTime) {
  Learner learner = std::move(*Learner::create(*program));
  test::giveTinyData(learner);
  FitOptions options;
  options.runs = 8;
  options.inFlight = 4;
  options.search = std::make_shared<SuccessiveHalving>(2, 1);
  Expected<FitReport> result = learner.fit(options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), ErrorKind::InvalidArgument);
}
