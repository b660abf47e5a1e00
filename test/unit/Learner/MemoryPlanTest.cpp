//===- MemoryPlanTest.cpp - Memory that is known beforehand ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyPrograms.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include <malloc.h>
#include <unistd.h>

using namespace ensc;
using namespace ensc::test;

namespace {

class MemoryPlanning : public TinyTest {
protected:
  static FitOptions makeOptions(int64_t runs) {
    FitOptions options;
    options.runs = runs;
    options.epochs = 3;
    options.threads = 2;
    options.hypers["lr"] = tinyRates(runs);
    return options;
  }

  static MemoryPlan plan(const Learner &learner, const FitOptions &options) {
    Expected<MemoryPlan> plan = learner.planMemory(options);
    EXPECT_TRUE(plan) << plan.error().message();
    return plan ? *plan : MemoryPlan();
  }
};

/// Bytes of this process in memory.
int64_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_F(MemoryPlanning, GivesTheParts) {
  Learner learner = makeLearner();
  MemoryPlan all = plan(learner, makeOptions(40));
  EXPECT_EQ(all.dataBytes, (tinyRows + tinyValidationRows) * (3 + 1) * 4);
  EXPECT_EQ(all.workers, 2);
  EXPECT_EQ(all.runs, 40);
  EXPECT_EQ(all.inFlight, 40);
  // 30 parameters and two moments of each.
  EXPECT_GT(all.runBytes, 3 * 30 * 4);
  EXPECT_EQ(all.peakBytes, all.dataBytes + all.reportBytes +
                               2 * all.workerBytes + 40 * all.runBytes);
  FitOptions mapped = makeOptions(40);
  mapped.mappedBytes = all.dataBytes - 16;
  EXPECT_EQ(plan(learner, mapped).dataBytes, 16);
  EXPECT_EQ(plan(learner, mapped).peakBytes,
            all.peakBytes - mapped.mappedBytes);
  FitOptions one = makeOptions(40);
  one.onlyRun = 7;
  MemoryPlan single = plan(learner, one);
  EXPECT_EQ(single.runs, 1);
  EXPECT_EQ(single.workers, 1);
  EXPECT_EQ(single.reportBytes, all.reportBytes / 40);
}

TEST_F(MemoryPlanning, DoesNotGrowWithStepsWhereRecordsAreKept) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(40);
  options.experiment.path = "kept";
  options.epochs = 100;
  MemoryPlan some = plan(learner, options);
  options.epochs = 1000000;
  EXPECT_EQ(plan(learner, options).peakBytes, some.peakBytes);
}

TEST_F(MemoryPlanning, IsWhatTheProcessTakes) {
#ifdef ENSC_SANITIZED
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  Learner learner = makeLearner();
  // Threads and code are there before.
  ASSERT_TRUE(learner.fit(makeOptions(40)));
  FitOptions options = makeOptions(50000);
  MemoryPlan expected = plan(learner, options);
  // What the compiler has freed would serve the fit.
  malloc_trim(0);
  int64_t before = residentBytes(), taken = 0;
  options.onRunsEnded = [&](const std::vector<RunReport> &) -> Status {
    taken = residentBytes() - before;
    return Status::success();
  };
  ASSERT_TRUE(learner.fit(options));
  double ratio = static_cast<double>(taken) /
                 static_cast<double>(expected.peakBytes - expected.dataBytes);
  std::printf("planned %.1f MB, took %.1f MB\n", expected.peakBytes * 1e-6,
              taken * 1e-6);
  EXPECT_GT(ratio, 0.85);
  EXPECT_LT(ratio, 1.1);
}

