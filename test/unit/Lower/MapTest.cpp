//===- MapTest.cpp - Compiled maps ----------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseCases.h"
#include "ensc/Reference/Elementwise.h"
#include "ensc/Reference/Philox.h"
#include "ensc/Reference/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace ensc;
using namespace ensc::test;
using reference::BinaryKind;
using reference::ComparePredicate;
using reference::UnaryKind;

namespace {

using Evaluate = std::function<Tensor(const Tensors &)>;

/// An elementwise op as text, on %x, %y and %z, and as the reference has it.
struct Elementwise {
  std::string text;
  DType result;
  Evaluate evaluate;
};

Elementwise unary(const std::string &op, DType type, UnaryKind kind) {
  return {"ens." + op + " %x : " + nameOf(type), type,
          [=](const Tensors &in) { return reference::unary(kind, in[0]); }};
}

Elementwise binary(const std::string &op, DType type, BinaryKind kind) {
  return {
      "ens." + op + " %x, %y : " + nameOf(type), type,
      [=](const Tensors &in) { return reference::binary(kind, in[0], in[1]); }};
}

Elementwise compare(const std::string &op, DType type,
                    ComparePredicate predicate) {
  return {"ens.compare " + op + ", %x, %y : " + nameOf(type), DType::I1,
          [=](const Tensors &in) {
            return reference::compare(predicate, in[0], in[1]);
          }};
}

Elementwise convert(DType from, DType to) {
  return {std::string("ens.convert %x : ") + nameOf(from) + " to " + nameOf(to),
          to, [=](const Tensors &in) {
            return from == to ? in[0] : reference::convert(in[0], to);
          }};
}

void addComparisons(DType type, std::vector<Elementwise> &ops) {
  ops.push_back(compare("eq", type, ComparePredicate::Eq));
  ops.push_back(compare("ne", type, ComparePredicate::Ne));
  if (type == DType::I1)
    return;
  ops.push_back(compare("lt", type, ComparePredicate::Lt));
  ops.push_back(compare("le", type, ComparePredicate::Le));
  ops.push_back(compare("gt", type, ComparePredicate::Gt));
  ops.push_back(compare("ge", type, ComparePredicate::Ge));
  ops.push_back({std::string("ens.clamp %y, %x, %z : ") + nameOf(type), type,
                 [](const Tensors &in) {
                   return reference::clamp(in[1], in[0], in[2]);
                 }});
}

void addBitwise(DType type, std::vector<Elementwise> &ops) {
  ops.push_back(unary("not", type, UnaryKind::Not));
  ops.push_back(binary("and", type, BinaryKind::And));
  ops.push_back(binary("or", type, BinaryKind::Or));
  ops.push_back(binary("xor", type, BinaryKind::Xor));
  if (type == DType::I1)
    return;
  ops.push_back(binary("shift_left", type, BinaryKind::ShiftLeft));
  ops.push_back(
      binary("shift_right_logical", type, BinaryKind::ShiftRightLogical));
  ops.push_back(
      binary("shift_right_arithmetic", type, BinaryKind::ShiftRightArithmetic));
  if (type != DType::I64)
    ops.push_back(binary("mul_high", type, BinaryKind::MulHigh));
}

void addArithmetic(DType type, std::vector<Elementwise> &ops) {
  ops.push_back(unary("neg", type, UnaryKind::Neg));
  ops.push_back(unary("abs", type, UnaryKind::Abs));
  ops.push_back(unary("sign", type, UnaryKind::Sign));
  ops.push_back(binary("add", type, BinaryKind::Add));
  ops.push_back(binary("sub", type, BinaryKind::Sub));
  ops.push_back(binary("mul", type, BinaryKind::Mul));
  ops.push_back(binary("div", type, BinaryKind::Div));
  ops.push_back(binary("max", type, BinaryKind::Max));
  ops.push_back(binary("min", type, BinaryKind::Min));
}

std::vector<Elementwise> opsOf(DType type) {
  constexpr DType all[] = {DType::F32, DType::F64, DType::I1,
                           DType::I32, DType::I64, DType::UI32};
  std::vector<Elementwise> ops;
  addComparisons(type, ops);
  for (DType to : all)
    ops.push_back(convert(type, to));
  if (type != DType::I1)
    addArithmetic(type, ops);
  bool isFloat = type == DType::F32 || type == DType::F64;
  if (!isFloat)
    addBitwise(type, ops);
  if (isFloat) {
    ops.push_back(unary("sqrt", type, UnaryKind::Sqrt));
    ops.push_back(unary("exp", type, UnaryKind::Exp));
    ops.push_back(binary("pow", type, BinaryKind::Pow));
  }
  DType cast = type == DType::F32   ? DType::I32
               : type == DType::F64 ? DType::I64
               : type == DType::I64 ? DType::F64
                                    : DType::F32;
  if (type != DType::I1)
    ops.push_back({std::string("ens.bitcast %x : ") + nameOf(type) + " to " +
                       nameOf(cast),
                   cast, [=](const Tensors &in) {
                     return reference::bitcast(in[0], cast);
                   }});
  ops.push_back({std::string("ens.select %p, %x, %y : ") + nameOf(type), type,
                 [](const Tensors &in) {
                   return reference::select(in[3], in[0], in[1]);
                 }});
  return ops;
}

/// One map that applies every elementwise op to one type.
PhaseCase everyElementwiseOp(DType type) {
  PhaseCase phases;
  std::vector<Elementwise> ops = opsOf(type);
  std::string name = nameOf(type);
  phases.name = "elementwise_" + name;
  constexpr int64_t rows = 3, columns = 7;
  Tensor operand = Tensor::zeros(type, {rows, columns});
  Tensor predicate = Tensor::zeros(DType::I1, {rows, columns});
  phases.inputs = {operand, operand, operand, predicate};
  phases.body = "  ens.map domain = [3, 7@W] @lanes {\n"
                "  ^bb0(%i: index, %j: index@L):\n";
  const char *names[] = {"x", "y", "z", "p"};
  for (int i = 0; i < 4; ++i)
    phases.body += std::string("    %") + names[i] + " = memref.load %in" +
                   std::to_string(i) + "[%i, %j@l] : memref<3x7x@x" +
                   (i < 3 ? name : "i1") + ">\n";
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string number = std::to_string(i);
    phases.body += "    %r" + number + " = " + ops[i].text +
                   "\n    memref.store %r" + number + ", %out" + number +
                   "[%i, %j@l] : memref<3x7x@x" + nameOf(ops[i].result) + ">\n";
    phases.outputs.push_back(Tensor::zeros(ops[i].result, {rows, columns}));
  }
  phases.body += "  }\n";
  phases.expected = [ops](const Tensors &in, Tensors &out) {
    for (size_t i = 0; i < ops.size(); ++i)
      out[i] = ops[i].evaluate(in);
  };
  phases.fill = fillSpecial;
  return phases;
}

