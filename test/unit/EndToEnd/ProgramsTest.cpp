//===- ProgramsTest.cpp - Randomness, loops, gradients and learners -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"

#include <gtest/gtest.h>

using namespace ensc;
using namespace ensc::test;

namespace {

TEST(Programs, Randomness) {
  checkProgram(R"mlir(
func.func @draws(%seed: tensor<i64>, %t: tensor<i64> {ens.name = "t", ens.role = "order_seed"})
    -> (tensor<5x3xui32> {ens.name = "bits"}, tensor<3x2xf32> {ens.name = "he"},
        tensor<7xf64> {ens.name = "normal"}, tensor<23xi32> {ens.name = "order"},
        tensor<i64> {ens.name = "run"}, tensor<4x3xi32> {ens.name = "iota"}) {
  %bits = ens.rng_bits %seed, %t {site = 7 : i64} : tensor<i64>, tensor<i64> -> tensor<5x3xui32>
  %he = ens.he_normal %seed : tensor<3x2xf32>
  %normal = ens.normal %seed {stddev = 0.1 : f64} : tensor<7xf64>
  %order = ens.permutation %seed, %t size = 23 : (tensor<i64>, tensor<i64>) -> tensor<23xi32>
  %run = ens.run_id : tensor<i64>
  %iota = ens.iota dim = 1 : tensor<4x3xi32>
  return %bits, %he, %normal, %order, %run, %iota
      : tensor<5x3xui32>, tensor<3x2xf32>, tensor<7xf64>, tensor<23xi32>,
        tensor<i64>, tensor<4x3xi32>
}
func.func @shared_order(%seed: tensor<i64> {ens.name = "o", ens.role = "order_seed"}, %x: tensor<9xf32>)
    -> (tensor<9xf32>, tensor<9xi32>) {
  %t = ens.constant dense<2> : tensor<i64>
  %order = ens.permutation %seed, %t size = 9 : (tensor<i64>, tensor<i64>) -> tensor<9xi32>
  %y = ens.gather clamp, %x, %order axis = 0 : (tensor<9xf32>, tensor<9xi32>) -> tensor<9xf32>
  return %y, %order : tensor<9xf32>, tensor<9xi32>
})mlir");
}

// Each iteration of the loops draws numbers of its own, in functions that
// derivatives and ensembles apply, too.
TEST(Programs, DrawsOfAppliedFunctionsInLoops) {
  checkProgram(R"mlir(
func.func private @noisy(%w: tensor<3xf32>, %seed: tensor<i64>, %t: tensor<i64>) -> tensor<f32> {
  %rate = ens.constant dense<0.5> : tensor<f32>
  %d = ens.dropout %w, %rate, %seed, %t : tensor<3xf32>
  %s = ens.mul %d, %d : tensor<3xf32>
  %l = ens.mean %s dims = [0] : (tensor<3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @jitter(%x: tensor<3xf32>, %seed: tensor<i64>) -> tensor<3xf32> {
  %n = ens.normal %seed : tensor<3xf32>
  %y = ens.add %x, %n : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @walk(%w: tensor<3xf32>, %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
                %t: tensor<i64> {ens.name = "t", ens.role = "order_seed"})
    -> (tensor<3xf32>, tensor<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = ens.constant dense<0.0> : tensor<2x3xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %w, %m = %none)
      -> (tensor<3xf32>, tensor<2x3xf32>) {
    %l, %g = ens.value_and_grad @noisy(%u, %seed, %t) wrt = [0]
        : (tensor<3xf32>, tensor<i64>, tensor<i64>) -> (tensor<f32>, tensor<3xf32>)
    %v = ens.sub %u, %g : tensor<3xf32>
    %k, %dk = ens.jvp @noisy(%v, %seed, %t, %g) wrt = [0]
        : (tensor<3xf32>, tensor<i64>, tensor<i64>, tensor<3xf32>) -> (tensor<f32>, tensor<f32>)
    %y, %dw = ens.vjp @noisy(%v, %seed, %t, %dk) wrt = [0]
        : (tensor<3xf32>, tensor<i64>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<3xf32>)
    %e = ens.ensemble @jitter(%dw, %seed) runs = 2 per_run = [false, false]
        : (tensor<3xf32>, tensor<i64>) -> tensor<2x3xf32>
    %f = ens.add %m, %e : tensor<2x3xf32>
    scf.yield %v, %f : tensor<3xf32>, tensor<2x3xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<2x3xf32>
})mlir");
}

TEST(Programs, Constants) {
  checkProgram(R"mlir(
func.func @constants(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2x2xi32>, tensor<3xf32>) {
  %floats = ens.constant dense<[0.1, -0.0, 0x7fc00000]> : tensor<3xf32>
  %integers = ens.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>
  %sum = ens.add %x, %floats : tensor<3xf32>
  return %floats, %integers, %sum : tensor<3xf32>, tensor<2x2xi32>, tensor<3xf32>
})mlir");
}

TEST(Programs, Loops) {
  checkProgram(R"mlir(
func.func @descend(%w: tensor<3xf32>, %v: tensor<2x3xf64>, %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
                   %begin: index {ens.name = "begin", ens.role = "begin"},
                   %end: index {ens.name = "end", ens.role = "end"})
    -> (tensor<3xf32>, tensor<2x3xf64>, tensor<i64>) {
  %one = arith.constant 1 : index
  %zero = ens.constant dense<0> : tensor<i64>
  %r:3 = scf.for %i = %begin to %end step %one iter_args(%u = %w, %s = %v, %n = %zero)
      -> (tensor<3xf32>, tensor<2x3xf64>, tensor<i64>) {
    %t = ens.from_index %i : tensor<i64>
    %m = ens.add %n, %t : tensor<i64>
    %row = ens.convert %t : tensor<i64> to tensor<i32>
    %col = ens.constant dense<0> : tensor<i32>
    %slice = ens.dynamic_slice %x [%row, %col] sizes = [1, 3]
        : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %flat = ens.reshape %slice : tensor<1x3xf32> to tensor<3xf32>
    %p = ens.mul %u, %flat : tensor<3xf32>
    %q = ens.add %p, %u : tensor<3xf32>
    %wide = ens.convert %q : tensor<3xf32> to tensor<3xf64>
    %rows = ens.broadcast %wide dims = [1] : tensor<3xf64> to tensor<2x3xf64>
    %z = ens.add %s, %rows : tensor<2x3xf64>
    scf.yield %q, %z, %m : tensor<3xf32>, tensor<2x3xf64>, tensor<i64>
  }
  return %r#0, %r#1, %r#2 : tensor<3xf32>, tensor<2x3xf64>, tensor<i64>
}
func.func @swap(%a: tensor<3xf32>, %b: tensor<3xf32>,
                %begin: index {ens.name = "begin", ens.role = "begin"},
                %end: index {ens.name = "end", ens.role = "end"}) -> (tensor<3xf32>, tensor<3xf32>) {
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %begin to %end step %one iter_args(%x = %a, %y = %b)
      -> (tensor<3xf32>, tensor<3xf32>) {
    scf.yield %y, %x : tensor<3xf32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}
func.func @pass_through(%a: tensor<3xf32>, %b: tensor<2xi32> {ens.name = "b", ens.role = "data"})
    -> (tensor<3xf32>, tensor<2xi32>, tensor<3xf32>) {
  return %a, %b, %a : tensor<3xf32>, tensor<2xi32>, tensor<3xf32>
})mlir");
}

TEST(Programs, DerivativesAndEnsembles) {
  checkProgram(R"mlir(
func.func private @loss(%w: tensor<3xf64>, %x: tensor<3xf64>) -> tensor<f64> {
  %p = ens.mul %w, %x : tensor<3xf64>
  %t = ens.tanh %p : tensor<3xf64>
  %e = ens.logsumexp %t : (tensor<3xf64>) -> tensor<f64>
  return %e : tensor<f64>
}
func.func @gradient(%w: tensor<3xf64>, %x: tensor<3xf64> {ens.name = "x", ens.role = "data"})
    -> (tensor<f64>, tensor<3xf64>) {
  %l, %dw = ens.value_and_grad @loss(%w, %x) wrt = [0]
      : (tensor<3xf64>, tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>)
  return %l, %dw : tensor<f64>, tensor<3xf64>
}
func.func @inner_ensemble(%w: tensor<5x3xf64>, %x: tensor<3xf64>) -> tensor<5xf64> {
  %l = ens.ensemble @loss(%w, %x) runs = 5 per_run = [true, false]
      : (tensor<5x3xf64>, tensor<3xf64>) -> tensor<5xf64>
  return %l : tensor<5xf64>
})mlir");
}

TEST(Programs, Composites) {
  checkProgram(R"mlir(
func.func @composites(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>, %labels: tensor<4xi32>,
                      %rate: tensor<f32>, %seed: tensor<i64>, %step: tensor<i64>)
    -> (tensor<4x3xf32> {ens.name = "relu"}, tensor<4x3xf32> {ens.name = "gelu"},
        tensor<4x3xf32> {ens.name = "softplus"}, tensor<4x3xf32> {ens.name = "softmax"},
        tensor<4x3xf32> {ens.name = "log_softmax"}, tensor<4xf32> {ens.name = "logsumexp"},
        tensor<4xf32> {ens.name = "mse"}, tensor<3xf32> {ens.name = "mean"},
        tensor<4xf32> {ens.name = "cross_entropy"}, tensor<4x3xf32> {ens.name = "dropout"}) {
  %relu = ens.relu %x : tensor<4x3xf32>
  %gelu = ens.gelu %x : tensor<4x3xf32>
  %softplus = ens.softplus %x : tensor<4x3xf32>
  %softmax = ens.softmax %x : tensor<4x3xf32>
  %log_softmax = ens.log_softmax %x : tensor<4x3xf32>
  %logsumexp = ens.logsumexp %x : (tensor<4x3xf32>) -> tensor<4xf32>
  %mse = ens.mse %x, %y : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  %mean = ens.mean %x dims = [0] : (tensor<4x3xf32>) -> tensor<3xf32>
  %cross_entropy = ens.softmax_cross_entropy %x, %labels : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
  %dropout = ens.dropout %x, %rate, %seed, %step : tensor<4x3xf32>
  return %relu, %gelu, %softplus, %softmax, %log_softmax, %logsumexp, %mse, %mean, %cross_entropy, %dropout
      : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>,
        tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4x3xf32>
})mlir");
}

/// A learner whose state, data and options are random: init, fit and evaluate
/// are entries like any other.
std::string learner(const std::string &attributes) {
  return R"mlir(
func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<3x5xf32> {ens.name = "w"}, tensor<5xf32> {ens.name = "b"}) {
  %w = ens.glorot_uniform %seed : tensor<3x5xf32>
  %b = ens.constant dense<0.0> : tensor<5xf32>
  return %w, %b : tensor<3x5xf32>, tensor<5xf32>
}
func.func @loss(%w: tensor<3x5xf32> {ens.name = "w"}, %b: tensor<5xf32> {ens.name = "b"},
                %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
                %y: tensor<4xi32> {ens.name = "y", ens.role = "data"}) -> tensor<4xf32> {
  %z = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %rows = ens.broadcast %b dims = [1] : tensor<5xf32> to tensor<4x5xf32>
  %logits = ens.add %z, %rows : tensor<4x5xf32>
  %loss = ens.softmax_cross_entropy %logits, %y : (tensor<4x5xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %loss : tensor<4xf32>
}
ens.learner @net {init = @init, loss = @loss, rows = 9 : i64, validation_rows = 6 : i64,
                  batch_size = 4 : i64, )mlir" +
         attributes + "}\n";
}

TEST(Programs, LearnerWithAdamW) {
  checkProgram(learner("optimizer = #ens.adamw<lr = 1.0e-2>, "
                       "schedule = #ens.cosine<steps = 10.0, warmup = 2.0>, "
                       "clip_norm = 1.0 : f64"));
}

TEST(Programs, LearnerWithMomentumInSharedOrder) {
  checkProgram(learner("optimizer = #ens.momentum<lr = 1.0e-2>, "
                       "shuffle = \"shared\""));
}

TEST(Programs, LearnerWithoutShuffling) {
  checkProgram(learner("optimizer = #ens.sgd<lr = 1.0e-2>, "
                       "shuffle = \"none\""));
}

/// Rows, and batches of a scalar loss, draw numbers of their own.
TEST(Programs, LearnerThatDrawsWhereItIsEvaluated) {
  checkProgram(R"mlir(
func.func @init() -> (tensor<3xf32> {ens.name = "w"}) {
  %w = ens.constant dense<0.5> : tensor<3xf32>
  return %w : tensor<3xf32>
}
func.func @loss(%w: tensor<3xf32> {ens.name = "w"},
                %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
                %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
                %step: tensor<i64> {ens.name = "step", ens.role = "step"}) -> tensor<4xf32> {
  %rate = ens.constant dense<0.25> : tensor<f32>
  %dropped = ens.dropout %x, %rate, %seed, %step : tensor<4x3xf32>
  %loss = ens.dot %dropped, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %loss : tensor<4xf32>
}
func.func @noise(%w: tensor<3xf32> {ens.name = "w"},
                 %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"}) -> tensor<f32> {
  %n = ens.normal %seed : tensor<3xf32>
  %wn = ens.mul %w, %n : tensor<3xf32>
  %sum = ens.reduce sum, %wn dims = [0] : (tensor<3xf32>) -> tensor<f32>
  return %sum : tensor<f32>
}
ens.learner @net {init = @init, loss = @loss, metrics = {noise = @noise},
                  rows = 9 : i64, validation_rows = 10 : i64, batch_size = 4 : i64,
                  optimizer = #ens.sgd<lr = 0.1>})mlir");
}

/// Each run has the numbers of its own rows, whatever the order is keyed by.
TEST(Programs, LearnerWithRowsOfItsOwn) {
  CompileOptions options;
  options.ownRows = OwnRows{/*training=*/11, /*validation=*/5};
  checkProgram(learner("optimizer = #ens.adam<lr = 1.0e-2>"), options);
  options.ownRows = OwnRows{/*training=*/7, /*validation=*/0};
  checkProgram(learner("optimizer = #ens.sgd<lr = 1.0e-2>, "
                       "shuffle = \"none\""),
               options);
}

TEST(Programs, LearnerWithAnOrderOfItsOwn) {
  CompileOptions options;
  options.perRun = {"order_seed"};
  options.ownRows = OwnRows{/*training=*/8, /*validation=*/4};
  checkProgram(learner("optimizer = #ens.sgd<lr = 1.0e-2>, "
                       "shuffle = \"shared\""),
               options);
}

} // namespace
