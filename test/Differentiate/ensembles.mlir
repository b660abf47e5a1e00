// RUN: ens-opt %s --ens-differentiate-pipeline --ens-vectorize-ensembles \
// RUN:   --canonicalize --symbol-dce --cse | FileCheck %s

// Derivatives of an ensemble, in the form that they have when the ensembles of
// the derivatives have become ordinary ops: y_r = w_r x x for two runs that
// share x.

func.func private @f(%w: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %q = ens.mul %x, %x : tensor<f32>
  %y = ens.mul %w, %q : tensor<f32>
  return %y : tensor<f32>
}
func.func private @total(%w: tensor<2xf32>, %x: tensor<f32>) -> tensor<f32> {
  %y = ens.ensemble @f(%w, %x) runs = 2 per_run = [true, false] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %s = ens.reduce sum, %y dims = [0] : (tensor<2xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// By w: x x for each run. By x: 2 w x, summed over the runs.
// CHECK-LABEL: func.func @reverse
// CHECK-SAME: (%[[W:.*]]: tensor<2xf32>, %[[X:.*]]: tensor<f32>)
// CHECK: %[[ONES:.*]] = ens.broadcast %{{.*}} dims = [] {{.*}} tensor<f32> to tensor<2xf32>
// CHECK: %[[Q:.*]] = ens.mul %[[X]], %[[X]] : tensor<f32>
// CHECK: %[[QB:.*]] = ens.broadcast %[[Q]]
// CHECK: %[[DW:.*]] = ens.mul %[[ONES]], %[[QB]]
// CHECK: %[[V:.*]] = ens.mul %[[ONES]], %[[W]]
// CHECK: %[[XB:.*]] = ens.broadcast %[[X]]
// CHECK: %[[HALF:.*]] = ens.mul %[[V]], %[[XB]]
// CHECK: %[[EACH:.*]] = ens.add %[[HALF]], %[[HALF]]
// CHECK: %[[DX:.*]] = ens.reduce sum, %[[EACH]] dims = [0]
// CHECK: return %[[DW]], %[[DX]]
func.func @reverse(%w: tensor<2xf32>, %x: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
  %g:2 = ens.grad @total(%w, %x) wrt = [0, 1] : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return %g#0, %g#1 : tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[W:.*]]: tensor<2xf32>, %[[X:.*]]: tensor<f32>, %[[T:.*]]: tensor<f32>)
// CHECK: %[[HALF:.*]] = ens.mul %[[T]], %[[X]]
// CHECK: %[[DQ:.*]] = ens.add %[[HALF]], %[[HALF]]
// CHECK: %[[DQB:.*]] = ens.broadcast %[[DQ]]
// CHECK: %[[EACH:.*]] = ens.mul %[[DQB]], %[[W]]
// CHECK: %[[DY:.*]] = ens.reduce sum, %[[EACH]] dims = [0]
// CHECK: return %[[DY]]
func.func @forward(%w: tensor<2xf32>, %x: tensor<f32>, %t: tensor<f32>) -> tensor<f32> {
  %y, %dy = ens.jvp @total(%w, %x, %t) wrt = [1] : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dy : tensor<f32>
}