/// A transposed read, a slice with a stride, a flattened index taken apart, a
/// padded border, all through index arithmetic.
PhaseCase indexArithmetic() {
  PhaseCase phases;
  phases.name = "index_arithmetic";
  phases.inputs = {Tensor::zeros(DType::F32, {6, 20})};
  phases.outputs = {
      Tensor::zeros(DType::F32, {20, 6}), Tensor::zeros(DType::F32, {3, 7}),
      Tensor::zeros(DType::F32, {120}), Tensor::zeros(DType::F32, {23})};
  phases.body = R"(
  ens.map domain = [20, 6@W] @lanes {
  ^bb0(%i: index, %j: index@L):
    %x = memref.load %in0[%j, %i@l] : memref<6x20x@xf32>
    memref.store %x, %out0[%i, %j@l] : memref<20x6x@xf32>
  }
  ens.map domain = [3, 7@W] @lanes {
  ^bb0(%i: index, %j: index@L):
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    %a = arith.muli %i, %two : index
    %b = arith.muli %two, %j : index
    %c = arith.addi %b, %one : index
    %x = memref.load %in0[%a, %c@l] : memref<6x20x@xf32>
    memref.store %x, %out1[%i, %j@l] : memref<3x7x@xf32>
  }
  ens.map domain = [120@W] @lanes {
  ^bb0(%i: index@L):
    %width = arith.constant 20 : index
    %a = arith.divui %i, %width : index
    %b = arith.remui %i, %width : index
    %x = memref.load %in0[%a, %b@l] : memref<6x20x@xf32>
    memref.store %x, %out2[%i@l] : memref<120x@xf32>
  }
  ens.map domain = [23@W] @lanes {
  ^bb0(%i: index@L):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %last = arith.constant 19 : index
    %fill = arith.constant -1.5 : f32
    %shifted = arith.subi %i, %two : index
    %low = arith.maxsi %shifted, %zero : index
    %inside = arith.minsi %low, %last : index
    %ge = arith.cmpi sge, %shifted, %zero : index
    %le = arith.cmpi sle, %shifted, %last : index
    %p = arith.andi %ge, %le : i1
    %x = memref.load %in0[%one, %inside@l] : memref<6x20x@xf32>
    %y = ens.select %p, %x, %fill : f32
    memref.store %y, %out3[%i@l] : memref<23x@xf32>
  }
)";
  phases.expected = [](const Tensors &in, Tensors &out) {
    const float *x = in[0].data<float>();
    for (int64_t i = 0; i < 20; ++i)
      for (int64_t j = 0; j < 6; ++j)
        out[0].data<float>()[i * 6 + j] = x[j * 20 + i];
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 7; ++j)
        out[1].data<float>()[i * 7 + j] = x[2 * i * 20 + 2 * j + 1];
    std::copy(x, x + 120, out[2].data<float>());
    for (int64_t i = 0; i < 23; ++i)
      out[3].data<float>()[i] = i < 2 || i > 21 ? -1.5f : x[20 + i - 2];
  };
  return phases;
}

