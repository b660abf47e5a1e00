// RUN: ens-opt %s --split-input-file --ens-reuse-activations | FileCheck %s

// CHECK-LABEL: func.func @relu
// CHECK: %[[M:.*]] = ens.compare le, %{{.*}}
// CHECK: %[[H:.*]] = ens.select %[[M]]
// CHECK: %[[A:.*]] = ens.compare le, %[[H]], %{{.*}}
// CHECK: ens.dot %[[H]]
// CHECK: ens.select %[[A]], %{{.*}}, %arg2
func.func @relu(%p: tensor<4x3xf32>, %w: tensor<3x4xf32>, %d: tensor<4x3xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>) {
  %zero = ens.constant dense<0.0> : tensor<f32>
  %z = ens.broadcast %zero dims = [] : tensor<f32> to tensor<4x3xf32>
  %m = ens.compare le, %p, %z : tensor<4x3xf32>
  %h = ens.select %m, %z, %p : tensor<4x3xf32>
  %y = ens.dot %h, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  %g = ens.select %m, %z, %d : tensor<4x3xf32>
  return %y, %g : tensor<4x4xf32>, tensor<4x3xf32>
}

// -----

// Less than would differ where p is negative; -0 is not what is stored; an
// activation that nobody stores is no gain.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: ens.compare
// CHECK-NOT: ens.compare
func.func @others(%p: tensor<4x3xf32>, %w: tensor<3x4xf32>, %d: tensor<4x3xf32>)
    -> (tensor<4x4xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %z = ens.constant dense<0.0> : tensor<4x3xf32>
  %minus = ens.constant dense<-0.0> : tensor<4x3xf32>
  %m0 = ens.compare lt, %p, %z : tensor<4x3xf32>
  %h0 = ens.select %m0, %z, %p : tensor<4x3xf32>
  %y0 = ens.dot %h0, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  %g0 = ens.select %m0, %z, %d : tensor<4x3xf32>
  %m1 = ens.compare le, %p, %minus : tensor<4x3xf32>
  %h1 = ens.select %m1, %minus, %p : tensor<4x3xf32>
  %y1 = ens.dot %h1, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  %g1 = ens.select %m1, %z, %d : tensor<4x3xf32>
  %m2 = ens.compare le, %d, %z : tensor<4x3xf32>
  %h2 = ens.select %m2, %z, %d : tensor<4x3xf32>
  %g2 = ens.select %m2, %z, %p : tensor<4x3xf32>
  return %y0, %g0, %y1, %g1, %h2, %g2 : tensor<4x4xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
