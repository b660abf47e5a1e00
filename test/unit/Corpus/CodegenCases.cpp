//===- CodegenCases.cpp - What compilers got wrong ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// @fN: prefix sums of N numbers, in a loop inside a loop of one iteration.
static std::string prefixSums(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  return "func.func @f" + n + "(%x: " + type + ") -> " + type + R"( {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant )" +
         n + R"( : index
  %zero = ens.constant dense<0.0> : !f
  %out = scf.for %once = %c0 to %c1 step %c1 iter_args(%ys = %x) -> ()" +
         type +
         R"() {
    %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%s = %zero, %zs = %ys) -> (!f, )" +
         type + R"() {
      %i = ens.from_index %t : tensor<i64>
      %xt = ens.gather clamp, %x, %i axis = 0 : ()" +
         type +
         R"(, tensor<i64>) -> !f
      %n = ens.add %s, %xt : !f
      %e = ens.reshape %n : !f to !f1
      %z = ens.dynamic_update_slice %zs, %e [%i] : ()" +
         type + R"(, !f1, tensor<i64>) -> )" + type + R"(
      scf.yield %n, %z : !f, )" +
         type + R"(
    }
    scf.yield %r#1 : )" +
         type + R"(
  }
  return %out : )" +
         type + "\n}\n";
}

/// 1, 2, ..., count.
static Tensor counting(int count) {
  std::vector<double> values;
  for (int i = 1; i <= count; ++i)
    values.push_back(i);
  return v(values);
}

static std::string softmaxOf(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  return "func.func @f" + n + "(%x: " + type + ") -> " + type +
         " {\n  %y = ens.softmax %x : " + type + "\n  return %y : " + type +
         "\n}\n";
}

