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

#include <algorithm>
#include <random>
#include <vector>

using namespace ensc::test;

namespace {

using Extents = std::vector<int>;

struct Value {
  std::string name;
  Extents shape;
  bool isUsed = false;
};

/// Grows a function of floats, op by op.
class RandomFunction {
public:
  /// Of 16 ops, `moves` only move elements.
  RandomFunction(const std::string &name, unsigned seed, std::string element,
                 int moves)
      : function(name), engine(seed), element(std::move(element)),
        moves(moves) {}

  std::string build() {
    const Extents shapes[] = {{4, 3}, {3, 5}, {3}, {2, 3, 4}, {}, {17}, {4, 3}};
    for (const Extents &shape : shapes)
      values.push_back({function.argument(type(shape), choose(4) == 0), shape});
    for (const Extents &shape : {Extents{}, Extents{3}, Extents{2, 2}})
      indices.push_back(
          {function.argument(type(shape, "i32"), choose(4) == 0), shape});
    for (int i = 0; i < 28; ++i)
      addOp();
    for (size_t i = std::size(shapes); i < values.size(); ++i)
      if (!values[i].isUsed || choose(8) == 0)
        function.result(values[i].name.substr(1), values[i].name,
                        type(values[i].shape));
    return function.str();
  }

private:
  int choose(int count) { return static_cast<int>(engine() % count); }
  /// Often a new one: chains of ops are what a phase makes one of. With
  /// `least` elements, if some tries find one.
  Value any(int least = 1) {
    size_t place = 0, newest = std::min<size_t>(values.size(), 3);
    for (int tries = 0; tries < 8; ++tries) {
      place = choose(2) ? choose(values.size())
                        : values.size() - 1 - choose(newest);
      if (sizeOf(values[place].shape) >= least)
        break;
    }
    values[place].isUsed = true;
    return values[place];
  }

  static std::string type(const Extents &shape, const std::string &element) {
    std::string text;
    for (int extent : shape)
      text += (text.empty() ? "" : "x") + std::to_string(extent);
    return tensorType(text, element);
  }
  std::string type(const Extents &shape) const { return type(shape, element); }

  static int sizeOf(const Extents &shape) {
    int size = 1;
    for (int extent : shape)
      size *= extent;
    return size;
  }

  static std::string list(const std::vector<int> &numbers) {
    std::string text;
    for (int number : numbers)
      text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
  }

  void add(const std::string &text, const Extents &shape) {
    // Graphs that grow without end say nothing new.
    if (sizeOf(shape) <= 4000)
      values.push_back({function.value(text), shape});
  }

  void addOp() {
    using Adder = void (RandomFunction::*)();
    const Adder computing[] = {
        &RandomFunction::addUnary,  &RandomFunction::addUnary,
        &RandomFunction::addBinary, &RandomFunction::addBinary,
        &RandomFunction::addBinary, &RandomFunction::addReduce,
        &RandomFunction::addDot};
    const Adder moving[] = {
        &RandomFunction::addBroadcast, &RandomFunction::addTranspose,
        &RandomFunction::addSlice,     &RandomFunction::addSlice,
        &RandomFunction::addConcat,    &RandomFunction::addPad,
        &RandomFunction::addPad,       &RandomFunction::addReverse,
        &RandomFunction::addReverse,   &RandomFunction::addReverse,
        &RandomFunction::addReshape,   &RandomFunction::addReshape,
        &RandomFunction::addGather,    &RandomFunction::addWindow};
    Adder adder = choose(16) < moves ? moving[choose(std::size(moving))]
                                     : computing[choose(std::size(computing))];
    (this->*adder)();
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
    Value x = any(4);
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
    Value x = any(4);
    std::vector<int> starts, limits, strides;
    Extents shape;
    for (int extent : x.shape) {
      starts.push_back(choose(2) && extent > 1);
      limits.push_back(extent);
      strides.push_back(choose(2) ? 1 : 1 + choose(3));
      shape.push_back((limits.back() - starts.back() + strides.back() - 1) /
                      strides.back());
    }
    add("ens.slice " + x.name + " starts = " + list(starts) +
            " limits = " + list(limits) + " strides = " + list(strides) +
            " : (" + type(x.shape) + ") -> " + type(shape),
        shape);
  }

