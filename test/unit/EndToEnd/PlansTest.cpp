//===- PlansTest.cpp - What fusion and in-place updates could break -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"
#include "FunctionText.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace ensc::test;

namespace {

/// Carried values that trade places, are read after they are replaced, start
/// from what was hoisted out of the loop, or are updated in part.
TEST(Plans, InPlaceUpdates) {
  checkProgram(R"mlir(
func.func @loops(%x: tensor<4xf32> {ens.name = "x", ens.role = "param"}, %w: tensor<4x4xf32> {ens.name = "w",
      ens.role = "param"})
  -> (tensor<4xf32>, tensor<4xf32>, tensor<9xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = ens.constant dense<0.0> : tensor<4xf32>
  %z9 = ens.constant dense<1.0> : tensor<9xf32>
  %y = ens.exp %x : tensor<4xf32>
  %lw = ens.mul %w, %w : tensor<4x4xf32>
  %r:6 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y, %rec = %z9, %s = %zero, %m = %w,
      %k = %x) -> (tensor<4xf32>, tensor<4xf32>, tensor<9xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) {
    %t = ens.from_index %i : tensor<i64>
    %dd = ens.dot %m, %a lhs_contract = [1] rhs_contract = [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %th = ens.tanh %dd : tensor<4xf32>
    %one = ens.slice %th starts = [1] limits = [2] strides = [1] : (tensor<4xf32>) -> tensor<1xf32>
    %rec2 = ens.dynamic_update_slice %rec, %one [%t] : (tensor<9xf32>, tensor<1xf32>, tensor<i64>) -> tensor<9xf32>
    %in:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%p = %zero, %q = %b) -> (tensor<4xf32>, tensor<4xf32>) {
      %n = ens.add %p, %th : tensor<4xf32>
      %q2 = ens.mul %q, %a : tensor<4xf32>
      scf.yield %n, %q2 : tensor<4xf32>, tensor<4xf32>
    }
    %s2 = ens.add %s, %in#0 : tensor<4xf32>
    %mt = ens.transpose %m permutation = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %ma0 = ens.add %mt, %lw : tensor<4x4xf32>
    %cond = arith.cmpi eq, %i, %c1 : index
    %ma = scf.if %cond -> tensor<4x4xf32> {
      %u = ens.exp %ma0 : tensor<4x4xf32>
      %u2 = ens.sub %u, %m : tensor<4x4xf32>
      scf.yield %u2 : tensor<4x4xf32>
    } else {
      scf.yield %lw : tensor<4x4xf32>
    }
    scf.yield %in#1, %a, %rec2, %s2, %ma, %th : tensor<4xf32>, tensor<4xf32>, tensor<9xf32>, tensor<4xf32>,
      tensor<4x4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#0 : tensor<4xf32>, tensor<4xf32>, tensor<9xf32>, tensor<4xf32>,
      tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>
})mlir");
}

/// More reductions in one sum than a phase has room for.
TEST(Plans, ManyReductions) {
  std::string sum = "%v", text = R"mlir(
func.func @folds(%x: tensor<4x5xf32> {ens.name = "x", ens.role = "param"},
    %v: tensor<4xf32> {ens.name = "v", ens.role = "param"}) -> tensor<4xf32> {
)mlir";
  for (int i = 1; i <= 70; ++i) {
    std::string n = std::to_string(i);
    text += "  %c" + n + " = ens.constant dense<" + n +
            ".0> : tensor<4xf32>\n  %w" + n + " = ens.mul %v, %c" + n +
            " : tensor<4xf32>\n  %e" + n + " = ens.exp %w" + n +
            " : tensor<4xf32>\n  %b" + n + " = ens.broadcast %e" + n +
            " dims = [0] : tensor<4xf32> to tensor<4x5xf32>\n  %m" + n +
            " = ens.mul %x, %b" + n + " : tensor<4x5xf32>\n  %r" + n +
            " = ens.reduce sum, %m" + n +
            " dims = [1] : (tensor<4x5xf32>) -> tensor<4xf32>\n  %q" + n +
            " = ens.add %r" + n + ", %e" + n + " : tensor<4xf32>\n  %s" + n +
            " = ens.add " + sum + ", %q" + n + " : tensor<4xf32>\n";
    sum = "%s" + n;
  }
  checkProgram(text + "  return " + sum + " : tensor<4xf32>\n}\n");
}

/// Every way to divide indices: of negative numbers, by zero, by the counter of
/// a loop, by constants, and where the quotient overflows.
TEST(Plans, DivisionOfIndices) {
  std::string ops[] = {"divsi",     "divui", "floordivsi", "ceildivsi",
                       "ceildivui", "remsi", "remui"};
  std::string divisors[] = {"%k", "%two", "%seven", "%minus", "%zero"};
  std::string body, rows = "%a";
  int count = 0;
  for (const std::string &op : ops)
    for (const std::string &divisor : divisors) {
      std::string n = std::to_string(count++);
      body += "    %q" + n + " = arith." + op + " %d, " + divisor +
              " : index\n    %t" + n + " = ens.from_index %q" + n +
              " : tensor<i64>\n    %u" + n + " = ens.reshape %t" + n +
              " : tensor<i64> to tensor<1x1xi64>\n    %p" + n +
              " = arith.constant " + n + " : index\n    %w" + n +
              " = ens.from_index %p" + n + " : tensor<i64>\n    %b" + n +
              " = ens.dynamic_update_slice " + rows + ", %u" + n + " [%w" + n +
              ", %column] : (tensor<35x12xi64>, tensor<1x1xi64>, "
              "tensor<i64>, tensor<i64>) -> tensor<35x12xi64>\n";
      rows = "%b" + n;
    }
  checkProgram(R"mlir(
func.func @divide(%x: tensor<f32>) -> tensor<35x12xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %seven = arith.constant 7 : index
  %minus = arith.constant -1 : index
  %three = arith.constant 3 : index
  %twelve = arith.constant 12 : index
  %least = arith.constant -9223372036854775808 : index
  %z = ens.constant dense<0> : tensor<35x12xi64>
  %r = scf.for %i = %zero to %twelve step %one iter_args(%a = %z) -> tensor<35x12xi64> {
    %column = ens.from_index %i : tensor<i64>
    %k = arith.subi %i, %three : index
    %near = arith.subi %i, %seven : index
    %last = arith.cmpi eq, %i, %two : index
    %d = arith.select %last, %least, %near : index
)mlir" + body + "    scf.yield " +
               rows +
               R"mlir( : tensor<35x12xi64>
  }
  return %r : tensor<35x12xi64>
})mlir");
}