/// Rows picked by an index that is loaded, updates scattered in order, and a
/// buffer updated in place.
PhaseCase gatherAndScatter() {
  PhaseCase phases;
  phases.name = "gather_and_scatter";
  phases.inputs = {Tensor::zeros(DType::F32, {9, 18}),
                   Tensor::zeros(DType::I32, {25})};
  phases.outputs = {Tensor::zeros(DType::F32, {25, 18}),
                    Tensor::zeros(DType::F32, {9}),
                    Tensor::zeros(DType::I64, {9})};
  phases.body = R"(
  ens.map domain = [25, 18@W] @lanes {
  ^bb0(%i: index, %j: index@L):
    %n = memref.load %in1[%i@l] : memref<25x@xi32>
    %row = arith.index_cast %n : i32 to index
    %x = memref.load %in0[%row, %j@l] : memref<9x18x@xf32>
    %y = ens.add %x, %x : f32
    memref.store %y, %out0[%i, %j@l] : memref<25x18x@xf32>
  }
  ens.map domain = [25, 18@W] @lanes {
  ^bb0(%i: index, %j: index@L):
    %x = memref.load %out0[%i, %j@l] : memref<25x18x@xf32>
    %y = ens.mul %x, %x : f32
    memref.store %y, %out0[%i, %j@l] : memref<25x18x@xf32>
  }
  ens.map domain = [9@W] @lanes {
  ^bb0(%i: index@L):
    %zero = arith.constant 0.0 : f32
    %none = arith.constant -1 : i64
    memref.store %zero, %out1[%i@l] : memref<9x@xf32>
    memref.store %none, %out2[%i@l] : memref<9x@xi64>
  }
  ens.map domain = [25@W] @lanes sequential {
  ^bb0(%i: index@L):
    %n = memref.load %in1[%i@l] : memref<25x@xi32>
    %row = arith.index_cast %n : i32 to index
    %column = arith.constant 3 : index
    %x = memref.load %out0[%i, %column@l] : memref<25x18x@xf32>
    %old = memref.load %out1[%row@l] : memref<9x@xf32>
    %new = ens.add %old, %x : f32
    memref.store %new, %out1[%row@l] : memref<9x@xf32>
    %number = arith.index_cast %i : index to i64
    memref.store %number, %out2[%row@l] : memref<9x@xi64>
  }
)";
  phases.fill = [](Tensors &in, std::mt19937 &random) {
    fillOrdinary(in, random);
    for (int64_t i = 0; i < 25; ++i)
      in[1].data<int32_t>()[i] = random() % 9;
  };
  phases.expected = [](const Tensors &in, Tensors &out) {
    float *sums = out[1].data<float>();
    int64_t *last = out[2].data<int64_t>();
    std::fill(last, last + 9, -1);
    for (int64_t i = 0; i < 25; ++i) {
      int32_t row = in[1].data<int32_t>()[i];
      for (int64_t j = 0; j < 18; ++j) {
        float x = in[0].data<float>()[row * 18 + j];
        out[0].data<float>()[i * 18 + j] = (x + x) * (x + x);
      }
      sums[row] += out[0].data<float>()[i * 18 + 3];
      last[row] = i;
    }
  };
  return phases;
}