  void addConcat() {
    Value x = any(4);
    if (x.shape.empty())
      return;
    int dim = choose(x.shape.size());
    std::vector<Value> fitting;
    for (const Value &value : values) {
      Extents shape = value.shape;
      if (shape.size() == x.shape.size())
        shape[dim] = x.shape[dim];
      if (shape == x.shape)
        fitting.push_back(value);
    }
    Value y = fitting[choose(fitting.size())];
    Extents shape = x.shape;
    shape[dim] += y.shape[dim];
    add("ens.concat " + x.name + ", " + y.name +
            " dim = " + std::to_string(dim) + " : (" + type(x.shape) + ", " +
            type(y.shape) + ") -> " + type(shape),
        shape);
  }

  void addPad() {
    Value x = any(4);
    std::vector<int> low, high, interior;
    Extents shape;
    for (int extent : x.shape) {
      low.push_back(choose(2) ? 0 : choose(4) - (extent > 1));
      high.push_back(choose(2) ? 0 : choose(4) - (extent > 1));
      interior.push_back(std::max(choose(4) - 1, 0));
      int before = low.back() + extent + (extent - 1) * interior.back();
      high.back() = std::max(high.back(), 1 - before);
      shape.push_back(before + high.back());
    }
    std::vector<Value> scalars;
    for (const Value &value : values)
      if (value.shape.empty())
        scalars.push_back(value);
    Value z = scalars[choose(scalars.size())];
    add("ens.pad " + x.name + ", " + z.name + " low = " + list(low) +
            " high = " + list(high) + " interior = " + list(interior) + " : (" +
            type(x.shape) + ", " + type({}) + ") -> " + type(shape),
        shape);
  }

  void addReverse() {
    Value x = any(4);
    std::vector<int> dims;
    for (size_t dim = 0; dim < x.shape.size(); ++dim)
      if (choose(3))
        dims.push_back(dim);
    add("ens.reverse " + x.name + " dims = " + list(dims) + " : (" +
            type(x.shape) + ") -> " + type(x.shape),
        x.shape);
  }

  void addReshape() {
    Value x = any(4);
    Extents shape;
    int left = sizeOf(x.shape);
    for (int factor = 2; factor <= left && shape.size() < 2; ++factor)
      if (left % factor == 0 && choose(2)) {
        shape.push_back(factor);
        left /= factor;
      }
    shape.insert(shape.begin() + choose(shape.size() + 1), left);
    add("ens.reshape " + x.name + " : " + type(x.shape) + " to " + type(shape),
        shape);
  }

  void addGather() {
    Value x = any(4), which = indices[choose(indices.size())];
    if (x.shape.empty() || x.shape.size() + which.shape.size() > 4)
      return;
    int axis = choose(x.shape.size());
    Extents shape = x.shape;
    shape.erase(shape.begin() + axis);
    shape.insert(shape.begin() + axis, which.shape.begin(), which.shape.end());
    add(std::string("ens.gather ") + (choose(2) ? "clamp" : "fill") + ", " +
            x.name + ", " + which.name + " axis = " + std::to_string(axis) +
            " : (" + type(x.shape) + ", " + type(which.shape, "i32") + ") -> " +
            type(shape),
        shape);
  }

  /// What is somewhere in a tensor.
  void addWindow() {
    Value x = any(4);
    std::string starts, types;
    Extents shape;
    for (int extent : x.shape) {
      starts += (starts.empty() ? "" : ", ") + indices[0].name;
      types += ", " + type({}, "i32");
      shape.push_back(extent - choose((extent + 2) / 3));
    }
    add("ens.dynamic_slice " + x.name + " [" + starts +
            "] sizes = " + list(shape) + " : (" + type(x.shape) + types +
            ") -> " + type(shape),
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
  int moves;
  std::vector<Value> values, indices;
};

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, AgreeWithTheInterpreter) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    unsigned seed = 100 * GetParam() + i;
    text += RandomFunction("f" + std::to_string(seed), seed,
                           i % 2 ? "f64" : "f32", i < 2 ? 8 : 14)
                .build();
  }
  checkProgram(text);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, 4));

} // namespace
