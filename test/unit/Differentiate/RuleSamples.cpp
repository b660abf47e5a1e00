//===- RuleSamples.cpp - Uses of ops whose derivatives are checked --------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleSamples.h"

using namespace ensc::test;

using Samples = std::vector<RuleSample>;

static void append(Samples &samples, const Samples &more) {
  samples.insert(samples.end(), more.begin(), more.end());
}

static RuleSample unary(const std::string &op, double low = -1,
                        double high = 1) {
  return {op,  {"4x3x"}, "4x3x", "%y = ens." + op + " %a : tensor<4x3xf64>",
          low, high};
}

static RuleSample binary(const std::string &op, double low = -1,
                         double high = 1) {
  return {op,     {"4x3x", "4x3x"},
          "4x3x", "%y = ens." + op + " %a, %b : tensor<4x3xf64>",
          low,    high};
}

static Samples elementwise() {
  return {
      unary("neg"),
      unary("abs"),
      unary("exp"),
      unary("expm1"),
      unary("log", 0.5, 2),
      unary("log1p", -0.5, 1),
      unary("sqrt", 0.5, 2),
      unary("rsqrt", 0.5, 2),
      unary("tanh"),
      unary("logistic", -3, 3),
      unary("erf"),
      unary("erf_inv", -0.9, 0.9),
      unary("sin"),
      unary("cos"),
      unary("sign", 0.1, 0.9),
      unary("floor", 0.1, 0.9),
      unary("stop_gradient"),
      binary("add"),
      binary("sub"),
      binary("mul"),
      binary("div", 0.5, 2),
      binary("pow", 0.5, 2),
      binary("max"),
      binary("min"),
      {"clamp",
       {"4x3x", "4x3x", "4x3x"},
       "4x3x",
       "%y = ens.clamp %a, %b, %c : tensor<4x3xf64>"},
      {"select", {"4x3x", "4x3x"}, "4x3x", R"(
    %p = ens.compare lt, %a, %b : tensor<4x3xf64>
    %s = ens.mul %a, %b : tensor<4x3xf64>
    %y = ens.select %p, %s, %b : tensor<4x3xf64>)"},
      {"convert", {"2x"}, "2x", R"(
    %i = ens.compare gt, %a, %a : tensor<2xf64>
    %f = ens.convert %i : tensor<2xi1> to tensor<2xf64>
    %y = ens.add %a, %f : tensor<2xf64>)"},
  };
}

