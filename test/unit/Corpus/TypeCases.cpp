//===- TypeCases.cpp - Element types and empty tensors --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

Cases ensc::test::typeCases() {
  return {

      {"DT-A01",
       R"(
func.func @f(%x: tensor<2xi32>) -> tensor<2xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = ens.constant dense<false> : tensor<i1>
  %out = ens.constant dense<false> : tensor<2xi1>
  %r:2 = scf.for %t = %c0 to %c2 step %c1 iter_args(%any = %none, %ys = %out) -> (tensor<i1>, tensor<2xi1>) {
    %i = ens.from_index %t : tensor<i64>
    %e = ens.gather clamp, %x, %i axis = 0 : (tensor<2xi32>, tensor<i64>) -> tensor<i32>
    %b = ens.convert %e : tensor<i32> to tensor<i1>
    %next = ens.or %any, %b : tensor<i1>
    %s = ens.reshape %next : tensor<i1> to tensor<1xi1>
    %all = ens.dynamic_update_slice %ys, %s [%i] : (tensor<2xi1>, tensor<1xi1>, tensor<i64>) -> tensor<2xi1>
    scf.yield %next, %all : tensor<i1>, tensor<2xi1>
  }
  return %r#1 : tensor<2xi1>
})",
       {value("f", {i32({2}, {-1, 1})}, {i1({2}, {true, true})})}},

      {"DT-A03",
       R"(
func.func @f(%x: !f2, %n: !f2) -> !f2 {
  %y = ens.pow %x, %n : !f2
  return %y : !f2
})",
       {value("f", {v({10, 10}), v({-1, 0})}, {v({0.1, 1})}),
        value("f", {v({2, 2}), v({-1, 0})}, {v({0.5, 1})})},
       {{R"(
func.func @f(%x: tensor<2xi64>) -> tensor<2xi64> {
  %y = ens.pow %x, %x : tensor<2xi64>
  return %y : tensor<2xi64>
})",
         "f32 or f64"}}},

      {"DT-A04",
       R"(
func.func @f(%n: tensor<i32>, %x: !f) -> !f {
  %m = ens.convert %n : tensor<i32> to !f
  %y = ens.mul %m, %x : !f
  return %y : !f
})",
       {gradient("f", {Tensor::scalar(int32_t(3)), d(2.5)}, d(7.5), {1},
                 {d(3)})},
       {{R"(
func.func @f(%n: tensor<i32>, %x: !f) -> !f {
  %m = ens.convert %n : tensor<i32> to !f
  %y = ens.mul %m, %x : !f
  return %y : !f
}
func.func @g(%n: tensor<i32>, %x: !f) -> (tensor<i32>, !f) {
  %a, %b = ens.grad @f(%n, %x) wrt = [0, 1] : (tensor<i32>, !f) -> (tensor<i32>, !f)
  return %a, %b : tensor<i32>, !f
})",
         "cannot differentiate with respect to argument 0 of @f"}}},

      // Without the product, which is no reduction of the language.
      {"DT-A05",
       R"(
func.func @sum(%x: !f) -> !f {
  %y = ens.reduce sum, %x dims = [] : (!f) -> !f
  return %y : !f
}
func.func @max(%x: !f) -> !f {
  %y = ens.reduce max, %x dims = [] : (!f) -> !f
  return %y : !f
}
func.func @mean(%x: !f) -> !f {
  %y = ens.mean %x dims = [] : (!f) -> !f
  return %y : !f
})",
       {gradient("sum", {d(1)}, d(1), {0}, {d(1)}),
        gradient("max", {d(1)}, d(1), {0}, {d(1)}),
        gradient("mean", {d(1)}, d(1), {0}, {d(1)})}},

      {"DT-A06",
       R"(
func.func @f(%x: tensor<0x10xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
  %a = ens.reduce max, %x dims = [0] : (tensor<0x10xf32>) -> tensor<10xf32>
  %b = ens.reduce min, %x dims = [0] : (tensor<0x10xf32>) -> tensor<10xf32>
  return %a, %b : tensor<10xf32>, tensor<10xf32>
})",
       {value("f", {f32({0, 10}, {})},
              {s(std::vector<float>(10, -infinityF32)),
               s(std::vector<float>(10, infinityF32))})}},

      {"DT-A07",
       R"(
func.func @f(%a: tensor<3x2xf64>, %i: tensor<0x2xi32>) -> !f {
  %r = ens.gather clamp, %a, %i axis = 0 : (tensor<3x2xf64>, tensor<0x2xi32>) -> tensor<0x2x2xf64>
  %y = ens.reduce sum, %r dims = [0, 1, 2] : (tensor<0x2x2xf64>) -> !f
  return %y : !f
})",
       {gradient("f", {Tensor::zeros(DType::F64, {3, 2}), i32({0, 2}, {})},
                 d(0), {0}, {Tensor::zeros(DType::F64, {3, 2})})}},

      {"DT-A10",
       R"(
func.func @f(%x: tensor<2xi32>) -> !f {
  %n = ens.convert %x : tensor<2xi32> to !f2
  %y = ens.logsumexp %n : (!f2) -> !f
  return %y : !f
})",
       {value("f", {i32({2}, {-1, 1})}, {d(1.1269280110429725)})},
       {{R"(
func.func @f(%x: tensor<2xi32>) -> tensor<i32> {
  %y = ens.logsumexp %x : (tensor<2xi32>) -> tensor<i32>
  return %y : tensor<i32>
})",
         "f32 or f64"}}},
  };
}
