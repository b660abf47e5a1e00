//===- TinyPrograms.h - Tests that train tiny.mlir --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_LEARNER_TINYPROGRAMS_H
#define ENSC_TEST_UNIT_LEARNER_TINYPROGRAMS_H

#include "MemorySink.h"
#include "TinyLearner.h"

#include <optional>

namespace ensc::test {

/// Tests that share a compilation.
class TinyTest : public testing::Test {
protected:
  static void SetUpTestSuite() { jit = compile(tinyOptions()); }
  static void TearDownTestSuite() { jit.reset(); }

  static std::optional<Executable> compile(const CompileOptions &options) {
    Expected<Executable> program =
        Compiler(options).compileFile(ENSC_TINY_MODEL);
    EXPECT_TRUE(program) << program.error().message();
    return program ? std::optional<Executable>(*program) : std::nullopt;
  }

  static Learner makeLearner(std::vector<Executable> programs = {*jit}) {
    Expected<Learner> learner = Learner::create(std::move(programs));
    EXPECT_TRUE(learner) << learner.error().message();
    giveTinyData(*learner);
    return std::move(*learner);
  }

  static Learner makeLearner(const Executable &program) {
    return makeLearner(std::vector<Executable>{program});
  }

  static FitReport fit(Learner &learner, const FitOptions &options) {
    Expected<FitReport> report = learner.fit(options);
    EXPECT_TRUE(report) << report.error().message();
    return report ? *report : FitReport();
  }

  static std::string errorOf(Learner &learner, const FitOptions &options) {
    Expected<FitReport> report = learner.fit(options);
    return report ? "no error" : report.error().message();
  }

  /// Trains each of some runs alone, to the report and the bits that it has
  /// among all, which `learner` has just trained.
  static void expectSameAlone(const Learner &learner, const FitReport &report,
                              FitOptions options, Learner alone,
                              const std::vector<int64_t> &runs) {
    for (int64_t run : runs)
      for (RunSchedule schedule : {RunSchedule::Solo, RunSchedule::Lanes}) {
        options.onlyRun = run;
        options.schedule = schedule;
        FitReport own = fit(alone, options);
        ASSERT_EQ(own.runs.size(), 1u);
        expectSameReport(own.runs[0], report.runs[run]);
        expectSameRecords(own.runs[0].epochs, report.runs[run].epochs);
        int64_t program = own.runs[0].program;
        EXPECT_TRUE(sameState(stateOf(alone, run, program),
                              stateOf(learner, run, program)))
            << run;
      }
  }

  static std::optional<Executable> jit;
};

inline std::optional<Executable> TinyTest::jit;

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_LEARNER_TINYPROGRAMS_H
