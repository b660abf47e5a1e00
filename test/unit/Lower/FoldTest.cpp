//===- FoldTest.cpp - Compiled sums and extremes --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseCases.h"
#include "ensc/Reference/Elementwise.h"
#include "ensc/Reference/Reduction.h"

#include <gtest/gtest.h>

using namespace ensc;
using namespace ensc::test;

namespace {

constexpr int64_t numRows = 5;

std::string memref(std::initializer_list<int64_t> extents, DType type) {
  std::string text = "memref<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + "@x" + nameOf(type) + ">";
}

/// Folds the rows, or with `strided` the columns, of a matrix.
PhaseCase foldOf(const std::string &kind, DType type, int64_t count,
                 bool strided = false) {
  PhaseCase phases;
  bool isArgument = kind == "argmax" || kind == "argmin";
  DType resultType = isArgument ? DType::I32 : type;
  phases.name = kind + "_" + nameOf(type) + "_" + std::to_string(count) +
                (strided ? "_strided" : "");
  Shape shape = strided ? Shape{count, numRows} : Shape{numRows, count};
  phases.inputs = {Tensor::zeros(type, shape)};
  phases.outputs = {Tensor::zeros(resultType, {numRows})};
  phases.body =
      "  ens.map domain = [5@W] @lanes {\n  ^bb0(%i: index@L):\n    %s = "
      "ens.fold " +
      kind + " over = [" + std::to_string(count) + "] : " + nameOf(resultType) +
      " {\n    ^bb0(%j: index):\n" + "      %x = memref.load %in0[" +
      (strided ? "%j, %i" : "%i, %j") +
      "@l] : " + memref({shape[0], shape[1]}, type) +
      "\n      ens.yield %x : " + nameOf(type) +
      "\n    }\n    memref.store %s, %out0[%i@l] : " +
      memref({numRows}, resultType) + "\n  }\n";
  phases.expected = [=](const Tensors &in, Tensors &out) {
    int64_t dim = strided ? 0 : 1;
    if (isArgument)
      out[0] =
          reference::argReduce(kind == "argmax" ? reference::ArgReduceKind::Max
                                                : reference::ArgReduceKind::Min,
                               in[0], dim);
    else
      out[0] = reference::reduce(kind == "sum"   ? reference::ReduceKind::Sum
                                 : kind == "max" ? reference::ReduceKind::Max
                                                 : reference::ReduceKind::Min,
                                 in[0], {dim});
  };
  return phases;
}

/// A sum over two dimensions that are not neighbours in memory.
PhaseCase sumOverTwo() {
  PhaseCase phases;
  phases.name = "sum_over_two";
  phases.inputs = {Tensor::zeros(DType::F32, {3, 4, 7})};
  phases.outputs = {Tensor::zeros(DType::F32, {4})};
  phases.body = R"(
  ens.map domain = [4@W] @lanes {
  ^bb0(%j: index@L):
    %s = ens.fold sum over = [3, 7] : f32 {
    ^bb0(%i: index, %k: index):
      %x = memref.load %in0[%i, %j, %k@l] : memref<3x4x7x@xf32>
      ens.yield %x : f32
    }
    memref.store %s, %out0[%j@l] : memref<4x@xf32>
  }
)";
  phases.expected = [](const Tensors &in, Tensors &out) {
    out[0] = reference::reduce(reference::ReduceKind::Sum, in[0], {0, 2});
  };
  return phases;
}

