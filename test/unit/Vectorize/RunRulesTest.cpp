//===- RunRulesTest.cpp - Every op of several runs against one ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckInstances.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::test;

namespace {

std::string unaryFunction(const std::string &name, const std::string &element,
                          const std::vector<std::string> &ops) {
  std::string type = "tensor<2x3x" + element + ">";
  std::vector<OpText> texts;
  for (const std::string &op : ops)
    texts.push_back({"ens." + op + " %x : " + type, type});
  return functionText(name, "%x: " + type, texts);
}

std::string binaryFunction(const std::string &name, const std::string &element,
                           const std::vector<std::string> &ops) {
  std::string type = "tensor<5x" + element + ">";
  std::vector<OpText> texts;
  for (const std::string &op : ops)
    texts.push_back({"ens." + op + " %a, %b : " + type, type});
  return functionText(name, "%a: " + type + ", %b: " + type, texts);
}

TEST(RunRulesTest, Unary) {
  std::vector<std::string> floats = {
      "neg",   "abs",  "sign",  "exp",      "log",          "log1p",
      "expm1", "sqrt", "rsqrt", "tanh",     "erf",          "erf_inv",
      "sin",   "cos",  "floor", "logistic", "stop_gradient"};
  checkInstances(unaryFunction("f32", "f32", floats) +
                 unaryFunction("f64", "f64", floats) +
                 unaryFunction("i32", "i32", {"neg", "abs", "sign", "not"}) +
                 unaryFunction("i64", "i64", {"neg", "abs", "sign", "not"}) +
                 unaryFunction("ui32", "ui32", {"not"}) +
                 unaryFunction("i1", "i1", {"not"}));
}

TEST(RunRulesTest, Binary) {
  std::vector<std::string> floats = {"add", "sub", "mul", "div",
                                     "pow", "max", "min"};
  std::vector<std::string> integers = {"add",
                                       "sub",
                                       "mul",
                                       "div",
                                       "max",
                                       "min",
                                       "and",
                                       "or",
                                       "xor",
                                       "shift_left",
                                       "shift_right_logical",
                                       "shift_right_arithmetic"};
  std::vector<std::string> words = integers;
  words.push_back("mul_high");
  checkInstances(binaryFunction("f32", "f32", floats) +
                 binaryFunction("f64", "f64", floats) +
                 binaryFunction("i32", "i32", words) +
                 binaryFunction("ui32", "ui32", words) +
                 binaryFunction("i64", "i64", integers) +
                 binaryFunction("i1", "i1", {"and", "or", "xor"}));
}

TEST(RunRulesTest, Choices) {
  std::string f = "tensor<5xf32>", b = "tensor<5xi1>";
  std::vector<OpText> compares;
  for (const char *predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    compares.push_back(
        {"ens.compare " + std::string(predicate) + ", %a, %b : " + f, b});
  checkInstances(functionText("compare", "%a: " + f + ", %b: " + f, compares) +
                 functionText("select",
                              "%p: " + b + ", %a: " + f + ", %b: " + f,
                              {{"ens.select %p, %a, %b : " + f, f}}) +
                 functionText("clamp", "%a: " + f + ", %x: " + f + ", %b: " + f,
                              {{"ens.clamp %a, %x, %b : " + f, f}}));
}

TEST(RunRulesTest, Casts) {
  std::vector<std::string> elements = {"f32", "f64", "i1",
                                       "i32", "i64", "ui32"};
  std::string program;
  for (const std::string &from : elements) {
    std::string type = "tensor<7x" + from + ">";
    std::vector<OpText> casts;
    for (const std::string &to : elements)
      casts.push_back({"ens.convert %x : " + type + " to tensor<7x" + to + ">",
                       "tensor<7x" + to + ">"});
    program += functionText("from_" + from, "%x: " + type, casts);
  }
  checkInstances(
      program +
      functionText("bits", "%x: tensor<7xf32>",
                   {{"ens.bitcast %x : tensor<7xf32> to tensor<7xui32>",
                     "tensor<7xui32>"}}));
}

TEST(RunRulesTest, Rearrangement) {
  std::string x = "tensor<4x3xf32>";
  checkInstances(functionText(
      "rearrange", "%x: " + x,
      {{"ens.broadcast %x dims = [0, 2] : " + x + " to tensor<4x2x3xf32>",
        "tensor<4x2x3xf32>"},
       {"ens.broadcast %x dims = [1, 2] : " + x + " to tensor<8x4x3xf32>",
        "tensor<8x4x3xf32>"},
       {"ens.reshape %x : " + x + " to tensor<2x6xf32>", "tensor<2x6xf32>"},
       {"ens.transpose %x permutation = [1, 0] : (" + x +
            ") -> tensor<3x4xf32>",
        "tensor<3x4xf32>"},
       {"ens.reverse %x dims = [0] : (" + x + ") -> " + x, x},
       {"ens.slice %x starts = [1, 0] limits = [4, 2] strides = [2, 1] : (" +
            x + ") -> tensor<2x2xf32>",
        "tensor<2x2xf32>"}}));
}

TEST(RunRulesTest, ConcatAndPad) {
  std::string x = "tensor<4x3xf32>", y = "tensor<1x3xf32>";
  checkInstances(
      functionText("concat", "%x: " + x + ", %y: " + y,
                   {{"ens.concat %x, %y, %x dim = 0 : (" + x + ", " + y + ", " +
                         x + ") -> tensor<9x3xf32>",
                     "tensor<9x3xf32>"}}) +
      functionText("pad", "%x: " + x + ", %v: tensor<f32>",
                   {{"ens.pad %x, %v low = [1, -1] high = [0, 2] interior = "
                     "[1, 0] : (" +
                         x + ", tensor<f32>) -> tensor<8x4xf32>",
                     "tensor<8x4xf32>"}}) +
      functionText("pad_of_batch", "%x: " + x + ", %v: tensor<4xf32>",
                   {{"ens.pad %x, %v low = [0, 1] high = [0, 1] interior = "
                     "[0, 2] {batch_dims = 1 : i64} : (" +
                         x + ", tensor<4xf32>) -> tensor<4x9xf32>",
                     "tensor<4x9xf32>"}}));
}

TEST(RunRulesTest, DynamicSlices) {
  std::string x = "tensor<6x3xf32>", u = "tensor<2x2xf32>", i = "tensor<i32>";
  checkInstances(
      functionText("read", "%x: " + x + ", %i: " + i + ", %j: tensor<i64>",
                   {{"ens.dynamic_slice %x [%i, %j] sizes = [2, 2] : (" + x +
                         ", " + i + ", tensor<i64>) -> " + u,
                     u}}) +
      functionText("write",
                   "%x: " + x + ", %u: " + u + ", %i: " + i + ", %j: " + i,
                   {{"ens.dynamic_update_slice %x, %u [%i, %j] : (" + x + ", " +
                         u + ", " + i + ", " + i + ") -> " + x,
                     x}}) +
      functionText("read_of_batch", "%x: " + x + ", %i: tensor<6xi32>",
                   {{"ens.dynamic_slice %x [%i] sizes = [2] {batch_dims = 1 : "
                     "i64} : (" +
                         x + ", tensor<6xi32>) -> tensor<6x2xf32>",
                     "tensor<6x2xf32>"}}));
}

TEST(RunRulesTest, Contractions) {
  std::string a = "tensor<2x4x3xf32>", b = "tensor<3x2x5xf32>";
  checkInstances(
      functionText(
          "dot", "%a: " + a + ", %b: " + b,
          {{"ens.dot %a, %b lhs_contract = [2] rhs_contract = [0] : (" + a +
                ", " + b + ") -> tensor<2x4x2x5xf32>",
            "tensor<2x4x2x5xf32>"},
           {"ens.dot %a, %b lhs_batch = [0] rhs_batch = [1] lhs_contract = [2] "
            "rhs_contract = [0] : (" +
                a + ", " + b + ") -> tensor<2x4x5xf32>",
            "tensor<2x4x5xf32>"},
           {"ens.dot %a, %b lhs_contract = [2, 0] rhs_contract = [0, 1] : (" +
                a + ", " + b + ") -> tensor<4x5xf32>",
            "tensor<4x5xf32>"},
           {"ens.dot %a, %a lhs_contract = [0, 1, 2] rhs_contract = [0, 1, 2] "
            ": (" +
                a + ", " + a + ") -> tensor<f32>",
            "tensor<f32>"}}) +
      functionText("dot_f64", "%a: tensor<3xf64>, %b: tensor<3xf64>",
                   {{"ens.dot %a, %b lhs_contract = [0] rhs_contract = [0] : "
                     "(tensor<3xf64>, tensor<3xf64>) -> tensor<f64>",
                     "tensor<f64>"}}));
}

TEST(RunRulesTest, Reductions) {
  std::string x = "tensor<5x40xf32>", n = "tensor<5x4xi32>";
  std::vector<OpText> reductions;
  for (const char *kind : {"sum", "max", "min"}) {
    std::string op = "ens.reduce " + std::string(kind) + ", %x dims = ";
    reductions.push_back(
        {op + "[1] : (" + x + ") -> tensor<5xf32>", "tensor<5xf32>"});
    reductions.push_back(
        {op + "[0, 1] : (" + x + ") -> tensor<f32>", "tensor<f32>"});
    reductions.push_back({"ens.reduce " + std::string(kind) +
                              ", %n dims = [0] : (" + n + ") -> tensor<4xi32>",
                          "tensor<4xi32>"});
  }
  for (const char *kind : {"max", "min"})
    reductions.push_back({"ens.arg_reduce " + std::string(kind) +
                              ", %x dim = 1 : (" + x + ") -> tensor<5xi32>",
                          "tensor<5xi32>"});
  checkInstances(functionText("reduce", "%x: " + x + ", %n: " + n, reductions));
}

TEST(RunRulesTest, Gather) {
  std::string x = "tensor<6x4xf32>", i = "tensor<3xi32>", r = "tensor<3x4xf32>";
  std::vector<OpText> gathers;
  for (std::string mode : {"clamp", "fill"}) {
    gathers.push_back({"ens.gather " + mode + ", %x, %i axis = 0 : (" + x +
                           ", " + i + ") -> " + r,
                       r});
    gathers.push_back({"ens.gather " + mode + ", %x, %i axis = 1 : (" + x +
                           ", " + i + ") -> tensor<6x3xf32>",
                       "tensor<6x3xf32>"});
  }
  checkInstances(
      functionText("gather", "%x: " + x + ", %i: " + i, gathers) +
      functionText("pick", "%x: " + x + ", %i: tensor<6xi64>",
                   {{"ens.gather clamp, %x, %i axis = 1 {batch_dims = 1 : i64} "
                     ": (" +
                         x + ", tensor<6xi64>) -> tensor<6xf32>",
                     "tensor<6xf32>"}}));
}

TEST(RunRulesTest, Scatter) {
  std::string x = "tensor<6x2xf32>", i = "tensor<5xi32>", u = "tensor<5x2xf32>";
  std::vector<OpText> scatters;
  for (std::string kind : {"add", "set"})
    for (std::string mode : {"clamp", "drop"})
      scatters.push_back({"ens.scatter " + kind + ", " + mode +
                              ", %x, %i, %u axis = 0 : (" + x + ", " + i +
                              ", " + u + ") -> " + x,
                          x});
  checkInstances(
      functionText("scatter", "%x: " + x + ", %i: " + i + ", %u: " + u,
                   scatters) +
      functionText("pick",
                   "%x: " + x + ", %i: tensor<6xi32>, %u: tensor<6xf32>",
                   {{"ens.scatter add, drop, %x, %i, %u axis = 1 {batch_dims = "
                     "1 : i64} : (" +
                         x + ", tensor<6xi32>, tensor<6xf32>) -> " + x,
                     x}}));
}

TEST(RunRulesTest, Randomness) {
  std::string s = "tensor<i64>", bits = "tensor<3x3xui32>";
  checkInstances(
      functionText(
          "random", "%seed: " + s + ", %step: " + s + ", %offset: " + s,
          {{"ens.rng_bits %seed, %step {site = 7 : i64} : " + s + ", " + s +
                " -> " + bits,
            bits},
           {"ens.rng_bits %seed, %step offset %offset {site = 7 : i64} : " + s +
                ", " + s + ", " + s + " -> tensor<5xi64>",
            "tensor<5xi64>"},
           {"ens.permutation %seed, %step size = 9 : (" + s + ", " + s +
                ") -> tensor<9xi32>",
            "tensor<9xi32>"},
           {"ens.run_id : " + s, s}}) +
      functionText("seeds", "%seeds: tensor<2xi64>, %steps: tensor<2xi64>",
                   {{"ens.rng_bits %seeds, %steps {site = 1 : i64} : "
                     "tensor<2xi64>, tensor<2xi64> -> tensor<2x3xui32>",
                     "tensor<2x3xui32>"},
                    {"ens.permutation %seeds, %steps size = 4 : "
                     "(tensor<2xi64>, tensor<2xi64>) -> tensor<2x4xi32>",
                     "tensor<2x4xi32>"}}));
}

TEST(RunRulesTest, Sources) {
  checkInstances(functionText(
      "sources", "%x: tensor<2xf32>",
      {{"ens.constant dense<[1.0, -0.0]> : tensor<2xf32>", "tensor<2xf32>"},
       {"ens.iota dim = 0 : tensor<2xf32>", "tensor<2xf32>"},
       {"ens.add %x, %r1 : tensor<2xf32>", "tensor<2xf32>"},
       {"ens.mul %r0, %x : tensor<2xf32>", "tensor<2xf32>"}}));
}

TEST(RunRulesTest, Loops) {
  checkInstances(R"mlir(
    func.func @rotate(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>)
        -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %n = ens.constant dense<0> : tensor<i64>
      %r:4 = scf.for %i = %c0 to %c3 step %c1
          iter_args(%p = %a, %q = %b, %s = %c, %k = %n)
          -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i64>) {
        %m = ens.mul %p, %b : tensor<2xf32>
        %t = ens.from_index %i : tensor<i64>
        %u = ens.add %k, %t : tensor<i64>
        scf.yield %q, %m, %s, %u
            : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i64>
      }
      return %r#0, %r#1, %r#2, %r#3
          : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i64>
    }
    func.func @no_trip(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c1 to %c0 step %c1 iter_args(%p = %a)
          -> (tensor<2xf32>) {
        %m = ens.mul %p, %b : tensor<2xf32>
        scf.yield %m : tensor<2xf32>
      }
      return %r : tensor<2xf32>
    }
  )mlir");
}

TEST(RunRulesTest, Branches) {
  checkInstances(R"mlir(
    func.func @branch(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>)
        -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %take = tensor.extract %p[] : tensor<i1>
      %r:3 = scf.if %take -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
        %l = ens.log %x : tensor<2xf32>
        scf.yield %l, %y, %y : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
      } else {
        %d = ens.div %x, %y : tensor<2xf32>
        scf.yield %d, %x, %y : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
      }
      return %r#0, %r#1, %r#2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }
    func.func @nested(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<2xf32>)
        -> tensor<2xf32> {
      %outer = tensor.extract %p[] : tensor<i1>
      %r = scf.if %outer -> (tensor<2xf32>) {
        %inner = tensor.extract %q[] : tensor<i1>
        %s = scf.if %inner -> (tensor<2xf32>) {
          %e = ens.exp %x : tensor<2xf32>
          scf.yield %e : tensor<2xf32>
        } else {
          scf.yield %x : tensor<2xf32>
        }
        scf.yield %s : tensor<2xf32>
      } else {
        %n = ens.neg %x : tensor<2xf32>
        scf.yield %n : tensor<2xf32>
      }
      return %r : tensor<2xf32>
    }
  )mlir");
}

} // namespace
