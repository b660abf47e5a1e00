//===- ControlFlowCases.cpp - Loops ---------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace ensc;
using namespace ensc::test;

Cases ensc::test::controlFlowCases() {
  return {

      // The derivative of a branch is a branch: the square root of a negative
      // number is never computed.
      {"CF-A04", R"(
func.func @f(%x: !f) -> !f {
  %zero = ens.constant dense<0.0> : !f
  %is = ens.compare gt, %x, %zero : !f
  %p = tensor.extract %is[] : tensor<i1>
  %y = scf.if %p -> (!f) {
    %r = ens.sqrt %x : !f
    scf.yield %r : !f
  } else {
    %n = ens.neg %x : !f
    scf.yield %n : !f
  }
  return %y : !f
})",
       {gradient("f", {d(-4)}, d(4), {0}, {d(-1)}),
        gradient("f", {d(9)}, d(3), {0}, {d(1.0 / 6)}),
        gradient("f", {d(0)}, d(0), {0}, {d(-1)})}},

      {"CF-A05",
       R"(
func.func @outputs(%x0: !f, %a: !f, %n: !f5) -> !f5 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zeros = ens.constant dense<0.0> : !f5
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%x = %x0, %ys = %zeros) -> (!f, !f5) {
    %i = ens.from_index %t : tensor<i64>
    %ns = ens.dynamic_slice %n [%i] sizes = [1] : (!f5, tensor<i64>) -> !f1
    %nt = ens.reshape %ns : !f1 to !f
    %an = ens.mul %a, %nt : !f
    %next = ens.add %x, %an : !f
    %y = ens.reshape %next : !f to !f1
    %all = ens.dynamic_update_slice %ys, %y [%i] : (!f5, !f1, tensor<i64>) -> !f5
    scf.yield %next, %all : !f, !f5
  }
  return %r#1 : !f5
}
func.func @f(%x0: !f, %a: !f, %n: !f5) -> !f {
  %ys = func.call @outputs(%x0, %a, %n) : (!f, !f, !f5) -> !f5
  %y = ens.reduce sum, %ys dims = [0] : (!f5) -> !f
  return %y : !f
})",
       {value("outputs", {d(0), d(2), v({0, 1, 2, 3, 4})},
              {v({0, 2, 6, 12, 20})}),
        gradient("f", {d(0), d(2), v({0, 1, 2, 3, 4})}, d(40), {0, 1, 2},
                 {d(5), d(20), v({10, 8, 6, 4, 2})})}},

      {"CF-A07",
       R"(
func.func @both(%a: !f) -> (!f, !f1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = ens.constant dense<0.0> : !f
  %seven = ens.constant dense<7.0> : !f1
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero, %k = %seven) -> (!f, !f1) {
    %n = ens.from_index %i : tensor<i64>
    %x = ens.convert %n : tensor<i64> to !f
    %ax = ens.mul %a, %x : !f
    %t = ens.add %s, %ax : !f
    scf.yield %t, %k : !f, !f1
  }
  return %r#0, %r#1 : !f, !f1
}
func.func @f(%a: !f) -> !f {
  %s, %k = func.call @both(%a) : (!f) -> (!f, !f1)
  return %s : !f
})",
       {value("both", {d(1)}, {d(3), v({7})}),
        value("both", {d(-2)}, {d(-6), v({7})}),
        gradient("f", {d(-2)}, d(-6), {0}, {d(3)})}},
  };
}