Cases ensc::test::codegenCases() {
  return {

      // In 32 bits, the narrowest type that has a high half.
      {"CG-A01",
       R"(
func.func @f(%a: tensor<3xi32>, %b: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %low = ens.mul %a, %b : tensor<3xi32>
  %high = ens.mul_high %a, %b : tensor<3xi32>
  return %low, %high : tensor<3xi32>, tensor<3xi32>
})",
       {value(
           "f",
           {i32({3}, {-1, INT32_MIN, INT32_MIN}),
            i32({3}, {-1, INT32_MIN, INT32_MAX})},
           {i32({3}, {1, 0, INT32_MIN}), i32({3}, {0, 1 << 30, -(1 << 30)})})}},

      // The ceiling is the negative floor of the negative.
      {"CG-A02",
       R"(
func.func @f(%x: !f4) -> (!f4, !f4) {
  %one = ens.constant dense<1.0> : !f4
  %n = ens.neg %x : !f4
  %t = ens.floor %n : !f4
  %c = ens.neg %t : !f4
  %r = ens.div %one, %c : !f4
  return %c, %r : !f4, !f4
})",
       {value("f", {v({-0.25, -0.0, 0.25, -1.5})},
              {v({-0.0, -0.0, 1, -1}), v({-infinity, -infinity, 1, -1})}, 0)}},

      // In 32 bits.
      {"CG-A03",
       R"(
func.func @unsigned(%x: tensor<ui32>, %y: tensor<ui32>) -> tensor<i1> {
  %zero = ens.constant dense<0> : tensor<ui32>
  %d = ens.sub %x, %y : tensor<ui32>
  %p = ens.compare le, %d, %zero : tensor<ui32>
  return %p : tensor<i1>
}
func.func @signed(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i1> {
  %zero = ens.constant dense<0> : tensor<i32>
  %d = ens.sub %x, %y : tensor<i32>
  %p = ens.compare lt, %d, %zero : tensor<i32>
  return %p : tensor<i1>
})",
       {value("unsigned", {Tensor::scalar(0u), Tensor::scalar(2u)},
              {Tensor::scalar(false)}),
        value("signed",
              {Tensor::scalar(int32_t(INT32_MIN)), Tensor::scalar(int32_t(1))},
              {Tensor::scalar(false)})}},

      {"CG-A04",
       R"(
func.func @f(%old: tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>) {
  %i = ens.constant dense<0> : tensor<i32>
  %new = ens.constant dense<9363> : tensor<1xi32>
  %stored = ens.constant dense<0> : tensor<1xi32>
  %e = ens.dynamic_slice %old [%i] sizes = [1] : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  %kept = ens.dynamic_update_slice %stored, %e [%i] : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  %y = ens.dynamic_update_slice %old, %new [%i] : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  return %kept, %y : tensor<1xi32>, tensor<1xi32>
})",
       {value("f", {i32({1}, {11})}, {i32({1}, {11}), i32({1}, {9363})})}},

      {"CG-A05",
       R"(
func.func @f(%start: !f) -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.for %k = %c0 to %c4 step %c1 iter_args(%sum = %start) -> (!f) {
    %t = ens.constant dense<0.0> : !f4
    %one = ens.constant dense<1.0> : !f
    %i = ens.from_index %k : tensor<i64>
    %n = ens.convert %i : tensor<i64> to !f
    %n1 = ens.add %n, %one : !f
    %e = ens.reshape %n1 : !f to !f1
    %w = ens.dynamic_update_slice %t, %e [%i] : (!f4, !f1, tensor<i64>) -> !f4
    %s = ens.reduce sum, %w dims = [0] : (!f4) -> !f
    %next = ens.add %sum, %s : !f
    scf.yield %next : !f
  }
  return %y : !f
})",
       {value("f", {d(0)}, {d(10)})}},

      {"CG-A06",
       R"(
func.func @f(%a: tensor<1x6x6xi32>, %b: tensor<1x6x6xi32>) -> tensor<1x6x6xi32> {
  %y = ens.or %a, %b : tensor<1x6x6xi32>
  return %y : tensor<1x6x6xi32>
})",
       {value("f",
              {i32({1, 6, 6}, std::vector<int32_t>(36, 6220)),
               i32({1, 6, 6}, std::vector<int32_t>(36, -298))},
              {i32({1, 6, 6}, std::vector<int32_t>(36, -290))})}},

      {"CG-A07",
       prefixSums(8) + prefixSums(32),
       {value("f8", {f64({8}, std::vector<double>(8, 1))}, {counting(8)}),
        value("f32", {f64({32}, std::vector<double>(32, 1))}, {counting(32)})}},

      {"CG-A08",
       R"(
func.func @f(%flag: tensor<i1>, %a: !f, %b: !f) -> (!f, !f) {
  %p = ens.select %flag, %a, %b : !f
  %q = ens.select %flag, %b, %a : !f
  return %p, %q : !f, !f
})",
       {value("f", {Tensor::scalar(true), d(0), d(1)}, {d(0), d(1)}),
        value("f", {Tensor::scalar(false), d(0), d(1)}, {d(1), d(0)})}},

      // Nothing is folded.
      {"CG-A09",
       R"(
func.func @f(%x: !s2, %z: !s) -> (!s2, !s) {
  %e = ens.exp %x : !s2
  %l = ens.log %e : !s2
  %q = ens.mul %z, %z : !s
  %r = ens.sqrt %q : !s
  return %l, %r : !s2, !s
})",
       {value("f", {s({89, 50}), Tensor::scalar(1e20f)},
              {s({infinityF32, 50}), Tensor::scalar(infinityF32)})}},

      {"CG-A10",
       R"(
func.func @f(%a: tensor<2x2xf64>, %b: tensor<2x2xf64>, %c: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
  %ab = ens.dot %a, %b lhs_contract = [1] rhs_contract = [0] : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %abc = ens.dot %ab, %c lhs_contract = [1] rhs_contract = [0] : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return %abc, %ab : tensor<2x2xf64>, tensor<2x2xf64>
})",
       {value("f",
              {f64({2, 2}, {1, 1, 0, 1}), f64({2, 2}, {1, 0, 1, 1}),
               f64({2, 2}, {2, 0, 0, 1})},
              {f64({2, 2}, {4, 1, 2, 1}), f64({2, 2}, {2, 1, 1, 1})})}},

      {"CG-A11",
       softmaxOf(1) + softmaxOf(10) + softmaxOf(33),
       {value("f1", {v({1})}, {v({1})}),
        value("f10", {v(std::vector<double>(10, 1))},
              {v(std::vector<double>(10, 0.1))}),
        value("f33", {v(std::vector<double>(33, 1))},
              {v(std::vector<double>(33, 1.0 / 33))})}},

      {"CG-A12",
       R"(
func.func @f(%x: !f5, %s0: !f, %w: !f) -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = ens.constant dense<0.0> : !f
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%s = %s0, %l = %zero) -> (!f, !f) {
    %i = ens.from_index %t : tensor<i64>
    %xt = ens.gather clamp, %x, %i axis = 0 : (!f5, tensor<i64>) -> !f
    %sw = ens.mul %s, %w : !f
    %n = ens.add %xt, %sw : !f
    %m = ens.add %l, %n : !f
    scf.yield %n, %m : !f, !f
  }
  return %r#1 : !f
})",
       {gradient("f", {v({1, 2, 3, 4, 5}), d(1), d(0.5)}, d(22.90625),
                 {0, 1, 2},
                 {v({1.9375, 1.875, 1.75, 1.5, 1}), d(0.96875), d(22.3125)})}},

      // A 1x1 convolution is a dot over the channels.
      {"CG-A13",
       R"(
func.func @positions(%x: tensor<2x2x3xf64>, %w: !f3, %bias: !f) -> tensor<2x2xf64> {
  %fifth = ens.constant dense<0.2> : tensor<2x2xf64>
  %z = ens.dot %x, %w lhs_contract = [2] rhs_contract = [0] : (tensor<2x2x3xf64>, !f3) -> tensor<2x2xf64>
  %b = ens.broadcast %bias dims = [] : !f to tensor<2x2xf64>
  %zb = ens.add %z, %b : tensor<2x2xf64>
  %h = ens.relu %zb : tensor<2x2xf64>
  %y = ens.mul %h, %fifth : tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}
func.func @f(%x: tensor<2x2x3xf64>, %w: !f3, %bias: !f) -> !f {
  %p = func.call @positions(%x, %w, %bias) : (tensor<2x2x3xf64>, !f3, !f) -> tensor<2x2xf64>
  %y = ens.reduce sum, %p dims = [0, 1] : (tensor<2x2xf64>) -> !f
  return %y : !f
})",
       {value(
            "positions",
            {f64({2, 2, 3}, std::vector<double>(12, 1)), v({1, 1, 1}), d(-2.5)},
            {f64({2, 2}, {0.1, 0.1, 0.1, 0.1})}),
        gradient(
            "f",
            {f64({2, 2, 3}, std::vector<double>(12, 1)), v({1, 1, 1}), d(-2.5)},
            d(0.4), {2}, {d(0.8)})}},

      {"CG-A14",
       R"(
func.func @f(%start: tensor<i64>) -> tensor<i64> {
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  %y = scf.for %k = %c1 to %c65 step %c1 iter_args(%sum = %start) -> (tensor<i64>) {
    %i = ens.from_index %k : tensor<i64>
    %next = ens.add %sum, %i : tensor<i64>
    scf.yield %next : tensor<i64>
  }
  return %y : tensor<i64>
})",
       {value("f", {Tensor::scalar(int64_t(0))},
              {Tensor::scalar(int64_t(2080))})}},

      // Halves at the tie.
      {"CG-A15",
       R"(
func.func @f(%v: !f4) -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = ens.constant dense<0xFFF0000000000000> : !f
  %one = ens.constant dense<1.0> : !f
  %d = scf.for %k = %c0 to %c4 step %c1 iter_args(%best = %none) -> (!f) {
    %i = ens.from_index %k : tensor<i64>
    %e = ens.gather clamp, %v, %i axis = 0 : (!f4, tensor<i64>) -> !f
    %p = ens.mul %e, %one : !f
    %next = ens.max %best, %p : !f
    scf.yield %next : !f
  }
  %y = ens.mul %d, %d : !f
  return %y : !f
})",
       {gradient("f", {v({2, 7, 5, 7})}, d(49), {0}, {v({0, 7, 0, 7})})}},
  };
}
