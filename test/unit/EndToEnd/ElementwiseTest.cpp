//===- ElementwiseTest.cpp - Element by element, every type ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"
#include "FunctionText.h"

#include <gtest/gtest.h>

#include <vector>

using namespace ensc::test;

namespace {

using Names = std::vector<std::string>;

const Names floats = {"f32", "f64"}, integers = {"i32", "i64", "ui32"},
            all = {"f32", "f64", "i1", "i32", "i64", "ui32"};
const Names comparisons = {"eq", "ne", "lt", "le", "gt", "ge"};

/// Every op of `ops` on one per-run operand and on one that all runs share.
std::string unaryFunction(const Names &ops, const std::string &element) {
  FunctionText function("unary_" + element);
  std::string type = tensorType("5x3", element);
  std::string own = function.argument(type);
  std::string shared = function.argument(type, /*shared=*/true);
  for (const std::string &op : ops) {
    function.check(op, "ens." + op + " " + own + " : " + type, type);
    function.check(op + "_shared", "ens." + op + " " + shared + " : " + type,
                   type);
  }
  return function.str();
}

/// Every op of `ops` on two operands, with either one shared or none.
std::string binaryFunction(const Names &ops, const std::string &element) {
  FunctionText function("binary_" + element);
  std::string type = tensorType("13", element);
  std::string a = function.argument(type), b = function.argument(type);
  std::string shared = function.argument(type, /*shared=*/true);
  for (const std::string &op : ops) {
    function.check(op, "ens." + op + " " + a + ", " + b + " : " + type, type);
    function.check(op + "_left",
                   "ens." + op + " " + shared + ", " + b + " : " + type, type);
    function.check(op + "_right",
                   "ens." + op + " " + a + ", " + shared + " : " + type, type);
  }
  return function.str();
}

/// Comparisons, selections and clamps.
std::string choiceFunction(const std::string &element) {
  FunctionText function("choice_" + element);
  std::string type = tensorType("9", element), bits = tensorType("9", "i1");
  std::string a = function.argument(type), b = function.argument(type);
  std::string shared = function.argument(type, /*shared=*/true);
  std::string p = function.argument(bits);
  std::string sharedP = function.argument(bits, /*shared=*/true);
  for (const std::string &comparison : comparisons)
    if (element != "i1" || comparison == "eq" || comparison == "ne") {
      function.check(comparison,
                     "ens.compare " + comparison + ", " + a + ", " + b + " : " +
                         type,
                     bits);
      function.check(comparison + "_shared",
                     "ens.compare " + comparison + ", " + a + ", " + shared +
                         " : " + type,
                     bits);
    }
  for (const auto &[label, predicate] :
       {std::pair("select", p), std::pair("select_shared", sharedP)})
    function.check(label,
                   "ens.select " + predicate + ", " + a + ", " + shared +
                       " : " + type,
                   type);
  if (element != "i1")
    function.check("clamp",
                   "ens.clamp " + a + ", " + b + ", " + shared + " : " + type,
                   type);
  return function.str();
}

/// From one element type to all others.
std::string convertFunction(const std::string &from) {
  FunctionText function("convert_" + from);
  std::string type = tensorType("17", from);
  std::string x = function.argument(type);
  for (const std::string &to : all) {
    if (to == from)
      continue;
    std::string result = tensorType("17", to);
    function.check("to_" + to,
                   "ens.convert " + x + " : " + type + " to " + result, result);
  }
  return function.str();
}

/// Bits under another type of the same width.
std::string bitcastFunction() {
  FunctionText function("bitcast");
  for (auto [from, to] : {std::pair("f32", "ui32"), std::pair("ui32", "f32"),
                          std::pair("f32", "i32"), std::pair("i32", "f32"),
                          std::pair("f64", "i64"), std::pair("i64", "f64")}) {
    std::string type = tensorType("6", from), result = tensorType("6", to);
    function.check(std::string(from) + "_to_" + to,
                   "ens.bitcast " + function.argument(type) + " : " + type +
                       " to " + result,
                   result);
  }
  return function.str();
}

/// A chain of ops, which is compiled into one loop, on scalars and on rows.
std::string chainFunction(const std::string &element) {
  FunctionText function("chain_" + element);
  std::string rows = tensorType("4x3", element),
              scalar = tensorType("", element);
  std::string x = function.argument(rows), s = function.argument(scalar);
  std::string shared = function.argument(scalar, /*shared=*/true);
  std::string e = function.value("ens.exp " + s + " : " + scalar);
  std::string m =
      function.value("ens.mul " + e + ", " + shared + " : " + scalar);
  std::string wide = function.value("ens.broadcast " + m +
                                    " dims = [] : " + scalar + " to " + rows);
  std::string t = function.value("ens.tanh " + x + " : " + rows);
  std::string p = function.value("ens.mul " + t + ", " + wide + " : " + rows);
  // A product and a sum must not become one rounding.
  function.check("sum", "ens.add " + p + ", " + x + " : " + rows, rows);
  function.result("scalar", m, scalar);
  return function.str();
}

TEST(Elementwise, UnaryFloats) {
  std::string text;
  for (const std::string &element : floats)
    text += unaryFunction({"neg", "abs", "sign", "sqrt", "rsqrt", "floor",
                           "stop_gradient", "exp", "log", "log1p", "expm1",
                           "tanh", "logistic", "erf", "erf_inv", "sin", "cos"},
                          element);
  checkProgram(text);
}

TEST(Elementwise, BinaryFloats) {
  std::string text;
  for (const std::string &element : floats)
    text += binaryFunction({"add", "sub", "mul", "div", "pow", "max", "min"},
                           element) +
            chainFunction(element);
  checkProgram(text);
}

TEST(Elementwise, Integers) {
  std::string text =
      unaryFunction({"not"}, "i1") + binaryFunction({"and", "or", "xor"}, "i1");
  for (const std::string &element : integers) {
    text += binaryFunction({"add", "sub", "mul", "div", "max", "min", "and",
                            "or", "xor", "shift_left", "shift_right_arithmetic",
                            "shift_right_logical"},
                           element);
    text += unaryFunction(
        element == "ui32" ? Names{"not"} : Names{"not", "neg", "abs", "sign"},
        element);
  }
  FunctionText high("mul_high");
  for (const std::string element : {"i32", "ui32"}) {
    std::string type = tensorType("7", element);
    std::string a = high.argument(type), b = high.argument(type);
    high.check(element, "ens.mul_high " + a + ", " + b + " : " + type, type);
  }
  checkProgram(text + high.str());
}

TEST(Elementwise, ChoicesAndConversions) {
  std::string text = bitcastFunction();
  for (const std::string &element : all)
    text += choiceFunction(element) + convertFunction(element);
  checkProgram(text);
}

} // namespace
