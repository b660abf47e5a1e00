//===- NormalizationCases.cpp - Normalization and running statistics ------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// @fN: the first normalized element of N, and the next running variance.
static std::string runningVariance(int count) {
  std::string n = std::to_string(count), type = "tensor<" + n + "xf64>";
  return "func.func @f" + n + "(%x: " + type + R"(, %rv: !f) -> (!f, !f) {
  %eps = ens.constant dense<1.0e-5> : !f
  %keep = ens.constant dense<0.9> : !f
  %new = ens.constant dense<0.1> : !f
  %m = ens.mean %x dims = [0] : ()" +
         type + R"() -> !f
  %b = ens.broadcast %m dims = [] : !f to )" +
         type + R"(
  %d = ens.sub %x, %b : )" +
         type + R"(
  %q = ens.mul %d, %d : )" +
         type + R"(
  %v = ens.mean %q dims = [0] : ()" +
         type + R"() -> !f
  %ve = ens.add %v, %eps : !f
  %dev = ens.sqrt %ve : !f
  %first = ens.slice %d starts = [0] limits = [1] strides = [1] : ()" +
         type +
         R"() -> !f1
  %d0 = ens.reshape %first : !f1 to !f
  %y = ens.div %d0, %dev : !f
  %a = ens.mul %keep, %rv : !f
  %c = ens.mul %new, %v : !f
  %next = ens.add %a, %c : !f
  return %y, %next : !f, !f
}
)";
}

