// RUN: ens-opt %s --ens-differentiate-pipeline | FileCheck %s

// Layers need no transpose in either direction: x^T g and g w^T are dots over
// other dimensions. Only what is asked for is computed.

func.func private @loss(%w: tensor<3x5xf32>, %b: tensor<5xf32>,
                        %x: tensor<4x3xf32>) -> tensor<f32> {
  %z = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %bias = ens.broadcast %b dims = [1] : tensor<5xf32> to tensor<4x5xf32>
  %y = ens.add %z, %bias : tensor<4x5xf32>
  %h = ens.exp %y : tensor<4x5xf32>
  %l = ens.reduce sum, %h dims = [0, 1] : (tensor<4x5xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-NOT: @loss
// CHECK-LABEL: func.func @layer
// CHECK-SAME: (%[[W:.*]]: tensor<3x5xf32>, %[[B:.*]]: tensor<5xf32>, %[[X:.*]]: tensor<4x3xf32>)
// CHECK: %[[ONE:.*]] = ens.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[H:.*]] = ens.exp
// CHECK: %[[L:.*]] = ens.reduce sum, %[[H]]
// CHECK: %[[SEED:.*]] = ens.broadcast %[[ONE]]
// CHECK: %[[DY:.*]] = ens.mul %[[SEED]], %[[H]]
// CHECK: %[[DB:.*]] = ens.reduce sum, %[[DY]] dims = [0]
// CHECK: %[[DX:.*]] = ens.dot %[[DY]], %[[W]] lhs_contract = [1] rhs_contract = [1]
// CHECK: %[[DW:.*]] = ens.dot %[[X]], %[[DY]] lhs_contract = [0] rhs_contract = [0]
// CHECK-NOT: ens.
// CHECK: return %[[L]], %[[DW]], %[[DB]], %[[DX]]
func.func @layer(%w: tensor<3x5xf32>, %b: tensor<5xf32>, %x: tensor<4x3xf32>)
    -> (tensor<f32>, tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>) {
  %l, %g:3 = ens.value_and_grad @loss(%w, %b, %x) wrt = [0, 1, 2] : (tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>) -> (tensor<f32>, tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>)
  return %l, %g#0, %g#1, %g#2 : tensor<f32>, tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: func.func @bias_only
// CHECK-COUNT-1: ens.dot
// CHECK-NOT: ens.dot
func.func @bias_only(%w: tensor<3x5xf32>, %b: tensor<5xf32>, %x: tensor<4x3xf32>) -> tensor<5xf32> {
  %db = ens.grad @loss(%w, %b, %x) wrt = [1] : (tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>) -> tensor<5xf32>
  return %db : tensor<5xf32>
}

// The same value for two arguments has two cotangents, not one.

func.func private @times(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %y = ens.mul %a, %b : tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @both_arguments
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK: %[[DX:.*]] = ens.mul %[[X]], %{{.*}}
// CHECK-NOT: ens.
// CHECK: return %[[DX]], %[[DX]]
func.func @both_arguments(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %g:2 = ens.grad @times(%x, %x) wrt = [0, 1] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g#0, %g#1 : tensor<f32>, tensor<f32>
}

// An argument that the result does not depend on, or only through
// ens.stop_gradient, has zeros.

func.func private @stopped(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<f32> {
  %e = ens.exp %a : tensor<2xf32>
  %c = ens.stop_gradient %e : tensor<2xf32>
  %y = ens.reduce sum, %c dims = [0] : (tensor<2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @no_gradient
// CHECK: %[[ZERO:.*]] = ens.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return %[[ZERO]], %[[ZERO]]
func.func @no_gradient(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %g:2 = ens.grad @stopped(%x, %x) wrt = [0, 1] : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %g#0, %g#1 : tensor<2xf32>, tensor<2xf32>
}

// A custom rule is called where something is differentiated; elsewhere its
// primal is.

func.func private @double(%x: tensor<f32>) -> tensor<f32> {
  %y = ens.add %x, %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @double_vjp(%x: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  %three = ens.constant dense<3.0> : tensor<f32>
  %dx = ens.mul %dy, %three : tensor<f32>
  return %dx : tensor<f32>
}
func.func private @custom(%x: tensor<f32>) -> tensor<f32> {
  %y = ens.custom_grad @double(%x) vjp = @double_vjp : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @custom_rule
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK-DAG: %[[ONE:.*]] = ens.constant dense<1.000000e+00>
// CHECK-DAG: %[[THREE:.*]] = ens.constant dense<3.000000e+00>
// CHECK: %[[Y:.*]] = ens.add %[[X]], %[[X]]
// CHECK: %[[DX:.*]] = ens.mul %[[ONE]], %[[THREE]]
// CHECK: return %[[Y]], %[[DX]]
func.func @custom_rule(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %y, %g = ens.value_and_grad @custom(%x) wrt = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %y, %g : tensor<f32>, tensor<f32>
}

// What an ensemble shares collects cotangents from all runs.

func.func private @affine(%w: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %y = ens.mul %w, %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @total(%w: tensor<2xf32>, %x: tensor<f32>) -> tensor<f32> {
  %y = ens.ensemble @affine(%w, %x) runs = 2 per_run = [true, false] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %s = ens.reduce sum, %y dims = [0] : (tensor<2xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// CHECK-LABEL: func.func @of_ensemble
// CHECK-SAME: (%[[W:.*]]: tensor<2xf32>, %[[X:.*]]: tensor<f32>)
// CHECK: %[[SEED:.*]] = ens.broadcast
// CHECK: %[[D:.*]]:2 = ens.ensemble @affine.vjp(%[[W]], %[[X]], %[[SEED]]) runs = 2 per_run = [true, false, true]
// CHECK: %[[DX:.*]] = ens.reduce sum, %[[D]]#1 dims = [0]
// CHECK: return %[[D]]#0, %[[DX]]
func.func @of_ensemble(%w: tensor<2xf32>, %x: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
  %g:2 = ens.grad @total(%w, %x) wrt = [0, 1] : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return %g#0, %g#1 : tensor<2xf32>, tensor<f32>
}

// A rule may use the op that it belongs to, which makes it differentiable in
// turn.

func.func private @sine(%x: tensor<f32>) -> tensor<f32> {
  %y = ens.sin %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @sine_rule(%x: tensor<f32>, %v: tensor<f32>) -> tensor<f32> {
  %y = ens.custom_grad @sine(%x) vjp = @sine_rule : (tensor<f32>) -> tensor<f32>
  %dx = ens.mul %y, %v : tensor<f32>
  return %dx : tensor<f32>
}
func.func private @self_rule(%x: tensor<f32>) -> tensor<f32> {
  %y = ens.custom_grad @sine(%x) vjp = @sine_rule : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @rule_of_itself
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK: %[[ONE:.*]] = ens.constant
// CHECK: %[[Y:.*]] = ens.sin %[[X]]
// CHECK: %[[DX:.*]] = ens.mul %[[Y]], %[[ONE]]
// CHECK: return %[[DX]]
func.func @rule_of_itself(%x: tensor<f32>) -> tensor<f32> {
  %g = ens.grad @self_rule(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// CHECK-LABEL: func.func private @affine.vjp
// CHECK-SAME: (%[[W:.*]]: tensor<f32>, %[[X:.*]]: tensor<f32>, %[[DY:.*]]: tensor<f32>)
// CHECK-DAG: %[[DW:.*]] = ens.mul %[[DY]], %[[X]]
// CHECK-DAG: %[[DX:.*]] = ens.mul %[[DY]], %[[W]]
// CHECK: return %[[DW]], %[[DX]]
