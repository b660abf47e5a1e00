//===- CorpusTest.cpp - Conformance cases about several runs --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckInstances.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::test;

namespace {

TEST(CorpusTest, RNG_A01_DrawsDependOnSeedAndStepAlone) {
  std::string draw = R"mlir(
    func.func @draw(%seed: tensor<i64>) -> tensor<5xui32> {
      %step = ens.constant dense<3> : tensor<i64>
      %bits = ens.rng_bits %seed, %step {site = 0 : i64}
          : tensor<i64>, tensor<i64> -> tensor<5xui32>
      return %bits : tensor<5xui32>
    }
  )mlir";
  std::vector<int64_t> seeds = {5, -1, 7, 5, 1ll << 40, 0, 9, 11};
  std::vector<Tensor> alone;
  for (int64_t seed : seeds)
    alone.push_back(
        callSolo(draw, "draw", {Tensor::scalar(seed)}, /*runId=*/seed)[0]);
  for (int64_t count : {1, 2, 7}) {
    std::string k = std::to_string(count);
    std::string program =
        draw + "func.func @all(%seeds: tensor<" + k + "xi64>) -> tensor<" + k +
        "x5xui32> {\n%d = ens.ensemble @draw(%seeds) runs = " + k +
        " per_run = [true] : (tensor<" + k + "xi64>) -> tensor<" + k +
        "x5xui32>\nreturn %d : tensor<" + k + "x5xui32>\n}";
    // The runs in their order, then in the opposite one.
    for (bool reversed : {false, true}) {
      std::vector<Tensor> chosen, expected;
      for (int64_t run = 0; run < count; ++run) {
        int64_t which = reversed ? count - 1 - run : run;
        chosen.push_back(Tensor::scalar(seeds[which]));
        expected.push_back(alone[which]);
      }
      expectTensor(callSolo(program, "all", {stack(chosen)})[0],
                   stack(expected));
    }
  }
  std::vector<Tensor> lanes;
  for (int64_t seed : seeds)
    lanes.push_back(Tensor::scalar(seed));
  expectTensor(callLanes(draw, "draw", {stack(lanes)})[0], stack(alone));
}

TEST(CorpusTest, RNG_A02_EachRunHasItsOwnInitialization) {
  std::vector<Tensor> results = callSolo(R"mlir(
    func.func private @init(%seed: tensor<i64>) -> tensor<4x4xf32> {
      %w = ens.uniform %seed {low = -0.5 : f64, high = 0.5 : f64}
          : tensor<4x4xf32>
      return %w : tensor<4x4xf32>
    }
    func.func @all(%seeds: tensor<3xi64>) -> tensor<3x4x4xf32> {
      %w = ens.ensemble @init(%seeds) runs = 3 per_run = [true]
          : (tensor<3xi64>) -> tensor<3x4x4xf32>
      return %w : tensor<3x4x4xf32>
    }
  )mlir",
                                         "all", {i64({3}, {1, 2, 1})});
  ASSERT_EQ(results.size(), 1u);
  Tensor first = row(results[0], 0), second = row(results[0], 1);
  expectTensor(row(results[0], 2), first);
  for (int i = 0; i < 16; ++i)
    EXPECT_NE(second.data<float>()[i], first.data<float>()[i]) << i;
}