Cases ensc::test::normalizationCases() {
  return {

      // The unbiased rule.
      {"NRM-A01",
       R"(
func.func @f(%x: tensor<16xf64>, %at: !f) -> (!f, !f, !f, !f) {
  %eps = ens.constant dense<1.0e-5> : !f
  %keep = ens.constant dense<0.9> : !f
  %new = ens.constant dense<0.1> : !f
  %unbias = ens.constant dense<15.0> : !f
  %m = ens.mean %x dims = [0] : (tensor<16xf64>) -> !f
  %b = ens.broadcast %m dims = [] : !f to tensor<16xf64>
  %d = ens.sub %x, %b : tensor<16xf64>
  %q = ens.mul %d, %d : tensor<16xf64>
  %v = ens.mean %q dims = [0] : (tensor<16xf64>) -> !f
  %ve = ens.add %v, %eps : !f
  %dev = ens.sqrt %ve : !f
  %first = ens.slice %d starts = [0] limits = [1] strides = [1] : (tensor<16xf64>) -> !f1
  %d0 = ens.reshape %first : !f1 to !f
  %y0 = ens.div %d0, %dev : !f
  %rm = ens.mul %new, %m : !f
  %qs = ens.reduce sum, %q dims = [0] : (tensor<16xf64>) -> !f
  %u = ens.div %qs, %unbias : !f
  %un = ens.mul %new, %u : !f
  %rv = ens.add %keep, %un : !f
  %e = ens.sub %at, %rm : !f
  %rve = ens.add %rv, %eps : !f
  %rdev = ens.sqrt %rve : !f
  %ye = ens.div %e, %rdev : !f
  return %y0, %rm, %rv, %ye : !f, !f, !f, !f
})",
       {value(
           "f", {v({1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7}), d(4)},
           {d(-1.897362801), d(0.4), d(1.1666666666666667), d(3.332938075)})}},

      // The biased rule: one sample has the variance 0.
      {"NRM-A02",
       runningVariance(1) + runningVariance(2),
       {value("f1", {v({5}), d(1)}, {d(0), d(0.9)}),
        value("f2", {v({1, 3}), d(0.9)}, {d(-0.999995000037499), d(0.91)})}},

      {"NRM-A03",
       R"(
func.func @f(%mean: !s) -> !s {
  %n = ens.iota dim = 0 : tensor<16xf32>
  %milli = ens.constant dense<0.001> : tensor<16xf32>
  %i = ens.mul %n, %milli : tensor<16xf32>
  %a = ens.broadcast %mean dims = [] : !s to tensor<16xf32>
  %x = ens.add %a, %i : tensor<16xf32>
  %m = ens.mean %x dims = [0] : (tensor<16xf32>) -> !s
  %b = ens.broadcast %m dims = [] : !s to tensor<16xf32>
  %d = ens.sub %x, %b : tensor<16xf32>
  %q = ens.mul %d, %d : tensor<16xf32>
  %v = ens.mean %q dims = [0] : (tensor<16xf32>) -> !s
  %eps = ens.constant dense<1.0e-5> : !s
  %ve = ens.add %v, %eps : !s
  %dev = ens.sqrt %ve : !s
  %first = ens.slice %d starts = [0] limits = [1] strides = [1] : (tensor<16xf32>) -> !s1
  %d0 = ens.reshape %first : !s1 to !s
  %y = ens.div %d0, %dev : !s
  return %y : !s
})",
       {value("f", {Tensor::scalar(0.0f)}, {Tensor::scalar(-1.3416408f)}),
        value("f", {Tensor::scalar(100.0f)}, {Tensor::scalar(-1.3415277f)},
              1e-3),
        value("f", {Tensor::scalar(1000.0f)}, {Tensor::scalar(-1.3415078f)},
              1e-2)}},

      {"NRM-A04",
       R"(
func.func @f(%x: !s3) -> (!s, !s3) {
  %m = ens.mean %x dims = [0] : (!s3) -> !s
  %b = ens.broadcast %m dims = [] : !s to !s3
  %d = ens.sub %x, %b : !s3
  %q = ens.mul %d, %d : !s3
  %v = ens.mean %q dims = [0] : (!s3) -> !s
  %dev = ens.sqrt %v : !s
  %db = ens.broadcast %dev dims = [] : !s to !s3
  %y = ens.div %d, %db : !s3
  return %v, %y : !s, !s3
})",
       {value("f", {s({10000, 10001, 10002})},
              {Tensor::scalar(0.6666666667f),
               s({-1.224744871f, 0, 1.224744871f})})}},

      {"NRM-A05",
       R"(
func.func @normalized(%x: !f2) -> !f2 {
  %one = ens.constant dense<1.0> : !f
  %q = ens.mul %x, %x : !f2
  %s = ens.reduce sum, %q dims = [0] : (!f2) -> !f
  %n = ens.sqrt %s : !f
  %t = ens.add %n, %one : !f
  %b = ens.broadcast %t dims = [] : !f to !f2
  %y = ens.div %x, %b : !f2
  return %y : !f2
}
func.func @f(%x: !f2) -> !f {
  %n = func.call @normalized(%x) : (!f2) -> !f2
  %c = ens.slice %n starts = [0] limits = [1] strides = [1] : (!f2) -> !f1
  %y = ens.reshape %c : !f1 to !f
  return %y : !f
})",
       {value("normalized", {v({3, 4})}, {v({0.5, 4.0 / 6})}),
        gradient("f", {v({3, 4})}, d(0.5), {0},
                 {v({0.11666666666666667, -0.06666666666666667})})}},

      // Channels in pairs; the seed is [1, 2] for each channel.
      {"NRM-A06",
       R"(
func.func @f(%x: tensor<4x2xf64>, %gamma: !f4, %beta: !f4) -> !f {
  %eps = ens.constant dense<1.0e-5> : !f2
  %g = ens.reshape %x : tensor<4x2xf64> to tensor<2x4xf64>
  %m = ens.mean %g dims = [1] : (tensor<2x4xf64>) -> !f2
  %mb = ens.broadcast %m dims = [0] : !f2 to tensor<2x4xf64>
  %d = ens.sub %g, %mb : tensor<2x4xf64>
  %q = ens.mul %d, %d : tensor<2x4xf64>
  %v = ens.mean %q dims = [1] : (tensor<2x4xf64>) -> !f2
  %ve = ens.add %v, %eps : !f2
  %dev = ens.sqrt %ve : !f2
  %db = ens.broadcast %dev dims = [0] : !f2 to tensor<2x4xf64>
  %n = ens.div %d, %db : tensor<2x4xf64>
  %c = ens.reshape %n : tensor<2x4xf64> to tensor<4x2xf64>
  %gb = ens.broadcast %gamma dims = [0] : !f4 to tensor<4x2xf64>
  %bb = ens.broadcast %beta dims = [0] : !f4 to tensor<4x2xf64>
  %s = ens.mul %gb, %c : tensor<4x2xf64>
  %y = ens.add %s, %bb : tensor<4x2xf64>
  %seed = ens.constant dense<[1.0, 2.0]> : !f2
  %w = ens.broadcast %seed dims = [1] : !f2 to tensor<4x2xf64>
  %p = ens.mul %y, %w : tensor<4x2xf64>
  %l = ens.reduce sum, %p dims = [0, 1] : (tensor<4x2xf64>) -> !f
  return %l : !f
})",
       {gradient("f",
                 {f64({4, 2}, {1, 3, 2, 6, 10, 14, -1, 1}), v({1, 1, 1, 1}),
                  v({0, 0, 0, 0})},
                 d(-1.06904344 + 2.672608601 + 3.223291437 - 2.739797722),
                 {1, 2},
                 {v({-1.06904344, 2.672608601, 3.223291437, -2.739797722}),
                  v({3, 3, 3, 3})},
                 1e-8)}},

      // Each run alone: see the tests of Vectorize for both at once.
      {"NRM-A07",
       R"(
func.func @f(%x: !f2, %rm: !f, %rv: !f) -> (!f, !f) {
  %keep = ens.constant dense<0.9> : !f
  %new = ens.constant dense<0.1> : !f
  %m = ens.mean %x dims = [0] : (!f2) -> !f
  %b = ens.broadcast %m dims = [] : !f to !f2
  %d = ens.sub %x, %b : !f2
  %q = ens.mul %d, %d : !f2
  %u = ens.reduce sum, %q dims = [0] : (!f2) -> !f
  %a = ens.mul %keep, %rm : !f
  %c = ens.mul %new, %m : !f
  %mean = ens.add %a, %c : !f
  %e = ens.mul %keep, %rv : !f
  %g = ens.mul %new, %u : !f
  %variance = ens.add %e, %g : !f
  return %mean, %variance : !f, !f
})",
       {value("f", {v({1, 3}), d(0), d(1)}, {d(0.2), d(1.1)}),
        value("f", {v({10, 30}), d(0), d(1)}, {d(2), d(20.9)})}},

      {"NRM-A08",
       R"(
func.func @layer(%x: !f2, %rm: !f) -> !f {
  %keep = ens.constant dense<0.9> : !f
  %new = ens.constant dense<0.1> : !f
  %m = ens.mean %x dims = [0] : (!f2) -> !f
  %a = ens.mul %keep, %rm : !f
  %c = ens.mul %new, %m : !f
  %mean = ens.add %a, %c : !f
  return %mean : !f
}
func.func @f(%x: !f2, %y: !f2, %start: !f) -> (!f, !f) {
  %a = func.call @layer(%x, %start) : (!f2, !f) -> !f
  %b = func.call @layer(%y, %a) : (!f2, !f) -> !f
  return %a, %b : !f, !f
})",
       {value("f", {v({0, 2}), v({4, 8}), d(0)}, {d(0.1), d(0.69)})}},
  };
}
