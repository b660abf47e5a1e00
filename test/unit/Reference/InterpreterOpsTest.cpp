//===- InterpreterOpsTest.cpp - Tests of ens ops in the interpreter -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpretText.h"
#include "ensc/Differentiate/Rules.h"
#include "ensc/Reference/Ops.h"

#include "gtest/gtest.h"

#include <fstream>
#include <limits>
#include <sstream>

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(InterpreterOpsTest, Unary) {
  Program program(R"mlir(
    func.func @floats(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %0 = ens.neg %x : tensor<2xf32>
      %1 = ens.abs %x : tensor<2xf32>
      %2 = ens.sign %x : tensor<2xf32>
      %3 = ens.exp %x : tensor<2xf32>
      %4 = ens.log %x : tensor<2xf32>
      %5 = ens.log1p %x : tensor<2xf32>
      %6 = ens.expm1 %x : tensor<2xf32>
      %7 = ens.sqrt %x : tensor<2xf32>
      %8 = ens.rsqrt %x : tensor<2xf32>
      %9 = ens.tanh %x : tensor<2xf32>
      %10 = ens.logistic %x : tensor<2xf32>
      %11 = ens.erf %x : tensor<2xf32>
      %12 = ens.erf_inv %x : tensor<2xf32>
      %13 = ens.sin %x : tensor<2xf32>
      %14 = ens.cos %x : tensor<2xf32>
      %15 = ens.floor %x : tensor<2xf32>
      %16 = ens.stop_gradient %x : tensor<2xf32>
      return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14,
          %15, %16 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
          tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
          tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
          tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
          tensor<2xf32>
    }
    func.func @not(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = ens.not %x : tensor<2xi32>
      return %0 : tensor<2xi32>
    }
  )mlir");
  Tensor x = f32({2}, {0.5f, -0.75f});
  std::vector<Tensor> expected;
  for (UnaryKind kind :
       {UnaryKind::Neg, UnaryKind::Abs, UnaryKind::Sign, UnaryKind::Exp,
        UnaryKind::Log, UnaryKind::Log1p, UnaryKind::Expm1, UnaryKind::Sqrt,
        UnaryKind::Rsqrt, UnaryKind::Tanh, UnaryKind::Logistic, UnaryKind::Erf,
        UnaryKind::ErfInv, UnaryKind::Sin, UnaryKind::Cos, UnaryKind::Floor})
    expected.push_back(unary(kind, x));
  expected.push_back(x);
  program.expect("floats", {x}, expected);
  program.expect("not", {i32({2}, {0, 5})}, {i32({2}, {-1, -6})});
}

TEST(InterpreterOpsTest, Binary) {
  Program program(R"mlir(
    func.func @floats(%a: tensor<2xf64>, %b: tensor<2xf64>) -> (tensor<2xf64>,
        tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>,
        tensor<2xf64>, tensor<2xf64>) {
      %0 = ens.add %a, %b : tensor<2xf64>
      %1 = ens.sub %a, %b : tensor<2xf64>
      %2 = ens.mul %a, %b : tensor<2xf64>
      %3 = ens.div %a, %b : tensor<2xf64>
      %4 = ens.pow %a, %b : tensor<2xf64>
      %5 = ens.max %a, %b : tensor<2xf64>
      %6 = ens.min %a, %b : tensor<2xf64>
      return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf64>, tensor<2xf64>,
          tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>,
          tensor<2xf64>
    }
    func.func @words(%a: tensor<2xui32>, %b: tensor<2xui32>) -> (tensor<2xui32>,
        tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>,
        tensor<2xui32>, tensor<2xui32>) {
      %0 = ens.mul_high %a, %b : tensor<2xui32>
      %1 = ens.and %a, %b : tensor<2xui32>
      %2 = ens.or %a, %b : tensor<2xui32>
      %3 = ens.xor %a, %b : tensor<2xui32>
      %4 = ens.shift_left %a, %b : tensor<2xui32>
      %5 = ens.shift_right_logical %a, %b : tensor<2xui32>
      %6 = ens.shift_right_arithmetic %a, %b : tensor<2xui32>
      return %0, %1, %2, %3, %4, %5, %6 : tensor<2xui32>, tensor<2xui32>,
          tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>,
          tensor<2xui32>
    }
  )mlir");
  program.expect("floats", {f64({2}, {6, 4}), f64({2}, {3, 0.5})},
                 {f64({2}, {9, 4.5}), f64({2}, {3, 3.5}), f64({2}, {18, 2}),
                  f64({2}, {2, 8}), f64({2}, {216, 2}), f64({2}, {6, 4}),
                  f64({2}, {3, 0.5})});
  program.expect("words", {ui32({2}, {0x80000001, 12}), ui32({2}, {2, 10})},
                 {ui32({2}, {1, 0}), ui32({2}, {0, 8}),
                  ui32({2}, {0x80000003, 14}), ui32({2}, {0x80000003, 6}),
                  ui32({2}, {4, 12288}), ui32({2}, {0x20000000, 0}),
                  ui32({2}, {0xe0000000, 0})});
}

