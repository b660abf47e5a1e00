//===- MovedElementsTest.cpp - Views of views of tensors ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that only move elements become arithmetic of indices, which sums of them
// with signs of both kinds have to survive.
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"
#include "FunctionText.h"

#include <gtest/gtest.h>

using namespace ensc;
using namespace ensc::test;

namespace {

/// For the CPU at hand, and for one with shorter vectors.
void checkOnCPUs(const std::string &text) {
  for (const char *cpu : {"native", "x86-64-v3"}) {
    CompileOptions options;
    options.cpu = cpu;
    checkProgram(text, options);
  }
}

/// A reduction of some dimensions of a padded tensor.
std::string reduceOfPad(const std::string &name, const std::string &from,
                        const std::string &window, const std::string &to,
                        const std::string &dims, const std::string &result) {
  FunctionText f(name);
  std::string type = tensorType(from, "f32"), padded = tensorType(to, "f32");
  std::string x = f.argument(type), z = f.argument("tensor<f32>");
  std::string p = f.value("ens.pad " + x + ", " + z + " " + window + " : (" +
                          type + ", tensor<f32>) -> " + padded);
  std::string reduced = tensorType(result, "f32");
  for (const char *kind : {"sum", "max"})
    f.check(kind,
            std::string("ens.reduce ") + kind + ", " + p + " dims = " + dims +
                " : (" + padded + ") -> " + reduced,
            reduced);
  return f.str();
}

TEST(MovedElements, ReductionsOfPads) {
  const char *line = "low = [2] high = [1] interior = [1]";
  const char *table = "low = [1, 2] high = [1, 1] interior = [0, 1]";
  const char *box = "low = [1, 0, 2] high = [0, 1, -1] interior = [1, 0, 2]";
  std::string text = reduceOfPad("line", "4", line, "10", "[0]", "");
  for (auto [name, dims, result] :
       {std::tuple("rows", "[0]", "8"), std::tuple("columns", "[1]", "6"),
        std::tuple("table", "[0, 1]", "")})
    text += reduceOfPad(name, "4x3", table, "6x8", dims, result);
  for (auto [name, dims, result] :
       {std::tuple("first", "[0]", "4x11"), std::tuple("middle", "[1]", "4x11"),
        std::tuple("last", "[2]", "4x4"), std::tuple("ends", "[0, 2]", "4"),
        std::tuple("inner", "[1, 2]", "4"), std::tuple("outer", "[0, 1]", "11"),
        std::tuple("box", "[0, 1, 2]", "")})
    text += reduceOfPad(name, "2x3x4", box, "4x4x11", dims, result);
  checkProgram(text);
}

TEST(MovedElements, ReversesOfOtherViews) {
  checkOnCPUs(R"mlir(
func.func @rows(%x: tensor<5x19xf32>, %z: tensor<f32>)
    -> (tensor<13x19xf32>, tensor<13x19xf32>, tensor<13x19xf32>) {
  %p = ens.pad %x, %z low = [0, 0] high = [0, 0] interior = [2, 0]
      : (tensor<5x19xf32>, tensor<f32>) -> tensor<13x19xf32>
  %r = ens.reverse %p dims = [0] : (tensor<13x19xf32>) -> tensor<13x19xf32>
  %c = ens.reverse %p dims = [1] : (tensor<13x19xf32>) -> tensor<13x19xf32>
  %b = ens.reverse %p dims = [0, 1] : (tensor<13x19xf32>) -> tensor<13x19xf32>
  return %r, %c, %b : tensor<13x19xf32>, tensor<13x19xf32>, tensor<13x19xf32>
}
func.func @line(%x: tensor<5xf32>, %z: tensor<f32>) -> (tensor<13xf32>, tensor<11xf32>) {
  %p = ens.pad %x, %z low = [0] high = [0] interior = [2] : (tensor<5xf32>, tensor<f32>) -> tensor<13xf32>
  %r = ens.reverse %p dims = [0] : (tensor<13xf32>) -> tensor<13xf32>
  %q = ens.pad %x, %z low = [3] high = [-1] interior = [1] : (tensor<5xf32>, tensor<f32>) -> tensor<11xf32>
  %s = ens.reverse %q dims = [0] : (tensor<11xf32>) -> tensor<11xf32>
  return %r, %s : tensor<13xf32>, tensor<11xf32>
}
func.func @reshaped(%x: tensor<6x4xf32>, %y: tensor<24xf32>)
    -> (tensor<24xf32>, tensor<24xf32>, tensor<6x4xf32>, tensor<2x12xf32>) {
  %f = ens.reshape %x : tensor<6x4xf32> to tensor<24xf32>
  %r = ens.reverse %f dims = [0] : (tensor<24xf32>) -> tensor<24xf32>
  %t = ens.transpose %x permutation = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %g = ens.reshape %t : tensor<4x6xf32> to tensor<24xf32>
  %s = ens.reverse %g dims = [0] : (tensor<24xf32>) -> tensor<24xf32>
  %v = ens.reverse %y dims = [0] : (tensor<24xf32>) -> tensor<24xf32>
  %m = ens.reshape %v : tensor<24xf32> to tensor<6x4xf32>
  %n = ens.reshape %m : tensor<6x4xf32> to tensor<2x12xf32>
  %o = ens.reverse %n dims = [1] : (tensor<2x12xf32>) -> tensor<2x12xf32>
  return %r, %s, %m, %o : tensor<24xf32>, tensor<24xf32>, tensor<6x4xf32>, tensor<2x12xf32>
}
func.func @sliced(%x: tensor<4x6xf32>, %i: tensor<i32>)
    -> (tensor<8xf32>, tensor<9xf32>, tensor<9xf32>) {
  %f = ens.reshape %x : tensor<4x6xf32> to tensor<24xf32>
  %r = ens.reverse %f dims = [0] : (tensor<24xf32>) -> tensor<24xf32>
  %s = ens.slice %r starts = [1] limits = [24] strides = [3] : (tensor<24xf32>) -> tensor<8xf32>
  %d = ens.dynamic_slice %f [%i] sizes = [9] : (tensor<24xf32>, tensor<i32>) -> tensor<9xf32>
  %e = ens.reverse %d dims = [0] : (tensor<9xf32>) -> tensor<9xf32>
  %w = ens.dynamic_slice %r [%i] sizes = [9] : (tensor<24xf32>, tensor<i32>) -> tensor<9xf32>
  return %s, %e, %w : tensor<8xf32>, tensor<9xf32>, tensor<9xf32>
})mlir");
}

TEST(MovedElements, GradientsOfReverses) {
  checkOnCPUs(R"mlir(
func.func private @strided(%x: tensor<13x17xf32>) -> tensor<f32> {
  %r = ens.reverse %x dims = [0] : (tensor<13x17xf32>) -> tensor<13x17xf32>
  %s = ens.slice %r starts = [0, 0] limits = [13, 17] strides = [3, 1] : (tensor<13x17xf32>) -> tensor<5x17xf32>
  %q = ens.mul %s, %s : tensor<5x17xf32>
  %l = ens.reduce sum, %q dims = [0, 1] : (tensor<5x17xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @padded(%x: tensor<4x6xf32>) -> tensor<f32> {
  %z = ens.constant dense<1.5> : tensor<f32>
  %t = ens.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %f = ens.reshape %t : tensor<6x4xf32> to tensor<24xf32>
  %p = ens.pad %f, %z low = [2] high = [-3] interior = [1] : (tensor<24xf32>, tensor<f32>) -> tensor<46xf32>
  %r = ens.reverse %p dims = [0] : (tensor<46xf32>) -> tensor<46xf32>
  %s = ens.slice %r starts = [1] limits = [45] strides = [2] : (tensor<46xf32>) -> tensor<22xf32>
  %c = ens.exp %s : tensor<22xf32>
  %l = ens.reduce sum, %c dims = [0] : (tensor<22xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @strided_gradient(%x: tensor<13x17xf32>) -> tensor<13x17xf32> {
  %g = ens.grad @strided(%x) wrt = [0] : (tensor<13x17xf32>) -> tensor<13x17xf32>
  return %g : tensor<13x17xf32>
}
func.func @padded_gradient(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %g = ens.grad @padded(%x) wrt = [0] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %g : tensor<4x6xf32>
})mlir");
}

// As arithmetic on integers does.
TEST(MovedElements, IndicesThatWrap) {
  checkOnCPUs(R"mlir(
func.func @wrap(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %three = arith.constant 3 : index
  %five = arith.constant 5 : index
  %eight = arith.constant 8 : index
  %large = arith.constant 4611686018427387904 : index
  %half = arith.constant 2305843009213693952 : index
  %third = arith.constant 6148914691236517206 : index
  %z = ens.from_index %c0 : tensor<i64>
  %y, %q, %r, %m = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %x, %b = %z, %c = %z, %d = %z)
      -> (tensor<8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) {
    %l = arith.muli %i, %large : index
    %lh = arith.divui %l, %half : index
    %t = arith.muli %i, %third : index
    %tq = arith.divui %t, %three : index
    %tr = arith.remui %t, %three : index
    %n = arith.minsi %l, %five : index
    %ne = arith.divui %n, %eight : index
    %s = arith.addi %lh, %tq : index
    %s1 = ens.from_index %s : tensor<i64>
    %tr1 = ens.from_index %tr : tensor<i64>
    %ne1 = ens.from_index %ne : tensor<i64>
    %a1 = ens.add %a, %a : tensor<8xf32>
    %b1 = ens.add %b, %s1 : tensor<i64>
    %c2 = ens.add %c, %tr1 : tensor<i64>
    %d1 = ens.add %d, %ne1 : tensor<i64>
    scf.yield %a1, %b1, %c2, %d1 : tensor<8xf32>, tensor<i64>, tensor<i64>, tensor<i64>
  }
  return %y, %q, %r, %m : tensor<8xf32>, tensor<i64>, tensor<i64>, tensor<i64>
})mlir");
}

} // namespace
