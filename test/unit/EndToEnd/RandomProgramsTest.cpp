//===- RandomProgramsTest.cpp - Programs that nobody would write ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops meet in one phase, and where buffers share memory, depends on what
// surrounds an op. Random graphs of ops try what tests of single ops do not.
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"
#include "FunctionText.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace ensc::test;

namespace {

using Extents = std::vector<int>;

struct Value {
  std::string name;
  Extents shape;
};

/// Grows a function of floats, op by op.
class RandomFunction {
public:
  RandomFunction(const std::string &name, unsigned seed, std::string element)
      : function(name), engine(seed), element(std::move(element)) {}

  std::string build() {
    const Extents shapes[] = {{4, 3}, {3, 5}, {3}, {2, 3, 4}, {}, {17}, {4, 3}};
    for (const Extents &shape : shapes)
      values.push_back({function.argument(type(shape), choose(4) == 0), shape});
    for (int i = 0; i < 24; ++i)
      addOp();
    for (size_t i = 7; i < values.size(); ++i)
      if (i + 3 > values.size() || choose(4) == 0)
        function.result(values[i].name.substr(1), values[i].name,
                        type(values[i].shape));
    return function.str();
  }

private:
  int choose(int count) { return static_cast<int>(engine() % count); }
  const Value &any() { return values[choose(values.size())]; }

  std::string type(const Extents &shape) const {
    std::string text;
    for (int extent : shape)
      text += (text.empty() ? "" : "x") + std::to_string(extent);
    return tensorType(text, element);
  }

  static std::string list(const std::vector<int> &numbers) {
    std::string text;
    for (int number : numbers)
      text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
  }

  void add(const std::string &text, const Extents &shape) {
    // Graphs that grow without end say nothing new.
    int size = 1;
    for (int extent : shape)
      size *= extent;
    if (size <= 4000)
      values.push_back({function.value(text), shape});
  }

  void addOp() {
    switch (choose(11)) {
    case 0:
    case 1:
      return addUnary();
    case 2:
    case 3:
    case 4:
      return addBinary();
    case 5:
      return addBroadcast();
    case 6:
      return addReduce();
    case 7:
      return addTranspose();
    case 8:
      return addSlice();
    case 9:
      return addConcat();
    default:
      return addDot();
    }
  }

  void addUnary() {
    const char *ops[] = {"neg",      "abs",  "exp", "tanh",
                         "logistic", "sqrt", "sign"};
    Value x = any();
    add(std::string("ens.") + ops[choose(7)] + " " + x.name + " : " +
            type(x.shape),
        x.shape);
  }

  void addBinary() {
    Value x = any();
    std::vector<Value> fitting;
    for (const Value &value : values)
      if (value.shape == x.shape)
        fitting.push_back(value);
    Value y = fitting[choose(fitting.size())];
    const char *ops[] = {"add", "sub", "mul", "div", "max", "min"};
    std::string operands = x.name + ", " + y.name + " : " + type(x.shape);
    if (choose(4) != 0)
      return add(std::string("ens.") + ops[choose(6)] + " " + operands,
                 x.shape);
    std::string p = function.value("ens.compare lt, " + operands);
    add("ens.select " + p + ", " + operands, x.shape);
  }

  void addBroadcast() {
    Value x = any();
    if (x.shape.size() > 2)
      return;
    Extents shape = x.shape;
    size_t position = choose(shape.size() + 1);
    shape.insert(shape.begin() + position, 2 + choose(4));
    std::vector<int> dims;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      if (dim != position)
        dims.push_back(dim);
    add("ens.broadcast " + x.name + " dims = " + list(dims) + " : " +
            type(x.shape) + " to " + type(shape),
        shape);
  }

  void addReduce() {
    Value x = any();
    if (x.shape.empty())
      return;
    std::vector<int> dims;
    Extents shape;
    for (size_t dim = 0; dim < x.shape.size(); ++dim)
      if (choose(2))
        dims.push_back(dim);
      else
        shape.push_back(x.shape[dim]);
    const char *kinds[] = {"sum", "max", "min"};
    add(std::string("ens.reduce ") + kinds[choose(3)] + ", " + x.name +
            " dims = " + list(dims) + " : (" + type(x.shape) + ") -> " +
            type(shape),
        shape);
  }

  void addTranspose() {
    Value x = any();
    std::vector<int> permutation;
    for (size_t dim = 0; dim < x.shape.size(); ++dim)
      permutation.push_back(dim);
    std::shuffle(permutation.begin(), permutation.end(), engine);
    Extents shape;
    for (int dim : permutation)
      shape.push_back(x.shape[dim]);
    add("ens.transpose " + x.name + " permutation = " + list(permutation) +
            " : (" + type(x.shape) + ") -> " + type(shape),
        shape);
  }

  void addSlice() {
    Value x = any();
    std::vector<int> starts, limits, strides;
    Extents shape;
    for (int extent : x.shape) {
      starts.push_back(choose(2) && extent > 1);
      limits.push_back(extent);
      strides.push_back(1 + choose(2));
      shape.push_back((limits.back() - starts.back() + strides.back() - 1) /
                      strides.back());
    }
    add("ens.slice " + x.name + " starts = " + list(starts) +
            " limits = " + list(limits) + " strides = " + list(strides) +
            " : (" + type(x.shape) + ") -> " + type(shape),
        shape);
  }

  void addConcat() {
    Value x = any();
    if (x.shape.empty())
      return;
    int dim = choose(x.shape.size());
    Extents shape = x.shape;
    shape[dim] *= 2;
    add("ens.concat " + x.name + ", " + x.name +
            " dim = " + std::to_string(dim) + " : (" + type(x.shape) + ", " +
            type(x.shape) + ") -> " + type(shape),
        shape);
  }

  /// Contracts any two dimensions that are equally long.
  void addDot() {
    Value x = any(), y = any();
    for (size_t i = 0; i < x.shape.size(); ++i)
      for (size_t j = 0; j < y.shape.size(); ++j) {
        if (x.shape[i] != y.shape[j])
          continue;
        Extents shape;
        for (size_t dim = 0; dim < x.shape.size(); ++dim)
          if (dim != i)
            shape.push_back(x.shape[dim]);
        for (size_t dim = 0; dim < y.shape.size(); ++dim)
          if (dim != j)
            shape.push_back(y.shape[dim]);
        return add("ens.dot " + x.name + ", " + y.name + " lhs_contract = [" +
                       std::to_string(i) + "] rhs_contract = [" +
                       std::to_string(j) + "] : (" + type(x.shape) + ", " +
                       type(y.shape) + ") -> " + type(shape),
                   shape);
      }
  }

  FunctionText function;
  std::mt19937 engine;
  std::string element;
  std::vector<Value> values;
};

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, AgreeWithTheInterpreter) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    unsigned seed = 100 * GetParam() + i;
    text +=
        RandomFunction("f" + std::to_string(seed), seed, i % 2 ? "f64" : "f32")
            .build();
  }
  checkProgram(text);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, 4));

} // namespace
