//===- KinkCases.cpp - Where a derivative is a decision -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// x, f(x), and its slope there.
struct UnaryPoint {
  double x, y, slope;
};

static Case unary(const std::string &op,
                  const std::vector<UnaryPoint> &points) {
  Case test{op,
            "func.func @f(%x: !f) -> !f {\n  %y = ens." + op +
                " %x : !f\n  return %y : !f\n}\n",
            {}};
  for (const UnaryPoint &point : points)
    test.calls.push_back(
        gradient("f", {d(point.x)}, d(point.y), {0}, {d(point.slope)}));
  return test;
}

/// x, y, f(x, y), and its slopes there.
struct BinaryPoint {
  double x, y, z, slopeX, slopeY;
};

static Case binary(const std::string &op,
                   const std::vector<BinaryPoint> &points) {
  Case test{op,
            "func.func @f(%x: !f, %y: !f) -> !f {\n  %z = ens." + op +
                " %x, %y : !f\n  return %z : !f\n}\n",
            {}};
  for (const BinaryPoint &point : points)
    test.calls.push_back(gradient("f", {d(point.x), d(point.y)}, d(point.z),
                                  {0, 1}, {d(point.slopeX), d(point.slopeY)}));
  return test;
}

/// @NAME1 to @NAME<order>, each the derivative of the one before.
static std::string derivativesOf(const std::string &name, int order) {
  std::string text;
  for (int i = 1; i <= order; ++i)
    text += "\nfunc.func @" + name + std::to_string(i) +
            "(%x: !f) -> !f {\n  %g = ens.grad @" + name +
            std::to_string(i - 1) +
            "(%x) wrt = [0] : (!f) -> !f\n  return %g : !f\n}\n";
  return text;
}

