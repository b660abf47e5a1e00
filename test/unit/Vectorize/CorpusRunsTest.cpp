//===- CorpusRunsTest.cpp - More cases about several runs -----------------===//
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

void expectValues(const Tensor &actual, const std::vector<double> &expected) {
  ASSERT_EQ(actual.size(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_DOUBLE_EQ(actual.data<double>()[i], expected[i]) << i;
}

TEST(CorpusRunsTest, CF_A07_InvariantCarryOfALoopInARun) {
  std::vector<Tensor> results = callSolo(R"mlir(
    func.func private @sum(%a: tensor<f32>) -> (tensor<f32>, tensor<1xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %zero = ens.constant dense<0.0> : tensor<f32>
      %seven = ens.constant dense<7.0> : tensor<1xf32>
      %r:2 = scf.for %i = %c0 to %c3 step %c1
          iter_args(%s = %zero, %k = %seven) -> (tensor<f32>, tensor<1xf32>) {
        %n = ens.from_index %i : tensor<i64>
        %f = ens.convert %n : tensor<i64> to tensor<f32>
        %p = ens.mul %a, %f : tensor<f32>
        %t = ens.add %s, %p : tensor<f32>
        scf.yield %t, %k : tensor<f32>, tensor<1xf32>
      }
      return %r#0, %r#1 : tensor<f32>, tensor<1xf32>
    }
    func.func @all(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1xf32>) {
      %s, %k = ens.ensemble @sum(%a) runs = 2 per_run = [true]
          : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1xf32>)
      return %s, %k : tensor<2xf32>, tensor<2x1xf32>
    }
  )mlir",
                                         "all", {f32({2}, {1, -2})});
  expectTensor(results[0], f32({2}, {3, -6}));
  expectTensor(results[1], f32({2, 1}, {7, 7}));
}

TEST(CorpusRunsTest, RED_A05_DeviationOfConstantDataStaysInItsRun) {
  std::string program = R"mlir(
    func.func private @variance(%x: tensor<2xf64>) -> tensor<f64> {
      %m = ens.mean %x dims = [0] : (tensor<2xf64>) -> tensor<f64>
      %b = ens.broadcast %m dims = [] : tensor<f64> to tensor<2xf64>
      %d = ens.sub %x, %b : tensor<2xf64>
      %q = ens.mul %d, %d : tensor<2xf64>
      %v = ens.mean %q dims = [0] : (tensor<2xf64>) -> tensor<f64>
      return %v : tensor<f64>
    }
    func.func private @deviation(%x: tensor<2xf64>) -> tensor<f64> {
      %v = func.call @variance(%x) : (tensor<2xf64>) -> tensor<f64>
      %s = ens.sqrt %v : tensor<f64>
      return %s : tensor<f64>
    }
    func.func private @one(%x: tensor<2xf64>)
        -> (tensor<f64>, tensor<2xf64>, tensor<f64>, tensor<2xf64>) {
      %v, %dv = ens.value_and_grad @variance(%x) wrt = [0]
          : (tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>)
      %s, %ds = ens.value_and_grad @deviation(%x) wrt = [0]
          : (tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>)
      return %v, %dv, %s, %ds
          : tensor<f64>, tensor<2xf64>, tensor<f64>, tensor<2xf64>
    }
    func.func @all(%x: tensor<2x2xf64>)
        -> (tensor<2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>) {
      %r:4 = ens.ensemble @one(%x) runs = 2 per_run = [true]
          : (tensor<2x2xf64>)
          -> (tensor<2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>)
      return %r#0, %r#1, %r#2, %r#3
          : tensor<2xf64>, tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>
    }
  )mlir";
  std::vector<Tensor> r = callSolo(program, "all", {f64({2, 2}, {1, 1, 1, 3})});
  ASSERT_EQ(r.size(), 4u);
  expectValues(r[0], {0, 1});
  expectValues(r[1], {0, 0, -1, 1});
  expectValues(r[2], {0, 1});
  // The derivative of sqrt is 0 at 0.
  expectValues(r[3], {0, 0, -0.5, 0.5});
}

