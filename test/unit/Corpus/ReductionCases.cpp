//===- ReductionCases.cpp - Reductions and running totals -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// @productN, and @cumulativeN, the sum of the products of 1, 2, ... elements.
static std::string productsOf(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  std::string loop = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant )" +
                     n + R"( : index
  %one = ens.constant dense<1.0> : !f
  %zero = ens.constant dense<0.0> : !f
  %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%p = %one, %s = %zero) -> (!f, !f) {
    %i = ens.from_index %t : tensor<i64>
    %xs = ens.gather clamp, %x, %i axis = 0 : ()" +
                     type + R"(, tensor<i64>) -> !f
    %q = ens.mul %p, %xs : !f
    %u = ens.add %s, %q : !f
    scf.yield %q, %u : !f, !f
  }
)";
  return "func.func @product" + n + "(%x: " + type + ") -> !f {" + loop +
         "  return %r#0 : !f\n}\nfunc.func @cumulative" + n + "(%x: " + type +
         ") -> !f {" + loop + "  return %r#1 : !f\n}\n";
}

/// @fN: logsumexp of the first 1, 2, ... of N elements.
static std::string runningLogSumExp(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  return "func.func @f" + n + "(%x: " + type + ") -> " + type + R"( {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant )" +
         n + R"( : index
  %none = ens.constant dense<0xFFF0000000000000> : !f1
  %zeros = ens.constant dense<0.0> : )" +
         type + R"(
  %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%l = %none, %ys = %zeros) -> (!f1, )" +
         type + R"() {
    %i = ens.from_index %t : tensor<i64>
    %xs = ens.dynamic_slice %x [%i] sizes = [1] : ()" +
         type +
         R"(, tensor<i64>) -> !f1
    %both = ens.concat %l, %xs dim = 0 : (!f1, !f1) -> !f2
    %next = ens.logsumexp %both : (!f2) -> !f
    %y = ens.reshape %next : !f to !f1
    %all = ens.dynamic_update_slice %ys, %y [%i] : ()" +
         type + R"(, !f1, tensor<i64>) -> )" + type + R"(
    scf.yield %y, %all : !f1, )" +
         type + R"(
  }
  return %r#1 : )" +
         type + "\n}\n";
}

