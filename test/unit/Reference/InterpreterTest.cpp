//===- InterpreterTest.cpp - Tests of control flow in the interpreter -----===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpretText.h"

#include "gtest/gtest.h"

#include <sys/resource.h>

using namespace ensc;
using namespace ensc::test;

namespace {

TEST(InterpreterTest, LoopsCarryTensorsAndIndices) {
  Program program(R"mlir(
    func.func @sum(%begin: index, %end: index, %x: tensor<2xf32>)
        -> (tensor<2xf32>, index) {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %0:2 = scf.for %i = %begin to %end step %c1
          iter_args(%acc = %x, %count = %c0) -> (tensor<2xf32>, index) {
        %1 = ens.add %acc, %x : tensor<2xf32>
        %2 = arith.addi %count, %i : index
        scf.yield %1, %2 : tensor<2xf32>, index
      }
      return %0#0, %0#1 : tensor<2xf32>, index
    }
  )mlir");
  Tensor x = f32({2}, {1, 2});
  program.expect("sum", {i64({}, {2}), i64({}, {5}), x},
                 {f32({2}, {4, 8}), i64({}, {9})});
  program.expect("sum", {i64({}, {5}), i64({}, {2}), x}, {x, i64({}, {0})});
}

TEST(InterpreterTest, LoopStepsAndIntegerBounds) {
  Program program(R"mlir(
    func.func @last(%end: i32, %step: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %0 = scf.for %i = %c0 to %end step %step iter_args(%last = %c0) -> (i32)
          : i32 {
        scf.yield %i : i32
      }
      return %0 : i32
    }
  )mlir");
  program.expect("last", {i32({}, {10}), i32({}, {4})}, {i32({}, {8})});
  EXPECT_EQ(program.errorOf("last", {i32({}, {10}), i32({}, {0})}),
            "test:4:12: 'scf.for' has the step 0; expected a positive one");
}

TEST(InterpreterTest, NestedLoopsReuseOuterValues) {
  // An inner loop reads values of both levels again and again.
  Program program(R"mlir(
    func.func @table(%n: index, %x: tensor<i64>) -> tensor<i64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %x)
          -> (tensor<i64>) {
        %twice = ens.add %outer, %x : tensor<i64>
        %1 = scf.for %j = %c0 to %n step %c1 iter_args(%inner = %outer)
            -> (tensor<i64>) {
          %2 = ens.add %inner, %twice : tensor<i64>
          scf.yield %2 : tensor<i64>
        }
        scf.yield %1 : tensor<i64>
      }
      return %0 : tensor<i64>
    }
  )mlir");
  // 1 -> 1 + 2 * 2 = 5 -> 5 + 2 * 6 = 17.
  program.expect("table", {i64({}, {2}), i64({}, {1})}, {i64({}, {17})});
}

/// The most memory that the process has had, in MiB.
int64_t peakMemory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(InterpreterTest, ThousandsOfStepsDoNotGrow) {
#ifdef ENSC_SANITIZED
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  // Each step makes two tensors of 256 KiB: 512 MiB in all, were they kept.
  Program program(R"mlir(
    func.func @train(%n: index, %x: tensor<65536xf32>) -> tensor<65536xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x)
          -> (tensor<65536xf32>) {
        %1 = ens.neg %p : tensor<65536xf32>
        %2 = ens.abs %1 : tensor<65536xf32>
        scf.yield %2 : tensor<65536xf32>
      }
      return %0 : tensor<65536xf32>
    }
  )mlir");
  Tensor zero = Tensor::zeros(DType::F32, {65536});
  int64_t before = peakMemory();
  program.expect("train", {i64({}, {1024}), zero}, {zero});
  EXPECT_LT(peakMemory() - before, 256);
}