static Samples shape() {
  return {
      {"broadcast",
       {"3x5x"},
       "2x3x4x5x",
       "%y = ens.broadcast %a dims = [1, 3] : tensor<3x5xf64> to "
       "tensor<2x3x4x5xf64>"},
      {"reshape",
       {"4x3x"},
       "2x6x",
       "%y = ens.reshape %a : tensor<4x3xf64> to tensor<2x6xf64>"},
      {"transpose",
       {"2x3x4x"},
       "4x2x3x",
       "%y = ens.transpose %a permutation = [2, 0, 1] : (tensor<2x3x4xf64>) -> "
       "tensor<4x2x3xf64>"},
      {"reverse",
       {"2x3x4x"},
       "2x3x4x",
       "%y = ens.reverse %a dims = [0, 2] : (tensor<2x3x4xf64>) -> "
       "tensor<2x3x4xf64>"},
      {"slice",
       {"7x5x"},
       "2x3x",
       "%y = ens.slice %a starts = [1, 0] limits = [6, 5] strides = [3, 2] : "
       "(tensor<7x5xf64>) -> tensor<2x3xf64>"},
      {"slice_nothing",
       {"7x5x"},
       "0x3x",
       "%y = ens.slice %a starts = [2, 1] limits = [2, 4] strides = [3, 1] : "
       "(tensor<7x5xf64>) -> tensor<0x3xf64>"},
      {"concat",
       {"2x3x", "1x3x", "2x3x"},
       "5x3x",
       "%y = ens.concat %a, %b, %c dim = 0 : (tensor<2x3xf64>, "
       "tensor<1x3xf64>, tensor<2x3xf64>) -> tensor<5x3xf64>"},
      {"concat_twice",
       {"2x3x"},
       "2x6x",
       "%y = ens.concat %a, %a dim = 1 : (tensor<2x3xf64>, tensor<2x3xf64>) -> "
       "tensor<2x6xf64>"},
      {"pad",
       {"3x2x", ""},
       "8x1x",
       "%y = ens.pad %a, %b low = [2, -1] high = [-1, 0] interior = [2, 0] : "
       "(tensor<3x2xf64>, tensor<f64>) -> tensor<8x1xf64>"},
      {"pad_batched",
       {"2x3x", "2x"},
       "2x6x",
       "%y = ens.pad %a, %b low = [0, 1] high = [0, 2] interior = [0, 0] "
       "{batch_dims = 1 : i64} : (tensor<2x3xf64>, tensor<2xf64>) -> "
       "tensor<2x6xf64>"},
      {"dynamic_slice", {"5x4x"}, "2x3x", R"(
    %i = ens.constant dense<1> : tensor<i32>
    %j = ens.constant dense<9> : tensor<i32>
    %y = ens.dynamic_slice %a [%i, %j] sizes = [2, 3] : (tensor<5x4xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>)"},
      {"dynamic_slice_batched", {"2x5x"}, "2x3x", R"(
    %i = ens.constant dense<[-4, 2]> : tensor<2xi64>
    %y = ens.dynamic_slice %a [%i] sizes = [3] {batch_dims = 1 : i64} : (tensor<2x5xf64>, tensor<2xi64>) -> tensor<2x3xf64>)"},
      {"dynamic_update_slice", {"5x4x", "2x3x"}, "5x4x", R"(
    %i = ens.constant dense<9> : tensor<i32>
    %j = ens.constant dense<-3> : tensor<i32>
    %y = ens.dynamic_update_slice %a, %b [%i, %j] : (tensor<5x4xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<5x4xf64>)"},
      {"dynamic_update_slice_batched", {"2x5x", "2x3x"}, "2x5x", R"(
    %i = ens.constant dense<[-4, 1]> : tensor<2xi64>
    %y = ens.dynamic_update_slice %a, %b [%i] {batch_dims = 1 : i64} : (tensor<2x5xf64>, tensor<2x3xf64>, tensor<2xi64>) -> tensor<2x5xf64>)"},
  };
}

static Samples contraction() {
  return {
      {"dot",
       {"4x3x", "3x5x"},
       "4x5x",
       "%y = ens.dot %a, %b lhs_contract = [1] rhs_contract = [0] : "
       "(tensor<4x3xf64>, tensor<3x5xf64>) -> tensor<4x5xf64>"},
      {"dot_of_itself",
       {"4x3x"},
       "4x4x",
       "%y = ens.dot %a, %a lhs_contract = [1] rhs_contract = [1] : "
       "(tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x4xf64>"},
      // Contracted and batch dimensions in another order on each side.
      {"dot_general",
       {"3x2x4x5x6x", "6x4x7x5x2x"},
       "5x2x3x7x",
       "%y = ens.dot %a, %b lhs_batch = [3, 1] rhs_batch = [3, 4] "
       "lhs_contract = [4, 2] rhs_contract = [0, 1] : "
       "(tensor<3x2x4x5x6xf64>, tensor<6x4x7x5x2xf64>) -> "
       "tensor<5x2x3x7xf64>"},
      {"dot_vectors",
       {"5x", "5x"},
       "",
       "%y = ens.dot %a, %b lhs_contract = [0] rhs_contract = [0] : "
       "(tensor<5xf64>, tensor<5xf64>) -> tensor<f64>"},
      {"dot_outer",
       {"4x", "3x"},
       "4x3x",
       "%y = ens.dot %a, %b lhs_contract = [] rhs_contract = [] : "
       "(tensor<4xf64>, tensor<3xf64>) -> tensor<4x3xf64>"},
      {"dot_row",
       {"4x", "3x4x"},
       "3x",
       "%y = ens.dot %a, %b lhs_contract = [0] rhs_contract = [1] : "
       "(tensor<4xf64>, tensor<3x4xf64>) -> tensor<3xf64>"},
      {"reduce_sum",
       {"2x3x4x"},
       "3x",
       "%y = ens.reduce sum, %a dims = [0, 2] : (tensor<2x3x4xf64>) -> "
       "tensor<3xf64>"},
      {"reduce_max",
       {"2x3x4x"},
       "2x4x",
       "%y = ens.reduce max, %a dims = [1] : (tensor<2x3x4xf64>) -> "
       "tensor<2x4xf64>"},
      {"reduce_min",
       {"2x3x4x"},
       "3x",
       "%y = ens.reduce min, %a dims = [0, 2] : (tensor<2x3x4xf64>) -> "
       "tensor<3xf64>"},
  };
}

static Samples indexing() {
  return {
      {"gather_clamp", {"2x4x3x"}, "2x5x3x", R"(
    %i = ens.constant dense<[3, -7, 1, 1, 9]> : tensor<5xi32>
    %y = ens.gather clamp, %a, %i axis = 1 : (tensor<2x4x3xf64>, tensor<5xi32>) -> tensor<2x5x3xf64>)"},
      {"gather_fill", {"4x3x"}, "2x3x3x", R"(
    %i = ens.constant dense<[[3, -1, 1], [1, 4, 0]]> : tensor<2x3xi64>
    %y = ens.gather fill, %a, %i axis = 0 : (tensor<4x3xf64>, tensor<2x3xi64>) -> tensor<2x3x3xf64>)"},
      {"gather_batched", {"2x3x4x"}, "2x3x2x", R"(
    %i = ens.constant dense<[[3, 3], [0, 2]]> : tensor<2x2xi32>
    %y = ens.gather clamp, %a, %i axis = 2 {batch_dims = 1 : i64} : (tensor<2x3x4xf64>, tensor<2x2xi32>) -> tensor<2x3x2xf64>)"},
      {"scatter_add", {"4x3x", "5x3x"}, "4x3x", R"(
    %i = ens.constant dense<[3, -7, 1, 1, 9]> : tensor<5xi32>
    %y = ens.scatter add, clamp, %a, %i, %b axis = 0 : (tensor<4x3xf64>, tensor<5xi32>, tensor<5x3xf64>) -> tensor<4x3xf64>)"},
      {"scatter_add_drop", {"2x4x", "2x5x"}, "2x4x", R"(
    %i = ens.constant dense<[3, -7, 1, 1, 9]> : tensor<5xi32>
    %y = ens.scatter add, drop, %a, %i, %b axis = 1 : (tensor<2x4xf64>, tensor<5xi32>, tensor<2x5xf64>) -> tensor<2x4xf64>)"},
      {"scatter_set", {"4x3x", "2x3x3x"}, "4x3x", R"(
    %i = ens.constant dense<[[3, -1, 1], [1, 4, 0]]> : tensor<2x3xi64>
    %y = ens.scatter set, drop, %a, %i, %b axis = 0 : (tensor<4x3xf64>, tensor<2x3xi64>, tensor<2x3x3xf64>) -> tensor<4x3xf64>)"},
      {"scatter_set_clamp", {"2x3x4x", "2x3x2x"}, "2x3x4x", R"(
    %i = ens.constant dense<[[3, 7], [0, 2]]> : tensor<2x2xi32>
    %y = ens.scatter set, clamp, %a, %i, %b axis = 2 {batch_dims = 1 : i64} : (tensor<2x3x4xf64>, tensor<2x2xi32>, tensor<2x3x2xf64>) -> tensor<2x3x4xf64>)"},
  };
}

static Samples controlFlow() {
  return {
      // A carried state, a captured weight, and a value rotated one iteration
      // late.
      {"for", {"3x", "3x3x"}, "3x", R"(
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c3 = arith.constant 3 : index
    %r:2 = scf.for %i = %c1 to %c9 step %c3 iter_args(%s = %a, %late = %a) -> (tensor<3xf64>, tensor<3xf64>) {
      %n = ens.from_index %i : tensor<i64>
      %f = ens.convert %n : tensor<i64> to tensor<f64>
      %k = ens.broadcast %f dims = [] : tensor<f64> to tensor<3xf64>
      %z = ens.dot %s, %b lhs_contract = [0] rhs_contract = [0] : (tensor<3xf64>, tensor<3x3xf64>) -> tensor<3xf64>
      %t = ens.tanh %z : tensor<3xf64>
      %u = ens.mul %t, %k : tensor<3xf64>
      %v = ens.add %u, %late : tensor<3xf64>
      scf.yield %v, %s : tensor<3xf64>, tensor<3xf64>
    }
    %y = ens.mul %r#0, %r#1 : tensor<3xf64>)"},
      {"for_never", {"3x"}, "3x", R"(
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c1 to %c1 step %c1 iter_args(%s = %a) -> (tensor<3xf64>) {
      %z = ens.exp %s : tensor<3xf64>
      scf.yield %z : tensor<3xf64>
    }
    %y = ens.mul %r, %a : tensor<3xf64>)"},
      {"for_nested", {"3x", "3x"}, "3x", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %a) -> (tensor<3xf64>) {
      %q = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %s) -> (tensor<3xf64>) {
        %m = ens.mul %t, %b : tensor<3xf64>
        %n = ens.sin %m : tensor<3xf64>
        %o = ens.add %n, %s : tensor<3xf64>
        scf.yield %o : tensor<3xf64>
      }
      scf.yield %q : tensor<3xf64>
    }
    )"},
      // The bounds of the inner loop change with the outer one: it has no
      // iteration at first, then one.
      {"for_bounded", {"3x", "3x"}, "3x", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %four = arith.subi %c5, %c1 : index
    %y = scf.for %i = %c0 to %four step %c1 iter_args(%s = %a) -> (tensor<3xf64>) {
      %twice = arith.muli %i, %c2 : index
      %end = arith.minsi %twice, %c5 : index
      %q = scf.for %j = %i to %end step %c2 iter_args(%t = %s) -> (tensor<3xf64>) {
        %n = ens.from_index %j : tensor<i64>
        %f = ens.convert %n : tensor<i64> to tensor<f64>
        %k = ens.broadcast %f dims = [] : tensor<f64> to tensor<3xf64>
        %m = ens.mul %t, %b : tensor<3xf64>
        %o = ens.sin %m : tensor<3xf64>
        %r = ens.add %o, %k : tensor<3xf64>
        scf.yield %r : tensor<3xf64>
      }
      %u = ens.add %q, %a : tensor<3xf64>
      scf.yield %u : tensor<3xf64>
    }
    )"},
      // The inner loop ends as far below its begin as can be, then above it.
      {"for_far", {"3x", "3x"}, "3x", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %far = arith.constant -9223372036854775808 : index
    %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %a) -> (tensor<3xf64>) {
      %first = arith.cmpi eq, %i, %c0 : index
      %end = arith.select %first, %far, %c4 : index
      %q = scf.for %j = %c1 to %end step %c2 iter_args(%t = %s) -> (tensor<3xf64>) {
        %m = ens.mul %t, %b : tensor<3xf64>
        %n = ens.sin %m : tensor<3xf64>
        scf.yield %n : tensor<3xf64>
      }
      %u = ens.add %q, %a : tensor<3xf64>
      scf.yield %u : tensor<3xf64>
    }
    )"},
      // The reverse loop draws the numbers of the iteration again.
      {"for_random",
       {"3x"},
       "3x",
       R"(
    %rate = ens.constant dense<0.5> : tensor<f64>
    %seed = ens.constant dense<7> : tensor<i64>
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %y = scf.for %i = %c1 to %c9 step %c3 iter_args(%s = %a) -> (tensor<3xf64>) {
      %d = ens.dropout %s, %rate, %seed, %seed : tensor<3xf64>
      %t = ens.add %d, %a : tensor<3xf64>
      %u = ens.sin %t : tensor<3xf64>
      scf.yield %u : tensor<3xf64>
    }
    )"},
      {"if", {"3x", "3x"}, "3x", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %a) -> (tensor<3xf64>) {
      %even = arith.remui %i, %c4 : index
      %p = arith.cmpi ult, %even, %c1 : index
      %r:2 = scf.if %p -> (tensor<3xf64>, tensor<3xf64>) {
        %m = ens.mul %s, %b : tensor<3xf64>
        scf.yield %m, %s : tensor<3xf64>, tensor<3xf64>
      } else {
        %m = ens.cos %s : tensor<3xf64>
        scf.yield %m, %a : tensor<3xf64>, tensor<3xf64>
      }
      %t = ens.mul %r#0, %r#1 : tensor<3xf64>
      scf.yield %t : tensor<3xf64>
    }
    )"},
  };
}