Cases ensc::test::reductionCases() {
  return {

      {"RED-A01",
       productsOf(3) + productsOf(4),
       {gradient("cumulative3", {v({0, 2, 3})}, d(0), {0}, {v({9, 0, 0})}),
        gradient("cumulative3", {v({2, 3, 0})}, d(8), {0}, {v({4, 2, 6})}),
        gradient("cumulative4", {v({2, 0, 0, 3})}, d(2), {0},
                 {v({1, 2, 0, 0})})}},

      {"RED-A02",
       productsOf(3),
       {gradient("product3", {v({0, 2, 3})}, d(0), {0}, {v({6, 0, 0})}),
        gradient("product3", {v({0, 0, 3})}, d(0), {0}, {v({0, 0, 0})}),
        gradient("product3", {v({2, 3, 4})}, d(24), {0}, {v({12, 8, 6})})}},

      {"RED-A03",
       productsOf(1),
       {gradient("product1", {v({0})}, d(0), {0}, {v({1})})}},

      {"RED-A04",
       runningLogSumExp(2) + runningLogSumExp(3) + runningLogSumExp(5),
       {value("f2", {v({-infinity, 1})}, {v({-infinity, 1})}),
        value("f5", {v({2, -infinity, -infinity, 1, 3})},
              {v({2, 2, 2, 2.3132616875182226, 3.407605964444380})}),
        value("f3", {v({-infinity, -infinity, 0})},
              {v({-infinity, -infinity, 0})})}},

      // The deviation of constant data has the derivative 0, from that of the
      // root at 0.
      {"RED-A05",
       R"(
func.func @variance(%x: !f2) -> !f {
  %m = ens.mean %x dims = [0] : (!f2) -> !f
  %b = ens.broadcast %m dims = [] : !f to !f2
  %d = ens.sub %x, %b : !f2
  %q = ens.mul %d, %d : !f2
  %y = ens.mean %q dims = [0] : (!f2) -> !f
  return %y : !f
}
func.func @deviation(%x: !f2) -> !f {
  %v = func.call @variance(%x) : (!f2) -> !f
  %y = ens.sqrt %v : !f
  return %y : !f
})",
       {gradient("variance", {v({1, 1})}, d(0), {0}, {v({0, 0})}),
        gradient("variance", {v({1, 3})}, d(1), {0}, {v({-1, 1})}),
        gradient("deviation", {v({1, 1})}, d(0), {0}, {v({0, 0})}),
        gradient("deviation", {v({1, 3})}, d(1), {0}, {v({-0.5, 0.5})})}},

      {"RED-A06",
       R"(
func.func @f(%x: !f3) -> !f {
  %zero = ens.constant dense<0.0> : !f3
  %is = ens.compare eq, %x, %x : !f3
  %a = ens.select %is, %x, %zero : !f3
  %s = ens.reduce sum, %a dims = [0] : (!f3) -> !f
  %k = ens.convert %is : tensor<3xi1> to !f3
  %n = ens.reduce sum, %k dims = [0] : (!f3) -> !f
  %m = ens.div %s, %n : !f
  %b = ens.broadcast %m dims = [] : !f to !f3
  %d = ens.sub %a, %b : !f3
  %e = ens.select %is, %d, %zero : !f3
  %q = ens.mul %e, %e : !f3
  %t = ens.reduce sum, %q dims = [0] : (!f3) -> !f
  %y = ens.div %t, %n : !f
  return %y : !f
})",
       {gradient("f", {v({1, notANumber, 3})}, d(1), {0}, {v({-1, 0, 1})})}},

      {"RED-A07",
       R"(
func.func @f(%x: tensor<2x8xf64>) -> !f8 {
  %zero = ens.constant dense<0.0> : tensor<2x8xf64>
  %is = ens.compare eq, %x, %x : tensor<2x8xf64>
  %a = ens.select %is, %x, %zero : tensor<2x8xf64>
  %s = ens.reduce sum, %a dims = [0] : (tensor<2x8xf64>) -> !f8
  %k = ens.convert %is : tensor<2x8xi1> to tensor<2x8xf64>
  %n = ens.reduce sum, %k dims = [0] : (tensor<2x8xf64>) -> !f8
  %y = ens.div %s, %n : !f8
  return %y : !f8
})",
       {value("f",
              {f64({2, 8},
                   {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})},
              {v({5, 6, 7, 8, 9, 10, 11, 12})}),
        value("f",
              {f64({2, 8}, {1, notANumber, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                            14, 15, 16})},
              {v({5, 10, 7, 8, 9, 10, 11, 12})})}},

      {"RED-A08",
       R"(
func.func @f(%x: !f4) -> !f {
  %w = ens.constant dense<[1.0, 2.0, 3.0, 4.0]> : !f4
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = ens.constant dense<0.0> : !f
  %r:2 = scf.for %t = %c0 to %c4 step %c1 iter_args(%sum = %zero, %l = %zero) -> (!f, !f) {
    %i = ens.from_index %t : tensor<i64>
    %xs = ens.gather clamp, %x, %i axis = 0 : (!f4, tensor<i64>) -> !f
    %ws = ens.gather clamp, %w, %i axis = 0 : (!f4, tensor<i64>) -> !f
    %next = ens.add %sum, %xs : !f
    %p = ens.mul %ws, %next : !f
    %m = ens.add %l, %p : !f
    scf.yield %next, %m : !f, !f
  }
  return %r#1 : !f
})",
       {gradient("f", {v({1, 2, 3, 4})}, d(1 + 2 * 3 + 3 * 6 + 4 * 10), {0},
                 {v({10, 9, 7, 4})})}},

      {"RED-A09",
       R"(
func.func @f(%x: tensor<3x2xf64>, %kept: tensor<3xi1>) -> !f {
  %labels = ens.constant dense<1> : tensor<3xi32>
  %zero = ens.constant dense<0.0> : !f3
  %l = ens.softmax_cross_entropy %x, %labels : (tensor<3x2xf64>, tensor<3xi32>) -> !f3
  %m = ens.select %kept, %l, %zero : !f3
  %s = ens.reduce sum, %m dims = [0] : (!f3) -> !f
  %k = ens.convert %kept : tensor<3xi1> to !f3
  %n = ens.reduce sum, %k dims = [0] : (!f3) -> !f
  %y = ens.div %s, %n : !f
  return %y : !f
})",
       {gradient(
            "f",
            {f64({3, 2}, {0.5, 0, 0.5, 0, 0.5, 0}),
             i1({3}, {true, true, true})},
            d(0.9740769841801067), {0},
            {f64({3, 2}, {0.6224593312018546 / 3, -0.6224593312018546 / 3,
                          0.6224593312018546 / 3, -0.6224593312018546 / 3,
                          0.6224593312018546 / 3, -0.6224593312018546 / 3})}),
        gradient("f",
                 {f64({3, 2}, {0.5, 0, 0.5, 0, 0.5, 0}),
                  i1({3}, {false, true, false})},
                 d(0.9740769841801067), {0},
                 {f64({3, 2}, {0, 0, 0.6224593312018546, -0.6224593312018546, 0,
                               0})})}},
  };
}