TEST(InterpreterTest, BranchesAndWhile) {
  Program program(R"mlir(
    func.func @branch(%p: i1, %x: tensor<f32>) -> tensor<f32> {
      %0 = scf.if %p -> (tensor<f32>) {
        %1 = ens.neg %x : tensor<f32>
        scf.yield %1 : tensor<f32>
      } else {
        scf.yield %x : tensor<f32>
      }
      scf.if %p {
        %unused = ens.neg %0 : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    func.func @double_until(%x: tensor<f32>, %limit: tensor<f32>)
        -> tensor<f32> {
      %0 = scf.while (%y = %x) : (tensor<f32>) -> (tensor<f32>) {
        %1 = ens.compare lt, %y, %limit : tensor<f32>
        %2 = tensor.extract %1[] : tensor<i1>
        scf.condition(%2) %y : tensor<f32>
      } do {
      ^bb0(%y: tensor<f32>):
        %1 = ens.add %y, %y : tensor<f32>
        scf.yield %1 : tensor<f32>
      }
      return %0 : tensor<f32>
    }
  )mlir");
  program.expect("branch", {i1({}, {true}), f32({}, {2})}, {f32({}, {-2})});
  program.expect("branch", {i1({}, {false}), f32({}, {2})}, {f32({}, {2})});
  program.expect("double_until", {f32({}, {0.75f}), f32({}, {5})},
                 {f32({}, {6})});
}

TEST(InterpreterTest, Calls) {
  Program program(R"mlir(
    func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %0:2 = call @both(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      %1:2 = call @both(%0#1) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %1#0, %1#1 : tensor<f32>, tensor<f32>
    }
    func.func private @both(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %0 = ens.neg %x : tensor<f32>
      %1 = ens.add %x, %x : tensor<f32>
      return %0, %1 : tensor<f32>, tensor<f32>
    }
    func.func @endless(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @endless(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @outside(tensor<f32>) -> tensor<f32>
    func.func @call_outside(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @outside(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  )mlir");
  Tensor x = f32({}, {3});
  program.expect("main", {x}, {f32({}, {-6}), f32({}, {12})});
  EXPECT_EQ(program.errorOf("endless", {x}),
            "test:13:12: 'func.call' calls more than 256 functions deep; "
            "recursion is not supported");
  EXPECT_EQ(program.errorOf("call_outside", {x}),
            "test:18:12: 'func.call' calls 'outside', which is not a function "
            "with a body");
}

TEST(InterpreterTest, CountersStopAtTheGreatestInteger) {
  Program program(R"mlir(
    func.func @count(%begin: index, %end: index) -> tensor<i64> {
      %c4 = arith.constant 4 : index
      %zero = ens.constant dense<0> : tensor<i64>
      %one = ens.constant dense<1> : tensor<i64>
      %0 = scf.for %i = %begin to %end step %c4 iter_args(%n = %zero)
          -> (tensor<i64>) {
        %1 = ens.add %n, %one : tensor<i64>
        scf.yield %1 : tensor<i64>
      }
      return %0 : tensor<i64>
    }
  )mlir");
  auto index = [](int64_t value) { return i64({}, {value}); };
  program.expect("count", {index(INT64_MAX - 6), index(INT64_MAX)}, {index(2)});
  program.expect("count", {index(3), index(-3)}, {index(0)});
}

TEST(InterpreterTest, IndexArithmetic) {
  Program program(R"mlir(
    func.func @divide(%a: index, %b: index) -> (index, index, index, index) {
      %0 = arith.divsi %a, %b : index
      %1 = arith.remsi %a, %b : index
      %2 = arith.floordivsi %a, %b : index
      %3 = arith.ceildivsi %a, %b : index
      return %0, %1, %2, %3 : index, index, index, index
    }
    func.func @others(%a: i64, %b: i64)
        -> (i64, i64, i64, i64, i64, i64, i64) {
      %0 = arith.subi %a, %b : i64
      %1 = arith.muli %a, %b : i64
      %2 = arith.minsi %a, %b : i64
      %3 = arith.maxsi %a, %b : i64
      %4 = arith.divui %a, %b : i64
      %5 = arith.remui %a, %b : i64
      %6 = arith.ceildivui %a, %b : i64
      return %0, %1, %2, %3, %4, %5, %6 : i64, i64, i64, i64, i64, i64, i64
    }
    func.func @casts(%a: index, %p: i1) -> (i32, index, i64, i64, i64, i1) {
      %0 = arith.index_cast %a : index to i32
      %1 = arith.index_cast %0 : i32 to index
      %2 = arith.extui %0 : i32 to i64
      %3 = arith.extsi %p : i1 to i64
      %4 = arith.extui %p : i1 to i64
      %5 = arith.trunci %0 : i32 to i1
      return %0, %1, %2, %3, %4, %5 : i32, index, i64, i64, i64, i1
    }
    func.func @compare(%a: i32, %b: i32, %p: i1, %q: i1) -> (i1, i1, i1, i32) {
      %0 = arith.cmpi slt, %a, %b : i32
      %1 = arith.cmpi ult, %a, %b : i32
      %2 = arith.andi %p, %q : i1
      %3 = arith.select %p, %a, %b : i32
      return %0, %1, %2, %3 : i1, i1, i1, i32
    }
  )mlir");
  auto index = [](int64_t value) { return i64({}, {value}); };
  auto flag = [](bool value) { return i1({}, {value}); };
  program.expect("divide", {index(-7), index(2)},
                 {index(-3), index(-1), index(-4), index(-3)});
  program.expect("divide", {index(7), index(2)},
                 {index(3), index(1), index(3), index(4)});
  program.expect("divide", {index(-7), index(0)},
                 {index(0), index(-7), index(0), index(0)});
  program.expect(
      "divide", {index(INT64_MIN), index(-1)},
      {index(INT64_MIN), index(0), index(INT64_MIN), index(INT64_MIN)});
  program.expect(
      "others", {index(7), index(0)},
      {index(7), index(0), index(0), index(7), index(0), index(7), index(0)});
  program.expect(
      "others", {index(7), index(3)},
      {index(4), index(21), index(3), index(7), index(2), index(1), index(3)});
  program.expect("casts", {index(-1), flag(true)},
                 {i32({}, {-1}), index(-1), index(4294967295), index(-1),
                  index(1), flag(true)});
  program.expect("compare",
                 {i32({}, {-1}), i32({}, {1}), flag(true), flag(false)},
                 {flag(true), flag(false), flag(false), i32({}, {-1})});
}

TEST(InterpreterTest, ScalarsBecomeTensorsAndBack) {
  Program program(R"mlir(
    func.func @pack(%a: i64, %b: i64) -> (tensor<2xi64>, tensor<i64>, i64) {
      %c1 = arith.constant 1 : index
      %0 = tensor.from_elements %a, %b : tensor<2xi64>
      %1 = tensor.from_elements %a : tensor<i64>
      %2 = tensor.extract %0[%c1] : tensor<2xi64>
      return %0, %1, %2 : tensor<2xi64>, tensor<i64>, i64
    }
    func.func @outside(%x: tensor<2xi64>, %i: index) -> i64 {
      %0 = tensor.extract %x[%i] : tensor<2xi64>
      return %0 : i64
    }
  )mlir");
  program.expect("pack", {i64({}, {3}), i64({}, {4})},
                 {i64({2}, {3, 4}), i64({}, {3}), i64({}, {4})});
  EXPECT_EQ(program.errorOf("outside", {i64({2}, {0, 0}), i64({}, {2})}),
            "test:10:12: 'tensor.extract' index 2 is outside of [0, 2)");
}

TEST(InterpreterTest, ArgumentsMustFit) {
  Program program(R"mlir(
    func.func @f(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    }
    func.func private @declared(tensor<f32>)
  )mlir");
  Tensor x = f32({2}, {1, 2});
  EXPECT_EQ(program.errorOf("f", {x}),
            "test:2:5: 'func.func' @f takes 2 arguments, but 1 are given");
  EXPECT_EQ(program.errorOf("f", {f32({3}, {1, 2, 3}), i64({}, {0})}),
            "test:2:5: 'func.func' @f takes a tensor<2xf32> as argument 0, but "
            "a tensor<3xf32> is given");
  EXPECT_EQ(program.errorOf("f", {x, i32({}, {0})}),
            "test:2:5: 'func.func' @f takes a index as argument 1, but a "
            "tensor<i32> is given");
  EXPECT_EQ(program.errorOf("declared", {f32({}, {1})}),
            "test:5:5: 'func.func' @declared has no body to evaluate");
}

TEST(InterpreterTest, UnknownOpsAreNamed) {
  Program program(R"mlir(
    func.func @composite(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = ens.relu %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @floats(%x: f32) -> f32 {
      %0 = arith.addf %x, %x : f32
      return %0 : f32
    }
  )mlir");
  EXPECT_EQ(program.errorOf("composite", {f32({2}, {1, 2})}),
            "test:3:12: 'ens.relu' is no op that the interpreter evaluates; it "
            "takes programs after Differentiate or Vectorize");
  EXPECT_EQ(program.errorOf("floats", {f32({}, {1})}),
            "test:7:12: 'arith.addf' is no op that the interpreter evaluates; "
            "it takes programs after Differentiate or Vectorize");
}

} // namespace