Cases ensc::test::kinkCases() {
  return {

      unary("abs", {{-2, 2, -1},
                    {0, 0, 0},
                    {-0.0, 0, 0},
                    {3, 3, 1},
                    {notANumber, notANumber, notANumber}}),
      unary("relu", {{-1, 0, 0},
                     {0, 0, 0},
                     {-0.0, 0, 0},
                     {2, 2, 1},
                     {notANumber, notANumber, 1}}),
      unary("sqrt", {{0, 0, 0}, {4, 2, 0.25}, {infinity, infinity, 0}}),
      unary("rsqrt", {{0, infinity, 0}, {4, 0.5, -0.0625}}),
      unary("log", {{0, -infinity, infinity}}),
      unary("floor", {{2, 2, 0}, {2.5, 2, 0}}),
      unary("sign", {{0, 0, 0}, {-3, -1, 0}}),
      unary("stop_gradient", {{3, 3, 0}}),
      // 1 - y or 1 - s(x) alone would give 0 here.
      unary("logistic", {{40, 1, 4.248354255291589e-18},
                         {-40, 4.248354255291589e-18, 4.248354255291589e-18},
                         {800, 1, 0}}),
      unary("tanh",
            {{18, 1, 8.881784197001252e-16}, {0, 0, 1}, {infinity, 1, 0}}),
      unary("softplus",
            {{0, 0.6931471805599453, 0.5}, {800, 800, 1}, {-800, 0, 0}}),

      binary("max", {{1, 1, 1, 0.5, 0.5},
                     {2, 1, 2, 1, 0},
                     {1, 2, 2, 0, 1},
                     {-0.0, 0, 0, 0.5, 0.5},
                     {notANumber, 1, notANumber, 0, 0},
                     {1, notANumber, notANumber, 0, 0},
                     {infinity, infinity, infinity, 0.5, 0.5}}),
      binary("min", {{1, 1, 1, 0.5, 0.5},
                     {2, 1, 1, 0, 1},
                     {1, 2, 1, 1, 0},
                     {notANumber, 1, notANumber, 0, 0}}),
      binary("pow", {{0, 0, 1, 0, 0},
                     {0, 0.5, 0, 0, 0},
                     {0, 1, 0, 1, 0},
                     {0, 2, 0, 0, 0},
                     {4, 0, 1, 0, 1.3862943611198906}}),
      binary("div", {{1, 1e-200, 1e200, 1e200, -infinity},
                     {0, 2, 0, 0.5, 0},
                     {1e-200, 1e-200, 1, 1e200, -1e200}}),
      // The derivative by the exponent is NaN, but nobody asks for it.
      {"pow_of_a_negative_base",
       R"(
func.func @f(%x: !f, %y: !f) -> !f {
  %z = ens.pow %x, %y : !f
  return %z : !f
})",
       {gradient("f", {d(-2), d(3)}, d(-8), {0}, {d(12)})}},
      {"same_operand",
       R"(
func.func @f(%x: !f) -> !f {
  %y = ens.max %x, %x : !f
  return %y : !f
})",
       {gradient("f", {d(3)}, d(3), {0}, {d(1)})}},

      {"clamp",
       R"(
func.func @f(%low: !f, %x: !f, %high: !f) -> !f {
  %y = ens.clamp %low, %x, %high : !f
  return %y : !f
}
func.func @own_bound(%x: !f) -> !f {
  %zero = ens.constant dense<0.0> : !f
  %y = ens.clamp %zero, %x, %x : !f
  return %y : !f
})",
       {gradient("f", {d(0), d(0), d(6)}, d(0), {0, 1, 2}, {d(0), d(1), d(0)}),
        gradient("f", {d(0), d(6), d(6)}, d(6), {0, 1, 2}, {d(0), d(1), d(0)}),
        gradient("f", {d(0), d(-1), d(6)}, d(0), {0, 1, 2}, {d(1), d(0), d(0)}),
        gradient("f", {d(0), d(7), d(6)}, d(6), {0, 1, 2}, {d(0), d(0), d(1)}),
        // Bounds that have changed places: not below the low one, above the
        // high one.
        gradient("f", {d(2), d(2), d(1)}, d(1), {0, 1, 2}, {d(0), d(0), d(1)}),
        gradient("f", {d(0), d(notANumber), d(6)}, d(notANumber), {0, 1, 2},
                 {d(0), d(1), d(0)}),
        gradient("own_bound", {d(5)}, d(5), {0}, {d(1)})}},

      {"reduce_extrema",
       R"(
func.func @f(%x: tensor<3x3xf64>) -> !f {
  %m = ens.reduce max, %x dims = [1] : (tensor<3x3xf64>) -> !f3
  %w = ens.constant dense<[1.0, 2.0, 4.0]> : !f3
  %p = ens.mul %m, %w : !f3
  %picked = ens.slice %p starts = [0] limits = [2] strides = [1] : (!f3) -> !f2
  %y = ens.reduce sum, %picked dims = [0] : (!f2) -> !f
  return %y : !f
}
func.func @empty(%x: tensor<0xf64>) -> !f {
  %y = ens.reduce min, %x dims = [0] : (tensor<0xf64>) -> !f
  return %y : !f
})",
       {gradient("f", {f64({3, 3}, {7, 7, 7, 1, 5, 5, notANumber, 1, 2})},
                 d(17), {0},
                 {f64({3, 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 1, 1, 0, 0, 0})}),
        gradient("empty", {f64({0}, {})}, d(infinity), {0}, {f64({0}, {})})}},

      // d/dw d/dx of w sqrt(x) and of w x^0.5 at x = 0.
      {"second_derivatives_at_singular_points",
       R"(
func.func @root(%w: !f, %x: !f) -> !f {
  %s = ens.sqrt %x : !f
  %y = ens.mul %w, %s : !f
  return %y : !f
}
func.func @root_slope(%w: !f, %x: !f) -> !f {
  %g = ens.grad @root(%w, %x) wrt = [1] : (!f, !f) -> !f
  return %g : !f
}
func.func @inverse(%w: !f, %x: !f) -> !f {
  %s = ens.rsqrt %x : !f
  %y = ens.mul %w, %s : !f
  return %y : !f
}
func.func @inverse_slope(%w: !f, %x: !f) -> !f {
  %g = ens.grad @inverse(%w, %x) wrt = [1] : (!f, !f) -> !f
  return %g : !f
}
func.func @power(%w: !f, %x: !f) -> !f {
  %half = ens.constant dense<0.5> : !f
  %s = ens.pow %x, %half : !f
  %y = ens.mul %w, %s : !f
  return %y : !f
}
func.func @power_slope(%w: !f, %x: !f) -> !f {
  %g = ens.grad @power(%w, %x) wrt = [1] : (!f, !f) -> !f
  return %g : !f
})",
       {gradient("root_slope", {d(3), d(0)}, d(0), {0, 1}, {d(0), d(0)}),
        gradient("inverse_slope", {d(3), d(0)}, d(0), {0, 1}, {d(0), d(0)}),
        gradient("power_slope", {d(3), d(0)}, d(0), {0, 1}, {d(0), d(0)})}},

      // The guards of pow leave its second derivatives alone.
      {"hessian_of_pow",
       R"(
func.func @f(%x: !f, %y: !f) -> !f {
  %z = ens.pow %x, %y : !f
  return %z : !f
}
func.func @by_x(%x: !f, %y: !f) -> !f {
  %g = ens.grad @f(%x, %y) wrt = [0] : (!f, !f) -> !f
  return %g : !f
}
func.func @by_y(%x: !f, %y: !f) -> !f {
  %g = ens.grad @f(%x, %y) wrt = [1] : (!f, !f) -> !f
  return %g : !f
})",
       {gradient("by_x", {d(4), d(0)}, d(0), {0, 1}, {d(0), d(0.25)}),
        gradient("by_y", {d(4), d(0)}, d(1.3862943611198906), {0, 1},
                 {d(0.25), d(1.9218120556728056)})}},

      {"sixth_derivative_of_the_inverse",
       R"(
func.func @f0(%x: !f) -> !f {
  %one = ens.constant dense<1.0> : !f
  %y = ens.div %one, %x : !f
  return %y : !f
})" + derivativesOf("f", 6),
       {value("f6", {d(4)}, {d(0.0439453125)})}},

      {"fourth_derivative_of_softplus",
       R"(
func.func @f0(%x: !f) -> !f {
  %y = ens.softplus %x : !f
  return %y : !f
})" + derivativesOf("f", 4),
       {value("f4", {d(1e-8)}, {d(-0.125)}, 1e-7)}},

      // Doubled eight times: the cost of a gradient is that of the value.
      {"fan_out",
       R"(
func.func @double(%x: !f) -> !f {
  %a = ens.add %x, %x : !f
  return %a : !f
}
func.func @f(%x: !f) -> !f {
  %1 = func.call @double(%x) : (!f) -> !f
  %2 = func.call @double(%1) : (!f) -> !f
  %3 = func.call @double(%2) : (!f) -> !f
  %4 = func.call @double(%3) : (!f) -> !f
  %5 = func.call @double(%4) : (!f) -> !f
  %6 = func.call @double(%5) : (!f) -> !f
  %7 = func.call @double(%6) : (!f) -> !f
  %8 = func.call @double(%7) : (!f) -> !f
  %y = ens.mul %8, %8 : !f
  return %y : !f
})",
       {gradient("f", {d(1)}, d(65536), {0}, {d(131072)})}},

      // The derivative of the inner function does not see the outer argument.
      {"nested_derivatives_keep_arguments_apart",
       R"(
func.func @product(%y: !f, %x: !f) -> !f {
  %z = ens.mul %x, %y : !f
  return %z : !f
}
func.func @f(%x: !f) -> !f {
  %d = ens.grad @product(%x, %x) wrt = [0] : (!f, !f) -> !f
  %y = ens.mul %x, %d : !f
  return %y : !f
})",
       {gradient("f", {d(4)}, d(16), {0}, {d(8)})}},

      {"convert",
       R"(
func.func @f(%x: !f2) -> !f {
  %s = ens.convert %x : !f2 to !s2
  %q = ens.mul %s, %s : !s2
  %i = ens.convert %s : !s2 to tensor<2xi32>
  %n = ens.convert %i : tensor<2xi32> to !s2
  %t = ens.add %q, %n : !s2
  %z = ens.convert %t : !s2 to !f2
  %y = ens.reduce sum, %z dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {gradient("f", {v({1.5, -2})}, d(5.25), {0}, {v({3, -4})})}},

      // Of the updates of one element only the last is still there.
      {"scatter_set_last_writer",
       R"(
func.func @f(%x: !f3, %u: !f4) -> !f {
  %i = ens.constant dense<[1, 1, 7, 1]> : tensor<4xi32>
  %w = ens.constant dense<[1.0, 2.0, 4.0]> : !f3
  %s = ens.scatter set, drop, %x, %i, %u axis = 0 : (!f3, tensor<4xi32>, !f4) -> !f3
  %y = ens.dot %s, %w lhs_contract = [0] rhs_contract = [0] : (!f3, !f3) -> !f
  return %y : !f
})",
       {gradient("f", {v({1, 1, 1}), v({5, 6, 7, 8})}, d(21), {0, 1},
                 {v({1, 0, 4}), v({0, 0, 0, 2})})}},

      // The constant arm has a zero tangent, the other one has not.
      {"select_of_a_constant",
       R"(
func.func @f(%p: tensor<2xi1>, %x: !f2) -> !f {
  %c = ens.constant dense<7.0> : !f2
  %two = ens.add %x, %x : !f2
  %s = ens.select %p, %c, %two : !f2
  %y = ens.reduce sum, %s dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {gradient("f", {i1({2}, {false, true}), v({3, 4})}, d(13), {1},
                 {v({2, 0})})}},
  };
}
