//===- IndexingCases.cpp - Gather and scatter -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

/// @fN looks up N padding rows, then row 3 twice; the padding row is a
/// constant.
static std::string embedding(int padding) {
  std::string n = std::to_string(padding), all = std::to_string(padding + 2);
  return "func.func @f" + n + R"((%table: tensor<10x2xf64>) -> !f {
  %n = ens.iota dim = 0 : tensor<)" +
         all + R"(xi32>
  %zero = ens.constant dense<0> : tensor<)" +
         all + R"(xi32>
  %three = ens.constant dense<3> : tensor<)" +
         all + R"(xi32>
  %end = ens.constant dense<)" +
         n + R"(> : tensor<)" + all + R"(xi32>
  %pads = ens.compare lt, %n, %end : tensor<)" +
         all + R"(xi32>
  %i = ens.select %pads, %zero, %three : tensor<)" +
         all + R"(xi32>
  %rows = ens.gather clamp, %table, %i axis = 0 : (tensor<10x2xf64>, tensor<)" +
         all + R"(xi32>) -> tensor<)" + all + R"(x2xf64>
  %is = ens.broadcast %pads dims = [0] : tensor<)" +
         all + R"(xi1> to tensor<)" + all + R"(x2xi1>
  %fixed = ens.stop_gradient %rows : tensor<)" +
         all + R"(x2xf64>
  %r = ens.select %is, %fixed, %rows : tensor<)" +
         all + R"(x2xf64>
  %y = ens.reduce sum, %r dims = [0, 1] : (tensor<)" +
         all +
         R"(x2xf64>) -> !f
  return %y : !f
}
)";
}

static Call paddedEmbedding(int padding) {
  Tensor table = Tensor::zeros(DType::F64, {10, 2});
  Tensor expected = Tensor::zeros(DType::F64, {10, 2});
  for (int column = 0; column < 2; ++column) {
    table.data<double>()[6 + column] = 1;
    expected.data<double>()[6 + column] = 2;
  }
  return gradient("f" + std::to_string(padding), {table}, d(4), {0},
                  {expected});
}

