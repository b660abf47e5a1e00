//===- TieCases.cpp - Ties and subgradients -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

Cases ensc::test::tieCases() {
  return {

      // Halves at a tie; subnormal numbers are no zeros.
      {"TIE-A01",
       R"(
func.func @by_max(%x: !s4) -> !s {
  %zero = ens.constant dense<0.0> : !s4
  %m = ens.max %x, %zero : !s4
  %y = ens.reduce sum, %m dims = [0] : (!s4) -> !s
  return %y : !s
}
func.func @by_select(%x: !s4) -> !s {
  %zero = ens.constant dense<0.0> : !s4
  %p = ens.compare gt, %x, %zero : !s4
  %m = ens.select %p, %x, %zero : !s4
  %y = ens.reduce sum, %m dims = [0] : (!s4) -> !s
  return %y : !s
})",
       {gradient("by_max", {s({0, 1e-45f, -1e-45f, 1e-10f})},
                 Tensor::scalar(1e-10f), {0}, {s({0.5, 1, 0, 1})}),
        gradient("by_select", {s({0, 1e-45f, -1e-45f, 1e-10f})},
                 Tensor::scalar(1e-10f), {0}, {s({0, 1, 0, 1})})}},

      {"TIE-A02",
       R"(
func.func @f(%x: !f5) -> !f {
  %zero = ens.constant dense<0.0> : !f5
  %one = ens.constant dense<1.0> : !f5
  %c = ens.clamp %zero, %x, %one : !f5
  %y = ens.reduce sum, %c dims = [0] : (!f5) -> !f
  return %y : !f
})",
       {gradient("f", {v({-0.5, 0, 0.25, 1, 1.5})}, d(2.25), {0},
                 {v({0, 1, 1, 1, 0})})}},

      {"TIE-A03",
       R"(
func.func @two(%x: !f2) -> !f {
  %y = ens.reduce max, %x dims = [0] : (!f2) -> !f
  return %y : !f
}
func.func @three(%x: !f3) -> !f {
  %y = ens.reduce max, %x dims = [0] : (!f3) -> !f
  return %y : !f
})",
       {gradient("two", {v({1, 1})}, d(1), {0}, {v({0.5, 0.5})}),
        gradient("three", {v({3, 3, 1})}, d(3), {0}, {v({0.5, 0.5, 0})})}},

      {"TIE-A04",
       R"(
func.func @max(%x: !f3) -> !f {
  %y = ens.reduce max, %x dims = [0] : (!f3) -> !f
  return %y : !f
}
func.func @at_argmax(%x: !f3) -> !f {
  %i = ens.arg_reduce max, %x dim = 0 : (!f3) -> tensor<i32>
  %y = ens.gather clamp, %x, %i axis = 0 : (!f3, tensor<i32>) -> !f
  return %y : !f
})",
       {gradient("max", {v({1, 1, 0})}, d(1), {0}, {v({0.5, 0.5, 0})}),
        gradient("at_argmax", {v({1, 1, 0})}, d(1), {0}, {v({1, 0, 0})})}},

      {"TIE-A05",
       R"(
func.func @min(%x: !f4) -> !f {
  %y = ens.reduce min, %x dims = [0] : (!f4) -> !f
  return %y : !f
}
func.func @max(%x: !f4) -> !f {
  %y = ens.reduce max, %x dims = [0] : (!f4) -> !f
  return %y : !f
})",
       {gradient("min", {v({1, 1, 2, 3})}, d(1), {0}, {v({0.5, 0.5, 0, 0})}),
        gradient("max", {v({1, 1, 2, 3})}, d(3), {0}, {v({0, 0, 0, 1})})}},

      {"TIE-A06",
       R"(
func.func @by_abs(%a: !f3, %b: !f3) -> !f {
  %d = ens.sub %a, %b : !f3
  %e = ens.abs %d : !f3
  %y = ens.reduce sum, %e dims = [0] : (!f3) -> !f
  return %y : !f
}
func.func @by_root(%a: !f3, %b: !f3) -> !f {
  %d = ens.sub %a, %b : !f3
  %q = ens.mul %d, %d : !f3
  %e = ens.sqrt %q : !f3
  %y = ens.reduce sum, %e dims = [0] : (!f3) -> !f
  return %y : !f
})",
       {gradient("by_abs", {v({-1, 0, 1}), v({0, 0, 0})}, d(2), {0},
                 {v({-1, 0, 1})}),
        gradient("by_root", {v({-1, 0, 1}), v({0, 0, 0})}, d(2), {0},
                 {v({-1, 0, 1})})}},

      // The place of an element in the stable order counts the elements that
      // come before it.
      {"TIE-A07",
       R"(
func.func @sorted(%x: !f4) -> !f4 {
  %a = ens.broadcast %x dims = [0] : !f4 to tensor<4x4xf64>
  %b = ens.broadcast %x dims = [1] : !f4 to tensor<4x4xf64>
  %less = ens.compare lt, %b, %a : tensor<4x4xf64>
  %same = ens.compare eq, %b, %a : tensor<4x4xf64>
  %i = ens.iota dim = 0 : tensor<4x4xi32>
  %j = ens.iota dim = 1 : tensor<4x4xi32>
  %before = ens.compare lt, %j, %i : tensor<4x4xi32>
  %tied = ens.and %same, %before : tensor<4x4xi1>
  %first = ens.or %less, %tied : tensor<4x4xi1>
  %one = ens.convert %first : tensor<4x4xi1> to tensor<4x4xi32>
  %place = ens.reduce sum, %one dims = [1] : (tensor<4x4xi32>) -> tensor<4xi32>
  %zero = ens.constant dense<0> : tensor<4xi32>
  %n = ens.iota dim = 0 : tensor<4xi32>
  %order = ens.scatter set, drop, %zero, %place, %n axis = 0 : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %y = ens.gather clamp, %x, %order axis = 0 : (!f4, tensor<4xi32>) -> !f4
  return %y : !f4
}
func.func @half(%x: !f4) -> !f {
  %o = func.call @sorted(%x) : (!f4) -> !f4
  %w = ens.constant dense<[0.0, 0.5, 0.5, 0.0]> : !f4
  %y = ens.dot %o, %w lhs_contract = [0] rhs_contract = [0] : (!f4, !f4) -> !f
  return %y : !f
}
func.func @third(%x: !f4) -> !f {
  %o = func.call @sorted(%x) : (!f4) -> !f4
  %s = ens.slice %o starts = [1] limits = [2] strides = [1] : (!f4) -> !f1
  %y = ens.reshape %s : !f1 to !f
  return %y : !f
})",
       {gradient("half", {v({2, 1, 2, 3})}, d(2), {0}, {v({0.5, 0, 0.5, 0})}),
        gradient("third", {v({2, 1, 2, 3})}, d(2), {0}, {v({1, 0, 0, 0})})}},

      {"TIE-A08",
       R"(
func.func @norm(%x: !f2) -> !f {
  %q = ens.mul %x, %x : !f2
  %s = ens.reduce sum, %q dims = [0] : (!f2) -> !f
  %y = ens.sqrt %s : !f
  return %y : !f
}
func.func @inside(%a: !f, %b: !f2) -> !f {
  %ab = ens.broadcast %a dims = [] : !f to !f2
  %x = ens.mul %ab, %b : !f2
  %y = func.call @norm(%x) : (!f2) -> !f
  return %y : !f
}
func.func @outside(%a: !f, %b: !f2) -> !f {
  %n = func.call @norm(%b) : (!f2) -> !f
  %m = ens.abs %a : !f
  %y = ens.mul %m, %n : !f
  return %y : !f
})",
       {gradient("inside", {d(1.3), v({0, 0})}, d(0), {0, 1},
                 {d(0), v({0, 0})}),
        gradient("outside", {d(1.3), v({0, 0})}, d(0), {0, 1},
                 {d(0), v({0, 0})})}},

      {"TIE-A09",
       R"(
func.func @losses(%d: tensor<7xf64>) -> tensor<7xf64> {
  %half = ens.constant dense<0.5> : tensor<7xf64>
  %beta = ens.constant dense<1.0> : tensor<7xf64>
  %a = ens.abs %d : tensor<7xf64>
  %near = ens.compare lt, %a, %beta : tensor<7xf64>
  %q = ens.mul %d, %d : tensor<7xf64>
  %square = ens.mul %half, %q : tensor<7xf64>
  %linear = ens.sub %a, %half : tensor<7xf64>
  %l = ens.select %near, %square, %linear : tensor<7xf64>
  return %l : tensor<7xf64>
}
func.func @f(%d: tensor<7xf64>) -> !f {
  %l = func.call @losses(%d) : (tensor<7xf64>) -> tensor<7xf64>
  %y = ens.reduce sum, %l dims = [0] : (tensor<7xf64>) -> !f
  return %y : !f
})",
       {value("losses", {v({-3, -1.5, -0.5, 0, 0.5, 1.5, 3})},
              {v({2.5, 1, 0.125, 0, 0.125, 1, 2.5})}),
        gradient("f", {v({-3, -1.5, -0.5, 0, 0.5, 1.5, 3})}, d(7.25), {0},
                 {v({-1, -1, -0.5, 0, 0.5, 1, 1})})}},
  };
}
