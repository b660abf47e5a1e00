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
#include "RuleSamples.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace ensc;
using namespace ensc::test;

namespace {
using Tensors = std::vector<Tensor>;

std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// Names like %p0, %p1 for `count` values.
std::vector<std::string> names(const std::string &prefix, size_t count) {
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back("%" + prefix + std::to_string(i));
  return result;
}

/// A function that only applies a derivative `op` to @`callee`. Its results are
/// those of the op from `first` on.
struct Wrapper {
  std::string name, op, callee;
  std::vector<std::string> inputs, outputs;
  size_t wrtCount, first;

  std::string text() const {
    std::vector<std::string> arguments = names("p", inputs.size());
    std::vector<std::string> typed, wrt;
    for (size_t i = 0; i < inputs.size(); ++i)
      typed.push_back(arguments[i] + ": " + inputs[i]);
    for (size_t i = 0; i < wrtCount; ++i)
      wrt.push_back(std::to_string(i));
    std::vector<std::string> results = names("r#", outputs.size());
    std::vector<std::string> kept(results.begin() + first, results.end());
    std::vector<std::string> types(outputs.begin() + first, outputs.end());
    return "func.func @" + name + "(" + join(typed) + ") -> (" + join(types) +
           ") {\n  %r:" + std::to_string(outputs.size()) + " = ens." + op +
           " @" + callee + "(" + join(arguments) + ") wrt = [" + join(wrt) +
           "] : (" + join(inputs) + ") -> (" + join(outputs) + ")\n  return " +
           join(kept) + " : " + join(types) + "\n}\n";
  }
};

std::vector<std::string> concat(std::vector<std::string> a,
                                const std::vector<std::string> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// @NAME, its forward mode @NAME_jvp, its reverse mode @NAME_vjp, and both of
/// the latter's.
std::string programOf(const RuleSample &sample) {
  std::vector<std::string> types, typed;
  const char *letters[] = {"%a", "%b", "%c"};
  for (size_t i = 0; i < sample.arguments.size(); ++i) {
    types.push_back("tensor<" + sample.arguments[i] + "f64>");
    typed.push_back(letters[i] + std::string(": ") + types.back());
  }
  std::string result = "tensor<" + sample.result + "f64>";
  std::string text = "func.func @" + sample.name + "(" + join(typed) + ") -> " +
                     result + " {\n  " + sample.body +
                     "\n  return %y : " + result + "\n}\n";
  size_t count = types.size();
  std::vector<std::string> withSeed = concat(types, {result});
  const std::string &name = sample.name;
  text += Wrapper{name + "_jvp",    "jvp", name, concat(types, types),
                  {result, result}, count, 1}
              .text();
  text += Wrapper{name + "_vjp",           "vjp", name, withSeed,
                  concat({result}, types), count, 1}
              .text();
  text +=
      Wrapper{
          name + "_vjp_jvp",    "jvp", name + "_vjp", concat(withSeed, types),
          concat(types, types), count, count}
          .text();
  text +=
      Wrapper{
          name + "_vjp_vjp",    "vjp", name + "_vjp", concat(withSeed, types),
          concat(types, types), count, count}
          .text();
  return text;
}

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

Shape shapeOf(const std::string &text) {
  Shape shape;
  for (size_t at = 0; at < text.size(); at = text.find('x', at) + 1)
    shape.push_back(std::stoll(text.substr(at)));
  return shape;
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
      x.push_back(random(shape, engine, sample.low, sample.high));
      v.push_back(random(shape, engine, -1, 1));
      u.push_back(random(shape, engine, -1, 1));
    }
    c = {random(sample.result, engine, -1, 1)};
  }

  static Tensor random(const std::string &shape, std::mt19937 &engine,
                       double low, double high) {
    Tensor tensor = Tensor::zeros(DType::F64, shapeOf(shape));
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.data<double>()[i] = low + (high - low) * (engine() / 4294967296.0);
    return tensor;
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
