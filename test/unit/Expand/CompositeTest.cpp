//===- CompositeTest.cpp - Tests of composites and their derivatives ------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A program around `body`, which computes %y: TYPE from %x: TYPE. @value gives
/// %y, @reverse its pull-back of ones, @forward its push-forward of ones.
std::string pointwise(const std::string &type, const std::string &body) {
  std::string text = R"mlir(
    func.func @value(%x: TYPE) -> TYPE {
      BODY
      return %y : TYPE
    }
    func.func @reverse(%x: TYPE) -> TYPE {
      %one = ens.constant dense<1.0> : TYPE
      %0:2 = ens.vjp @value(%x, %one) wrt = [0] : (TYPE, TYPE) -> (TYPE, TYPE)
      return %0#1 : TYPE
    }
    func.func @forward(%x: TYPE) -> TYPE {
      %one = ens.constant dense<1.0> : TYPE
      %0:2 = ens.jvp @value(%x, %one) wrt = [0] : (TYPE, TYPE) -> (TYPE, TYPE)
      return %0#1 : TYPE
    }
    func.func @second(%x: TYPE) -> TYPE {
      %one = ens.constant dense<1.0> : TYPE
      %0:2 = ens.jvp @reverse(%x, %one) wrt = [0] : (TYPE, TYPE) -> (TYPE, TYPE)
      return %0#1 : TYPE
    }
    func.func @third(%x: TYPE) -> TYPE {
      %one = ens.constant dense<1.0> : TYPE
      %0:2 = ens.vjp @second(%x, %one) wrt = [0] : (TYPE, TYPE) -> (TYPE, TYPE)
      return %0#1 : TYPE
    }
    func.func @fourth(%x: TYPE) -> TYPE {
      %one = ens.constant dense<1.0> : TYPE
      %0:2 = ens.jvp @third(%x, %one) wrt = [0] : (TYPE, TYPE) -> (TYPE, TYPE)
      return %0#1 : TYPE
    }
  )mlir";
  auto substitute = [&](const std::string &from, const std::string &to) {
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  substitute("BODY", body);
  substitute("TYPE", type);
  return text;
}

/// Values and first derivatives, in both modes.
void expectPointwise(CompiledText &program, const Tensor &x,
                     const std::vector<double> &values,
                     const std::vector<double> &derivatives, double tolerance) {
  expectNear(program.call("value", {x})[0], values, tolerance);
  expectNear(program.call("reverse", {x})[0], derivatives, tolerance);
  expectNear(program.call("forward", {x})[0], derivatives, tolerance);
}

const char *softplus = "%y = ens.softplus %x : TYPE";
const char *logSigmoid = R"mlir(
  %n = ens.neg %x : TYPE
  %s = ens.softplus %n : TYPE
  %y = ens.neg %s : TYPE)mlir";

// Binary cross entropy with label 0 is softplus(logit).
TEST(CompositeTest, AD_A05) {
  CompiledText program(pointwise("tensor<1xf64>", softplus));
  expectPointwise(program, f64({1}, {50}), {50}, {1}, 1e-15);
}

TEST(CompositeTest, AD_A06) {
  CompiledText program(pointwise("tensor<2xf64>", logSigmoid));
  expectPointwise(program, f64({2}, {-300, 2}), {-300, -0.126928011},
                  {1, 0.119202922}, 1e-8);
  CompiledText single(pointwise("tensor<2xf32>", logSigmoid));
  expectPointwise(single, f32({2}, {-300, 2}), {-300, -0.126928011},
                  {1, 0.119202922}, 1e-5);
}

// The second derivative does not go through 1 - logistic.
TEST(CompositeTest, HO_A01) {
  double x = 37.42994775023705;
  CompiledText program(pointwise("tensor<1xf64>", softplus));
  expectNear(program.call("second", {f64({1}, {x})})[0], {5.551115123e-17},
             1e-6);
  CompiledText negated(pointwise("tensor<1xf64>", logSigmoid));
  expectNear(negated.call("second", {f64({1}, {-x})})[0], {-5.551115123e-17},
             1e-6);
}

TEST(CompositeTest, C01) {
  CompiledText program(pointwise("tensor<1xf64>", softplus));
  expectPointwise(program, f64({1}, {0}), {0.693147180559945}, {0.5}, 1e-14);
}

TEST(CompositeTest, C02) {
  CompiledText program(pointwise("tensor<1xf64>", logSigmoid));
  expectPointwise(program, f64({1}, {0}), {-0.693147180559945}, {0.5}, 1e-14);
}