/// Rows of shared data, other ones in each run.
PhaseCase sharedRows() {
  PhaseCase phases;
  phases.name = "shared_rows";
  phases.inputs = {Tensor::zeros(DType::F32, {11, 37}),
                   Tensor::zeros(DType::I32, {5})};
  phases.numShared = 1;
  phases.outputs = {Tensor::zeros(DType::F32, {5, 37})};
  phases.body = R"(
  ens.map domain = [5, 37@W] @lanes {
  ^bb0(%i: index, %j: index@L):
    %n = memref.load %in1[%i@l] : memref<5x@xi32>
    %row = arith.index_cast %n : i32 to index
    %x = memref.load %in0[%row, %j] : memref<11x37xf32>
    memref.store %x, %out0[%i, %j@l] : memref<5x37x@xf32>
  }
)";
  phases.fill = [](Tensors &in, std::mt19937 &random) {
    fillOrdinary(in, random);
    for (int64_t i = 0; i < 5; ++i)
      in[1].data<int32_t>()[i] = random() % 11;
  };
  phases.expected = [](const Tensors &in, Tensors &out) {
    for (int64_t i = 0; i < 5; ++i)
      std::copy_n(in[0].data<float>() + in[1].data<int32_t>()[i] * 37, 37,
                  out[0].data<float>() + i * 37);
  };
  return phases;
}

/// A permutation as Schedule writes it: swaps in descending order.
PhaseCase permutation() {
  PhaseCase phases;
  phases.name = "permutation";
  phases.inputs = {Tensor::zeros(DType::I64, {}),
                   Tensor::zeros(DType::I64, {})};
  phases.outputs = {Tensor::zeros(DType::I32, {37})};
  phases.body = R"(
  ens.map domain = [37@W] @lanes {
  ^bb0(%i: index@L):
    %n = arith.index_cast %i : index to i32
    memref.store %n, %out0[%i@l] : memref<37x@xi32>
  }
  ens.map domain = [36@W] @lanes sequential {
  ^bb0(%i: index@L):
    %last = arith.constant 36 : index
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %at = arith.subi %last, %i : index
    %block = arith.divui %at, %four : index
    %rest = arith.remui %at, %four : index
    %blockNumber = arith.index_cast %block : index to i32
    %c0 = ens.convert %blockNumber : i32 to ui32
    %siteNumber = arith.constant -1 : i32
    %site = ens.convert %siteNumber : i32 to ui32
    %bits = arith.constant 32 : i64
    %seed = memref.load %in0[@first] : memref<@xi64>
    %epoch = memref.load %in1[@first] : memref<@xi64>
    %seedLow = ens.convert %seed : i64 to ui32
    %seedUp = ens.shift_right_logical %seed, %bits : i64
    %seedHigh = ens.convert %seedUp : i64 to ui32
    %epochLow = ens.convert %epoch : i64 to ui32
    %epochUp = ens.shift_right_logical %epoch, %bits : i64
    %epochHigh = ens.convert %epochUp : i64 to ui32
    %w:4 = ens.philox %c0, %site, %epochLow, %epochHigh key %seedLow, %seedHigh
    %two = arith.constant 2 : index
    %is0 = arith.cmpi eq, %rest, %zero : index
    %is1 = arith.cmpi eq, %rest, %one : index
    %is2 = arith.cmpi eq, %rest, %two : index
    %w23 = ens.select %is2, %w#2, %w#3 : ui32
    %w123 = ens.select %is1, %w#1, %w23 : ui32
    %word = ens.select %is0, %w#0, %w123 : ui32
    %above = arith.addi %at, %one : index
    %aboveNumber = arith.index_cast %above : index to i32
    %bound = ens.convert %aboveNumber : i32 to ui32
    %high = ens.mul_high %word, %bound : ui32
    %wide = ens.convert %high : ui32 to i64
    %other = arith.index_cast %wide : i64 to index
    %a = memref.load %out0[%at@l] : memref<37x@xi32>
    %b = memref.load %out0[%other@l] : memref<37x@xi32>
    memref.store %b, %out0[%at@l] : memref<37x@xi32>
    memref.store %a, %out0[%other@l] : memref<37x@xi32>
  }
)";
  phases.expected = [](const Tensors &in, Tensors &out) {
    out[0] = reference::permutation(in[0], in[1], 37);
  };
  phases.fill = [](Tensors &in, std::mt19937 &random) {
    in[0].data<int64_t>()[0] = (int64_t(random()) << 32) | random();
    in[1].data<int64_t>()[0] = random() % 100;
  };
  return phases;
}

} // namespace

TEST(Map, HasEveryElementwiseOp) {
  std::vector<PhaseCase> cases;
  for (DType type :
       {DType::F32, DType::F64, DType::I1, DType::I32, DType::I64, DType::UI32})
    cases.push_back(everyElementwiseOp(type));
  checkCases(cases, "native");
}

TEST(Map, FollowsIndices) {
  checkCases(
      {indexArithmetic(), gatherAndScatter(), sharedRows(), permutation()},
      "native");
}
