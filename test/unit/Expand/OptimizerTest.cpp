//===- OptimizerTest.cpp - Tests of optimizers, schedules and clipping ----===//
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

/// A learner of two parameters whose gradients are given: the loss is
/// a * slope_a + b * slope_b. There are no data, so an epoch is one step.
std::string linearLearner(const std::string &options) {
  return R"mlir(
    func.func @init() -> (tensor<f64> {ens.name = "a"},
                          tensor<f64> {ens.name = "b"}) {
      %0 = ens.constant dense<0.0> : tensor<f64>
      return %0, %0 : tensor<f64>, tensor<f64>
    }
    func.func @loss(
        %a: tensor<f64> {ens.name = "a"}, %b: tensor<f64> {ens.name = "b"},
        %p: tensor<f64> {ens.name = "slope_a", ens.role = "hyper"},
        %q: tensor<f64> {ens.name = "slope_b", ens.role = "hyper",
                         ens.default = 0.0 : f64})
        -> tensor<f64> {
      %0 = ens.mul %a, %p : tensor<f64>
      %1 = ens.mul %b, %q : tensor<f64>
      %2 = ens.add %0, %1 : tensor<f64>
      return %2 : tensor<f64>
    }
    ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64, )mlir" +
         options + "}";
}

/// The training state of a learner and calls of its `fit`.
class Training {
public:
  explicit Training(const std::string &text) : program(text) {
    state =
        program.callByName("net.init", {{"seed", Tensor::scalar<int64_t>(0)}});
    set("loss_sum", 0.0);
  }

  void set(const std::string &name, double value) {
    state[name] = Tensor::scalar(value);
  }
  double get(const std::string &name) { return *state[name].data<double>(); }

  /// Runs the steps [begin, end).
  void fit(int64_t begin, int64_t end) {
    NamedTensors arguments = state;
    arguments["seed"] = Tensor::scalar<int64_t>(0);
    arguments["begin"] = Tensor::scalar(begin);
    arguments["end"] = Tensor::scalar(end);
    for (auto &[name, value] : program.callByName("net.fit", arguments))
      state[name] = value;
  }

  NamedTensors state;

private:
  CompiledText program;
};

constexpr double tolerance = 1e-9;

void expectRelative(double actual, double expected) {
  EXPECT_NEAR(actual, expected, std::abs(expected) * tolerance);
}

// Adam adds epsilon after the bias correction.
TEST(OptimizerTest, OPT_A01) {
  Training training(linearLearner("optimizer = #ens.adam<lr = 0.001>"));
  training.set("slope_a", 1e-8);
  training.fit(0, 1);
  expectRelative(training.get("a"), -0.0005);
}

// The step counter advances, from 0.
TEST(OptimizerTest, OPT_A02) {
  Training training(linearLearner("optimizer = #ens.adam<lr = 0.1>"));
  training.set("a", 1.0);
  training.set("slope_a", 1.0);
  const std::vector<double> path = {0.900000001, 0.800000002, 0.700000003};
  for (int64_t step = 0; step < 3; ++step) {
    training.fit(step, step + 1);
    expectRelative(training.get("a"), path[step]);
  }
}

// Single precision loses nothing in the bias correction.
TEST(OptimizerTest, OPT_A02InSinglePrecision) {
  std::string text = linearLearner("optimizer = #ens.adam<lr = 0.1>");
  for (size_t at = text.find("f64>"); at != std::string::npos;
       at = text.find("f64>", at))
    text.replace(at, 4, "f32>");
  CompiledText program(text);
  NamedTensors inputs;
  for (const char *name :
       {"adam.m.a", "adam.v.a", "b", "adam.m.b", "adam.v.b", "loss_sum"})
    inputs[name] = Tensor::scalar(0.0f);
  inputs["a"] = inputs["slope_a"] = Tensor::scalar(1.0f);
  inputs["seed"] = inputs["begin"] = Tensor::scalar<int64_t>(0);
  inputs["end"] = Tensor::scalar<int64_t>(3);
  expectNear(program.callByName("net.fit", inputs)["a"], {0.700000003}, 1e-6);
}