TEST(CompositeTest, C03) {
  CompiledText program(pointwise("tensor<1xf64>", softplus));
  expectNear(program.call("fourth", {f64({1}, {1e-8})})[0], {-0.125}, 1e-9);
  CompiledText single(pointwise("tensor<1xf32>", softplus));
  expectPointwise(single, f32({1}, {89}), {89}, {1}, 1e-7);
}

TEST(CompositeTest, C04) {
  CompiledText program(R"mlir(
    func.func @loss(%x: tensor<3xf64>) -> tensor<f64> {
      %0 = ens.softplus %x : tensor<3xf64>
      %1 = ens.mean %0 dims = [0] : (tensor<3xf64>) -> tensor<f64>
      return %1 : tensor<f64>
    }
    func.func @grad(%x: tensor<3xf64>) -> tensor<3xf64> {
      %0 = ens.grad @loss(%x) wrt = [0] : (tensor<3xf64>) -> tensor<3xf64>
      return %0 : tensor<3xf64>
    })mlir");
  expectNear(program.call("grad", {f64({3}, {0, 0, 0})})[0],
             {1. / 6, 1. / 6, 1. / 6}, 1e-14);
}

TEST(CompositeTest, SoftplusAtTheEnds) {
  CompiledText program(pointwise("tensor<3xf64>", softplus));
  expectPointwise(program, f64({3}, {infinity, -infinity, -1000}),
                  {infinity, 0, 0}, {1, 0, 0}, 0.0);
}

TEST(CompositeTest, ReluKeepsNaNAndHasNoDerivativeAtZero) {
  CompiledText program(pointwise("tensor<4xf64>", "%y = ens.relu %x : TYPE"));
  expectPointwise(program, f64({4}, {-2, 0, 3, infinity}), {0, 0, 3, infinity},
                  {0, 0, 1, 1}, 0.0);
  Tensor result = program.call("value", {f64({4}, {NAN, 1, 1, 1})})[0];
  EXPECT_TRUE(std::isnan(result.data<double>()[0]));
}

TEST(CompositeTest, GeluIsExact) {
  CompiledText program(pointwise("tensor<3xf64>", "%y = ens.gelu %x : TYPE"));
  // x * Phi(x) and Phi(x) + x * phi(x).
  expectPointwise(program, f64({3}, {-1, 0, 2}),
                  {-0.158655253931457, 0, 1.95449973610364},
                  {-0.0833154705876864, 0.5, 1.08523180107820}, 1e-13);
}

