//===- ThrowingTest.cpp - Callbacks that throw ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySink.h"
#include "TinyLearner.h"

#include "ensc/API/Compiler.h"

#include "gtest/gtest.h"

#include <stdexcept>

using namespace ensc;
using namespace ensc::test;

namespace {

Learner makeTinyLearner() {
  Compiler compiler(tinyOptions());
  Expected<Executable> program = compiler.compileFile(ENSC_TINY_MODEL);
  EXPECT_TRUE(program) << program.error().message();
  Expected<Learner> learner = Learner::create(*program);
  EXPECT_TRUE(learner);
  giveTinyData(*learner);
  return std::move(*learner);
}

/// What a fit says whose callback at the fourth epoch does `fail`. It leaves a
/// snapshot of what was done so far.
template <typename Function> std::string errorOf(Function fail) {
  Learner learner = makeTinyLearner();
  FitOptions options;
  options.runs = 3;
  options.epochs = 10;
  options.callbacks.push_back({4, fail});
  KeptFit kept;
  MemorySink sink(kept);
  sink.keepEvery = 1000000;
  Expected<FitReport> report = learner.fit(options, sink);
  EXPECT_FALSE(report);
  EXPECT_TRUE(kept.snapshot);
  if (kept.snapshot)
    EXPECT_EQ(kept.snapshot->reports[0].steps, 12);
  return report ? "" : report.error().message();
}

TEST(Throwing, ACallbackEndsTrainingAtASnapshot) {
  EXPECT_EQ(errorOf([](Population &) -> Status {
              throw std::runtime_error("no mail could be sent");
            }),
            "the callback threw an exception: no mail could be sent");
  EXPECT_EQ(errorOf([](Population &) -> Status { throw 7; }),
            "the callback threw something that is no std::exception");
}

TEST(Throwing, OnRunsEndedEndsTraining) {
  Learner learner = makeTinyLearner();
  FitOptions options;
  options.epochs = 1;
  options.onRunsEnded = [](const std::vector<RunReport> &) -> Status {
    throw std::runtime_error("no");
  };
  Expected<FitReport> report = learner.fit(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message(), "onRunsEnded threw an exception: no");
}

} // namespace