Cases ensc::test::indexingCases() {
  return {

      {"GS-A02",
       R"(
func.func @segments(%data: !f3, %ids: tensor<3xi32>) -> !f2 {
  %zero = ens.constant dense<0.0> : !f2
  %s = ens.scatter add, drop, %zero, %ids, %data axis = 0 : (!f2, tensor<3xi32>, !f3) -> !f2
  return %s : !f2
}
func.func @f(%data: !f3, %ids: tensor<3xi32>) -> !f {
  %s = func.call @segments(%data, %ids) : (!f3, tensor<3xi32>) -> !f2
  %y = ens.reduce sum, %s dims = [0] : (!f2) -> !f
  return %y : !f
})",
       {value("segments", {v({1, 2, 4}), i32({3}, {0, 2, 1})}, {v({1, 4})}),
        gradient("f", {v({1, 2, 4}), i32({3}, {0, 2, 1})}, d(5), {0},
                 {v({1, 0, 1})}),
        gradient("f", {v({1, 2, 4}), i32({3}, {-1, 2, 7})}, d(0), {0},
                 {v({0, 0, 0})})}},

      {"GS-A03",
       R"(
func.func @one(%x: !f1, %i: tensor<1xi32>) -> !f {
  %r = ens.gather clamp, %x, %i axis = 0 : (!f1, tensor<1xi32>) -> !f1
  %y = ens.reduce sum, %r dims = [0] : (!f1) -> !f
  return %y : !f
}
func.func @rows(%x: !f1, %i: tensor<3xi32>) -> !f3 {
  %r = ens.gather clamp, %x, %i axis = 0 : (!f1, tensor<3xi32>) -> !f3
  return %r : !f3
}
func.func @three(%x: !f1, %i: tensor<3xi32>) -> !f {
  %r = func.call @rows(%x, %i) : (!f1, tensor<3xi32>) -> !f3
  %y = ens.reduce sum, %r dims = [0] : (!f3) -> !f
  return %y : !f
}
func.func @jacobian(%x: !f1, %i: tensor<3xi32>) -> !f3 {
  %t = ens.constant dense<1.0> : !f1
  %y, %dy = ens.jvp @rows(%x, %i, %t) wrt = [0] : (!f1, tensor<3xi32>, !f1) -> (!f3, !f3)
  return %dy : !f3
})",
       {gradient("one", {v({1}), i32({1}, {1})}, d(1), {0}, {v({1})}),
        value("rows", {v({1}), i32({3}, {0, 1, 7})}, {v({1, 1, 1})}),
        value("jacobian", {v({1}), i32({3}, {0, 1, 7})}, {v({1, 1, 1})}),
        gradient("three", {v({1}), i32({3}, {0, 1, 7})}, d(3), {0}, {v({3})})}},

      // A negative index is out of range as any other is, and reads the fill.
      {"GS-A04",
       R"(
func.func @rows(%x: !f4, %i: tensor<6xi32>) -> !f6 {
  %zero = ens.constant dense<0> : tensor<6xi32>
  %n = ens.constant dense<4> : tensor<6xi32>
  %other = ens.constant dense<-10.0> : !f6
  %a = ens.compare ge, %i, %zero : tensor<6xi32>
  %b = ens.compare lt, %i, %n : tensor<6xi32>
  %inside = ens.and %a, %b : tensor<6xi1>
  %r = ens.gather fill, %x, %i axis = 0 : (!f4, tensor<6xi32>) -> !f6
  %y = ens.select %inside, %r, %other : !f6
  return %y : !f6
}
func.func @f(%x: !f4, %i: tensor<6xi32>) -> !f {
  %r = func.call @rows(%x, %i) : (!f4, tensor<6xi32>) -> !f6
  %y = ens.reduce sum, %r dims = [0] : (!f6) -> !f
  return %y : !f
})",
       {value("rows", {v({1, 2, 3, 4}), i32({6}, {-5, -4, -1, 0, 3, 4})},
              {v({-10, -10, -10, 1, 4, -10})}),
        gradient("f", {v({1, 2, 3, 4}), i32({6}, {-5, -4, -1, 0, 3, 4})},
                 d(-35), {0}, {v({1, 0, 0, 1})})}},

      {"GS-A05",
       R"(
func.func @out(%x: !f4, %v: !f2, %i: tensor<2xi32>) -> !f4 {
  %y = ens.scatter add, drop, %x, %i, %v axis = 0 : (!f4, tensor<2xi32>, !f2) -> !f4
  return %y : !f4
}
func.func @f(%x: !f4, %v: !f2, %i: tensor<2xi32>) -> !f {
  %w = ens.constant dense<[1.0, 2.0, 3.0, 4.0]> : !f4
  %o = func.call @out(%x, %v, %i) : (!f4, !f2, tensor<2xi32>) -> !f4
  %y = ens.dot %o, %w lhs_contract = [0] rhs_contract = [0] : (!f4, !f4) -> !f
  return %y : !f
})",
       {value("out", {v({0, 0, 0, 0}), v({5, 7}), i32({2}, {2, 0})},
              {v({7, 0, 5, 0})}),
        gradient("f", {v({0, 0, 0, 0}), v({5, 7}), i32({2}, {2, 0})}, d(22),
                 {0, 1}, {v({1, 2, 3, 4}), v({3, 1})})}},

      {"GS-A06",
       embedding(768) + embedding(769) + embedding(1025),
       {paddedEmbedding(768), paddedEmbedding(769), paddedEmbedding(1025)}},

      {"GS-A08",
       R"(
func.func @f(%x: !f4) -> tensor<10xf64> {
  %i = ens.iota dim = 0 : tensor<10xi32>
  %y = ens.gather clamp, %x, %i axis = 0 : (!f4, tensor<10xi32>) -> tensor<10xf64>
  return %y : tensor<10xf64>
})",
       {value("f", {v({0, 0, 0, 0})}, {v(std::vector<double>(10, 0))}),
        value("f", {v({2, 2, 2, 2})}, {v(std::vector<double>(10, 2))})}},
  };
}
