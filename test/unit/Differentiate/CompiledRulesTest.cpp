//===- CompiledRulesTest.cpp - Derivatives have the same bits compiled ----===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What RuleNumericsTest shows of derivatives in the interpreter holds for
// compiled code, since each sample and its derivatives of first and second
// order give the same bits: alone, and as one run of three in lanes.
//
//===----------------------------------------------------------------------===//

#include "../Reference/StackedRuns.h"
#include "DifferentiatedProgram.h"
#include "RulePrograms.h"

#include "ensc/API/Compiler.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::test;

namespace {
constexpr int64_t runs = 3;

class CompiledRules : public testing::TestWithParam<RuleSample> {
protected:
  void SetUp() override {
    std::string text = programOf(GetParam());
    interpreted = std::make_unique<DifferentiatedProgram>(text);
    ASSERT_EQ(interpreted->diagnostics(), "");
    Expected<Executable> program = Compiler().compile(text);
    ASSERT_TRUE(program) << program.error().message();
    compiled = std::make_unique<Executable>(*program);
  }

  /// Random arguments of an entry, each leading with the runs.
  std::vector<Tensor> makeArguments(const ManifestEntry &entry) {
    std::vector<Tensor> arguments;
    for (const ManifestValue &argument : entry.arguments) {
      Shape shape = argument.shape;
      shape.insert(shape.begin(), runs);
      std::string text;
      for (int64_t extent : shape)
        text += std::to_string(extent) + "x";
      arguments.push_back(
          randomTensor(text, engine, GetParam().low, GetParam().high));
    }
    return arguments;
  }

  void expectSameBits(const ManifestEntry &entry, RunSchedule schedule) {
    std::vector<Tensor> arguments = makeArguments(entry);
    CallOptions options;
    options.runs = runs;
    options.schedule = schedule;
    auto results = compiled->call(entry.name, arguments, options);
    ASSERT_TRUE(results) << results.error().message();
    for (int64_t run = 0; run < runs; ++run) {
      std::vector<Tensor> own;
      for (const Tensor &argument : arguments)
        own.push_back(runOf(argument, run));
      auto expected = interpreted->call(entry.name, own);
      ASSERT_TRUE(expected) << expected.error().message();
      ASSERT_EQ(results->size(), expected->size());
      for (size_t i = 0; i < expected->size(); ++i)
        EXPECT_TRUE(runOf((*results)[i], run).bitwiseEquals((*expected)[i]))
            << "@" << entry.name << ", result " << i << ", run " << run;
    }
  }

  std::mt19937 engine{1};
  std::unique_ptr<DifferentiatedProgram> interpreted;
  std::unique_ptr<Executable> compiled;
};

TEST_P(CompiledRules, HaveTheBitsOfTheInterpreter) {
  for (const ManifestEntry &entry : compiled->manifest().entries) {
    expectSameBits(entry, RunSchedule::Solo);
    expectSameBits(entry, RunSchedule::Lanes);
  }
}

INSTANTIATE_TEST_SUITE_P(AllOps, CompiledRules,
                         testing::ValuesIn(ruleSamples()),
                         [](const testing::TestParamInfo<RuleSample> &info) {
                           return info.param.name;
                         });
} // namespace
