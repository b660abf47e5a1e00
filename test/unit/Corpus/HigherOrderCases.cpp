//===- HigherOrderCases.cpp - Derivatives of derivatives ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// @NAME_slope, the derivative of @NAME in reverse mode.
static std::string slopeOf(const std::string &name) {
  return "\nfunc.func @" + name + "_slope(%x: !f) -> !f {\n  %g = ens.grad @" +
         name + "(%x) wrt = [0] : (!f) -> !f\n  return %g : !f\n}\n";
}

static Call hessianRow(const std::vector<double> &x,
                       const std::vector<double> &tangent,
                       const std::vector<double> &row) {
  return value("hessian_row",
               {f64({2, 2}, {0.3, -1.5, 2, 0.7}), v(x), f64({2, 2}, tangent)},
               {f64({2, 2}, row)});
}

Cases ensc::test::higherOrderCases() {
  return {

      {"HO-A01",
       R"(
func.func @softplus(%x: !f) -> !f {
  %y = ens.softplus %x : !f
  return %y : !f
}
func.func @log_sigmoid(%x: !f) -> !f {
  %n = ens.neg %x : !f
  %a = ens.softplus %n : !f
  %y = ens.neg %a : !f
  return %y : !f
})" + slopeOf("softplus") +
           slopeOf("log_sigmoid"),
       {gradient("softplus_slope", {d(37.42994775023705)}, d(1), {0},
                 {d(5.551115123125783e-17)}, 1e-6),
        gradient("log_sigmoid_slope", {d(-37.42994775023705)}, d(1), {0},
                 {d(-5.551115123125783e-17)}, 1e-6)}},

      {"HO-A02",
       R"(
func.func @relu(%x: !f) -> !f {
  %y = ens.relu %x : !f
  return %y : !f
})" + slopeOf("relu"),
       {gradient("relu", {d(1)}, d(1), {0}, {d(1)}),
        gradient("relu_slope", {d(1)}, d(1), {0}, {d(0)}),
        gradient("relu", {d(-1)}, d(0), {0}, {d(0)}),
        gradient("relu_slope", {d(-1)}, d(0), {0}, {d(0)})}},

      // A series near 0; the arm that is not selected divides by 1.
      {"HO-A03",
       R"(
func.func @f(%x: !f) -> !f {
  %one = ens.constant dense<1.0> : !f
  %near = ens.constant dense<1.0e-4> : !f
  %half = ens.constant dense<0.5> : !f
  %sixth = ens.constant dense<0.16666666666666666> : !f
  %a = ens.abs %x : !f
  %p = ens.compare lt, %a, %near : !f
  %safe = ens.select %p, %one, %x : !f
  %e = ens.expm1 %safe : !f
  %q = ens.div %e, %safe : !f
  %x6 = ens.mul %x, %sixth : !f
  %c = ens.add %half, %x6 : !f
  %xc = ens.mul %x, %c : !f
  %series = ens.add %one, %xc : !f
  %y = ens.select %p, %series, %q : !f
  return %y : !f
})" + slopeOf("f") +
           R"(