TEST(CorpusTest, RNG_A08_DropoutOfASharedTensorDrawsForEachRun) {
  std::string program = R"mlir(
    func.func @drop(%x: tensor<8xf32>, %seed: tensor<i64>) -> tensor<8xf32> {
      %rate = ens.constant dense<0.5> : tensor<f32>
      %step = ens.constant dense<0> : tensor<i64>
      %y = ens.dropout %x, %rate, %seed, %step : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    func.func @all(%x: tensor<8xf32>, %seeds: tensor<4xi64>) -> tensor<4x8xf32> {
      %y = ens.ensemble @drop(%x, %seeds) runs = 4 per_run = [false, true]
          : (tensor<8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
  )mlir";
  Tensor ones = f32({8}, std::vector<float>(8, 1.0f));
  std::vector<Tensor> together =
      callSolo(program, "all", {ones, i64({4}, {3, 4, 5, 6})});
  ASSERT_EQ(together.size(), 1u);
  for (int64_t run = 0; run < 4; ++run)
    expectTensor(row(together[0], run),
                 callSolo(program, "drop", {ones, i64({}, {3 + run})})[0]);
}

TEST(CorpusTest, GS_A03_ClampedIndexOfARunKeepsItsGradient) {
  auto program = [](const std::string &k) {
    return R"mlir(
    func.func private @pick(%x: tensor<1xf32>, %i: tensor<i32>) -> tensor<f32> {
      %y = ens.gather clamp, %x, %i axis = 0
          : (tensor<1xf32>, tensor<i32>) -> tensor<f32>
      return %y : tensor<f32>
    }
    func.func private @one(%x: tensor<1xf32>, %i: tensor<i32>)
        -> (tensor<f32>, tensor<1xf32>) {
      %y, %g = ens.value_and_grad @pick(%x, %i) wrt = [0]
          : (tensor<1xf32>, tensor<i32>) -> (tensor<f32>, tensor<1xf32>)
      return %y, %g : tensor<f32>, tensor<1xf32>
    }
    func.func @all(%x: tensor<1xf32>, %i: tensor<)mlir" +
           k + "xi32>) -> (tensor<" + k + "xf32>, tensor<" + k +
           "x1xf32>) {\n%y:2 = ens.ensemble @one(%x, %i) runs = " + k +
           " per_run = [false, true] : (tensor<1xf32>, tensor<" + k +
           "xi32>) -> (tensor<" + k + "xf32>, tensor<" + k +
           "x1xf32>)\nreturn %y#0, %y#1 : tensor<" + k + "xf32>, tensor<" + k +
           "x1xf32>\n}";
  };
  std::vector<Tensor> one =
      callSolo(program("1"), "all", {f32({1}, {1}), i32({1}, {1})});
  expectTensor(one[0], f32({1}, {1}));
  expectTensor(one[1], f32({1, 1}, {1}));
  std::vector<Tensor> three =
      callSolo(program("3"), "all", {f32({1}, {1}), i32({3}, {0, 1, 7})});
  expectTensor(three[0], f32({3}, {1, 1, 1}));
  expectTensor(three[1], f32({3, 1}, {1, 1, 1}));
}

TEST(CorpusTest, GS_A08_ClampedGatherReadsNoNeighbour) {
  std::string program = R"mlir(
    func.func @rows(%x: tensor<4xf32>, %i: tensor<10xi32>) -> tensor<10xf32> {
      %y = ens.gather clamp, %x, %i axis = 0
          : (tensor<4xf32>, tensor<10xi32>) -> tensor<10xf32>
      return %y : tensor<10xf32>
    }
    func.func @all(%x: tensor<3x4xf32>, %i: tensor<10xi32>) -> tensor<3x10xf32> {
      %y = ens.ensemble @rows(%x, %i) runs = 3 per_run = [true, false]
          : (tensor<3x4xf32>, tensor<10xi32>) -> tensor<3x10xf32>
      return %y : tensor<3x10xf32>
    }
  )mlir";
  Tensor indices = i32({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  Tensor zeros = Tensor::zeros(DType::F32, {4});
  expectTensor(callSolo(program, "rows", {zeros, indices})[0],
               Tensor::zeros(DType::F32, {10}));
  Tensor runs = f32({3, 4}, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
  Tensor all = callSolo(program, "all", {runs, indices})[0];
  for (int64_t run = 0; run < 3; ++run)
    expectTensor(row(all, run),
                 f32({10}, std::vector<float>(10, static_cast<float>(run))));
}

TEST(CorpusTest, HO_A05_BatchingKeepsACustomGradient) {
  std::string program = R"mlir(
    func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
      %y = ens.add %x, %x : tensor<f32>
      return %y : tensor<f32>
    }
    func.func private @twice_vjp(%x: tensor<f32>, %ct: tensor<f32>)
        -> tensor<f32> {
      %three = ens.constant dense<3.0> : tensor<f32>
      %y = ens.mul %three, %ct : tensor<f32>
      return %y : tensor<f32>
    }
    func.func private @f(%x: tensor<f32>) -> tensor<f32> {
      %y = ens.custom_grad @twice(%x) vjp = @twice_vjp
          : (tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }
    func.func @gradient(%x: tensor<f32>) -> tensor<f32> {
      %g = ens.grad @f(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    }
    func.func @batched(%x: tensor<4xf32>) -> tensor<4xf32> {
      %g = ens.ensemble @gradient(%x) runs = 4 per_run = [true]
          : (tensor<4xf32>) -> tensor<4xf32>
      return %g : tensor<4xf32>
    }
  )mlir";
  expectTensor(callSolo(program, "gradient", {f32({}, {5})})[0], f32({}, {3}));
  expectTensor(callSolo(program, "batched", {f32({4}, {1, 2, 3, 4})})[0],
               f32({4}, {3, 3, 3, 3}));
}

TEST(CorpusTest, HO_A08_HessianOfEachRun) {
  std::string program = R"mlir(
    func.func private @loss(%a: tensor<2x2xf64>, %x: tensor<2xf64>)
        -> tensor<f64> {
      %y = ens.dot %a, %x lhs_contract = [1] rhs_contract = [0]
          : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2xf64>
      %d = ens.sub %x, %y : tensor<2xf64>
      %l = ens.dot %d, %d lhs_contract = [0] rhs_contract = [0]
          : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
      return %l : tensor<f64>
    }
    func.func private @gradient(%a: tensor<2x2xf64>, %x: tensor<2xf64>)
        -> tensor<2x2xf64> {
      %g = ens.grad @loss(%a, %x) wrt = [0]
          : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
      return %g : tensor<2x2xf64>
    }
    func.func private @row(%a: tensor<2x2xf64>, %x: tensor<2xf64>,
                           %unit: tensor<2x2xf64>) -> tensor<2x2xf64> {
      %g, %h = ens.jvp @gradient(%a, %x, %unit) wrt = [0]
          : (tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>)
          -> (tensor<2x2xf64>, tensor<2x2xf64>)
      return %h : tensor<2x2xf64>
    }
    func.func private @hessian(%a: tensor<2x2xf64>, %x: tensor<2xf64>,
                               %units: tensor<4x2x2xf64>) -> tensor<4x2x2xf64> {
      %h = ens.ensemble @row(%a, %x, %units) runs = 4
          per_run = [false, false, true]
          : (tensor<2x2xf64>, tensor<2xf64>, tensor<4x2x2xf64>)
          -> tensor<4x2x2xf64>
      return %h : tensor<4x2x2xf64>
    }
    func.func @all(%a: tensor<2x2x2xf64>, %x: tensor<2x2xf64>,
                   %units: tensor<4x2x2xf64>) -> tensor<2x4x2x2xf64> {
      %h = ens.ensemble @hessian(%a, %x, %units) runs = 2
          per_run = [true, true, false]
          : (tensor<2x2x2xf64>, tensor<2x2xf64>, tensor<4x2x2xf64>)
          -> tensor<2x4x2x2xf64>
      return %h : tensor<2x4x2x2xf64>
    }
  )mlir";
  Tensor a = f64({2, 2, 2}, {1, -2, 0.5, 3, 7, 0, -1, 2});
  Tensor x = f64({2, 2}, {1, 2, 3, 0});
  Tensor units = f64({4, 2, 2}, {1, 0, 0, 0, 0, 1, 0, 0, //
                                 0, 0, 1, 0, 0, 0, 0, 1});
  Tensor hessian = callSolo(program, "all", {a, x, units})[0];
  std::vector<double> expected = {
      2,  4, 0, 0, 4, 8, 0, 0, 0, 0, 2,  4, 0, 0, 4, 8, // run 0
      18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18, 0, 0, 0, 0, 0, // run 1
  };
  ASSERT_EQ(hessian.size(), 32);
  for (int i = 0; i < 32; ++i)
    EXPECT_DOUBLE_EQ(hessian.data<double>()[i], expected[i]) << i;
}

TEST(CorpusTest, USR_A02_GradientsAreNotAveragedOverRuns) {
  std::vector<Tensor> results =
      callSolo(R"mlir(
    func.func private @loss(%t: tensor<f32>, %x: tensor<f32>, %y: tensor<f32>)
        -> tensor<f32> {
      %p = ens.mul %t, %x : tensor<f32>
      %d = ens.sub %p, %y : tensor<f32>
      %l = ens.mul %d, %d : tensor<f32>
      return %l : tensor<f32>
    }
    func.func private @one(%t: tensor<f32>, %x: tensor<f32>, %y: tensor<f32>)
        -> (tensor<f32>, tensor<f32>) {
      %l, %g = ens.value_and_grad @loss(%t, %x, %y) wrt = [0]
          : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %l, %g : tensor<f32>, tensor<f32>
    }
    func.func @all(%t: tensor<2xf32>, %x: tensor<f32>, %y: tensor<f32>)
        -> (tensor<2xf32>, tensor<2xf32>) {
      %l, %g = ens.ensemble @one(%t, %x, %y) runs = 2
          per_run = [true, false, false]
          : (tensor<2xf32>, tensor<f32>, tensor<f32>)
          -> (tensor<2xf32>, tensor<2xf32>)
      return %l, %g : tensor<2xf32>, tensor<2xf32>
    }
  )mlir",
               "all", {f32({2}, {0, 1}), f32({}, {2}), f32({}, {1})});
  expectTensor(results[0], f32({2}, {1, 1}));
  expectTensor(results[1], f32({2}, {-4, 4}));
}

TEST(CorpusTest, USR_A03_SharedAndPerRunInputs) {
  auto call = [](const std::string &type, const std::string &perRun,
                 const Tensor &x) {
    std::string program = R"mlir(
      func.func private @predict(%w: tensor<2xf32>, %x: tensor<2xf32>)
          -> tensor<f32> {
        %y = ens.dot %w, %x lhs_contract = [0] rhs_contract = [0]
            : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
        return %y : tensor<f32>
      }
      func.func @all(%w: tensor<2x2xf32>, %x: )mlir" +
                          type +
                          ") -> tensor<2xf32> {\n%y = ens.ensemble "
                          "@predict(%w, %x) runs = 2 per_run = [true, " +
                          perRun + "] : (tensor<2x2xf32>, " + type +
                          ") -> tensor<2xf32>\nreturn %y : tensor<2xf32>\n}";
    return callSolo(program, "all", {f32({2, 2}, {1, 2, 3, 4}), x})[0];
  };
  expectTensor(call("tensor<2xf32>", "false", f32({2}, {10, 1})),
               f32({2}, {12, 34}));
  expectTensor(call("tensor<2x2xf32>", "true", f32({2, 2}, {10, 1, 0, 1})),
               f32({2}, {12, 4}));
}

TEST(CorpusTest, USR_A05_LayerWithARunAxisOnItsParameters) {
  std::vector<float> weights(12, 1.0f), seconds(12, 2.0f);
  weights.insert(weights.end(), seconds.begin(), seconds.end());
  std::vector<Tensor> results =
      callSolo(R"mlir(
    func.func private @dense(%w: tensor<3x4xf32>, %b: tensor<4xf32>,
                             %x: tensor<1x3xf32>) -> tensor<1x4xf32> {
      %y = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
          : (tensor<1x3xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
      %bias = ens.broadcast %b dims = [1] : tensor<4xf32> to tensor<1x4xf32>
      %z = ens.add %y, %bias : tensor<1x4xf32>
      return %z : tensor<1x4xf32>
    }
    func.func @all(%w: tensor<2x3x4xf32>, %b: tensor<2x4xf32>,
                   %x: tensor<1x3xf32>) -> tensor<2x1x4xf32> {
      %y = ens.ensemble @dense(%w, %b, %x) runs = 2
          per_run = [true, true, false]
          : (tensor<2x3x4xf32>, tensor<2x4xf32>, tensor<1x3xf32>)
          -> tensor<2x1x4xf32>
      return %y : tensor<2x1x4xf32>
    }
  )mlir",
               "all",
               {f32({2, 3, 4}, weights), Tensor::zeros(DType::F32, {2, 4}),
                f32({1, 3}, {1, 2, 3})});
  expectTensor(results[0], f32({2, 1, 4}, {6, 6, 6, 6, 12, 12, 12, 12}));
}

} // namespace
