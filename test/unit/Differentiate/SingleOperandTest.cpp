//===- SingleOperandTest.cpp - Derivatives by one operand at a time -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule may skip what nobody asks for. What it gives for one operand alone is
// what it gives for that operand among all.
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
using Texts = std::vector<std::string>;

std::string join(const Texts &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string typeOf(const std::string &shape) {
  return "tensor<" + shape + "f64>";
}

/// A function @NAME_MODE_N that applies `mode` to the sample's function with
/// respect to `wrt`; the operands beyond the arguments have the types `seeds`,
/// and the results after the value itself have the types `results`.
std::string derivative(const RuleSample &sample, const std::string &mode,
                       const std::string &suffix, const Texts &wrt,
                       const Texts &seeds, const Texts &results) {
  Texts types, typed, values;
  for (const std::string &shape : sample.arguments)
    types.push_back(typeOf(shape));
  types.insert(types.end(), seeds.begin(), seeds.end());
  for (size_t i = 0; i < types.size(); ++i) {
    values.push_back("%p" + std::to_string(i));
    typed.push_back(values.back() + ": " + types[i]);
  }
  Texts outputs = {typeOf(sample.result)}, kept;
  outputs.insert(outputs.end(), results.begin(), results.end());
  for (size_t i = 1; i < outputs.size(); ++i)
    kept.push_back("%r#" + std::to_string(i));
  return "func.func @" + sample.name + "_" + mode + "_" + suffix + "(" +
         join(typed) + ") -> (" + join(results) +
         ") {\n  %r:" + std::to_string(outputs.size()) + " = ens." + mode +
         " @" + sample.name + "(" + join(values) + ") wrt = [" + join(wrt) +
         "] : (" + join(types) + ") -> (" + join(outputs) + ")\n  return " +
         join(kept) + " : " + join(results) + "\n}\n";
}

/// The sample's function, both modes by all arguments and by each.
std::string programOf(const RuleSample &sample) {
  const char *letters[] = {"%a", "%b", "%c"};
  Texts typed, types, all;
  for (size_t i = 0; i < sample.arguments.size(); ++i) {
    types.push_back(typeOf(sample.arguments[i]));
    typed.push_back(std::string(letters[i]) + ": " + types[i]);
    all.push_back(std::to_string(i));
  }
  std::string result = typeOf(sample.result);
  std::string text = "func.func @" + sample.name + "(" + join(typed) + ") -> " +
                     result + " {\n  " + sample.body +
                     "\n  return %y : " + result + "\n}\n";
  text += derivative(sample, "jvp", "all", all, types, {result});
  text += derivative(sample, "vjp", "all", all, {result}, types);
  for (size_t i = 0; i < types.size(); ++i) {
    text += derivative(sample, "jvp", all[i], {all[i]}, {types[i]}, {result});
    text += derivative(sample, "vjp", all[i], {all[i]}, {result}, {types[i]});
  }
  return text;
}

Shape shapeOf(const std::string &text) {
  Shape shape;
  for (size_t at = 0; at < text.size(); at = text.find('x', at) + 1)
    shape.push_back(std::stoll(text.substr(at)));
  return shape;
}

Tensor random(const std::string &shape, std::mt19937 &engine, double low,
              double high) {
  Tensor tensor = Tensor::zeros(DType::F64, shapeOf(shape));
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data<double>()[i] = low + (high - low) * (engine() / 4294967296.0);
  return tensor;
}

void expectClose(const Tensor &actual, const Tensor &expected) {
  ASSERT_EQ(actual.shape(), expected.shape());
  for (int64_t i = 0; i < actual.size(); ++i) {
    double a = actual.data<double>()[i], b = expected.data<double>()[i];
    EXPECT_LE(std::fabs(a - b), 1e-12 * (1 + std::fabs(b))) << "element " << i;
  }
}

class SingleOperandTest : public testing::TestWithParam<RuleSample> {
protected:
  void SetUp() override {
    std::mt19937 engine(2);
    const RuleSample &sample = GetParam();
    for (const std::string &shape : sample.arguments) {
      arguments.push_back(random(shape, engine, sample.low, sample.high));
      tangents.push_back(random(shape, engine, -1, 1));
    }
    cotangent = random(sample.result, engine, -1, 1);
  }

  /// The results of @NAME_MODE_SUFFIX.
  Tensors call(const std::string &mode, const std::string &suffix,
               const Tensors &seeds) {
    Tensors operands = arguments;
    operands.insert(operands.end(), seeds.begin(), seeds.end());
    auto results =
        program.call(GetParam().name + "_" + mode + "_" + suffix, operands);
    EXPECT_TRUE(results) << results.error().message();
    return results ? *results : Tensors();
  }

  DifferentiatedProgram program{programOf(GetParam())};
  Tensors arguments, tangents;
  Tensor cotangent;
};

TEST_P(SingleOperandTest, TangentsAddUp) {
  Tensors whole = call("jvp", "all", tangents);
  ASSERT_EQ(whole.size(), 1u);
  Tensor sum = Tensor::zeros(DType::F64, whole[0].shape());
  for (size_t i = 0; i < tangents.size(); ++i) {
    Tensors part = call("jvp", std::to_string(i), {tangents[i]});
    ASSERT_EQ(part.size(), 1u);
    for (int64_t e = 0; e < sum.size(); ++e)
      sum.data<double>()[e] += part[0].data<double>()[e];
  }
  expectClose(sum, whole[0]);
}

TEST_P(SingleOperandTest, CotangentsAreThoseAmongAll) {
  Tensors whole = call("vjp", "all", {cotangent});
  ASSERT_EQ(whole.size(), arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    Tensors part = call("vjp", std::to_string(i), {cotangent});
    ASSERT_EQ(part.size(), 1u);
    expectClose(part[0], whole[i]);
  }
}

std::vector<RuleSample> samplesOfSeveralOperands() {
  std::vector<RuleSample> samples;
  for (const RuleSample &sample : ruleSamples())
    if (sample.arguments.size() > 1)
      samples.push_back(sample);
  return samples;
}

INSTANTIATE_TEST_SUITE_P(Rules, SingleOperandTest,
                         testing::ValuesIn(samplesOfSeveralOperands()),
                         [](const testing::TestParamInfo<RuleSample> &sample) {
                           return sample.param.name;
                         });

} // namespace
