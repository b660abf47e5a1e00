// RUN: ens-opt %s --split-input-file --ens-vectorize-ensembles | FileCheck %s

// CHECK-LABEL: func.func @shared_and_per_run(
// CHECK-SAME: %[[W:.*]]: tensor<2x3xf32>, %[[X:.*]]: tensor<3xf32>
// CHECK: %[[B:.*]] = ens.broadcast %[[X]] dims = [1] : tensor<3xf32> to tensor<2x3xf32>
// CHECK: %[[Y:.*]] = ens.mul %[[W]], %[[B]] : tensor<2x3xf32>
// CHECK: %[[E:.*]] = ens.exp %[[X]] : tensor<3xf32>
// CHECK: %[[R:.*]] = ens.broadcast %[[E]] dims = [1] : tensor<3xf32> to tensor<2x3xf32>
// CHECK: return %[[Y]], %[[R]]
func.func @shared_and_per_run(%w: tensor<2x3xf32>, %x: tensor<3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %y:2 = ens.ensemble @f(%w, %x) runs = 2 per_run = [true, false]
      : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %y#0, %y#1 : tensor<2x3xf32>, tensor<2x3xf32>
}
func.func private @f(%w: tensor<3xf32>, %x: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>) {
  %y = ens.mul %w, %x : tensor<3xf32>
  %e = ens.exp %x : tensor<3xf32>
  return %y, %e : tensor<3xf32>, tensor<3xf32>
}

// -----

// The number of a run is that in the innermost ensemble, and to the outer one a
// dimension like any other.

// CHECK-LABEL: func.func @nested(
// CHECK: %[[I:.*]] = ens.iota dim = 0 : tensor<3xi64>
// CHECK: %[[J:.*]] = ens.iota dim = 0 : tensor<2xi64>
// CHECK-DAG: %[[A:.*]] = ens.broadcast %[[I]] dims = [1] : tensor<3xi64> to tensor<2x3xi64>
// CHECK-DAG: %[[B:.*]] = ens.broadcast %[[J]] dims = [0] : tensor<2xi64> to tensor<2x3xi64>
// CHECK: ens.sub %[[A]], %[[B]] : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nested() -> tensor<2x3xi64> {
  %y = ens.ensemble @outer() runs = 2 per_run = [] : () -> tensor<2x3xi64>
  return %y : tensor<2x3xi64>
}
func.func private @outer() -> tensor<3xi64> {
  %y = ens.ensemble @inner() runs = 3 per_run = [] : () -> tensor<3xi64>
  %r = ens.run_id : tensor<i64>
  %b = ens.broadcast %r dims = [] : tensor<i64> to tensor<3xi64>
  %d = ens.sub %y, %b : tensor<3xi64>
  return %d : tensor<3xi64>
}
func.func private @inner() -> tensor<i64> {
  %r = ens.run_id : tensor<i64>
  return %r : tensor<i64>
}
