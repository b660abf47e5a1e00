//===- InputCases.cpp - Odd and wrong inputs ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

static std::string dropoutOf(const std::string &rate) {
  return R"(
func.func @f(%x: !f3, %seed: tensor<i64>) -> !f3 {
  %rate = ens.constant dense<)" +
         rate + R"(> : !f
  %y = ens.dropout %x, %rate, %seed, %seed : !f3
  return %y : !f3
})";
}

static std::string meanOf(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  return "func.func @f" + n + "(%x: " + type +
         ") -> !f {\n  %y = ens.mean %x dims = [0] : (" + type +
         ") -> !f\n  return %y : !f\n}\n";
}

/// The mean of the rows 1, 2, ..., count.
static Call rowsUpTo(int count) {
  std::vector<double> rows;
  for (int row = 1; row <= count; ++row)
    rows.push_back(row);
  return gradient("f" + std::to_string(count), {v(rows)}, d((count + 1) / 2.0),
                  {0}, {v(std::vector<double>(count, 1.0 / count))});
}

Cases ensc::test::inputCases() {
  return {

      // The kept fraction may be off by four deviations; survivors and slopes
      // are the same numbers.
      {"RNG-A06",
       R"(
func.func @kept(%x: tensor<10000xf64>, %seed: tensor<i64>) -> !f {
  %rate = ens.constant dense<0.2> : !f
  %y = ens.dropout %x, %rate, %seed, %seed : tensor<10000xf64>
  %s = ens.reduce sum, %y dims = [0] : (tensor<10000xf64>) -> !f
  return %s : !f
}
func.func @check(%x: tensor<10000xf64>, %seed: tensor<i64>) -> (tensor<i1>, tensor<i1>) {
  %s, %g = ens.value_and_grad @kept(%x, %seed) wrt = [0] : (tensor<10000xf64>, tensor<i64>) -> (!f, tensor<10000xf64>)
  %t = ens.reduce sum, %g dims = [0] : (tensor<10000xf64>) -> !f
  %same = ens.compare eq, %s, %t : !f
  %full = ens.constant dense<1.25> : tensor<10000xf64>
  %zero = ens.constant dense<0.0> : tensor<10000xf64>
  %a = ens.compare eq, %g, %full : tensor<10000xf64>
  %b = ens.compare eq, %g, %zero : tensor<10000xf64>
  %either = ens.or %a, %b : tensor<10000xi1>
  %n = ens.convert %either : tensor<10000xi1> to tensor<10000xi32>
  %count = ens.reduce sum, %n dims = [0] : (tensor<10000xi32>) -> tensor<i32>
  %all = ens.constant dense<10000> : tensor<i32>
  %clean = ens.compare eq, %count, %all : tensor<i32>
  %k = ens.convert %a : tensor<10000xi1> to tensor<10000xi32>
  %kept = ens.reduce sum, %k dims = [0] : (tensor<10000xi32>) -> tensor<i32>
  %low = ens.constant dense<7840> : tensor<i32>
  %high = ens.constant dense<8160> : tensor<i32>
  %c = ens.clamp %low, %kept, %high : tensor<i32>
  %inside = ens.compare eq, %c, %kept : tensor<i32>
  %fine = ens.and %clean, %inside : tensor<i1>
  return %fine, %same : tensor<i1>, tensor<i1>
})",
       {value("check",
              {v(std::vector<double>(10000, 1)), Tensor::scalar(int64_t(42))},
              {Tensor::scalar(true), Tensor::scalar(true)})}},

      // Within four deviations of 0.75.
      {"RNG-A05",
       R"(
func.func @f(%p: !f2, %seed: tensor<i64>) -> tensor<i1> {
  %u = ens.uniform %seed : tensor<100000x2xf64>
  %l = ens.log %u : tensor<100000x2xf64>
  %n = ens.neg %l : tensor<100000x2xf64>
  %m = ens.log %n : tensor<100000x2xf64>
  %g = ens.neg %m : tensor<100000x2xf64>
  %lp = ens.log %p : !f2
  %b = ens.broadcast %lp dims = [1] : !f2 to tensor<100000x2xf64>
  %z = ens.add %b, %g : tensor<100000x2xf64>
  %i = ens.arg_reduce max, %z dim = 1 : (tensor<100000x2xf64>) -> tensor<100000xi32>
  %ones = ens.reduce sum, %i dims = [0] : (tensor<100000xi32>) -> tensor<i32>
  %low = ens.constant dense<74450> : tensor<i32>
  %high = ens.constant dense<75550> : tensor<i32>
  %c = ens.clamp %low, %ones, %high : tensor<i32>
  %inside = ens.compare eq, %c, %ones : tensor<i32>
  return %inside : tensor<i1>
})",
       {value("f", {v({0.25, 0.75}), Tensor::scalar(int64_t(1))},
              {Tensor::scalar(true)})}},

      {"BAD-A02",
       R"(
func.func @f(%x: !f3, %rate: !f, %seed: tensor<i64>) -> !f3 {
  %y = ens.dropout %x, %rate, %seed, %seed : !f3
  return %y : !f3
})",
       {value("f", {v({1, -2, 3}), d(0), Tensor::scalar(int64_t(1))},
              {v({1, -2, 3})}),
        value("f", {v({1, -2, 3}), d(1), Tensor::scalar(int64_t(1))},
              {v({0, 0, 0})})},
       {{dropoutOf("-0.1"), "rate"},
        {dropoutOf("1.5"), "rate"},
        {dropoutOf("0x7FF8000000000000"), "rate"}}},

      {"BAD-A03",
       "",
       {},
       {{R"(
func.func private @g(%x: tensor<0x3xf64>) -> tensor<0x3xf64> {
  return %x : tensor<0x3xf64>
}
func.func @f(%x: tensor<0x0x3xf64>) -> tensor<0x0x3xf64> {
  %y = ens.ensemble @g(%x) runs = 0 per_run = [true] : (tensor<0x0x3xf64>) -> tensor<0x0x3xf64>
  return %y : tensor<0x0x3xf64>
})",
         "expects runs to be positive, got 0"}}},

      {"BAD-A04",
       meanOf(130) + meanOf(1) + meanOf(127),
       {rowsUpTo(130), rowsUpTo(1), rowsUpTo(127)}},

      // Ranks are never adapted silently: the reshape says what is meant.
      {"BAD-A05",
       R"(
func.func @f(%x: tensor<1x1x4xf64>, %y: tensor<1x4xf64>) -> !f {
  %r = ens.reshape %y : tensor<1x4xf64> to tensor<1x1x4xf64>
  %m = ens.max %x, %r : tensor<1x1x4xf64>
  %s = ens.reduce sum, %m dims = [0, 1, 2] : (tensor<1x1x4xf64>) -> !f
  return %s : !f
})",
       {gradient("f",
                 {f64({1, 1, 4}, {1, 5, 2, 8}), f64({1, 4}, {3, 4, 2.5, 1})},
                 d(18.5), {0, 1},
                 {f64({1, 1, 4}, {0, 1, 0, 1}), f64({1, 4}, {1, 0, 1, 0})})}},

      {"BAD-A06",
       R"(
func.func @f(%loss: !f3, %mask: tensor<3xi1>) -> !f {
  %zero = ens.constant dense<0.0> : !f3
  %one = ens.constant dense<1.0> : !f
  %t = ens.select %mask, %loss, %zero : !f3
  %s = ens.reduce sum, %t dims = [0] : (!f3) -> !f
  %m = ens.convert %mask : tensor<3xi1> to !f3
  %n = ens.reduce sum, %m dims = [0] : (!f3) -> !f
  %n1 = ens.max %n, %one : !f
  %y = ens.div %s, %n1 : !f
  return %y : !f
})",
       {gradient("f", {v({3, 4, 5}), i1({3}, {false, false, false})}, d(0), {0},
                 {v({0, 0, 0})}),
        gradient("f", {v({3, 4, 5}), i1({3}, {true, false, true})}, d(4), {0},
                 {v({0.5, 0, 0.5})})}},

      // Without the tiling, which is no op of the language.
      {"PVD-A03",
       "",
       {},
       {{"func.func @f(%x: !f4) -> tensor<-14x4xf64>", "expected"},
        {R"(
func.func @f(%x: !f4) -> tensor<3x2xf64> {
  %y = ens.reshape %x : !f4 to tensor<3x2xf64>
  return %y : tensor<3x2xf64>
})",
         "6"}}},
  };
}
