//===- RuleNumericsTest.cpp - Derivatives agree with each other -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each sample f is checked in four ways that share no code with the rules:
// forward mode against central differences; reverse against forward mode by
// <c, J v> = <J^T c, v>, which is exact but for rounding; and both modes again
// on g(x) = J(x)^T c, whose Jacobian is symmetric.
//
//===----------------------------------------------------------------------===//

#include "DifferentiatedProgram.h"
#include "RulePrograms.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace ensc;
using namespace ensc::test;

namespace {
using Tensors = std::vector<Tensor>;

double dot(const Tensors &a, const Tensors &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    for (int64_t e = 0; e < a[i].size(); ++e)
      sum += a[i].data<double>()[e] * b[i].data<double>()[e];
  return sum;
}

double norm(const Tensors &a) { return std::sqrt(dot(a, a)); }

/// a + factor * b
Tensors axpy(const Tensors &a, double factor, const Tensors &b) {
  Tensors sum;
  for (size_t i = 0; i < a.size(); ++i) {
    sum.push_back(a[i].clone());
    for (int64_t e = 0; e < a[i].size(); ++e)
      sum[i].data<double>()[e] += factor * b[i].data<double>()[e];
  }
  return sum;
}

Tensors operator+(Tensors a, const Tensors &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class RuleNumerics : public testing::TestWithParam<RuleSample> {
protected:
  /// All samples are compiled as one program.
  static void SetUpTestSuite() {
    std::string text;
    for (const RuleSample &sample : ruleSamples())
      text += programOf(sample);
    program = new DifferentiatedProgram(text);
    ASSERT_EQ(program->diagnostics(), "");
  }
  static void TearDownTestSuite() {
    delete program;
    program = nullptr;
  }

  void SetUp() override {
    std::mt19937 engine(1);
    const RuleSample &sample = GetParam();
    for (const std::string &shape : sample.arguments) {
      x.push_back(randomTensor(shape, engine, sample.low, sample.high));
      v.push_back(randomTensor(shape, engine, -1, 1));
      u.push_back(randomTensor(shape, engine, -1, 1));
    }
    c = {randomTensor(sample.result, engine, -1, 1)};
  }

  Tensors call(const std::string &suffix, const Tensors &arguments) {
    auto results = program->call(GetParam().name + suffix, arguments);
    EXPECT_TRUE(results) << results.error().message();
    return results ? *results : Tensors();
  }

  /// The function's derivative along `v`, from values 2e-5 apart.
  Tensors difference(const std::string &suffix, const Tensors &rest) {
    double h = 1e-5;
    Tensors above = call(suffix, axpy(x, h, v) + rest);
    Tensors below = call(suffix, axpy(x, -h, v) + rest);
    for (size_t i = 0; i < above.size(); ++i)
      for (int64_t e = 0; e < above[i].size(); ++e) {
        double &slope = above[i].data<double>()[e];
        slope = (slope - below[i].data<double>()[e]) / (2 * h);
      }
    return above;
  }

  static void expectClose(const Tensors &actual, const Tensors &expected,
                          double tolerance) {
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_LE(norm(axpy(actual, -1, expected)),
              tolerance * (1 + norm(expected)));
  }

  static DifferentiatedProgram *program;
  Tensors x, v, u, c;
};

DifferentiatedProgram *RuleNumerics::program = nullptr;

TEST_P(RuleNumerics, ForwardModeIsTheSlope) {
  if (GetParam().name == "stop_gradient")
    GTEST_SKIP() << "has no derivative though it has a slope";
  expectClose(call("_jvp", x + v), difference("", {}), 1e-8);
}

TEST_P(RuleNumerics, ReverseModeIsTheTranspose) {
  double forward = dot(c, call("_jvp", x + v));
  double reverse = dot(call("_vjp", x + c), v);
  EXPECT_NEAR(forward, reverse, 1e-10 * (1 + std::abs(forward)));
}

TEST_P(RuleNumerics, ForwardOverReverseIsTheSlopeOfTheGradient) {
  expectClose(call("_vjp_jvp", x + c + v), difference("_vjp", c), 1e-7);
}

TEST_P(RuleNumerics, SecondDerivativesAreSymmetric) {
  Tensors hv = call("_vjp_jvp", x + c + v), hu = call("_vjp_jvp", x + c + u);
  EXPECT_NEAR(dot(u, hv), dot(v, hu), 1e-10 * (1 + norm(hv)));
  expectClose(call("_vjp_vjp", x + c + v), hv, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(AllOps, RuleNumerics, testing::ValuesIn(ruleSamples()),
                         [](const testing::TestParamInfo<RuleSample> &info) {
                           return info.param.name;
                         });
} // namespace
