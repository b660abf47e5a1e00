//===- NanCases.cpp - NaN stays where it is -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <cmath>

using namespace ensc;
using namespace ensc::test;

/// Twice the softmax of the first row, minus 1 at its first two elements.
static Tensor maskedGradient() {
  Tensor gradient = Tensor::zeros(DType::F64, {2, 6});
  double x[] = {0.3725, 0.5344, 0.2128, 0.3324, 0.2745, 0.2454}, sum = 0;
  for (double element : x)
    sum += std::exp(element);
  for (int i = 0; i < 6; ++i)
    gradient.data<double>()[i] = 2 * std::exp(x[i]) / sum - (i < 2 ? 1 : 0);
  return gradient;
}

Cases ensc::test::nanCases() {
  return {

      {"NAN-A01",
       R"(
func.func @f(%x: tensor<3x2xf64>) -> !f {
  %q = ens.mul %x, %x : tensor<3x2xf64>
  %s = ens.reduce sum, %q dims = [1] : (tensor<3x2xf64>) -> !f3
  %n = ens.sqrt %s : !f3
  %half = ens.constant dense<0.5> : !f3
  %one = ens.constant dense<1.0> : !f3
  %p = ens.compare gt, %n, %half : !f3
  %r = ens.select %p, %n, %one : !f3
  %y = ens.reduce sum, %r dims = [0] : (!f3) -> !f
  return %y : !f
})",
       {gradient("f", {f64({3, 2}, {1, 2, 3, 4, 0, 0})}, d(8.23606797749979),
                 {0},
                 {f64({3, 2}, {0.4472135954999579, 0.8944271909999159, 0.6, 0.8,
                               0, 0})})}},

      {"NAN-A02",
       R"(
func.func @f(%x: !f2) -> !f {
  %zero = ens.constant dense<0.0> : !f2
  %p = ens.compare eq, %x, %zero : !f2
  %r = ens.sqrt %x : !f2
  %xr = ens.mul %x, %r : !f2
  %t = ens.select %p, %zero, %xr : !f2
  %y = ens.reduce sum, %t dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {gradient("f", {v({0, 4})}, d(8), {0}, {v({0, 3})})}},

      {"NAN-A04",
       R"(
func.func @after(%x: !f) -> !f {
  %d = ens.constant dense<[0.0, 1.0]> : !f2
  %zero = ens.constant dense<0.0> : !f2
  %b = ens.broadcast %x dims = [] : !f to !f2
  %dx = ens.mul %d, %b : !f2
  %p = ens.compare gt, %dx, %zero : !f2
  %r = ens.sqrt %dx : !f2
  %t = ens.select %p, %r, %zero : !f2
  %y = ens.reduce sum, %t dims = [0] : (!f2) -> !f
  return %y : !f
}
func.func @before(%x: !f) -> !f {
  %d = ens.constant dense<[0.0, 1.0]> : !f2
  %zero = ens.constant dense<0.0> : !f2
  %b = ens.broadcast %x dims = [] : !f to !f2
  %dx = ens.mul %d, %b : !f2
  %p = ens.compare gt, %dx, %zero : !f2
  %t = ens.select %p, %dx, %zero : !f2
  %r = ens.sqrt %t : !f2
  %y = ens.reduce sum, %r dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {gradient("after", {d(1)}, d(1), {0}, {d(0.5)}),
        gradient("before", {d(1)}, d(1), {0}, {d(0.5)})}},

      // What is not counted is taken out of the difference, by a select.
      {"NAN-A05",
       R"(
func.func @f(%w: !f2, %x: !f, %label: !f2, %counted: tensor<2xi1>) -> !f {
  %zero = ens.constant dense<0.0> : !f2
  %b = ens.broadcast %x dims = [] : !f to !f2
  %p = ens.mul %w, %b : !f2
  %d = ens.sub %p, %label : !f2
  %e = ens.select %counted, %d, %zero : !f2
  %q = ens.mul %e, %e : !f2
  %y = ens.reduce sum, %q dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {gradient(
           "f",
           {v({0.5, -0.5}), d(2), v({notANumber, 1}), i1({2}, {false, true})},
           d(4), {0}, {v({0, -8})})}},

      {"NAN-A06",
       R"(
func.func @f(%loss: !f3, %mask: tensor<3xi1>) -> !f {
  %zero = ens.constant dense<0.0> : !f3
  %t = ens.select %mask, %loss, %zero : !f3
  %s = ens.reduce sum, %t dims = [0] : (!f3) -> !f
  %m = ens.convert %mask : tensor<3xi1> to !f3
  %n = ens.reduce sum, %m dims = [0] : (!f3) -> !f
  %y = ens.div %s, %n : !f
  return %y : !f
})",
       {gradient("f", {v({1, notANumber, 3}), i1({3}, {true, false, true})},
                 d(2), {0}, {v({0.5, 0, 0.5})}),
        gradient("f", {v({1, notANumber, 3}), i1({3}, {true, true, false})},
                 d(notANumber), {0}, {v({0.5, 0.5, 0})})}},

      {"NAN-A07",
       R"(
func.func @f(%x: !f2) -> !f {
  %y = ens.logsumexp %x : (!f2) -> !f
  return %y : !f
})",
       {gradient("f", {v({-infinity, -infinity})}, d(-infinity), {0},
                 {v({0, 0})}),
        gradient("f", {v({0, std::log(3.0)})}, d(1.3862943611198906), {0},
                 {v({0.25, 0.75})})}},

      {"NAN-A08",
       R"(
func.func @f(%x: tensor<2x6xf64>, %mask: tensor<2x6xi1>) -> !f {
  %none = ens.constant dense<0xFFF0000000000000> : tensor<2x6xf64>
  %m = ens.select %mask, %x, %none : tensor<2x6xf64>
  %p = ens.log_softmax %m : tensor<2x6xf64>
  %s = ens.slice %p starts = [0, 0] limits = [1, 2] strides = [1, 1] : (tensor<2x6xf64>) -> tensor<1x2xf64>
  %t = ens.reduce sum, %s dims = [0, 1] : (tensor<1x2xf64>) -> !f
  %y = ens.neg %t : !f
  return %y : !f
})",
       {gradient("f",
                 {f64({2, 6}, {0.3725, 0.5344, 0.2128, 0.3324, 0.2745, 0.2454,
                               0.3423, 0.3423, 0.3423, 0.3423, 0.3423, 0.3423}),
                  i1({2, 6}, {true, true, true, true, true, true, false, false,
                              false, false, false, false})},
                 d(3.345567818), {0}, {maskedGradient()}, 1e-8)}},

      {"NAN-A09",
       R"(
func.func @f(%x: !f) -> !f {
  %zero = ens.constant dense<0.0> : !f
  %m = ens.max %x, %zero : !f
  %y = ens.sqrt %m : !f
  return %y : !f
})",
       {gradient("f", {d(-10)}, d(0), {0}, {d(0)}),
        gradient("f", {d(4)}, d(2), {0}, {d(0.25)})}},
  };
}
