//===- TensorOpsTest.cpp - Shapes, contractions, reductions, indices ------===//
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

const std::vector<std::string> all = {"f32", "f64", "i1", "i32", "i64", "ui32"};

std::string shapeFunction(const std::string &e, bool shared) {
  FunctionText f(std::string(shared ? "shared" : "shapes_") + e);
  auto type = [&](const char *shape) { return tensorType(shape, e); };
  std::string x = f.argument(type("4x3"), shared);
  std::string y = f.argument(type("2x3")), z = f.argument(type(""), shared);
  std::string v = f.argument(type("3"), shared);
  f.check("broadcast",
          "ens.broadcast " + v + " dims = [1] : " + type("3") + " to " +
              type("2x3x2"),
          type("2x3x2"));
  f.check("splat",
          "ens.broadcast " + z + " dims = [] : " + type("") + " to " +
              type("5"),
          type("5"));
  f.check("reshape",
          "ens.reshape " + x + " : " + type("4x3") + " to " + type("2x6"),
          type("2x6"));
  f.check("transpose",
          "ens.transpose " + x + " permutation = [1, 0] : (" + type("4x3") +
              ") -> " + type("3x4"),
          type("3x4"));
  f.check("slice",
          "ens.slice " + x +
              " starts = [1, 0] limits = [4, 3] strides = [2, "
              "1] : (" +
              type("4x3") + ") -> " + type("2x3"),
          type("2x3"));
  f.check("reverse",
          "ens.reverse " + x + " dims = [0] : (" + type("4x3") + ") -> " +
              type("4x3"),
          type("4x3"));
  f.check("concat",
          "ens.concat " + x + ", " + y + " dim = 0 : (" + type("4x3") + ", " +
              type("2x3") + ") -> " + type("6x3"),
          type("6x3"));
  f.check("pad",
          "ens.pad " + x + ", " + z +
              " low = [0, 1] high = [2, -1] interior = "
              "[1, 0] : (" +
              type("4x3") + ", " + type("") + ") -> " + type("9x3"),
          type("9x3"));
  return f.str();
}

std::string dynamicSliceFunction(const std::string &e, bool shared) {
  FunctionText f("dynamic_" + e + (shared ? "_shared" : ""));
  std::string x = f.argument(tensorType("4x3", e), shared);
  std::string u = f.argument(tensorType("2x2", e));
  std::string i = f.argument("tensor<i32>"),
              j = f.argument("tensor<i32>", true);
  std::string types = tensorType("4x3", e);
  f.check("slice",
          "ens.dynamic_slice " + x + " [" + i + ", " + j +
              "] sizes = [2, 2] : (" + types +
              ", tensor<i32>, tensor<i32>) -> " + tensorType("2x2", e),
          tensorType("2x2", e));
  f.check("update",
          "ens.dynamic_update_slice " + x + ", " + u + " [" + i + ", " + j +
              "] : (" + types + ", " + tensorType("2x2", e) +
              ", tensor<i32>, tensor<i32>) -> " + types,
          types);
  return f.str();
}

/// A contraction with both, one or no operand shared.
std::string dotFunction(const std::string &name, const std::string &lhs,
                        const std::string &rhs, const std::string &dims,
                        const std::string &result, const std::string &e) {
  FunctionText f("dot_" + name + "_" + e);
  std::string left = tensorType(lhs, e), right = tensorType(rhs, e);
  std::string a = f.argument(left), sharedA = f.argument(left, true);
  std::string b = f.argument(right), sharedB = f.argument(right, true);
  for (const auto &[label, x, y] :
       {std::tuple("own", a, b), std::tuple("left", sharedA, b),
        std::tuple("right", a, sharedB), std::tuple("both", sharedA, sharedB)})
    f.check(label,
            "ens.dot " + x + ", " + y + " " + dims + " : (" + left + ", " +
                right + ") -> " + tensorType(result, e),
            tensorType(result, e));
  return f.str();
}