TEST(InterpreterOpsTest, Selection) {
  Program program(R"mlir(
    func.func @compare(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xi1>,
        tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
      %0 = ens.compare eq, %a, %b : tensor<3xf32>
      %1 = ens.compare ne, %a, %b : tensor<3xf32>
      %2 = ens.compare lt, %a, %b : tensor<3xf32>
      %3 = ens.compare le, %a, %b : tensor<3xf32>
      %4 = ens.compare gt, %a, %b : tensor<3xf32>
      %5 = ens.compare ge, %a, %b : tensor<3xf32>
      return %0, %1, %2, %3, %4, %5 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>,
          tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
    }
    func.func @choose(%p: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<3xf32>)
        -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xui32>) {
      %0 = ens.select %p, %a, %b : tensor<3xf32>
      %1 = ens.clamp %a, %b, %a : tensor<3xf32>
      %2 = ens.convert %b : tensor<3xf32> to tensor<3xi32>
      %3 = ens.bitcast %b : tensor<3xf32> to tensor<3xui32>
      return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>,
          tensor<3xui32>
    }
  )mlir");
  program.expect("compare", {f32({3}, {1, 2, 3}), f32({3}, {2, 2, 2})},
                 {i1({3}, {false, true, false}), i1({3}, {true, false, true}),
                  i1({3}, {true, false, false}), i1({3}, {true, true, false}),
                  i1({3}, {false, false, true}), i1({3}, {false, true, true})});
  program.expect("choose",
                 {i1({3}, {true, false, true}), f32({3}, {1, 2, 3}),
                  f32({3}, {-1.5f, 2, 4})},
                 {f32({3}, {1, 2, 3}), f32({3}, {1, 2, 3}),
                  i32({3}, {-1, 2, 4}),
                  ui32({3}, {0xbfc00000, 0x40000000, 0x40800000})});
}

TEST(InterpreterOpsTest, ConstantsOfEachType) {
  Program program(R"mlir(
    func.func @constants() -> (tensor<2xf32>, tensor<f64>, tensor<3xi1>,
        tensor<2xi32>, tensor<1xi64>, tensor<2x2xui32>, tensor<0xf32>) {
      %0 = ens.constant dense<[0.1, 0x7F800000]> : tensor<2xf32>
      %1 = ens.constant dense<0.1> : tensor<f64>
      %2 = ens.constant dense<[true, false, true]> : tensor<3xi1>
      %3 = ens.constant dense<[-1, 2]> : tensor<2xi32>
      %4 = ens.constant dense<-5000000000> : tensor<1xi64>
      %5 = ens.constant dense<4294967295> : tensor<2x2xui32>
      %6 = ens.constant dense<> : tensor<0xf32>
      return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<f64>,
          tensor<3xi1>, tensor<2xi32>, tensor<1xi64>, tensor<2x2xui32>,
          tensor<0xf32>
    }
  )mlir");
  program.expect(
      "constants", {},
      {f32({2}, {0.1f, std::numeric_limits<float>::infinity()}), f64({}, {0.1}),
       i1({3}, {true, false, true}), i32({2}, {-1, 2}), i64({1}, {-5000000000}),
       ui32({2, 2}, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}),
       f32({0}, {})});
}