// The decay of AdamW is multiplied by the learning rate.
TEST(OptimizerTest, OPT_A03) {
  Training training(
      linearLearner("optimizer = #ens.adamw<lr = 0.001, weight_decay = 0.01>"));
  training.set("a", 1.0);
  training.set("slope_a", 0.0);
  training.fit(0, 1);
  expectRelative(training.get("a"), 0.99999);
  training.fit(1, 100);
  expectRelative(training.get("a"), 0.9990004948);
}

// Epsilon and decay are named, so they cannot be swapped.
TEST(OptimizerTest, OPT_A04) {
  Training training(linearLearner(
      "optimizer = #ens.adamw<lr = 0.1, weight_decay = 0.5, eps = 1.0e-8>"));
  training.set("a", 2.0);
  training.set("slope_a", 0.001);
  training.fit(0, 1);
  expectRelative(training.get("a"), 1.800001);
}

// The warm-up is a part of the steps; the end is held.
TEST(OptimizerTest, OPT_A07) {
  Training training(
      linearLearner("optimizer = #ens.sgd<lr = 1.0>, "
                    "schedule = #ens.cosine<steps = 1000.0, warmup = 100.0>"));
  training.set("slope_a", -1.0);
  const std::vector<std::pair<int64_t, double>> rates = {
      {0, 0.0},   {50, 0.5},   {100, 1.0}, {325, 0.8535533906},
      {550, 0.5}, {1000, 0.0}, {1200, 0.0}};
  for (auto [step, rate] : rates) {
    training.set("a", 0.0);
    training.fit(step, step + 1);
    EXPECT_NEAR(training.get("a"), rate, 1e-9) << "step " << step;
  }
  EXPECT_EQ(training.get("a"), 0.0) << "exactly 0 at the end";
}

TEST(OptimizerTest, WarmupIsLinearThenConstant) {
  Training training(linearLearner("optimizer = #ens.sgd<lr = 2.0>, "
                                  "schedule = #ens.warmup<steps = 4.0>"));
  training.set("slope_a", -1.0);
  for (auto [step, rate] : std::vector<std::pair<int64_t, double>>{
           {0, 0.0}, {1, 0.5}, {3, 1.5}, {4, 2.0}, {9, 2.0}}) {
    training.set("a", 0.0);
    training.fit(step, step + 1);
    EXPECT_EQ(training.get("a"), rate) << "step " << step;
  }
}

TEST(OptimizerTest, CosineEndsAtItsFraction) {
  Training training(
      linearLearner("optimizer = #ens.sgd<lr = 2.0>, "
                    "schedule = #ens.cosine<steps = 10.0, final = 0.25>"));
  training.set("slope_a", -1.0);
  for (auto [step, rate] : std::vector<std::pair<int64_t, double>>{
           {0, 2.0}, {5, 1.25}, {10, 0.5}, {50, 0.5}}) {
    training.set("a", 0.0);
    training.fit(step, step + 1);
    EXPECT_NEAR(training.get("a"), rate, 1e-12) << "step " << step;
  }
}

// Nesterov's momentum steps along g + momentum * v.
TEST(OptimizerTest, OPT_A08) {
  Training training(
      linearLearner("optimizer = #ens.momentum<lr = 0.1, nesterov = true>"));
  training.set("a", 1.0);
  training.set("slope_a", 1.0);
  training.fit(0, 1);
  expectRelative(training.get("a"), 0.81);
  training.fit(1, 2);
  expectRelative(training.get("a"), 0.539);
}

