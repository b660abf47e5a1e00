//===- AutodiffCases.cpp - Values and slopes of single ops ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

Cases ensc::test::autodiffCases() {
  return {

      {"AD-A01",
       R"(
func.func @truncating(%x: !f, %y: !f) -> !f {
  %q = ens.div %x, %y : !f
  %a = ens.abs %q : !f
  %b = ens.floor %a : !f
  %c = ens.sign %q : !f
  %t = ens.mul %b, %c : !f
  %p = ens.mul %y, %t : !f
  %r = ens.sub %x, %p : !f
  return %r : !f
}
func.func @flooring(%x: !f, %y: !f) -> !f {
  %q = ens.div %x, %y : !f
  %t = ens.floor %q : !f
  %p = ens.mul %y, %t : !f
  %r = ens.sub %x, %p : !f
  return %r : !f
})",
       {gradient("truncating", {d(-19), d(3)}, d(-1), {0, 1}, {d(1), d(6)}),
        gradient("flooring", {d(-19), d(3)}, d(2), {0, 1}, {d(1), d(7)})}},

      {"AD-A02",
       R"(
func.func @f(%x: !f2) -> !f {
  %zero = ens.constant dense<0.0> : !f2
  %p = ens.pow %x, %zero : !f2
  %y = ens.reduce sum, %p dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {gradient("f", {v({0, 1})}, d(2), {0}, {v({0, 0})})}},

      {"AD-A03",
       R"(
func.func @f(%x: !f3) -> !f {
  %three = ens.constant dense<3.0> : !f3
  %p = ens.pow %x, %three : !f3
  %y = ens.reduce sum, %p dims = [0] : (!f3) -> !f
  return %y : !f
})",
       {gradient("f", {v({-2, -1, 3})}, d(18), {0}, {v({12, 3, 27})})}},

      {"AD-A04",
       R"(
func.func @f(%x: !f) -> !f {
  %t = ens.floor %x : !f
  %y = ens.add %x, %t : !f
  return %y : !f
})",
       {gradient("f", {d(3.8)}, d(6.8), {0}, {d(1)})}},

      // The loss is computed from the logit: softplus(x) - label * x.
      {"AD-A05",
       R"(
func.func @f(%x: !f, %label: !f) -> !f {
  %a = ens.softplus %x : !f
  %b = ens.mul %label, %x : !f
  %y = ens.sub %a, %b : !f
  return %y : !f
})",
       {gradient("f", {d(50), d(0)}, d(50), {0}, {d(1)})}},

      {"AD-A06",
       R"(
func.func @f(%x: !f) -> !f {
  %n = ens.neg %x : !f
  %a = ens.softplus %n : !f
  %y = ens.neg %a : !f
  return %y : !f
})",
       {gradient("f", {d(-300)}, d(-300), {0}, {d(1)}),
        gradient("f", {d(2)}, d(-0.1269280110429725), {0},
                 {d(0.11920292202211757)})}},

      {"AD-A07",
       R"(
func.func @f(%w: !f3) -> !f3 {
  %one = ens.constant dense<1.0> : !f
  %two = ens.constant dense<2.0> : !f
  %s = ens.reduce sum, %w dims = [0] : (!f3) -> !f
  %t = ens.mul %two, %s : !f
  %w0 = ens.sub %one, %t : !f
  %first = ens.reshape %w0 : !f to !f1
  %p = ens.concat %first, %w dim = 0 : (!f1, !f3) -> !f4
  %i = ens.iota dim = 0 : tensor<4xi32>
  %zero = ens.constant dense<0> : tensor<4xi32>
  %is = ens.compare ne, %i, %zero : tensor<4xi32>
  %k = ens.convert %is : tensor<4xi1> to !f4
  %ones = ens.constant dense<1.0> : !f4
  %l = ens.add %ones, %k : !f4
  %q = ens.mul %l, %p : !f4
  %sums = ens.constant dense<[[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0],
                              [1.0, 1.0, 1.0, 1.0]]> : tensor<3x4xf64>
  %y = ens.dot %sums, %q lhs_contract = [1] rhs_contract = [0] : (tensor<3x4xf64>, !f4) -> !f3
  return %y : !f3
}
func.func @jvp(%w: !f3, %t: !f3) -> (!f3, !f3) {
  %y, %dy = ens.jvp @f(%w, %t) wrt = [0] : (!f3, !f3) -> (!f3, !f3)
  return %y, %dy : !f3, !f3
})",
       {value("jvp", {v({0.1027, -1.9606, 1.9381}), v({1, 1, 1})},
              {v({1.045, -2.8762, 1}), v({-4, -2, 0})})}},

      {"AD-A08",
       R"(
func.func @f(%y: !f2) -> !f {
  %a = ens.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %r = ens.dot %y, %a lhs_contract = [0] rhs_contract = [0] : (!f2, tensor<2x2xf64>) -> !f2
  %s = ens.reduce sum, %r dims = [0] : (!f2) -> !f
  return %s : !f
})",
       {gradient("f", {v({5, 6})}, d(57), {0}, {v({3, 7})})}},

      // The two results, weighted by the seed.
      {"AD-A09",
       R"(
func.func @f(%x: !f, %v: !f, %k: !f, %seed: !f2) -> !f {
  %b = ens.neg %k : !f
  %bx = ens.mul %b, %x : !f
  %d0 = ens.reshape %v : !f to !f1
  %d1 = ens.reshape %bx : !f to !f1
  %du = ens.concat %d0, %d1 dim = 0 : (!f1, !f1) -> !f2
  %y = ens.dot %du, %seed lhs_contract = [0] rhs_contract = [0] : (!f2, !f2) -> !f
  return %y : !f
})",
       {gradient("f", {d(1), d(3), d(1), v({0, 1})}, d(-1), {0, 1, 2},
                 {d(-1), d(0), d(-1)}),
        gradient("f", {d(1), d(3), d(1), v({1, 1})}, d(2), {0, 1, 2},
                 {d(-1), d(1), d(-1)})}},

      {"AD-A10",
       R"(
func.func @f(%x: !f2, %target: !f2, %wx: !f, %wh: !f, %b: !f) -> !f {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = ens.constant dense<0.0> : !f
  %r:2 = scf.for %t = %c0 to %c2 step %c1 iter_args(%h = %zero, %l = %zero) -> (!f, !f) {
    %i = ens.from_index %t : tensor<i64>
    %xs = ens.dynamic_slice %x [%i] sizes = [1] : (!f2, tensor<i64>) -> !f1
    %xt = ens.reshape %xs : !f1 to !f
    %ts = ens.dynamic_slice %target [%i] sizes = [1] : (!f2, tensor<i64>) -> !f1
    %tt = ens.reshape %ts : !f1 to !f
    %p = ens.mul %wx, %xt : !f
    %q = ens.mul %wh, %h : !f
    %pq = ens.add %p, %q : !f
    %y = ens.add %pq, %b : !f
    %e = ens.sub %y, %tt : !f
    %n = ens.add %l, %e : !f
    scf.yield %y, %n : !f, !f
  }
  return %r#1 : !f
})",
       {gradient("f", {v({0.3, 2.5}), v({0.5, 1}), d(0.5), d(0.001), d(0.85)},
                 d(1.601), {2, 3, 4}, {d(2.8003), d(1), d(2.001)})}},

      {"AD-A11",
       R"(
func.func @plain(%a: tensor<3x3xf64>) -> !f {
  %one = ens.constant dense<1.0> : tensor<3x3x3xf64>
  %b = ens.broadcast %a dims = [1, 2] : tensor<3x3xf64> to tensor<3x3x3xf64>
  %u = ens.add %b, %one : tensor<3x3x3xf64>
  %q = ens.mul %u, %u : tensor<3x3x3xf64>
  %y = ens.reduce sum, %q dims = [0, 1, 2] : (tensor<3x3x3xf64>) -> !f
  return %y : !f
}
func.func @peeking(%a: tensor<3x3xf64>) -> (!f, tensor<3x3x3xi1>) {
  %one = ens.constant dense<1.0> : tensor<3x3x3xf64>
  %b = ens.broadcast %a dims = [1, 2] : tensor<3x3xf64> to tensor<3x3x3xf64>
  %u = ens.add %b, %one : tensor<3x3x3xf64>
  %p = ens.compare lt, %u, %one : tensor<3x3x3xf64>
  %q = ens.mul %u, %u : tensor<3x3x3xf64>
  %y = ens.reduce sum, %q dims = [0, 1, 2] : (tensor<3x3x3xf64>) -> !f
  return %y, %p : !f, tensor<3x3x3xi1>
}
func.func @peeked(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %y, %p, %g = ens.value_and_grad @peeking(%a) wrt = [0] : (tensor<3x3xf64>) -> (!f, tensor<3x3x3xi1>, tensor<3x3xf64>)
  return %g : tensor<3x3xf64>
})",
       {gradient("plain", {f64({3, 3}, std::vector<double>(9, 1))}, d(108), {0},
                 {f64({3, 3}, std::vector<double>(9, 12))}),
        value("peeked", {f64({3, 3}, std::vector<double>(9, 1))},
              {f64({3, 3}, std::vector<double>(9, 12))})}},
  };
}
