//===- TrainingTest.cpp - What training many runs promises ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyPrograms.h"

#include <fstream>
#include <optional>

#include <unistd.h>

using namespace ensc;
using namespace ensc::test;

namespace {

/// The tests share compilations: a program for every number of lanes, and one
/// that the interpreter executes.
class Training : public TinyTest {
protected:
  static void SetUpTestSuite() {
    jit8 = compile(tinyOptions(Backend::Jit, 8));
    jit16 = compile(tinyOptions(Backend::Jit, 16));
    interpreted = compile(tinyOptions(Backend::Interpret));
  }
  static void TearDownTestSuite() {
    jit8.reset();
    jit16.reset();
    interpreted.reset();
  }

  static FitOptions makeOptions(int64_t runs) {
    FitOptions options;
    options.runs = runs;
    options.epochs = 2;
    options.hypers["lr"] = tinyRates(runs);
    options.hypers["rate"] = {0.25};
    return options;
  }

  static std::optional<Executable> jit8, jit16, interpreted;
};

std::optional<Executable> Training::jit8, Training::jit16,
    Training::interpreted;

TEST_F(Training, EveryWayToTrainGivesTheBitsOfTheInterpreter) {
  constexpr int64_t runs = 19;
  Learner oracle = makeLearner(*interpreted);
  FitReport expected = fit(oracle, makeOptions(runs));
  auto states = statesOf(oracle, runs);
  for (const Executable *program : {&*jit8, &*jit16})
    for (RunSchedule schedule :
         {RunSchedule::Solo, RunSchedule::Lanes, RunSchedule::Auto})
      for (int threads : {1, 2}) {
        Learner learner = makeLearner(*program);
        FitOptions options = makeOptions(runs);
        options.schedule = schedule;
        options.threads = threads;
        FitReport report = fit(learner, options);
        EXPECT_EQ(report.runSteps, expected.runSteps);
        for (int64_t run = 0; run < runs; ++run) {
          EXPECT_TRUE(sameState(stateOf(learner, run), states[run])) << run;
          for (size_t epoch = 0; epoch < expected.runs[run].epochs.size();
               ++epoch)
            EXPECT_EQ(report.runs[run].epochs[epoch].values,
                      expected.runs[run].epochs[epoch].values);
        }
      }
}

TEST_F(Training, OneRunAloneHasTheSameBits) {
  constexpr int64_t runs = 19;
  Learner all = makeLearner(*jit16);
  fit(all, makeOptions(runs));
  for (int64_t run : {0, 7, 15, 16, 18})
    for (RunSchedule schedule : {RunSchedule::Solo, RunSchedule::Lanes}) {
      Learner learner = makeLearner(*jit16);
      FitOptions options = makeOptions(runs);
      options.onlyRun = run;
      options.schedule = schedule;
      FitReport report = fit(learner, options);
      ASSERT_EQ(report.runs.size(), 1u);
      EXPECT_EQ(report.runs[0].run, run);
      EXPECT_EQ(report.runSteps, 6);
      EXPECT_TRUE(sameState(stateOf(learner, run), stateOf(all, run)));
      EXPECT_FALSE(learner.parameter(run + 1, "w1"));
    }
}

TEST_F(Training, DivergedRunsChangeNoByteOfTheirNeighbours) {
  constexpr int64_t runs = 16;
  Learner calm = makeLearner(*jit16), wild = makeLearner(*jit16);
  FitOptions options = makeOptions(runs);
  options.schedule = RunSchedule::Lanes;
  fit(calm, options);
  auto states = statesOf(calm, runs);
  for (int64_t position = 0; position < runs; ++position) {
    options.hypers["lr"] = tinyRates(runs);
    options.hypers["lr"][position] = 1e30;
    FitReport report = fit(wild, options);
    for (int64_t run = 0; run < runs; ++run) {
      bool diverged = run == position;
      EXPECT_EQ(report.runs[run].status,
                diverged ? RunStatus::Diverged : RunStatus::Completed);
      EXPECT_EQ(report.runs[run].steps, diverged ? 3 : 6);
      EXPECT_TRUE(diverged || sameState(stateOf(wild, run), states[run]))
          << "run " << run << " beside " << position;
    }
  }
}

TEST_F(Training, RunsStopAtTheirOwnSteps) {
  const std::vector<int64_t> steps = {6, 0, 1, 4, 3, 100, 2, 5, 6};
  Learner learner = makeLearner(*jit8), alone = makeLearner(*jit8);
  FitOptions options = makeOptions(steps.size());
  options.schedule = RunSchedule::Lanes;
  options.maxSteps = steps;
  FitReport report = fit(learner, options);
  for (size_t run = 0; run < steps.size(); ++run) {
    EXPECT_EQ(report.runs[run].steps, std::min<int64_t>(steps[run], 6));
    EXPECT_EQ(report.runs[run].status,
              steps[run] < 6 ? RunStatus::Stopped : RunStatus::Completed);
    // Visits are as short as the neighbours make them, which changes no bit.
    FitOptions single = options;
    single.onlyRun = run;
    single.schedule = RunSchedule::Solo;
    FitReport own = fit(alone, single);
    EXPECT_TRUE(sameState(stateOf(learner, run), stateOf(alone, run))) << run;
    ASSERT_EQ(own.runs[0].epochs.size(), report.runs[run].epochs.size());
    for (size_t epoch = 0; epoch < own.runs[0].epochs.size(); ++epoch)
      EXPECT_EQ(own.runs[0].epochs[epoch].values,
                report.runs[run].epochs[epoch].values);
  }
}

TEST_F(Training, RunsThatLeaveChangeNoByteOfTheOthers) {
  constexpr int64_t most = 64;
  // Steps at which runs stop, in no order; some runs diverge.
  auto makeLeaving = [](int64_t runs) {
    FitOptions options = makeOptions(runs);
    options.epochs = 5;
    options.maxSteps.clear();
    for (int64_t run = 0; run < runs; ++run) {
      options.maxSteps.push_back(run * 29 % 17);
      if (run % 11 == 5)
        options.hypers["lr"][run] = 1e30;
    }
    return options;
  };
  Learner oracle = makeLearner(*interpreted);
  FitReport expected = fit(oracle, makeLeaving(most));
  auto states = statesOf(oracle, most);
  Learner learner = makeLearner(*jit16);
  for (int64_t runs : {1, 2, 3, 7, 17, 64})
    for (RunSchedule schedule :
         {RunSchedule::Solo, RunSchedule::Lanes, RunSchedule::Auto})
      for (int threads : {1, 2}) {
        FitOptions options = makeLeaving(runs);
        options.schedule = schedule;
        options.threads = threads;
        FitReport report = fit(learner, options);
        for (int64_t run = 0; run < runs; ++run) {
          EXPECT_EQ(report.runs[run].status, expected.runs[run].status);
          EXPECT_EQ(report.runs[run].steps, expected.runs[run].steps);
          EXPECT_TRUE(sameState(stateOf(learner, run), states[run]))
              << "run " << run << " of " << runs;
        }
      }
}

TEST_F(Training, OneCompilationServesAnyNumberOfRunsAndAnyRates) {
  Compiler compiler(tinyOptions());
  Expected<Executable> program = compiler.compileFile(ENSC_TINY_MODEL);
  ASSERT_TRUE(program) << program.error().message();
  Learner learner = makeLearner(*program);
  std::vector<Tensor> first;
  for (int64_t runs : {1, 5, 1000})
    for (double rate : {1e-3, 1e-2}) {
      FitOptions options = makeOptions(runs);
      options.hypers["lr"] = {rate};
      FitReport report = fit(learner, options);
      EXPECT_EQ(report.runSteps, runs * 6);
      if (rate == 1e-3 && runs == 1)
        first = stateOf(learner, 0);
      // More runs, and fits before, leave a run as it is.
      if (rate == 1e-3)
        EXPECT_TRUE(sameState(stateOf(learner, 0), first));
      else
        EXPECT_FALSE(sameState(stateOf(learner, 0), first));
    }
  EXPECT_EQ(compiler.compilations(), 1);
}

TEST_F(Training, EachRunMayHaveItsOwnData) {
  constexpr int64_t runs = 3;
  CompileOptions compileOptions = tinyOptions(Backend::Jit, 8);
  compileOptions.perRun = {"x", "y"};
  std::optional<Executable> program = compile(compileOptions);
  Learner learner = makeLearner(*program), shared = makeLearner(*jit8);
  auto [x, y] = tinyData(tinyRows, 5, runs);
  ASSERT_TRUE(learner.setData("x", x));
  ASSERT_TRUE(learner.setData("y", y));
  fit(learner, makeOptions(runs));
  for (int64_t run = 0; run < runs; ++run) {
    Tensor ownX = Tensor::borrow(DType::F32, {tinyRows, 3},
                                 x.data<float>() + run * tinyRows * 3);
    Tensor ownY = Tensor::borrow(DType::I32, {tinyRows},
                                 y.data<int32_t>() + run * tinyRows);
    ASSERT_TRUE(shared.setData("x", ownX));
    ASSERT_TRUE(shared.setData("y", ownY));
    FitOptions options = makeOptions(runs);
    options.onlyRun = run;
    fit(shared, options);
    EXPECT_TRUE(sameState(stateOf(learner, run), stateOf(shared, run))) << run;
  }
}

/// Bytes of this process in memory.
int64_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_F(Training, DataIsHeldOnceWhateverTheNumberOfRuns) {
  constexpr int64_t rows = 2000000, dataBytes = rows * 16;
  CompileOptions compileOptions = tinyOptions();
  compileOptions.rows = rows;
  compileOptions.shuffle = "none";
  std::optional<Executable> program = compile(compileOptions);
  Learner learner = makeLearner(*program);
  auto [x, y] = tinyData(rows, 7);
  ASSERT_TRUE(learner.setData("x", x));
  ASSERT_TRUE(learner.setData("y", y));
  int64_t before = residentBytes();
  FitOptions options = makeOptions(64);
  options.maxSteps = {2};
  fit(learner, options);
  EXPECT_LT(residentBytes() - before, dataBytes / 2);
}

TEST_F(Training, ErrorsComeBeforeTheFirstStep) {
  Learner learner = makeLearner(*jit8);
  FitOptions options = makeOptions(3);
  options.runs = 0;
  EXPECT_EQ(errorOf(learner, options),
            "the number of runs must be positive, got 0");
  options = makeOptions(3);
  options.hypers["lr"] = {0.1, 0.2};
  EXPECT_EQ(errorOf(learner, options), "'lr' has 2 values for 3 runs");
  options = makeOptions(3);
  options.hypers["eps"] = {1e-8, 1e-8, 0.0};
  EXPECT_EQ(errorOf(learner, options),
            "the hyper-parameter 'eps' of run 2 must be above 0, got 0");
  options = makeOptions(3);
  options.maxSteps = {1, 2};
  EXPECT_EQ(errorOf(learner, options), "max-steps has 2 values for 3 runs");
  options.maxSteps = {-1};
  EXPECT_EQ(errorOf(learner, options),
            "max-steps must not be negative, got -1");
  options = makeOptions(3);
  options.hypers["beta3"] = {0.1};
  EXPECT_EQ(errorOf(learner, options),
            "the program has no hyper-parameter 'beta3'; did you mean 'beta1'? "
            "(it has lr, beta1, beta2, eps, rate)");
  options = makeOptions(3);
  options.onlyRun = 3;
  EXPECT_EQ(errorOf(learner, options),
            "run 3 is not one of the 3 runs, which are counted from 0");
  Status status = learner.setData("z", Tensor());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "the program takes no data 'z'; it has x, y, x_val, y_val");
  ASSERT_TRUE(learner.setData("x", Tensor::zeros(DType::F32, {3, 3})));
  EXPECT_EQ(errorOf(learner, makeOptions(3)),
            "the data 'x' must be 14x3xf32, got 3x3xf32");
  Expected<Tensor> early = Learner::create(*jit8)->parameter(0, "w1");
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().message(), "nothing was trained so far");
}

} // namespace
