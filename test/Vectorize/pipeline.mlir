// RUN: ens-opt %s --ens-vectorize-pipeline | FileCheck %s

// What is shared is computed before the loop, once for all runs.

// CHECK-LABEL: func.func @fit.lanes(
// CHECK-SAME: %[[W:.*]]: tensor<16x3x2xf32> {{.*}}, %[[X:.*]]: tensor<9x3xf32>
// CHECK: %[[ORDER:.*]] = ens.permutation {{.*}} -> tensor<16x9xi32>
// CHECK: %[[E:.*]] = ens.exp %[[X]] : tensor<9x3xf32>
// CHECK: scf.for
// CHECK: %[[ROWS:.*]] = ens.dynamic_slice %[[ORDER]]{{.*}} sizes = [4] {batch_dims = 1 : i64} : (tensor<16x9xi32>, tensor<16xi64>) -> tensor<16x4xi32>
// CHECK: %[[BATCH:.*]] = ens.gather clamp, %[[E]], %[[ROWS]] axis = 0 : (tensor<9x3xf32>, tensor<16x4xi32>) -> tensor<16x4x3xf32>
// CHECK: ens.dot %[[BATCH]], %{{.*}} lhs_batch = [0] rhs_batch = [0] lhs_contract = [2] rhs_contract = [1] : (tensor<16x4x3xf32>, tensor<16x3x2xf32>) -> tensor<16x4x2xf32>
// CHECK-NOT: @logits
func.func @fit(%w: tensor<3x2xf32> {ens.role = "param"},
               %x: tensor<9x3xf32> {ens.role = "data"},
               %seed: tensor<i64> {ens.role = "seed"},
               %begin: index, %end: index) -> tensor<3x2xf32> {
  %c1 = arith.constant 1 : index
  %epoch = ens.constant dense<0> : tensor<i64>
  %order = ens.permutation %seed, %epoch size = 9
      : (tensor<i64>, tensor<i64>) -> tensor<9xi32>
  %last = scf.for %i = %begin to %end step %c1 iter_args(%p = %w)
      -> (tensor<3x2xf32>) {
    %e = ens.exp %x : tensor<9x3xf32>
    %k = arith.index_cast %i : index to i64
    %at = tensor.from_elements %k : tensor<i64>
    %rows = ens.dynamic_slice %order [%at] sizes = [4]
        : (tensor<9xi32>, tensor<i64>) -> tensor<4xi32>
    %batch = ens.gather clamp, %e, %rows axis = 0
        : (tensor<9x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
    %y = func.call @logits(%batch, %p)
        : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %g = ens.dot %batch, %y lhs_contract = [0] rhs_contract = [0]
        : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    %n = ens.sub %p, %g : tensor<3x2xf32>
    scf.yield %n : tensor<3x2xf32>
  }
  return %last : tensor<3x2xf32>
}
func.func private @logits(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>)
    -> tensor<4x2xf32> {
  %y = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