/// Counters in steps above one, also where the next one would be none.
TEST(Plans, StepsOfLoops) {
  checkProgram(R"mlir(
func.func @steps(%x: tensor<f32>, %begin: index {ens.name = "begin", ens.role = "begin"},
                 %end: index {ens.name = "end", ens.role = "end"}) -> (tensor<i64>, tensor<i64>, tensor<8xi64>) {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %minus = arith.constant -5 : index
  %near = arith.constant 9223372036854775803 : index
  %greatest = arith.constant 9223372036854775807 : index
  %z = ens.constant dense<0> : tensor<i64>
  %z8 = ens.constant dense<0> : tensor<8xi64>
  %a = scf.for %i = %near to %greatest step %three iter_args(%s = %z) -> tensor<i64> {
    %t = ens.from_index %i : tensor<i64>
    %u = ens.add %s, %t : tensor<i64>
    scf.yield %u : tensor<i64>
  }
  %b = scf.for %i = %minus to %end step %two iter_args(%s = %z) -> tensor<i64> {
    %t = ens.from_index %i : tensor<i64>
    %u = ens.add %s, %t : tensor<i64>
    scf.yield %u : tensor<i64>
  }
  %c = scf.for %i = %begin to %end step %two iter_args(%s = %z8) -> tensor<8xi64> {
    %t = ens.from_index %i : tensor<i64>
    %r = ens.reshape %t : tensor<i64> to tensor<1xi64>
    %u = ens.dynamic_update_slice %s, %r [%t] : (tensor<8xi64>, tensor<1xi64>, tensor<i64>) -> tensor<8xi64>
    scf.yield %u : tensor<8xi64>
  }
  return %a, %b, %c : tensor<i64>, tensor<i64>, tensor<8xi64>
})mlir");
}

