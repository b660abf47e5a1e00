//===- EnsembleTest.cpp - Ensembles in a program --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckInstances.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

#include <limits>

using namespace ensc;
using namespace ensc::test;

namespace {

/// A loss with a branch, a reduction, a contraction and numbers of its own.
const char *lossText = R"mlir(
  func.func @loss(%w: tensor<3x2xf32>, %x: tensor<4x3xf32>, %seed: tensor<i64>)
      -> tensor<f32> {
    %y = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
        : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %t = ens.tanh %y : tensor<4x2xf32>
    %step = ens.constant dense<3> : tensor<i64>
    %bits = ens.rng_bits %seed, %step {site = 2 : i64}
        : tensor<i64>, tensor<i64> -> tensor<4x2xui32>
    %n = ens.convert %bits : tensor<4x2xui32> to tensor<4x2xf32>
    %scale = ens.constant dense<0x2F800000> : tensor<4x2xf32>
    %noise = ens.mul %n, %scale : tensor<4x2xf32>
    %z = ens.add %t, %noise : tensor<4x2xf32>
    %l = ens.reduce sum, %z dims = [0, 1] : (tensor<4x2xf32>) -> tensor<f32>
    return %l : tensor<f32>
  }
  func.func @gradient(%w: tensor<3x2xf32>, %x: tensor<4x3xf32>,
                      %seed: tensor<i64>) -> (tensor<f32>, tensor<3x2xf32>) {
    %l, %g = ens.value_and_grad @loss(%w, %x, %seed) wrt = [0]
        : (tensor<3x2xf32>, tensor<4x3xf32>, tensor<i64>)
        -> (tensor<f32>, tensor<3x2xf32>)
    return %l, %g : tensor<f32>, tensor<3x2xf32>
  }
  func.func @ensemble(%w: tensor<5x3x2xf32>, %x: tensor<4x3xf32>,
                      %seed: tensor<5xi64>)
      -> (tensor<5xf32>, tensor<5x3x2xf32>) {
    %l, %g = ens.ensemble @gradient(%w, %x, %seed) runs = 5
        per_run = [true, false, true]
        : (tensor<5x3x2xf32>, tensor<4x3xf32>, tensor<5xi64>)
        -> (tensor<5xf32>, tensor<5x3x2xf32>)
    return %l, %g : tensor<5xf32>, tensor<5x3x2xf32>
  }
)mlir";

Tensor weights(int run) {
  std::vector<float> values;
  for (int i = 0; i < 6; ++i)
    values.push_back(0.25f * static_cast<float>((i * 7 + run * 3) % 11) - 1.0f);
  return f32({3, 2}, values);
}

Tensor inputs() {
  std::vector<float> values;
  for (int i = 0; i < 12; ++i)
    values.push_back(0.125f * static_cast<float>(i * 5 % 13) - 0.75f);
  return f32({4, 3}, values);
}

TEST(EnsembleTest, OfGradientsEqualsGradientsOfEachRun) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<Tensor> w, seeds;
  for (int run = 0; run < 5; ++run) {
    w.push_back(weights(run));
    seeds.push_back(Tensor::scalar<int64_t>(run * 1000 + 7));
  }
  w[2] = f32({3, 2}, {nan, nan, nan, nan, nan, nan});
  std::vector<Tensor> together =
      callSolo(lossText, "ensemble", {stack(w), inputs(), stack(seeds)});
  ASSERT_EQ(together.size(), 2u);
  for (int run = 0; run < 5; ++run) {
    SCOPED_TRACE("run " + std::to_string(run));
    std::vector<Tensor> alone =
        callSolo(lossText, "gradient", {w[run], inputs(), seeds[run]});
    ASSERT_EQ(alone.size(), 2u);
    expectTensor(row(together[0], run), alone[0]);
    expectTensor(row(together[1], run), alone[1]);
  }
}

TEST(EnsembleTest, InLanesEqualsEachLaneAlone) { checkInstances(lossText); }

TEST(EnsembleTest, OfEnsemblesHasBothDimensions) {
  std::string program = R"mlir(
    func.func private @inner(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %r = ens.run_id : tensor<i64>
      %f = ens.convert %r : tensor<i64> to tensor<f32>
      %s = ens.add %a, %b : tensor<f32>
      %t = ens.add %s, %f : tensor<f32>
      return %t : tensor<f32>
    }
    func.func private @outer(%a: tensor<2xf32>, %b: tensor<f32>)
        -> (tensor<2xf32>, tensor<i64>) {
      %y = ens.ensemble @inner(%a, %b) runs = 2 per_run = [true, false]
          : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      %r = ens.run_id : tensor<i64>
      return %y, %r : tensor<2xf32>, tensor<i64>
    }
    func.func @both(%a: tensor<2xf32>, %b: tensor<3xf32>)
        -> (tensor<3x2xf32>, tensor<3xi64>, tensor<i64>) {
      %y, %r = ens.ensemble @outer(%a, %b) runs = 3 per_run = [false, true]
          : (tensor<2xf32>, tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xi64>)
      %own = ens.run_id : tensor<i64>
      return %y, %r, %own : tensor<3x2xf32>, tensor<3xi64>, tensor<i64>
    }
  )mlir";
  std::vector<Tensor> results =
      callSolo(program, "both", {f32({2}, {10, 20}), f32({3}, {1, 2, 3})},
               /*runId=*/42);
  ASSERT_EQ(results.size(), 3u);
  expectTensor(results[0], f32({3, 2}, {11, 22, 12, 23, 13, 24}));
  expectTensor(results[1], i64({3}, {0, 1, 2}));
  expectTensor(results[2], i64({}, {42}));
  checkInstances(program);
}

TEST(EnsembleTest, ResultsThatAllRunsShareAreRepeated) {
  std::vector<Tensor> results = callSolo(R"mlir(
    func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    }
    func.func @g(%x: tensor<2xf32>) -> tensor<3x2xf32> {
      %y = ens.ensemble @f(%x) runs = 3 per_run = [false]
          : (tensor<2xf32>) -> tensor<3x2xf32>
      return %y : tensor<3x2xf32>
    }
  )mlir",
                                         "g", {f32({2}, {1, 2})});
  ASSERT_EQ(results.size(), 1u);
  expectTensor(results[0], f32({3, 2}, {1, 2, 1, 2, 1, 2}));
}

TEST(EnsembleTest, InALoopOfTheProgram) {
  checkInstances(R"mlir(
    func.func private @f(%w: tensor<2xf32>, %x: tensor<f32>) -> tensor<2xf32> {
      %b = ens.broadcast %x dims = [] : tensor<f32> to tensor<2xf32>
      %y = ens.mul %w, %b : tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @loop(%w: tensor<3x2xf32>, %x: tensor<f32>) -> tensor<3x2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %w)
          -> (tensor<3x2xf32>) {
        %y = ens.ensemble @f(%p, %x) runs = 3 per_run = [true, false]
            : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
        scf.yield %y : tensor<3x2xf32>
      }
      return %r : tensor<3x2xf32>
    }
  )mlir");
}

} // namespace