TEST(InterpreterOpsTest, Shape) {
  Program program(R"mlir(
    func.func @shape(%x: tensor<2x3xi32>, %v: tensor<i32>)
        -> (tensor<2x3xi64>, tensor<2x2x3xi32>, tensor<6xi32>, tensor<3x2xi32>,
            tensor<2x3xi32>, tensor<1x2xi32>, tensor<2x5xi32>,
            tensor<4x5xi32>) {
      %0 = ens.iota dim = 1 : tensor<2x3xi64>
      %1 = ens.broadcast %x dims = [1, 2] : tensor<2x3xi32> to tensor<2x2x3xi32>
      %2 = ens.reshape %x : tensor<2x3xi32> to tensor<6xi32>
      %3 = ens.transpose %x permutation = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
      %4 = ens.reverse %x dims = [1] : (tensor<2x3xi32>) -> tensor<2x3xi32>
      %5 = ens.slice %x starts = [1, 0] limits = [2, 3] strides = [1, 2] : (tensor<2x3xi32>) -> tensor<1x2xi32>
      %6 = ens.slice %x starts = [0, 0] limits = [2, 2] strides = [1, 1] : (tensor<2x3xi32>) -> tensor<2x2xi32>
      %7 = ens.concat %x, %6 dim = 1 : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x5xi32>
      %8 = ens.pad %x, %v low = [0, 1] high = [1, 1] interior = [1, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x5xi32>
      return %0, %1, %2, %3, %4, %5, %7, %8 : tensor<2x3xi64>,
          tensor<2x2x3xi32>, tensor<6xi32>, tensor<3x2xi32>, tensor<2x3xi32>,
          tensor<1x2xi32>, tensor<2x5xi32>, tensor<4x5xi32>
    }
    func.func @windows(%x: tensor<2x3xi32>, %i: tensor<i32>, %j: tensor<2xi64>,
        %u: tensor<2x1xi32>) -> (tensor<2x2xi32>, tensor<2x3xi32>) {
      %0 = ens.dynamic_slice %x [%i, %i] sizes = [2, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
      %1 = ens.dynamic_update_slice %x, %u [%j] {batch_dims = 1 : i64} : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x3xi32>
      return %0, %1 : tensor<2x2xi32>, tensor<2x3xi32>
    }
  )mlir");
  Tensor x = i32({2, 3}, {1, 2, 3, 4, 5, 6});
  program.expect("shape", {x, i32({}, {9})},
                 {i64({2, 3}, {0, 1, 2, 0, 1, 2}),
                  i32({2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}),
                  i32({6}, {1, 2, 3, 4, 5, 6}), i32({3, 2}, {1, 4, 2, 5, 3, 6}),
                  i32({2, 3}, {3, 2, 1, 6, 5, 4}), i32({1, 2}, {4, 6}),
                  i32({2, 5}, {1, 2, 3, 1, 2, 4, 5, 6, 4, 5}),
                  i32({4, 5}, {9, 1, 2, 3, 9, 9, 9, 9, 9, 9,
                               9, 4, 5, 6, 9, 9, 9, 9, 9, 9})});
  program.expect("windows",
                 {x, i32({}, {7}), i64({2}, {2, 0}), i32({2, 1}, {7, 8})},
                 {i32({2, 2}, {2, 3, 5, 6}), i32({2, 3}, {1, 2, 7, 8, 5, 6})});
}

TEST(InterpreterOpsTest, Contraction) {
  Program program(R"mlir(
    func.func @sums(%x: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xi32>,
        tensor<3xi32>) {
      %0 = ens.dot %x, %x lhs_contract = [1] rhs_contract = [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
      %1 = ens.dot %x, %x lhs_batch = [0] rhs_batch = [0] lhs_contract = [1] rhs_contract = [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
      %2 = ens.reduce sum, %x dims = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
      %3 = ens.reduce max, %x dims = [0] : (tensor<2x3xf32>) -> tensor<3xf32>
      %4 = ens.reduce min, %x dims = [0] : (tensor<2x3xf32>) -> tensor<3xf32>
      %5 = ens.arg_reduce max, %x dim = 1 : (tensor<2x3xf32>) -> tensor<2xi32>
      %6 = ens.arg_reduce min, %x dim = 0 : (tensor<2x3xf32>) -> tensor<3xi32>
      return %0, %1, %2, %3, %4, %5, %6 : tensor<2x2xf32>, tensor<2xf32>,
          tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xi32>,
          tensor<3xi32>
    }
  )mlir");
  program.expect("sums", {f32({2, 3}, {1, 2, 3, 4, -5, 6})},
                 {f32({2, 2}, {14, 12, 12, 77}), f32({2}, {14, 77}),
                  f32({2}, {6, 5}), f32({3}, {4, 2, 6}), f32({3}, {1, -5, 3}),
                  i32({2}, {2, 2}), i32({3}, {0, 1, 0})});
}

TEST(InterpreterOpsTest, Indexing) {
  Program program(R"mlir(
    func.func @indexed(%x: tensor<2x3xf32>, %i: tensor<2xi32>,
        %u: tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>,
        tensor<2x3xf32>, tensor<2x3xf32>) {
      %0 = ens.gather clamp, %x, %i axis = 0 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
      %1 = ens.gather fill, %x, %i axis = 1 {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2xf32>
      %2 = ens.scatter add, drop, %x, %i, %u axis = 1 {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2x3xf32>
      %3 = ens.scatter add, clamp, %x, %i, %u axis = 1 {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2x3xf32>
      %4 = ens.scatter set, drop, %x, %i, %u axis = 1 {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2x3xf32>
      return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2xf32>,
          tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
    }
  )mlir");
  program.expect(
      "indexed",
      {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i32({2}, {1, 9}), f32({2}, {10, 20})},
      {f32({2, 3}, {4, 5, 6, 4, 5, 6}), f32({2}, {2, 0}),
       f32({2, 3}, {1, 12, 3, 4, 5, 6}), f32({2, 3}, {1, 12, 3, 4, 5, 26}),
       f32({2, 3}, {1, 10, 3, 4, 5, 6})});
}

TEST(InterpreterOpsTest, Random) {
  Program program(R"mlir(
    func.func @random(%seed: tensor<i64>, %step: tensor<i64>, %o: tensor<i64>)
        -> (tensor<6xui32>, tensor<2xi64>, tensor<6xui32>, tensor<5xi32>) {
      %0 = ens.rng_bits %seed, %step {site = 5 : i64} : tensor<i64>, tensor<i64> -> tensor<6xui32>
      %1 = ens.rng_bits %seed, %step {site = 5 : i64} : tensor<i64>, tensor<i64> -> tensor<2xi64>
      %2 = ens.rng_bits %seed, %step offset %o {site = 5 : i64} : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<6xui32>
      %3 = ens.permutation %seed, %step size = 5 : (tensor<i64>, tensor<i64>) -> tensor<5xi32>
      return %0, %1, %2, %3 : tensor<6xui32>, tensor<2xi64>, tensor<6xui32>,
          tensor<5xi32>
    }
    func.func @unnumbered(%seed: tensor<i64>) -> tensor<6xui32> {
      %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<6xui32>
      return %0 : tensor<6xui32>
    }
  )mlir");
  Tensor seed = i64({}, {7}), step = i64({}, {3}), one = i64({}, {1});
  program.expect("random", {seed, step, one},
                 {rngBits(seed, step, std::nullopt, 5, DType::UI32, {6}),
                  rngBits(seed, step, std::nullopt, 5, DType::I64, {2}),
                  rngBits(seed, step, one, 5, DType::UI32, {6}),
                  permutation(seed, step, 5)});
  EXPECT_EQ(program.errorOf("unnumbered", {seed}),
            "test:12:12: 'ens.rng_bits' has no site to draw from; run Expand, "
            "which numbers the sites of the module");
}

TEST(InterpreterOpsTest, RunIdsOfSoloAndLanes) {
  Program program(R"mlir(
    func.func @solo() -> tensor<i64> {
      %0 = ens.run_id : tensor<i64>
      return %0 : tensor<i64>
    }
    func.func @lanes() -> tensor<4xi64> {
      %0 = ens.run_id : tensor<4xi64>
      return %0 : tensor<4xi64>
    }
  )mlir");
  program.expect("solo", {}, {i64({}, {41})}, {41});
  program.expect("lanes", {}, {i64({4}, {8, 9, 10, 8})}, {8, 9, 10, 8});
  EXPECT_EQ(program.errorOf("lanes", {}, {1, 2}),
            "test:7:12: 'ens.run_id' asks for 4 run ids, but the call stands "
            "for 2 runs");
}

TEST(InterpreterOpsTest, LanesInstanceEqualsSoloRuns) {
  Program program(R"mlir(
    func.func @solo(%w: tensor<3x2xf32>, %x: tensor<4x3xf32>, %seed: tensor<i64>,
        %step: tensor<i64>) -> tensor<4x2xf32> {
      %0 = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
      %1 = ens.rng_bits %seed, %step {site = 1 : i64} : tensor<i64>, tensor<i64> -> tensor<4x2xui32>
      %2 = ens.convert %1 : tensor<4x2xui32> to tensor<4x2xf32>
      %3 = ens.tanh %0 : tensor<4x2xf32>
      %4 = ens.mul %2, %3 : tensor<4x2xf32>
      return %4 : tensor<4x2xf32>
    }
    func.func @lanes(%w: tensor<2x3x2xf32>, %x: tensor<4x3xf32>,
        %seed: tensor<2xi64>, %step: tensor<2xi64>) -> tensor<2x4x2xf32> {
      %0 = ens.dot %x, %w lhs_contract = [1] rhs_contract = [1] : (tensor<4x3xf32>, tensor<2x3x2xf32>) -> tensor<4x2x2xf32>
      %1 = ens.transpose %0 permutation = [1, 0, 2] : (tensor<4x2x2xf32>) -> tensor<2x4x2xf32>
      %2 = ens.rng_bits %seed, %step {site = 1 : i64} : tensor<2xi64>, tensor<2xi64> -> tensor<2x4x2xui32>
      %3 = ens.convert %2 : tensor<2x4x2xui32> to tensor<2x4x2xf32>
      %4 = ens.tanh %1 : tensor<2x4x2xf32>
      %5 = ens.mul %3, %4 : tensor<2x4x2xf32>
      return %5 : tensor<2x4x2xf32>
    }
  )mlir");
  Tensor first = f32({3, 2}, {0.1f, -0.2f, 0.3f, 0.4f, -0.5f, 0.6f});
  Tensor second = f32({3, 2}, {0.7f, 0.8f, -0.9f, 0.1f, 0.11f, 0.12f});
  Tensor x = f32({4, 3}, {1, 2, 3, 4, 5, 6, -1, -2, -3, 0.1f, 0.2f, 0.3f});
  Tensor step = i64({}, {6});
  auto solo = [&](const Tensor &w, int64_t seed) {
    auto results = program.call("solo", {w, x, i64({}, {seed}), step});
    EXPECT_TRUE(results);
    return results->front().reshaped({1, 4, 2});
  };
  program.expect(
      "lanes",
      {concat({first.reshaped({1, 3, 2}), second.reshaped({1, 3, 2})}, 0), x,
       i64({2}, {10, 11}), i64({2}, {6, 6})},
      {concat({solo(first, 10), solo(second, 11)}, 0)});
}

TEST(InterpreterOpsTest, EnsemblesAreRunsOneByOne) {
  Program program(R"mlir(
    func.func private @one(%w: tensor<2xi64>, %x: tensor<2xi64>)
        -> (tensor<2xi64>, tensor<i64>) {
      %0 = ens.mul %w, %x : tensor<2xi64>
      %1 = ens.run_id : tensor<i64>
      return %0, %1 : tensor<2xi64>, tensor<i64>
    }
    func.func private @three(%w: tensor<3x2xi64>, %x: tensor<2xi64>)
        -> (tensor<3x2xi64>, tensor<3xi64>) {
      %0:2 = ens.ensemble @one(%w, %x) runs = 3 per_run = [true, false] : (tensor<3x2xi64>, tensor<2xi64>) -> (tensor<3x2xi64>, tensor<3xi64>)
      return %0#0, %0#1 : tensor<3x2xi64>, tensor<3xi64>
    }
    func.func @nested(%w: tensor<3x2xi64>, %x: tensor<2x2xi64>)
        -> (tensor<2x3x2xi64>, tensor<2x3xi64>) {
      %0:2 = ens.ensemble @three(%w, %x) runs = 2 per_run = [false, true] : (tensor<3x2xi64>, tensor<2x2xi64>) -> (tensor<2x3x2xi64>, tensor<2x3xi64>)
      return %0#0, %0#1 : tensor<2x3x2xi64>, tensor<2x3xi64>
    }
  )mlir");
  program.expect("nested",
                 {i64({3, 2}, {1, 2, 3, 4, 5, 6}), i64({2, 2}, {1, 10, 2, 20})},
                 {i64({2, 3, 2}, {1, 20, 3, 40, 5, 60, 2, 40, 6, 80, 10, 120}),
                  i64({2, 3}, {0, 1, 2, 0, 1, 2})},
                 {7});
}

TEST(InterpreterOpsTest, NaNLeavesAProgramCanonical) {
  Program program(R"mlir(
    func.func @identity(%x: tensor<1xf32>) -> tensor<1xf32> {
      return %x : tensor<1xf32>
    }
  )mlir");
  Tensor payload = Tensor::zeros(DType::F32, {1});
  *static_cast<uint32_t *>(payload.bytes()) = 0xffc12345;
  program.expect("identity", {payload}, {f32({1}, {nan})});
}

TEST(InterpreterOpsTest, ElementwiseOpsTakeScalars) {
  Program program(R"mlir(
    func.func @scalars(%a: f32, %b: f32) -> (f32, i1) {
      %0 = ens.mul %a, %b : f32
      %1 = ens.compare lt, %a, %b : f32
      return %0, %1 : f32, i1
    }
  )mlir");
  program.expect("scalars", {f32({}, {3}), f32({}, {4})},
                 {f32({}, {12}), i1({}, {true})});
}

TEST(InterpreterOpsTest, LoopCountersBecomeTensors) {
  Program program(R"mlir(
    func.func @counter(%i: index) -> tensor<i64> {
      %0 = ens.from_index %i : tensor<i64>
      return %0 : tensor<i64>
    }
  )mlir");
  program.expect("counter", {i64({}, {-7})}, {i64({}, {-7})});
}

TEST(InterpreterOpsTest, EveryCoreOpIsInAProgramAbove) {
  // A compiler cache may make __FILE__ relative to a directory of its own.
  std::ifstream file(ENSC_SOURCE_DIR
                     "/test/unit/Reference/InterpreterOpsTest.cpp");
  ASSERT_TRUE(file);
  std::stringstream programs;
  programs << file.rdbuf();

  mlir::DialectRegistry registry;
  registerDerivativeRules(registry);
  mlir::MLIRContext context(registry);
  context.loadDialect<ens::EnsDialect>();
  int coreOps = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "ens" || !isCoreOp(name))
      continue;
    ++coreOps;
    EXPECT_NE(programs.str().find(name.getStringRef().str() + " "),
              std::string::npos)
        << name.getStringRef().str();
  }
  EXPECT_GT(coreOps, 50);
}

} // namespace