TEST(OptimizerTest, MomentumDecaysAndAddsWeightDecay) {
  Training training(
      linearLearner("optimizer = #ens.momentum<lr = 0.1, momentum = 0.5, "
                    "weight_decay = 0.25>"));
  training.set("a", 2.0);
  training.set("slope_a", 1.0);
  training.fit(0, 1); // v = 1 + 0.5
  expectRelative(training.get("a"), 1.85);
  training.fit(1, 2); // v = 0.75 + 1 + 0.4625
  expectRelative(training.get("a"), 1.62875);
  expectRelative(training.get("momentum.v.a"), 2.2125);
}

TEST(OptimizerTest, SgdAddsWeightDecay) {
  Training training(
      linearLearner("optimizer = #ens.sgd<lr = 0.5, weight_decay = 0.25>"));
  training.set("a", 2.0);
  training.set("slope_a", 1.0);
  training.fit(0, 1);
  EXPECT_EQ(training.get("a"), 1.25);
}

// Clipping by the global norm of one run; a norm of 0 clips nothing.
TEST(OptimizerTest, OPT_A10) {
  Training training(
      linearLearner("optimizer = #ens.sgd<lr = 1.0>, clip_norm = 1.0 : f64"));
  struct Case {
    double slopeA, slopeB, stepA, stepB;
  };
  for (const Case &c :
       {Case{3, 4, 0.6, 0.8}, Case{0.3, 0.4, 0.3, 0.4}, Case{0, 0, 0, 0}}) {
    training.set("a", 0.0);
    training.set("b", 0.0);
    training.set("slope_a", c.slopeA);
    training.set("slope_b", c.slopeB);
    training.fit(0, 1);
    expectRelative(training.get("a"), -c.stepA);
    expectRelative(training.get("b"), -c.stepB);
  }
}

// Small moments are multiples of 2^-100, and so never subnormal.
TEST(OptimizerTest, TinyMomentsAreRounded) {
  Training training(linearLearner("optimizer = #ens.adam<lr = 0.1>"));
  training.set("slope_a", 0.0);
  double least = std::ldexp(1.0, -100);
  training.set("adam.m.a", -0.5 * least);
  training.set("adam.v.a", 1.1 * least);
  training.fit(0, 1);
  EXPECT_EQ(training.get("adam.m.a"), 0.0);
  EXPECT_FALSE(std::signbit(training.get("adam.m.a")));
  EXPECT_EQ(training.get("adam.v.a"), least);
  training.set("adam.m.a", -20 * least);
  training.set("adam.v.a", 1.0e-9);
  training.fit(0, 1);
  EXPECT_EQ(training.get("adam.m.a"), -18 * least);
  expectRelative(training.get("adam.v.a"), 0.999e-9);
}

/// The loss a^2 / 2.
const char *quadratic = R"mlir(
  func.func @init() -> (tensor<f64> {ens.name = "a"}) {
    %0 = ens.constant dense<1.0> : tensor<f64>
    return %0 : tensor<f64>
  }
  func.func @loss(%a: tensor<f64> {ens.name = "a"}) -> tensor<f64> {
    %half = ens.constant dense<0.5> : tensor<f64>
    %0 = ens.mul %a, %a : tensor<f64>
    %1 = ens.mul %half, %0 : tensor<f64>
    return %1 : tensor<f64>
  }
  ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                    optimizer = #ens.adam<lr = 0.1>}
)mlir";

// A training that is interrupted and resumed goes on bit by bit.
TEST(OptimizerTest, CKP_A02) {
  const std::vector<double> path = {0.900000001, 0.8004122297, 0.7015862745,
                                    0.6039390627};
  Training whole(quadratic);
  for (int64_t step = 0; step < 4; ++step) {
    whole.fit(step, step + 1);
    expectRelative(whole.get("a"), path[step]);
  }
  Training first(quadratic), second(quadratic);
  first.fit(0, 2);
  for (auto &[name, value] : first.state)
    second.state[name] = value;
  second.fit(2, 4);
  for (const char *name : {"a", "adam.m.a", "adam.v.a"})
    expectTensor(second.state[name], whole.state[name]);
}

} // namespace