TEST_F(MemoryPlanning, ChunksHaveTheSameBits) {
  constexpr int64_t runs = 45;
  Learner learner = makeLearner();
  FitOptions options = makeOptions(runs);
  options.maxSteps.assign(runs, 7);
  options.maxSteps[44] = 2;
  options.hypers["lr"][20] = 1e30;
  Expected<FitReport> expected = learner.fit(options);
  ASSERT_TRUE(expected);
  auto states = statesOf(learner, runs);
  MemoryPlan whole = expected->memory;
  int64_t fixed = whole.dataBytes + whole.reportBytes;
  const std::pair<int64_t, int64_t> limits[] = {
      {whole.peakBytes, runs},
      {whole.peakBytes - 1, 32},
      {fixed + 2 * whole.workerBytes + 17 * whole.runBytes, 16},
      {fixed + 2 * whole.workerBytes + 5 * whole.runBytes, 5},
      {fixed + whole.workerBytes + whole.runBytes, 1}};
  for (const std::pair<int64_t, int64_t> &expectation : limits) {
    int64_t limit = expectation.first, fewest = expectation.second;
    options.maxMemory = limit;
    std::vector<int64_t> seen;
    int plans = 0;
    int64_t inFlight = 0;
    options.onPlan = [&](const MemoryPlan &plan) {
      ++plans;
      inFlight = plan.inFlight;
      EXPECT_GE(inFlight, fewest);
      EXPECT_EQ(inFlight == runs, fewest == runs);
      EXPECT_LE(plan.peakBytes, limit);
      EXPECT_EQ(learner.progress().done, 0);
    };
    options.onRunsEnded = [&](const std::vector<RunReport> &reports) -> Status {
      EXPECT_LE(static_cast<int64_t>(reports.size()), inFlight);
      for (const RunReport &report : reports) {
        seen.push_back(report.run);
        EXPECT_TRUE(sameState(stateOf(learner, report.run), states[report.run]))
            << report.run;
      }
      return Status::success();
    };
    Expected<FitReport> report = learner.fit(options);
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_EQ(plans, 1);
    ASSERT_EQ(report->runs.size(), static_cast<size_t>(runs));
    EXPECT_EQ(report->runSteps, expected->runSteps);
    EXPECT_EQ(learner.progress().done, expected->runSteps);
    // Those that end first come first.
    ASSERT_EQ(seen.size(), static_cast<size_t>(runs));
    std::sort(seen.begin(), seen.end());
    for (int64_t run = 0; run < runs; ++run) {
      EXPECT_EQ(seen[run], run);
      EXPECT_EQ(report->runs[run].status, expected->runs[run].status);
      ASSERT_EQ(report->runs[run].epochs.size(),
                expected->runs[run].epochs.size());
      for (size_t i = 0; i < report->runs[run].epochs.size(); ++i)
        EXPECT_TRUE(report->runs[run].epochs[i].values ==
                        expected->runs[run].epochs[i].values ||
                    run == 20);
    }
  }
}

TEST_F(MemoryPlanning, CountsWhatTrainsInAGivenLimit) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(19), alone = options;
  alone.schedule = RunSchedule::Solo;
  MemoryPlan solo = plan(learner, alone);
  ASSERT_LT(solo.peakBytes, plan(learner, options).peakBytes);
  // Groups do not fit, but single runs do.
  options.maxMemory = solo.peakBytes;
  EXPECT_EQ(plan(learner, options).inFlight, 19);
  EXPECT_LE(plan(learner, options).peakBytes, solo.peakBytes);
  options.maxMemory = alone.maxMemory = solo.peakBytes - 6 * solo.runBytes;
  EXPECT_GE(plan(learner, options).inFlight, plan(learner, alone).inFlight);
  // What is decided across runs needs all of them.
  options.maxMemory = solo.peakBytes;
  options.goal = Goal{"val_loss", true, 0.0, 1};
  EXPECT_EQ(plan(learner, options).inFlight, 19);
  // Where two threads take too much, one has to do.
  options = makeOptions(19);
  options.schedule = RunSchedule::Lanes;
  options.threads = 1;
  MemoryPlan one = plan(learner, options);
  options.threads = 2;
  options.maxMemory = one.peakBytes;
  EXPECT_EQ(plan(learner, options).workers, 1);
  EXPECT_EQ(plan(learner, options).inFlight, 19);
}

TEST_F(MemoryPlanning, AnErrorOfACallerEndsTheFit) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(32);
  MemoryPlan whole = plan(learner, options);
  options.maxMemory = whole.peakBytes - 1;
  int chunks = 0;
  options.onRunsEnded = [&](const std::vector<RunReport> &) -> Status {
    ++chunks;
    return Error(ErrorKind::Io, "the disk is full");
  };
  Expected<FitReport> report = learner.fit(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message(), "the disk is full");
  EXPECT_EQ(chunks, 1);
}

TEST_F(MemoryPlanning, ALimitThatIsTooLowSaysTheLeast) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(10);
  MemoryPlan whole = plan(learner, options);
  // One run alone on one thread.
  options.inFlight = 1;
  MemoryPlan one = plan(learner, options);
  options.inFlight = 0;
  int64_t least = one.peakBytes;
  EXPECT_EQ(least, whole.dataBytes + whole.reportBytes + one.workerBytes +
                       one.runBytes);
  options.maxMemory = least;
  EXPECT_EQ(plan(learner, options).peakBytes, least);
  options.maxMemory = least - 1;
  Expected<FitReport> report = learner.fit(options);
  ASSERT_FALSE(report);
  std::string message = report.error().message();
  EXPECT_EQ(message.rfind("training 10 runs, one at a time, takes at least " +
                              std::to_string(least) + " bytes (",
                          0),
            0u)
      << message;
  EXPECT_NE(message.find("but the limit is " + std::to_string(least - 1) +
                         " bytes; raise it or use fewer runs"),
            std::string::npos)
      << message;
  options.threads = 2000;
  EXPECT_EQ(learner.planMemory(options).error().message(),
            "threads must be from 1 to 1024, or 0 for one per core, got 2000");
  options.threads = 1;
  options.maxMemory = -1;
  report = learner.fit(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message(),
            "the limit of memory must not be negative, got -1");
}

} // namespace