func.func @f_forward_slope(%x: !f) -> !f {
  %one = ens.constant dense<1.0> : !f
  %y, %g = ens.jvp @f(%x, %one) wrt = [0] : (!f, !f) -> (!f, !f)
  return %g : !f
})",
       {gradient("f", {d(0)}, d(1), {0}, {d(0.5)}),
        gradient("f", {d(1)}, d(1.718281828459045), {0}, {d(1)}),
        gradient("f_slope", {d(0)}, d(0.5), {0}, {d(1.0 / 3)}),
        gradient("f_slope", {d(1)}, d(1), {0}, {d(0.7182818284590452)}),
        gradient("f_forward_slope", {d(0)}, d(0.5), {0}, {d(1.0 / 3)}),
        gradient("f_forward_slope", {d(1)}, d(1), {0},
                 {d(0.7182818284590452)})}},

      {"HO-A04",
       R"(
func.func @f(%x: !f4) -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = ens.constant dense<1.0> : !f
  %y = scf.for %t = %c0 to %c4 step %c1 iter_args(%p = %one) -> (!f) {
    %i = ens.from_index %t : tensor<i64>
    %xs = ens.gather clamp, %x, %i axis = 0 : (!f4, tensor<i64>) -> !f
    %q = ens.mul %p, %xs : !f
    scf.yield %q : !f
  }
  return %y : !f
}
func.func @slope(%x: !f4) -> !f4 {
  %g = ens.grad @f(%x) wrt = [0] : (!f4) -> !f4
  return %g : !f4
}
func.func @hessian_row(%x: !f4, %t: !f4) -> (!f4, !f4) {
  %g, %h = ens.jvp @slope(%x, %t) wrt = [0] : (!f4, !f4) -> (!f4, !f4)
  return %g, %h : !f4, !f4
})",
       {value("hessian_row", {v({2, 3, 0, 0}), v({1, 0, 0, 0})},
              {v({0, 0, 0, 0}), v({0, 0, 0, 0})}),
        value("hessian_row", {v({2, 3, 0, 0}), v({0, 1, 0, 0})},
              {v({0, 0, 0, 0}), v({0, 0, 0, 0})}),
        value("hessian_row", {v({2, 3, 0, 0}), v({0, 0, 1, 0})},
              {v({0, 0, 0, 0}), v({0, 0, 0, 6})}),
        value("hessian_row", {v({2, 3, 0, 0}), v({0, 0, 0, 1})},
              {v({0, 0, 0, 0}), v({0, 0, 6, 0})})}},

      // One call: see the tests of Vectorize for the batched ones.
      {"HO-A05",
       R"(
func.func private @double(%x: !f) -> !f {
  %y = ens.add %x, %x : !f
  return %y : !f
}
func.func private @rule(%x: !f, %v: !f) -> !f {
  %three = ens.constant dense<3.0> : !f
  %y = ens.mul %three, %v : !f
  return %y : !f
}
func.func @f(%x: !f) -> !f {
  %y = ens.custom_grad @double(%x) vjp = @rule jvp = @rule : (!f) -> !f
  return %y : !f
})",
       {gradient("f", {d(5)}, d(10), {0}, {d(3)})}},

      {"HO-A06",
       R"(
func.func @entry(%a: tensor<2x2xf64>, %i: tensor<i32>, %j: tensor<i32>) -> !f {
  %s = ens.dynamic_slice %a [%i, %j] sizes = [1, 1] : (tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x1xf64>
  %y = ens.reshape %s : tensor<1x1xf64> to !f
  return %y : !f
}
func.func @two(%m: tensor<2x2xf64>) -> !f {
  %i0 = ens.constant dense<0> : tensor<i32>
  %i1 = ens.constant dense<1> : tensor<i32>
  %a = func.call @entry(%m, %i0, %i0) : (tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> !f
  %b = func.call @entry(%m, %i0, %i1) : (tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> !f
  %c = func.call @entry(%m, %i1, %i0) : (tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> !f
  %d = func.call @entry(%m, %i1, %i1) : (tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> !f
  %ad = ens.mul %a, %d : !f
  %bc = ens.mul %b, %c : !f
  %y = ens.sub %ad, %bc : !f
  return %y : !f
}
func.func @one(%m: tensor<1x1xf64>) -> !f {
  %y = ens.reshape %m : tensor<1x1xf64> to !f
  return %y : !f
})",
       {gradient("two", {f64({2, 2}, {0, 1, 0, 1})}, d(0), {0},
                 {f64({2, 2}, {1, 0, -1, 0})}),
        gradient("one", {f64({1, 1}, {0})}, d(0), {0}, {f64({1, 1}, {1})})}},

      {"HO-A07",
       R"(
func.func @square(%x: !f3) -> !f3 {
  %y = ens.mul %x, %x : !f3
  return %y : !f3
}
func.func @w(%x: !f3, %v: !f3) -> !f3 {
  %y, %w = ens.vjp @square(%x, %v) wrt = [0] : (!f3, !f3) -> (!f3, !f3)
  return %w : !f3
}
func.func @f(%x: !f3, %v: !f3) -> !f {
  %w = func.call @w(%x, %v) : (!f3, !f3) -> !f3
  %y = ens.reduce sum, %w dims = [0] : (!f3) -> !f
  return %y : !f
})",
       {value("w", {v({1, 2, 3}), v({1, -2, 3})}, {v({2, -8, 18})}),
        gradient("f", {v({1, 2, 3}), v({1, -2, 3})}, d(12), {0},
                 {v({2, -4, 6})})}},

      // Each run alone.
      {"HO-A08",
       R"(
func.func @f(%a: tensor<2x2xf64>, %x: !f2) -> !f {
  %ax = ens.dot %a, %x lhs_contract = [1] rhs_contract = [0] : (tensor<2x2xf64>, !f2) -> !f2
  %d = ens.sub %x, %ax : !f2
  %y = ens.dot %d, %d lhs_contract = [0] rhs_contract = [0] : (!f2, !f2) -> !f
  return %y : !f
}
func.func @slope(%a: tensor<2x2xf64>, %x: !f2) -> tensor<2x2xf64> {
  %g = ens.grad @f(%a, %x) wrt = [0] : (tensor<2x2xf64>, !f2) -> tensor<2x2xf64>
  return %g : tensor<2x2xf64>
}
func.func @hessian_row(%a: tensor<2x2xf64>, %x: !f2, %t: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %g, %h = ens.jvp @slope(%a, %x, %t) wrt = [0] : (tensor<2x2xf64>, !f2, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>)
  return %h : tensor<2x2xf64>
})",
       {hessianRow({1, 2}, {1, 0, 0, 0}, {2, 4, 0, 0}),
        hessianRow({1, 2}, {0, 1, 0, 0}, {4, 8, 0, 0}),
        hessianRow({1, 2}, {0, 0, 1, 0}, {0, 0, 2, 4}),
        hessianRow({1, 2}, {0, 0, 0, 1}, {0, 0, 4, 8}),
        hessianRow({3, 0}, {1, 0, 0, 0}, {18, 0, 0, 0}),
        hessianRow({3, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}),
        hessianRow({3, 0}, {0, 0, 1, 0}, {0, 0, 18, 0}),
        hessianRow({3, 0}, {0, 0, 0, 1}, {0, 0, 0, 0})}},

      // The unit tangents one after the other.
      {"HO-A09",
       R"(
func.func @f(%x: tensor<2x2xf64>) -> !f {
  %t = ens.transpose %x permutation = [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %q = ens.mul %t, %t : tensor<2x2xf64>
  %y = ens.reduce sum, %q dims = [0, 1] : (tensor<2x2xf64>) -> !f
  return %y : !f
})",
       {gradient("f", {f64({2, 2}, {1, 2, 3, 4})}, d(30), {0},
                 {f64({2, 2}, {2, 4, 6, 8})})}},
  };
}