TEST(CorpusRunsTest, CF_A04_BranchOfARunHidesTheOtherSide) {
  // Where x < 0 the side not taken is NaN, and its slope is.
  std::string program = R"mlir(
    func.func private @f(%x: tensor<f64>) -> tensor<f64> {
      %zero = ens.constant dense<0.0> : tensor<f64>
      %p = ens.compare gt, %x, %zero : tensor<f64>
      %take = tensor.extract %p[] : tensor<i1>
      %y = scf.if %take -> (tensor<f64>) {
        %l = ens.sqrt %x : tensor<f64>
        scf.yield %l : tensor<f64>
      } else {
        %n = ens.neg %x : tensor<f64>
        scf.yield %n : tensor<f64>
      }
      return %y : tensor<f64>
    }
    func.func private @one(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
      %y, %g = ens.value_and_grad @f(%x) wrt = [0]
          : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
      return %y, %g : tensor<f64>, tensor<f64>
    }
    func.func @all(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
      %y, %g = ens.ensemble @one(%x) runs = 3 per_run = [true]
          : (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
      return %y, %g : tensor<3xf64>, tensor<3xf64>
    }
  )mlir";
  std::vector<Tensor> results =
      callSolo(program, "all", {f64({3}, {-4, 9, 0})});
  ASSERT_EQ(results.size(), 2u);
  expectTensor(results[0], f64({3}, {4, 3, -0.0}));
  expectValues(results[1], {-1, 1.0 / 6, -1});
}

TEST(CorpusRunsTest, NRM_A07_RunningStatisticsOfEachRun) {
  std::string program = R"mlir(
    func.func private @update(%x: tensor<2xf64>, %mean: tensor<f64>,
                              %variance: tensor<f64>)
        -> (tensor<f64>, tensor<f64>) {
      %m = ens.mean %x dims = [0] : (tensor<2xf64>) -> tensor<f64>
      %b = ens.broadcast %m dims = [] : tensor<f64> to tensor<2xf64>
      %d = ens.sub %x, %b : tensor<2xf64>
      // Unbiased: the sum of squares is divided by n - 1 = 1.
      %v = ens.dot %d, %d lhs_contract = [0] rhs_contract = [0]
          : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
      %keep = ens.constant dense<0.9> : tensor<f64>
      %take = ens.constant dense<0.1> : tensor<f64>
      %m0 = ens.mul %keep, %mean : tensor<f64>
      %m1 = ens.mul %take, %m : tensor<f64>
      %m2 = ens.add %m0, %m1 : tensor<f64>
      %v0 = ens.mul %keep, %variance : tensor<f64>
      %v1 = ens.mul %take, %v : tensor<f64>
      %v2 = ens.add %v0, %v1 : tensor<f64>
      return %m2, %v2 : tensor<f64>, tensor<f64>
    }
    func.func @all(%x: tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
      %mean = ens.constant dense<0.0> : tensor<f64>
      %variance = ens.constant dense<1.0> : tensor<f64>
      %m, %v = ens.ensemble @update(%x, %mean, %variance) runs = 2
          per_run = [true, false, false]
          : (tensor<2x2xf64>, tensor<f64>, tensor<f64>)
          -> (tensor<2xf64>, tensor<2xf64>)
      return %m, %v : tensor<2xf64>, tensor<2xf64>
    }
  )mlir";
  std::vector<Tensor> results =
      callSolo(program, "all", {f64({2, 2}, {1, 3, 10, 30})});
  ASSERT_EQ(results.size(), 2u);
  expectValues(results[0], {0.2, 2});
  expectValues(results[1], {1.1, 20.9});
}

TEST(CorpusRunsTest, DET_A02_ResultDoesNotDependOnTheNumberOfRuns) {
  Tensor tenths = f32({10}, std::vector<float>(10, 0.1f));
  for (int64_t count : {1, 2, 5, 10, 50}) {
    std::string k = std::to_string(count), all = "tensor<" + k + "x10xf32>";
    std::string program = R"mlir(
      func.func private @sum(%x: tensor<10xf32>) -> tensor<f32> {
        %s = ens.reduce sum, %x dims = [0] : (tensor<10xf32>) -> tensor<f32>
        return %s : tensor<f32>
      }
      func.func @all(%x: )mlir" +
                          all + ") -> tensor<" + k +
                          "xf32> {\n%s = ens.ensemble @sum(%x) runs = " + k +
                          " per_run = [true] : (" + all + ") -> tensor<" + k +
                          "xf32>\nreturn %s : tensor<" + k + "xf32>\n}";
    Tensor sums = callSolo(program, "all",
                           {stack(std::vector<Tensor>(count, tenths))})[0];
    // 16 partial sums, of which ten hold one element, then a tree.
    float pair = 0.1f + 0.1f, half = (pair + 0.1f) + pair;
    float expected = half + half;
    expectTensor(sums, f32({count}, std::vector<float>(count, expected)));
  }
}

} // namespace
