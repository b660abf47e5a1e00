//===- ResourceCases.cpp - Memory and determinism -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// @fN: the mean over a matrix of the sum over N numbers y of x (y + Z), where
/// Z is a matrix of ones.
static std::string meanOfLoop(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  return "func.func @f" + n + "(%x: !f, %y: " + type + R"() -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant )" +
         n + R"( : index
  %z = ens.constant dense<1.0> : tensor<6x6xf64>
  %zero = ens.constant dense<0.0> : tensor<6x6xf64>
  %xb = ens.broadcast %x dims = [] : !f to tensor<6x6xf64>
  %s = scf.for %t = %c0 to %end step %c1 iter_args(%sum = %zero) -> (tensor<6x6xf64>) {
    %i = ens.from_index %t : tensor<i64>
    %yt = ens.gather clamp, %y, %i axis = 0 : ()" +
         type + R"(, tensor<i64>) -> !f
    %yb = ens.broadcast %yt dims = [] : !f to tensor<6x6xf64>
    %a = ens.add %yb, %z : tensor<6x6xf64>
    %p = ens.mul %xb, %a : tensor<6x6xf64>
    %next = ens.add %sum, %p : tensor<6x6xf64>
    scf.yield %next : tensor<6x6xf64>
  }
  %l = ens.mean %s dims = [0, 1] : (tensor<6x6xf64>) -> !f
  return %l : !f
}
)";
}

static Tensor sparse() {
  Tensor gradient = Tensor::zeros(DType::F64, {1000000});
  gradient.data<double>()[0] = 2;
  gradient.data<double>()[5] = 7;
  return gradient;
}

Cases ensc::test::resourceCases() {
  return {

      // The matrix is captured by the loop, not stacked: the reverse loop keeps
      // one number per iteration.
      {"MEM-A01",
       meanOfLoop(10) + meanOfLoop(20),
       {gradient("f10", {d(1), f64({10}, std::vector<double>(10, 1))}, d(20),
                 {0}, {d(20)}),
        gradient("f20", {d(1), f64({20}, std::vector<double>(20, 1))}, d(40),
                 {0}, {d(40)})}},

      // N is a tenth of the report's.
      {"MEM-A03",
       R"(
func.func @f(%a: tensor<1000000xf64>) -> !f {
  %i = ens.constant dense<[0, 5, 5]> : tensor<3xi32>
  %w = ens.constant dense<[2.0, 3.0, 4.0]> : !f3
  %r = ens.gather clamp, %a, %i axis = 0 : (tensor<1000000xf64>, tensor<3xi32>) -> !f3
  %y = ens.dot %r, %w lhs_contract = [0] rhs_contract = [0] : (!f3, !f3) -> !f
  return %y : !f
}
func.func @slopes(%a: tensor<1000000xf64>) -> tensor<1000000xf64> {
  %g = ens.grad @f(%a) wrt = [0] : (tensor<1000000xf64>) -> tensor<1000000xf64>
  return %g : tensor<1000000xf64>
})",
       {value("slopes", {Tensor::zeros(DType::F64, {1000000})}, {sparse()})}},

      {"MEM-A04",
       R"(
func.func @f(%x: !f) -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %l = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %x) -> (!f) {
    %q = ens.mul %p, %x : !f
    scf.yield %q : !f
  }
  %c = ens.stop_gradient %l : !f
  %y = ens.mul %x, %c : !f
  return %y : !f
})",
       {gradient("f", {d(0.5)}, d(0.03125), {0}, {d(0.0625)})}},

      // Updates are added in ascending order.
      {"DET-A01",
       R"(
func.func @f(%data: !s4) -> !s1 {
  %ids = ens.constant dense<0> : tensor<4xi32>
  %zero = ens.constant dense<0.0> : !s1
  %y = ens.scatter add, drop, %zero, %ids, %data axis = 0 : (!s1, tensor<4xi32>, !s4) -> !s1
  return %y : !s1
})",
       {value("f", {s({1e8f, 1, -1e8f, 1})}, {s({1})}, 0)}},

      // 16 partial sums, then a tree, see docs/Numerics.md.
      {"DET-A02",
       R"(
func.func @f(%x: !s10) -> !s {
  %y = ens.reduce sum, %x dims = [0] : (!s10) -> !s
  return %y : !s
})",
       {value("f", {s(std::vector<float>(10, 0.1f))}, {Tensor::scalar(1.0f)},
              0)}},

      {"DET-A03",
       R"(
func.func @three(%x: !f3) -> tensor<i32> {
  %y = ens.arg_reduce max, %x dim = 0 : (!f3) -> tensor<i32>
  return %y : tensor<i32>
}
func.func @two(%x: !f2) -> tensor<i32> {
  %y = ens.arg_reduce max, %x dim = 0 : (!f2) -> tensor<i32>
  return %y : tensor<i32>
})",
       {value("three", {v({notANumber, notANumber, notANumber})},
              {Tensor::scalar(int32_t(0))}),
        value("three", {v({notANumber, notANumber, 0})},
              {Tensor::scalar(int32_t(0))}),
        value("three", {v({0, 0, notANumber})}, {Tensor::scalar(int32_t(2))}),
        value("two", {v({0, notANumber})}, {Tensor::scalar(int32_t(1))})}},
  };
}
