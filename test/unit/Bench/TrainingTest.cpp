//===- TrainingTest.cpp - Programs of ens-bench against the interpreter ---===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "Program.h"

#include "ensc/API/Compiler.h"

#include <gtest/gtest.h>

using namespace ensc;
using namespace ensc::bench;

namespace {

struct Case {
  const char *name;
  int64_t batch;
  Optimizer optimizer;
};

void PrintTo(const Case &c, std::ostream *os) {
  *os << c.name << " " << c.batch << " " << bench::nameOf(c.optimizer);
}

Model modelOf(const Case &c) {
  Model model = *Model::parse(c.name);
  model.batch = c.batch;
  model.optimizer = c.optimizer;
  return model;
}

/// Three steps in two calls, the second of which goes on in the memory of the
/// first.
Training train(const CompiledModel &compiled, RunSchedule schedule) {
  constexpr int64_t runs = 3;
  Training training(compiled, runs);
  CallOptions options;
  options.runs = runs;
  options.threads = 1;
  options.schedule = schedule;
  for (int64_t steps : {1, 2}) {
    Status status = training.advance(steps, options);
    EXPECT_TRUE(status) << status.error().message();
  }
  return training;
}

Expected<CompiledModel> compile(const Case &c, Backend backend) {
  CompileOptions options;
  options.backend = backend;
  return CompiledModel::compile(modelOf(c), /*steps=*/2, options);
}

class TrainingOf : public testing::TestWithParam<Case> {};

TEST_P(TrainingOf, AgreesWithTheInterpreter) {
  Expected<CompiledModel> oracle = compile(GetParam(), Backend::Interpret);
  ASSERT_TRUE(oracle) << oracle.error().message();
  Expected<CompiledModel> compiled = compile(GetParam(), Backend::Jit);
  ASSERT_TRUE(compiled) << compiled.error().message();
  Training expected = train(*oracle, RunSchedule::Auto);
  EXPECT_EQ(expected.step(), 3);
  EXPECT_GT(expected.losses().data<float>()[0], 0.0f);
  for (RunSchedule schedule : {RunSchedule::Solo, RunSchedule::Lanes}) {
    Training actual = train(*compiled, schedule);
    for (size_t i = 0; i < actual.state().size(); ++i)
      EXPECT_TRUE(actual.state()[i].bitwiseEquals(expected.state()[i])) << i;
    EXPECT_TRUE(actual.losses().bitwiseEquals(expected.losses()));
  }
}

// Small batches where the interpreter would take long.
INSTANTIATE_TEST_SUITE_P(
    Models, TrainingOf,
    testing::Values(Case{"mlp-64-32-10", 16, Optimizer::Sgd},
                    Case{"mlp-64-32-10", 16, Optimizer::Adam},
                    Case{"mlp-2-16-16-1", 32, Optimizer::Sgd},
                    Case{"mlp-61-29-7", 13, Optimizer::Adam},
                    Case{"mlp-784-128-10", 3, Optimizer::Adam},
                    Case{"mlp-784-128-128-10", 2, Optimizer::Sgd}));

TEST(Training, CountsWhatARunHasOfItsOwn) {
  Expected<CompiledModel> compiled =
      compile({"mlp-3-2", 4, Optimizer::Adam}, Backend::Jit);
  ASSERT_TRUE(compiled) << compiled.error().message();
  // Parameters and two moments, two losses, a learning rate.
  EXPECT_EQ(compiled->bytesPerRun(), 4 * (3 * 8 + 2 + 1));
}

TEST(Timing, WorksTakeTurns) {
  std::string turns;
  auto timings = alternate(0.0, 3,
                           {[&] {
                              turns += "a";
                              return Status::success();
                            },
                            [&] {
                              turns += "b";
                              return Status::success();
                            }});
  ASSERT_TRUE(timings);
  EXPECT_EQ(turns, "ababab");
  ASSERT_EQ(timings->size(), 2u);
  EXPECT_LE((*timings)[0].best, (*timings)[0].median);

  auto failed = alternate(
      0.0, 3, {[] { return Status(Error(ErrorKind::Internal, "no")); }});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(), "no");
}

TEST(Training, LossesFall) {
  Expected<CompiledModel> compiled = CompiledModel::compile(
      modelOf({"mlp-2-16-16-1", 32, Optimizer::Adam}), batchCount, {});
  ASSERT_TRUE(compiled) << compiled.error().message();
  constexpr int64_t runs = 2;
  Training training(*compiled, runs);
  CallOptions options;
  options.runs = runs;
  auto lossOfPass = [&] {
    EXPECT_TRUE(training.advance(batchCount, options));
    // The run with the greatest learning rate is the last one.
    const float *losses = training.losses().data<float>() + batchCount;
    double sum = 0.0;
    for (int64_t step = 0; step < batchCount; ++step)
      sum += losses[step];
    return sum;
  };
  double first = lossOfPass();
  for (int pass = 0; pass < 5; ++pass)
    lossOfPass();
  EXPECT_LT(lossOfPass(), 0.5 * first);
}

} // namespace