/// The same counter where a loop runs backwards.
TEST(Plans, StepsOfReversedLoops) {
  checkProgram(R"mlir(
func.func private @product(%x: tensor<3xf32>) -> tensor<f32> {
  %begin = arith.constant 9223372036854775800 : index
  %greatest = arith.constant 9223372036854775807 : index
  %three = arith.constant 3 : index
  %z = ens.constant dense<0.5> : tensor<f32>
  %r = scf.for %i = %begin to %greatest step %three iter_args(%a = %z) -> tensor<f32> {
    %d = arith.subi %i, %begin : index
    %q = arith.divui %d, %three : index
    %t = ens.from_index %q : tensor<i64>
    %row = ens.dynamic_slice %x [%t] sizes = [1] : (tensor<3xf32>, tensor<i64>) -> tensor<1xf32>
    %y = ens.reshape %row : tensor<1xf32> to tensor<f32>
    %p = ens.mul %a, %y : tensor<f32>
    %s = ens.add %p, %y : tensor<f32>
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @slope(%x: tensor<3xf32>) -> tensor<3xf32> {
  %r = ens.grad @product(%x) wrt = [0] : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
})mlir");
}

/// Index arithmetic of all families, stacked; values needed at other points
/// than where they are computed.
TEST(Plans, StackedAccesses) {
  checkProgram(R"mlir(
func.func @mix(%x: tensor<4x3xf32> {ens.name = "x", ens.role = "param"}, %seed: tensor<i64> {ens.name = "seed",
      ens.role = "seed"})
  -> (tensor<4x3xf32>, tensor<4xf32>, tensor<6x7xf32>, tensor<3x4xf32>, tensor<17xi32>, tensor<5x3xui32>,
      tensor<5x2xi64>, tensor<9xf32>, tensor<4x3xi32>, tensor<12xf32>, tensor<2x6xf32>, tensor<i64>,
      tensor<5x3xf32>) {
  %m = ens.reduce max, %x dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
  %mb = ens.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x3xf32>
  %d = ens.sub %x, %mb : tensor<4x3xf32>
  %e = ens.exp %d : tensor<4x3xf32>
  %s = ens.reduce sum, %e dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
  %sb = ens.broadcast %s dims = [0] : tensor<4xf32> to tensor<4x3xf32>
  %soft = ens.div %e, %sb : tensor<4x3xf32>
  %ls = ens.log %s : tensor<4xf32>
  %lse = ens.add %ls, %m : tensor<4xf32>
  %v = ens.constant dense<0.5> : tensor<f32>
  %pad = ens.pad %x, %v low = [-1, 1] high = [2, 1] interior = [0, 1] : (tensor<4x3xf32>,
      tensor<f32>) -> tensor<5x7xf32>
  %row = ens.slice %pad starts = [1, 0] limits = [2, 7] strides = [1, 1] : (tensor<5x7xf32>) -> tensor<1x7xf32>
  %cat = ens.concat %row, %pad dim = 0 : (tensor<1x7xf32>, tensor<5x7xf32>) -> tensor<6x7xf32>
  %t = ens.transpose %soft permutation = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %tr = ens.reverse %t dims = [1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %step = ens.constant dense<3> : tensor<i64>
  %perm = ens.permutation %seed, %step size = 17 : (tensor<i64>, tensor<i64>) -> tensor<17xi32>
  %bits = ens.rng_bits %seed, %step {site = 5 : i64} : tensor<i64>, tensor<i64> -> tensor<5x3xui32>
  %wide = ens.rng_bits %seed, %step {site = 6 : i64} : tensor<i64>, tensor<i64> -> tensor<5x2xi64>
  %zero = ens.constant dense<0.0> : tensor<9xf32>
  %ix = ens.constant dense<[8, 1, -3, 20, 1, 1, 0, 8, 2, 3, 4, 5]> : tensor<12xi32>
  %flat = ens.reshape %x : tensor<4x3xf32> to tensor<12xf32>
  %sc = ens.scatter add, drop, %zero, %ix, %flat axis = 0 : (tensor<9xf32>, tensor<12xi32>,
      tensor<12xf32>) -> tensor<9xf32>
  %io = ens.iota dim = 1 : tensor<4x3xi32>
  %p12 = ens.slice %perm starts = [2] limits = [14] strides = [1] : (tensor<17xi32>) -> tensor<12xi32>
  %p43 = ens.reshape %p12 : tensor<12xi32> to tensor<4x3xi32>
  %ip = ens.mul %io, %p43 : tensor<4x3xi32>
  %g = ens.gather fill, %flat, %p12 axis = 0 : (tensor<12xf32>, tensor<12xi32>) -> tensor<12xf32>
  %r26 = ens.reshape %soft : tensor<4x3xf32> to tensor<2x6xf32>
  %th = ens.tanh %r26 : tensor<2x6xf32>
  %id = ens.run_id : tensor<i64>
  %id2 = ens.add %id, %seed : tensor<i64>
  %w = ens.dot %t, %x lhs_contract = [1] rhs_contract = [0] : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
  %y = ens.dot %x, %w lhs_contract = [1] rhs_contract = [1] : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
  %i0 = ens.constant dense<1> : tensor<i32>
  %i1 = ens.constant dense<-7> : tensor<i32>
  %row1 = ens.dynamic_slice %x [%i1, %i0] sizes = [1, 2] : (tensor<4x3xf32>, tensor<i32>,
      tensor<i32>) -> tensor<1x2xf32>
  %y2 = ens.dynamic_update_slice %y, %row1 [%i0, %i1] : (tensor<4x3xf32>, tensor<1x2xf32>, tensor<i32>,
      tensor<i32>) -> tensor<4x3xf32>
  %first = ens.slice %y starts = [0, 0] limits = [1, 3] strides = [1, 1] : (tensor<4x3xf32>) -> tensor<1x3xf32>
  %y5 = ens.concat %y2, %first dim = 0 : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
  return %soft, %lse, %cat, %tr, %perm, %bits, %wide, %sc, %ip, %g, %th, %id2, %y5 : tensor<4x3xf32>,
      tensor<4xf32>, tensor<6x7xf32>, tensor<3x4xf32>, tensor<17xi32>, tensor<5x3xui32>, tensor<5x2xi64>,
      tensor<9xf32>, tensor<4x3xi32>, tensor<12xf32>, tensor<2x6xf32>, tensor<i64>, tensor<5x3xf32>
})mlir");
}

/// A mask that is taken from the activation, and an activation of NaN.
TEST(Plans, MasksOfActivations) {
  checkProgram(R"mlir(
func.func private @loss(%w: tensor<3x4xf32>, %v: tensor<4x2xf32>, %x: tensor<5x3xf32>) -> tensor<f32> {
  %p = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0] : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %h = ens.relu %p : tensor<5x4xf32>
  %q = ens.dot %h, %v lhs_contract = [1] rhs_contract = [0] : (tensor<5x4xf32>, tensor<4x2xf32>) -> tensor<5x2xf32>
  %t = ens.tanh %q : tensor<5x2xf32>
  %l = ens.reduce sum, %t dims = [0, 1] : (tensor<5x2xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @mask(%w: tensor<3x4xf32>, %v: tensor<4x2xf32>, %x: tensor<5x3xf32> {ens.name = "x", ens.role = "data"})
    -> (tensor<3x4xf32>, tensor<4x2xf32>, tensor<3x4xf32>) {
  %g:2 = ens.grad @loss(%w, %v, %x) wrt = [0, 1]
      : (tensor<3x4xf32>, tensor<4x2xf32>, tensor<5x3xf32>) -> (tensor<3x4xf32>, tensor<4x2xf32>)
  %zero = ens.constant dense<0.0> : tensor<3x4xf32>
  %nan = ens.div %zero, %zero : tensor<3x4xf32>
  %n:2 = ens.grad @loss(%nan, %v, %x) wrt = [0, 1]
      : (tensor<3x4xf32>, tensor<4x2xf32>, tensor<5x3xf32>) -> (tensor<3x4xf32>, tensor<4x2xf32>)
  return %g#0, %g#1, %n#0 : tensor<3x4xf32>, tensor<4x2xf32>, tensor<3x4xf32>
})mlir");
}

/// Extents of zero at every position, read by elementwise ops and by sums.
TEST(Plans, ReshapesOfNothing) {
  std::pair<std::string, std::string> reshapes[] = {
      {"3x0x2", "3x2x0"}, {"2x3x0", "3x2x0"}, {"0x3", "0x5"},
      {"0", "0x5"},       {"0x5", "0"},       {"2x0", "0"},
      {"0", "2x0"},       {"3x0x2", "0x6"},   {"6x0x5", "2x3x0"},
      {"0x4x3", "5x0"},   {"1x0", "0x1x7"},   {"4x3x0x2", "2x6x0"},
  };
  FunctionText function("nothing");
  for (const auto &[from, to] : reshapes)
    for (bool shared : {false, true}) {
      std::string label = from + "_" + to + (shared ? "_shared" : "");
      std::string source = tensorType(from, "f32"),
                  type = tensorType(to, "f32");
      std::string x = function.argument(source, shared);
      std::string y =
          function.value("ens.reshape " + x + " : " + source + " to " + type);
      function.check(label, "ens.exp " + y + " : " + type, type);
      std::string dims = "0";
      for (int64_t dim = 1; dim <= std::count(to.begin(), to.end(), 'x'); ++dim)
        dims += ", " + std::to_string(dim);
      function.check(label + "_sum",
                     "ens.reduce sum, " + y + " dims = [" + dims + "] : (" +
                         type + ") -> tensor<f32>",
                     "tensor<f32>");
    }
  checkProgram(function.str());
}

} // namespace