/// A row normalized by its sum and maximum: folds beside elementwise work.
PhaseCase normalizedRows() {
  PhaseCase phases;
  phases.name = "normalized_rows";
  phases.inputs = {Tensor::zeros(DType::F32, {5, 10})};
  phases.outputs = {Tensor::zeros(DType::F32, {5, 10})};
  phases.body = R"(
  ens.map domain = [5, 10@W] @lanes {
  ^bb0(%i: index, %j: index@L):
    %m = ens.fold max over = [10] : f32 {
    ^bb0(%k: index):
      %x = memref.load %in0[%i, %k@l] : memref<5x10x@xf32>
      ens.yield %x : f32
    }
    %s = ens.fold sum over = [10] : f32 {
    ^bb0(%k: index):
      %x = memref.load %in0[%i, %k@l] : memref<5x10x@xf32>
      %d = ens.sub %x, %m : f32
      %q = ens.mul %d, %d : f32
      ens.yield %q : f32
    }
    %x = memref.load %in0[%i, %j@l] : memref<5x10x@xf32>
    %y = ens.div %x, %s : f32
    memref.store %y, %out0[%i, %j@l] : memref<5x10x@xf32>
  }
)";
  phases.expected = [](const Tensors &in, Tensors &out) {
    Tensor greatest = reference::reduce(reference::ReduceKind::Max, in[0], {1});
    Tensor squares = in[0].clone();
    for (int64_t i = 0; i < 50; ++i) {
      float d = in[0].data<float>()[i] - greatest.data<float>()[i / 10];
      squares.data<float>()[i] = d * d;
    }
    Tensor sums = reference::reduce(reference::ReduceKind::Sum, squares, {1});
    for (int64_t i = 0; i < 50; ++i)
      out[0].data<float>()[i] =
          in[0].data<float>()[i] / sums.data<float>()[i / 10];
  };
  return phases;
}

/// Elements that are too long to be emitted 16 times.
PhaseCase sumOfLongElements(int64_t count) {
  PhaseCase phases;
  std::string number = std::to_string(count);
  phases.name = "sum_of_long_elements_" + number;
  phases.inputs = {Tensor::zeros(DType::F32, {count, 3})};
  phases.outputs = {Tensor::zeros(DType::F32, {3})};
  phases.body = R"(
  ens.map domain = [3@W] @lanes {
  ^bb0(%i: index@L):
    %s = ens.fold sum over = [COUNT] : f32 {
    ^bb0(%j: index):
      %x = memref.load %in0[%j, %i@l] : memref<COUNTx3x@xf32>
      %a = ens.tanh %x : f32
      %b = ens.exp %a : f32
      ens.yield %b : f32
    }
    memref.store %s, %out0[%i@l] : memref<3x@xf32>
  }
)";
  for (size_t at; (at = phases.body.find("COUNT")) != std::string::npos;)
    phases.body.replace(at, 5, number);
  phases.expected = [](const Tensors &in, Tensors &out) {
    Tensor elements =
        reference::unary(reference::UnaryKind::Exp,
                         reference::unary(reference::UnaryKind::Tanh, in[0]));
    out[0] = reference::reduce(reference::ReduceKind::Sum, elements, {0});
  };
  return phases;
}

PhaseCase special(PhaseCase phases) {
  phases.fill = fillSpecial;
  return phases;
}

} // namespace

TEST(Fold, HasTheBitsOfTheReference) {
  std::vector<PhaseCase> cases;
  for (int64_t count : {0, 1, 15, 16, 17, 33})
    cases.push_back(foldOf("sum", DType::F32, count));
  cases.push_back(foldOf("sum", DType::F32, 33, true));
  cases.push_back(foldOf("sum", DType::F32, 7, true));
  cases.push_back(special(foldOf("sum", DType::F64, 40)));
  cases.push_back(foldOf("sum", DType::I32, 21));
  cases.push_back(special(foldOf("max", DType::F32, 19)));
  cases.push_back(foldOf("max", DType::F64, 0));
  cases.push_back(special(foldOf("min", DType::F32, 10, true)));
  cases.push_back(special(foldOf("min", DType::UI32, 18)));
  cases.push_back(special(foldOf("argmax", DType::F32, 10)));
  cases.push_back(special(foldOf("argmin", DType::I64, 6, true)));
  cases.push_back(sumOverTwo());
  cases.push_back(normalizedRows());
  for (int64_t count : {13, 16, 53})
    cases.push_back(sumOfLongElements(count));
  checkCases(cases, "native");
}