std::string dots(const std::string &e) {
  return dotFunction("rows", "4x3", "3x5",
                     "lhs_contract = [1] rhs_contract = [0]", "4x5", e) +
         dotFunction("columns", "7x9", "7x17",
                     "lhs_contract = [0] rhs_contract = [0]", "9x17", e) +
         dotFunction("transposed", "6x22", "30x22",
                     "lhs_contract = [1] rhs_contract = [1]", "6x30", e) +
         dotFunction("batched", "2x4x3", "2x3x5",
                     "lhs_batch = [0] rhs_batch = [0] lhs_contract = [2] "
                     "rhs_contract = [1]",
                     "2x4x5", e) +
         dotFunction("twice", "2x3x4", "4x2x3",
                     "lhs_contract = [0, 2] rhs_contract = [1, 0]", "3x3", e) +
         dotFunction("tiles", "13x19", "19x70",
                     "lhs_contract = [1] rhs_contract = [0]", "13x70", e) +
         dotFunction("turned", "19x13", "35x19",
                     "lhs_contract = [0] rhs_contract = [1]", "13x35", e) +
         dotFunction("outer", "3", "4", "lhs_contract = [] rhs_contract = []",
                     "3x4", e) +
         dotFunction("long", "2100", "2100",
                     "lhs_contract = [0] rhs_contract = [0]", "", e) +
         dotFunction("blocks", "2x3x700", "3x700",
                     "lhs_contract = [1, 2] rhs_contract = [0, 1]", "2", e);
}

std::string reduceFunction(const std::string &e, bool shared) {
  FunctionText f("reduce_" + e + (shared ? "_shared" : ""));
  std::string x = f.argument(tensorType("3x37x2", e), shared);
  std::string type = tensorType("3x37x2", e);
  for (const char *kind : {"sum", "max", "min"})
    for (auto [label, dims, shape] :
         {std::tuple("last", "[2]", "3x37"), std::tuple("inner", "[1]", "3x2"),
          std::tuple("two", "[0, 1]", "2"), std::tuple("all", "[0, 1, 2]", "")})
      f.check(std::string(kind) + "_" + label,
              std::string("ens.reduce ") + kind + ", " + x + " dims = " + dims +
                  " : (" + type + ") -> " + tensorType(shape, e),
              tensorType(shape, e));
  for (const char *kind : {"max", "min"})
    f.check(std::string("arg_") + kind,
            std::string("ens.arg_reduce ") + kind + ", " + x + " dim = 1 : (" +
                type + ") -> tensor<3x2xi32>",
            "tensor<3x2xi32>");
  return f.str();
}

std::string gatherFunction(const std::string &e, bool shared) {
  FunctionText f("gather_" + e + (shared ? "_shared" : ""));
  std::string rows = tensorType("5x3", e), picked = tensorType("4x3", e);
  std::string x = f.argument(rows, shared);
  std::string i = f.argument("tensor<4xi32>", !shared);
  std::string j = f.argument("tensor<5xi32>");
  for (const std::string mode : {"clamp", "fill"}) {
    f.check("rows_" + mode,
            "ens.gather " + mode + ", " + x + ", " + i + " axis = 0 : (" +
                rows + ", tensor<4xi32>) -> " + picked,
            picked);
    f.check("label_" + mode,
            "ens.gather " + mode + ", " + x + ", " + j +
                " axis = 1 {batch_dims = 1 : i64} : (" + rows +
                ", tensor<5xi32>) -> " + tensorType("5", e),
            tensorType("5", e));
  }
  return f.str();
}

std::string scatterFunction(const std::string &e, bool shared) {
  FunctionText f("scatter_" + e + (shared ? "_shared" : ""));
  std::string rows = tensorType("5x3", e), updates = tensorType("4x3", e);
  std::string x = f.argument(rows, shared), u = f.argument(updates);
  std::string i = f.argument("tensor<4xi32>", !shared);
  for (const std::string mode : {"clamp", "drop"})
    for (const std::string kind : {"set", "add"})
      if (e != "i1" || kind == "set")
        f.check(kind + "_" + mode,
                "ens.scatter " + kind + ", " + mode + ", " + x + ", " + i +
                    ", " + u + " axis = 0 : (" + rows + ", tensor<4xi32>, " +
                    updates + ") -> " + rows,
                rows);
  return f.str();
}

TEST(TensorOps, Shapes) {
  std::string text;
  for (const std::string &element : all)
    text += shapeFunction(element, element == "i64") +
            dynamicSliceFunction(element, element == "i32");
  checkProgram(text);
}

TEST(TensorOps, ContractionsF32) { checkProgram(dots("f32")); }
TEST(TensorOps, ContractionsF64) { checkProgram(dots("f64")); }

TEST(TensorOps, Reductions) {
  checkProgram(reduceFunction("f32", false) + reduceFunction("f32", true) +
               reduceFunction("f64", false) + reduceFunction("i32", false) +
               reduceFunction("i64", true) + reduceFunction("ui32", false));
}

TEST(TensorOps, GatherAndScatter) {
  std::string text = gatherFunction("f32", true) + scatterFunction("i32", true);
  for (const std::string &element : all)
    text += gatherFunction(element, false) + scatterFunction(element, false);
  checkProgram(text);
}

} // namespace