/// Huber's loss with beta 1, by ordinary ops.
TEST(CompositeTest, TIE_A09) {
  CompiledText program(pointwise("tensor<7xf64>", R"mlir(
    %one = ens.constant dense<1.0> : TYPE
    %half = ens.constant dense<0.5> : TYPE
    %a = ens.abs %x : TYPE
    %is_small = ens.compare lt, %a, %one : TYPE
    %x2 = ens.mul %x, %x : TYPE
    %quadratic = ens.mul %half, %x2 : TYPE
    %linear = ens.sub %a, %half : TYPE
    %y = ens.select %is_small, %quadratic, %linear : TYPE)mlir"));
  expectPointwise(program, f64({7}, {-3, -1.5, -0.5, 0, 0.5, 1.5, 3}),
                  {2.5, 1, 0.125, 0, 0.125, 1, 2.5},
                  {-1, -1, -0.5, 0, 0.5, 1, 1}, 0.0);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

const char *logSumExp = R"mlir(
  func.func @value(%x: tensor<2x2xf64>) -> tensor<2xf64> {
    %y = ens.logsumexp %x : (tensor<2x2xf64>) -> tensor<2xf64>
    return %y : tensor<2xf64>
  }
  func.func @reverse(%x: tensor<2x2xf64>, %c: tensor<2xf64>)
      -> tensor<2x2xf64> {
    %0:2 = ens.vjp @value(%x, %c) wrt = [0]
        : (tensor<2x2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2x2xf64>)
    return %0#1 : tensor<2x2xf64>
  }
  func.func @forward(%x: tensor<2x2xf64>, %t: tensor<2x2xf64>)
      -> tensor<2xf64> {
    %0:2 = ens.jvp @value(%x, %t) wrt = [0]
        : (tensor<2x2xf64>, tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    return %0#1 : tensor<2xf64>
  }
  func.func @second(%x: tensor<2x2xf64>, %c: tensor<2xf64>,
                    %t: tensor<2x2xf64>) -> tensor<2x2xf64> {
    %0:2 = ens.jvp @reverse(%x, %c, %t) wrt = [0]
        : (tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>)
        -> (tensor<2x2xf64>, tensor<2x2xf64>)
    return %0#1 : tensor<2x2xf64>
  }
)mlir";

// A row of -inf has the value -inf and the gradient 0.
TEST(CompositeTest, NAN_A07) {
  CompiledText program(logSumExp);
  Tensor x = f64({2, 2}, {-infinity, -infinity, 0, std::log(3.0)});
  Tensor ones = f64({2}, {1, 1});
  Tensor tangents = f64({2, 2}, {1, 1, 0, 1});
  expectNear(program.call("value", {x})[0], {-infinity, 1.386294361}, 1e-9);
  expectNear(program.call("reverse", {x, ones})[0], {0, 0, 0.25, 0.75}, 1e-14);
  expectNear(program.call("forward", {x, tangents})[0], {0, 0.75}, 1e-14);
  // The Hessian of a row is diag(p) - p p^T.
  expectNear(program.call("second", {x, ones, tangents})[0],
             {0, 0, -0.1875, 0.1875}, 1e-14);
}

TEST(CompositeTest, LogSumExpOfLargeNumbers) {
  CompiledText program(logSumExp);
  Tensor x = f64({2, 2}, {1000, 1000, -1000, -1001});
  expectNear(program.call("value", {x})[0],
             {1000.6931471805599, -999.686738312}, 1e-12);
  x = f64({2, 2}, {infinity, 0, NAN, 0});
  Tensor value = program.call("value", {x})[0];
  EXPECT_EQ(value.data<double>()[0], infinity);
  EXPECT_TRUE(std::isnan(value.data<double>()[1]));
}

// A row that is masked out entirely is NaN and touches no other row.
TEST(CompositeTest, NAN_A08) {
  CompiledText program(R"mlir(
    func.func @masked(%x: tensor<2x6xf64>, %mask: tensor<2x6xi1>)
        -> tensor<2x6xf64> {
      %least = ens.constant dense<0xFFF0000000000000> : tensor<2x6xf64>
      %0 = ens.select %mask, %x, %least : tensor<2x6xf64>
      %1 = ens.log_softmax %0 : tensor<2x6xf64>
      return %1 : tensor<2x6xf64>
    }
    func.func @loss(%x: tensor<2x6xf64>, %mask: tensor<2x6xi1>)
        -> tensor<f64> {
      %0 = call @masked(%x, %mask)
          : (tensor<2x6xf64>, tensor<2x6xi1>) -> tensor<2x6xf64>
      %1 = ens.slice %0 starts = [0, 0] limits = [1, 2] strides = [1, 1]
          : (tensor<2x6xf64>) -> tensor<1x2xf64>
      %2 = ens.reduce sum, %1 dims = [0, 1] : (tensor<1x2xf64>) -> tensor<f64>
      %3 = ens.neg %2 : tensor<f64>
      return %3 : tensor<f64>
    }
    func.func @grad(%x: tensor<2x6xf64>, %mask: tensor<2x6xi1>)
        -> (tensor<f64>, tensor<2x6xf64>) {
      %0:2 = ens.value_and_grad @loss(%x, %mask) wrt = [0]
          : (tensor<2x6xf64>, tensor<2x6xi1>) -> (tensor<f64>, tensor<2x6xf64>)
      return %0#0, %0#1 : tensor<f64>, tensor<2x6xf64>
    })mlir");
  Tensor x = f64({2, 6}, {0.3725, 0.5344, 0.2128, 0.3324, 0.2745, 0.2454,
                          0.3423, 0.3423, 0.3423, 0.3423, 0.3423, 0.3423});
  Tensor mask = i1({2, 6}, {true, true, true, true, true, true, false, false,
                            false, false, false, false});
  Tensor rows = program.call("masked", {x, mask})[0];
  EXPECT_NEAR(rows.data<double>()[0], -1.753733909, 1e-9);
  EXPECT_NEAR(rows.data<double>()[1], -1.591833909, 1e-9);
  EXPECT_NEAR(rows.data<double>()[2], -1.913433909, 1e-9);
  EXPECT_TRUE(std::isnan(rows.data<double>()[6]));
  std::vector<Tensor> results = program.call("grad", {x, mask});
  expectNear(results[0], {3.345567818}, 1e-9);
  const double *gradient = results[1].data<double>();
  EXPECT_NEAR(gradient[0], -0.6537474055, 1e-10);
  EXPECT_NEAR(gradient[1], -0.5928960531, 1e-10);
  EXPECT_NEAR(gradient[2], 0.2951455282, 1e-10);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    sum += gradient[i];
    EXPECT_EQ(gradient[6 + i], 0.0);
  }
  EXPECT_NEAR(sum, 0.0, 1e-14);
}

TEST(CompositeTest, CrossEntropyIsLogSumExpMinusTheLabel) {
  CompiledText program(R"mlir(
    func.func @value(%x: tensor<3x2xf64>, %y: tensor<3xi32>) -> tensor<3xf64> {
      %0 = ens.softmax_cross_entropy %x, %y
          : (tensor<3x2xf64>, tensor<3xi32>) -> tensor<3xf64>
      return %0 : tensor<3xf64>
    }
    func.func @reverse(%x: tensor<3x2xf64>, %y: tensor<3xi32>,
                       %c: tensor<3xf64>) -> tensor<3x2xf64> {
      %0:2 = ens.vjp @value(%x, %y, %c) wrt = [0]
          : (tensor<3x2xf64>, tensor<3xi32>, tensor<3xf64>)
          -> (tensor<3xf64>, tensor<3x2xf64>)
      return %0#1 : tensor<3x2xf64>
    }
    func.func @forward(%x: tensor<3x2xf64>, %y: tensor<3xi32>,
                       %t: tensor<3x2xf64>) -> tensor<3xf64> {
      %0:2 = ens.jvp @value(%x, %y, %t) wrt = [0]
          : (tensor<3x2xf64>, tensor<3xi32>, tensor<3x2xf64>)
          -> (tensor<3xf64>, tensor<3xf64>)
      return %0#1 : tensor<3xf64>
    }
    func.func @second(%x: tensor<3x2xf64>, %y: tensor<3xi32>, %c: tensor<3xf64>,
                      %t: tensor<3x2xf64>) -> tensor<3x2xf64> {
      %0:2 = ens.jvp @reverse(%x, %y, %c, %t) wrt = [0]
          : (tensor<3x2xf64>, tensor<3xi32>, tensor<3xf64>, tensor<3x2xf64>)
          -> (tensor<3x2xf64>, tensor<3x2xf64>)
      return %0#1 : tensor<3x2xf64>
    })mlir");
  double log3 = std::log(3.0);
  Tensor x = f64({3, 2}, {0, log3, 0, log3, 0, log3});
  // The label 7 is clamped to 1.
  Tensor y = i32({3}, {0, 1, 7});
  Tensor c = f64({3}, {1, 2, 1});
  Tensor t = f64({3, 2}, {1, 0, 0, 1, 0, 1});
  double log4 = std::log(4.0);
  expectNear(program.call("value", {x, y})[0], {log4, log4 - log3, log4 - log3},
             1e-14);
  expectNear(program.call("reverse", {x, y, c})[0],
             {-0.75, 0.75, 0.5, -0.5, 0.25, -0.25}, 1e-14);
  expectNear(program.call("forward", {x, y, t})[0], {-0.75, -0.25, -0.25},
             1e-14);
  expectNear(program.call("second", {x, y, c, t})[0],
             {0.1875, -0.1875, -0.375, 0.375, -0.1875, 0.1875}, 1e-14);
}

TEST(CompositeTest, SoftmaxAndMse) {
  CompiledText program(R"mlir(
    func.func @softmax(%x: tensor<2xf64>) -> tensor<2xf64> {
      %0 = ens.softmax %x : tensor<2xf64>
      return %0 : tensor<2xf64>
    }
    func.func @softmax_vjp(%x: tensor<2xf64>, %c: tensor<2xf64>)
        -> tensor<2xf64> {
      %0:2 = ens.vjp @softmax(%x, %c) wrt = [0]
          : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
      return %0#1 : tensor<2xf64>
    }
    func.func @mse(%x: tensor<2x3xf64>, %y: tensor<2x3xf64>) -> tensor<2xf64> {
      %0 = ens.mse %x, %y : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2xf64>
      return %0 : tensor<2xf64>
    }
    func.func @empty_mean(%x: tensor<2x0xf64>) -> tensor<2xf64> {
      %0 = ens.mean %x dims = [1] : (tensor<2x0xf64>) -> tensor<2xf64>
      return %0 : tensor<2xf64>
    })mlir");
  Tensor x = f64({2}, {1000, 1000 + std::log(3.0)});
  expectNear(program.call("softmax", {x})[0], {0.25, 0.75}, 1e-12);
  expectNear(program.call("softmax_vjp", {x, f64({2}, {1, 0})})[0],
             {0.1875, -0.1875}, 1e-12);
  expectNear(program.call("mse", {f64({2, 3}, {1, 2, 3, 4, 5, 6}),
                                  f64({2, 3}, {1, 1, 1, 1, 1, 1})})[0],
             {5. / 3, 50. / 3}, 1e-15);
  Tensor empty =
      program.call("empty_mean", {Tensor::zeros(DType::F64, {2, 0})})[0];
  EXPECT_TRUE(std::isnan(empty.data<double>()[0]));
}

} // namespace