static Samples composites() {
  auto rowWise = [](const std::string &op) -> RuleSample {
    return {op,
            {"4x3x"},
            "4x",
            "%y = ens." + op + " %a : (tensor<4x3xf64>) -> tensor<4xf64>"};
  };
  return {
      unary("relu"),
      unary("gelu"),
      unary("softplus"),
      unary("softmax"),
      unary("log_softmax"),
      rowWise("logsumexp"),
      {"mean",
       {"2x3x4x"},
       "3x",
       "%y = ens.mean %a dims = [0, 2] : (tensor<2x3x4xf64>) -> tensor<3xf64>"},
      {"mse",
       {"4x3x", "4x3x"},
       "4x",
       "%y = ens.mse %a, %b : (tensor<4x3xf64>, tensor<4x3xf64>) -> "
       "tensor<4xf64>"},
      {"softmax_cross_entropy", {"4x3x"}, "4x", R"(
    %l = ens.constant dense<[2, 0, -5, 7]> : tensor<4xi32>
    %y = ens.softmax_cross_entropy %a, %l : (tensor<4x3xf64>, tensor<4xi32>) -> tensor<4xf64>)"},
      {"dropout", {"4x3x"}, "4x3x", R"(
    %rate = ens.constant dense<0.5> : tensor<f64>
    %seed = ens.constant dense<7> : tensor<i64>
    %y = ens.dropout %a, %rate, %seed, %seed : tensor<4x3xf64>)"},
  };
}

const Samples &ensc::test::ruleSamples() {
  static const Samples samples = [] {
    Samples all = elementwise();
    append(all, shape());
    append(all, contraction());
    append(all, indexing());
    append(all, controlFlow());
    append(all, composites());
    return all;
  }();
  return samples;
}
