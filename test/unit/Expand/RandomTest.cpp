//===- RandomTest.cpp - Tests of draws, initializers and dropout ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

#include <set>

using namespace ensc;
using namespace ensc::test;

namespace {

Tensor seed(int64_t value) { return Tensor::scalar(value); }

// Runs with the same seed start alike, others differ everywhere.
TEST(RandomTest, RNG_A02) {
  CompiledText program(R"mlir(
    func.func @init(%seed: tensor<i64>) -> tensor<4x4xf32> {
      %0 = ens.uniform %seed {low = -0.5 : f64, high = 0.5 : f64}
          : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    })mlir");
  Tensor first = program.call("init", {seed(1)})[0];
  Tensor second = program.call("init", {seed(2)})[0];
  expectTensor(program.call("init", {seed(1)})[0], first);
  for (int i = 0; i < 16; ++i) {
    EXPECT_NE(first.data<float>()[i], second.data<float>()[i]);
    EXPECT_LT(std::abs(first.data<float>()[i]), 0.5f);
  }
}

// A function that is applied in a loop draws other numbers in each iteration,
// in its own loops too: those of a program that draws without functions.
TEST(RandomTest, AppliedFunctionsDrawAnewInEachIteration) {
  CompiledText program(R"mlir(
    func.func private @loss(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = ens.constant dense<0.0> : tensor<f32>
      %0 = scf.for %j = %c0 to %c2 step %c1 iter_args(%a = %zero)
          -> (tensor<f32>) {
        %bits = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
        %u = ens.convert %bits : tensor<ui32> to tensor<f32>
        %ux = ens.mul %u, %x : tensor<f32>
        %sum = ens.add %a, %ux : tensor<f32>
        scf.yield %sum : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    func.func private @slope(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
      %0 = ens.grad @loss(%x, %seed) wrt = [0]
          : (tensor<f32>, tensor<i64>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @once(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
      %0 = func.call @slope(%x, %seed)
          : (tensor<f32>, tensor<i64>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @slopes(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %none = ens.constant dense<0.0> : tensor<3xf32>
      %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %none)
          -> (tensor<3xf32>) {
        %dx = func.call @slope(%x, %seed)
            : (tensor<f32>, tensor<i64>) -> tensor<f32>
        %at = ens.from_index %i : tensor<i64>
        %one = ens.reshape %dx : tensor<f32> to tensor<1xf32>
        %next = ens.dynamic_update_slice %a, %one[%at]
            : (tensor<3xf32>, tensor<1xf32>, tensor<i64>) -> tensor<3xf32>
        scf.yield %next : tensor<3xf32>
      }
      return %0 : tensor<3xf32>
    })mlir");
  CompiledText oneDraw(R"mlir(
    func.func @words(%seed: tensor<i64>) -> tensor<6xf32> {
      %bits = ens.rng_bits %seed, %seed {site = 0 : i64}
          : tensor<i64>, tensor<i64> -> tensor<6xui32>
      %0 = ens.convert %bits : tensor<6xui32> to tensor<6xf32>
      return %0 : tensor<6xf32>
    })mlir");
  Tensor x = Tensor::scalar(2.0f);
  Tensor words = oneDraw.call("words", {seed(5)})[0];
  Tensor slopes = program.call("slopes", {x, seed(5)})[0];
  const auto *w = words.data<float>();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(slopes.data<float>()[i], w[2 * i + 1] + w[2 * i]) << i;
  EXPECT_EQ(program.call("once", {x, seed(5)})[0].data<float>()[0],
            slopes.data<float>()[0]);
}

// Bounds of loops with draws may take any way from constants, each value of
// which is looked at once.
TEST(RandomTest, BoundsOfLoopsWithDrawsShareTheirOperands) {
  std::string chain;
  for (int i = 1; i <= 60; ++i)
    chain += "  %a" + std::to_string(i) + " = arith.addi %a" +
             std::to_string(i - 1) + ", %a" + std::to_string(i - 1) +
             " : index\n";
  CompiledText program(R"mlir(
func.func private @noise(%w: tensor<f32>, %s: tensor<i64>) -> tensor<f32> {
  %a0 = arith.constant 0 : index
  %one = arith.constant 1 : index
)mlir" + chain + R"mlir(
  %end = arith.addi %a60, %one : index
  %r = scf.for %i = %a0 to %end step %one iter_args(%x = %w) -> (tensor<f32>) {
    %n = ens.normal %s : tensor<f32>
    %y = ens.mul %x, %n : tensor<f32>
    scf.yield %y : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @slopes(%w: tensor<f32>,
                  %s: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r = scf.for %i = %zero to %two step %one iter_args(%x = %w) -> (tensor<f32>) {
    %y, %d = ens.jvp @noise(%x, %s, %x) wrt = [0]
        : (tensor<f32>, tensor<i64>, tensor<f32>)
        -> (tensor<f32>, tensor<f32>)
    scf.yield %d : tensor<f32>
  }
  return %r : tensor<f32>
})mlir");
  EXPECT_EQ(program.call("slopes", {Tensor::scalar(1.0f), seed(3)}).size(), 1u);
}

// The number of an iteration of the training loop is the step, wherever a call
// begins.
TEST(RandomTest, LoopsOverStepsAreCountedFromStepZero) {
  CompiledText program(R"mlir(
    func.func @fit(%a: tensor<f32>, %seed: tensor<i64>,
                   %begin: index {ens.role = "begin"},
                   %end: index {ens.role = "end"}) -> tensor<f32> {
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %begin to %end step %c1 iter_args(%b = %a)
          -> (tensor<f32>) {
        %u = ens.uniform %seed : tensor<f32>
        %half = ens.mul %b, %u : tensor<f32>
        %next = ens.add %half, %u : tensor<f32>
        scf.yield %next : tensor<f32>
      }
      return %0 : tensor<f32>
    })mlir");
  auto fit = [&](const Tensor &a, int64_t begin, int64_t end) {
    return program.call("fit", {a, seed(5), seed(begin), seed(end)})[0];
  };
  Tensor start = Tensor::scalar(1.0f);
  expectTensor(fit(fit(start, 0, 2), 2, 5), fit(start, 0, 5));
}

// Uniform numbers are never 0 or 1, so that a logit of them is finite.
TEST(RandomTest, RNG_A03) {
  CompiledText program(R"mlir(
    func.func @logit(%u: tensor<f32>) -> tensor<f32> {
      %one = ens.constant dense<1.0> : tensor<f32>
      %rest = ens.sub %one, %u : tensor<f32>
      %odds = ens.div %u, %rest : tensor<f32>
      %0 = ens.log %odds : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @extremes(%bits: tensor<2xui32>) -> tensor<2xf32> {
      %nine = ens.constant dense<9> : tensor<2xui32>
      %half = ens.constant dense<0.5> : tensor<2xf32>
      %unit = ens.constant dense<1.1920929e-07> : tensor<2xf32>
      %0 = ens.shift_right_logical %bits, %nine : tensor<2xui32>
      %1 = ens.convert %0 : tensor<2xui32> to tensor<2xf32>
      %2 = ens.add %1, %half : tensor<2xf32>
      %3 = ens.mul %2, %unit : tensor<2xf32>
      return %3 : tensor<2xf32>
    }
    func.func @draw(%seed: tensor<i64>) -> tensor<20000xf32> {
      %0 = ens.uniform %seed : tensor<20000xf32>
      return %0 : tensor<20000xf32>
    }
    func.func @draw64(%seed: tensor<i64>) -> tensor<2000xf64> {
      %0 = ens.uniform %seed : tensor<2000xf64>
      return %0 : tensor<2000xf64>
    })mlir");
  // The ops that a draw consists of, at the least and the greatest bits.
  Tensor extremes = program.call("extremes", {ui32({2}, {0u, 0xFFFFFFFFu})})[0];
  EXPECT_EQ(extremes.data<float>()[0], std::ldexp(1.0f, -24));
  EXPECT_EQ(extremes.data<float>()[1], 1.0f - std::ldexp(1.0f, -24));
  expectNear(program.call("logit", {Tensor::scalar(std::ldexp(1.0f, -24))})[0],
             {-16.63553227}, 1e-6);
  double sum = 0;
  Tensor draw = program.call("draw", {seed(3)})[0];
  for (int i = 0; i < 20000; ++i) {
    float u = draw.data<float>()[i];
    EXPECT_TRUE(u > 0.0f && u < 1.0f);
    sum += u;
  }
  EXPECT_NEAR(sum / 20000, 0.5, 0.01);
  draw = program.call("draw64", {seed(3)})[0];
  sum = 0;
  for (int i = 0; i < 2000; ++i)
    sum += draw.data<double>()[i];
  EXPECT_NEAR(sum / 2000, 0.5, 0.03);
}

/// Mean and deviation of the elements.
std::pair<double, double> moments(const Tensor &tensor) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    double x = tensor.data<float>()[i];
    sum += x;
    squares += x * x;
  }
  double mean = sum / tensor.size();
  return {mean, std::sqrt(squares / tensor.size() - mean * mean)};
}

TEST(RandomTest, InitializersHaveTheirVariance) {
  CompiledText program(R"mlir(
    func.func @init(%seed: tensor<i64>)
        -> (tensor<100x50xf32>, tensor<100x50xf32>, tensor<100x50xf32>,
            tensor<100x50xf32>, tensor<100x50xf32>) {
      %0 = ens.normal %seed {mean = 2.0 : f64, stddev = 0.5 : f64}
          : tensor<100x50xf32>
      %1 = ens.he_normal %seed : tensor<100x50xf32>
      %2 = ens.he_uniform %seed : tensor<100x50xf32>
      %3 = ens.glorot_normal %seed : tensor<100x50xf32>
      %4 = ens.glorot_uniform %seed : tensor<100x50xf32>
      return %0, %1, %2, %3, %4
          : tensor<100x50xf32>, tensor<100x50xf32>, tensor<100x50xf32>,
            tensor<100x50xf32>, tensor<100x50xf32>
    })mlir");
  std::vector<Tensor> results = program.call("init", {seed(7)});
  const std::vector<double> means = {2, 0, 0, 0, 0};
  const std::vector<double> deviations = {0.5, std::sqrt(0.02), std::sqrt(0.02),
                                          std::sqrt(2. / 150),
                                          std::sqrt(2. / 150)};
  std::set<float> firsts;
  for (size_t i = 0; i < 5; ++i) {
    auto [mean, deviation] = moments(results[i]);
    EXPECT_NEAR(mean, means[i], 4 * deviations[i] / std::sqrt(5000.)) << i;
    EXPECT_NEAR(deviation, deviations[i], 0.03 * deviations[i]) << i;
    firsts.insert(results[i].data<float>()[0]);
  }
  EXPECT_EQ(firsts.size(), 5u) << "each draw has its own site";
}

const char *dropout = R"mlir(
  func.func @value(%x: tensor<10000xf32>, %rate: tensor<f32>,
                   %seed: tensor<i64>, %step: tensor<i64>)
      -> tensor<10000xf32> {
    %0 = ens.dropout %x, %rate, %seed, %step : tensor<10000xf32>
    return %0 : tensor<10000xf32>
  }
  func.func @grad(%x: tensor<10000xf32>, %rate: tensor<f32>,
                  %seed: tensor<i64>, %step: tensor<i64>)
      -> (tensor<10000xf32>, tensor<10000xf32>) {
    %one = ens.constant dense<1.0> : tensor<10000xf32>
    %0:2 = ens.vjp @value(%x, %rate, %seed, %step, %one) wrt = [0]
        : (tensor<10000xf32>, tensor<f32>, tensor<i64>, tensor<i64>,
           tensor<10000xf32>) -> (tensor<10000xf32>, tensor<10000xf32>)
    return %0#0, %0#1 : tensor<10000xf32>, tensor<10000xf32>
  }
)mlir";

Tensor ones() { return f32({10000}, std::vector<float>(10000, 1.0f)); }

// The rate is the probability to drop; survivors are scaled; the derivative
// sees the same mask.
TEST(RandomTest, RNG_A06) {
  CompiledText program(dropout);
  std::vector<Tensor> results =
      program.call("grad", {ones(), Tensor::scalar(0.2f), seed(5),
                            Tensor::scalar<int64_t>(9)});
  int64_t kept = 0;
  for (int i = 0; i < 10000; ++i) {
    float y = results[0].data<float>()[i];
    EXPECT_TRUE(y == 0.0f || y == 1.25f);
    EXPECT_EQ(results[1].data<float>()[i], y);
    kept += y != 0.0f;
  }
  EXPECT_NEAR(kept / 10000.0, 0.8, 0.016);
  Tensor next = program.call("value", {ones(), Tensor::scalar(0.2f), seed(5),
                                       Tensor::scalar<int64_t>(10)})[0];
  EXPECT_FALSE(next.bitwiseEquals(results[0])) << "each step has its own mask";
}

// Rate 0, as in an evaluation, is the identity; rate 1 drops everything and
// leaves no NaN in the derivative.
TEST(RandomTest, RNG_A07) {
  CompiledText program(dropout);
  std::vector<float> values(10000);
  for (int i = 0; i < 10000; ++i)
    values[i] = static_cast<float>(i % 7) - 3.0f;
  Tensor x = f32({10000}, values);
  Tensor step = Tensor::scalar<int64_t>(0);
  std::vector<Tensor> none =
      program.call("grad", {x, Tensor::scalar(0.0f), seed(5), step});
  expectTensor(none[0], x);
  expectTensor(none[1], ones());
  std::vector<Tensor> all =
      program.call("grad", {x, Tensor::scalar(1.0f), seed(5), step});
  Tensor zeros = Tensor::zeros(DType::F32, {10000});
  expectTensor(all[0], zeros);
  expectTensor(all[1], zeros);
}

// A rate that is no probability shows at once.
TEST(RandomTest, BAD_A02) {
  CompiledText program(dropout);
  for (float rate : {-0.5f, 1.5f, NAN}) {
    Tensor y = program.call("value", {ones(), Tensor::scalar(rate), seed(5),
                                      Tensor::scalar<int64_t>(0)})[0];
    EXPECT_TRUE(std::isnan(y.data<float>()[0]) &&
                std::isnan(y.data<float>()[9999]))
        << rate;
  }
}

TEST(RandomTest, DrawsOfALoopDiffer) {
  CompiledText program(R"mlir(
    func.func @draws(%seed: tensor<i64>, %end: index {ens.role = "end"})
        -> tensor<4x2xui32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = ens.constant dense<0> : tensor<i64>
      %x = ens.constant dense<0> : tensor<4x2xui32>
      %0 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %x)
          -> (tensor<4x2xui32>) {
        %bits = ens.rng_bits %seed, %zero {site = 3 : i64}
            : tensor<i64>, tensor<i64> -> tensor<2xui32>
        %row = ens.from_index %i : tensor<i64>
        %rows = ens.reshape %bits : tensor<2xui32> to tensor<1x2xui32>
        %b = ens.dynamic_update_slice %a, %rows [%row, %zero]
            : (tensor<4x2xui32>, tensor<1x2xui32>, tensor<i64>, tensor<i64>)
            -> tensor<4x2xui32>
        scf.yield %b : tensor<4x2xui32>
      }
      return %0 : tensor<4x2xui32>
    }
    func.func @at_once(%seed: tensor<i64>) -> tensor<4x2xui32> {
      %zero = ens.constant dense<0> : tensor<i64>
      %0 = ens.rng_bits %seed, %zero {site = 3 : i64}
          : tensor<i64>, tensor<i64> -> tensor<4x2xui32>
      return %0 : tensor<4x2xui32>
    })mlir");
  // The iterations extend the index of the elements.
  Tensor loop =
      program.call("draws", {seed(11), Tensor::scalar<int64_t>(4)})[0];
  expectTensor(loop, program.call("at_once", {seed(11)})[0]);
}

} // namespace
