// RUN: ens-opt %s --ens-override-learners="optimizer=adam batch-size=6" \
// RUN:   | FileCheck %s
// RUN: ens-opt %s --ens-override-learners="optimizer=sgd<lr=0.5,weight_decay=0.25>" \
// RUN:   | FileCheck %s --check-prefix=SGD
// RUN: ens-opt %s --ens-override-learners | FileCheck %s --check-prefix=SAME

// Extents that are those of batches change, others that are equal do not: the
// network has as many units as a batch has rows.

// CHECK-LABEL: func.func @init
// CHECK-SAME:    tensor<4x4xf32>
// CHECK-LABEL: func.func @hidden
// CHECK-SAME:    %{{.*}}: tensor<4x4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<6x2x2xf32>) -> tensor<6x4xf32>
// CHECK:         ens.reshape %{{.*}} : tensor<6x2x2xf32> to tensor<6x4xf32>
// CHECK:         (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
// CHECK:         ens.broadcast %{{.*}} dims = [1] : tensor<4xf32> to tensor<6x4xf32>
// CHECK-LABEL: func.func @loss
// CHECK-SAME:    tensor<6xi32>
// CHECK-SAME:    -> tensor<6xf32>
// CHECK:         ens.softmax_cross_entropy {{.*}} (tensor<6x4xf32>, tensor<6xi32>) -> tensor<6xf32>
// CHECK:         ens.constant dense<5.000000e-01> : tensor<6xf32>
// CHECK:         ens.slice {{.*}} starts = [0, 0] limits = [6, 1]
// CHECK-LABEL: func.func @error
// CHECK:         ens.mse {{.*}} -> tensor<6xf32>
// CHECK-LABEL: func.func @predict
// CHECK-SAME:    -> tensor<6xi32>
// CHECK-LABEL: func.func @untouched
// CHECK-SAME:    tensor<4xf32>
// CHECK:       ens.learner @net
// CHECK-SAME:    batch_size = 6 : i64
// CHECK-SAME:    optimizer = #ens.adam<lr = 1.000000e-01>

// SGD: ens.learner @net
// SGD-SAME: batch_size = 4 : i64
// SGD-SAME: optimizer = #ens.sgd<lr = 5.000000e-01, weight_decay = 2.500000e-01>

// SAME: optimizer = #ens.momentum<lr = 1.000000e-01
func.func @init() -> (tensor<4x4xf32> {ens.name = "w"}, tensor<4xf32> {ens.name = "b"}) {
  %w = ens.constant dense<1.0> : tensor<4x4xf32>
  %b = ens.constant dense<0.0> : tensor<4xf32>
  return %w, %b : tensor<4x4xf32>, tensor<4xf32>
}
func.func @hidden(%w: tensor<4x4xf32>, %b: tensor<4xf32>, %x: tensor<4x2x2xf32>) -> tensor<4x4xf32> {
  %flat = ens.reshape %x : tensor<4x2x2xf32> to tensor<4x4xf32>
  %z = ens.dot %flat, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %rows = ens.broadcast %b dims = [1] : tensor<4xf32> to tensor<4x4xf32>
  %y = ens.add %z, %rows : tensor<4x4xf32>
  %h = ens.relu %y : tensor<4x4xf32>
  return %h : tensor<4x4xf32>
}
func.func @loss(%w: tensor<4x4xf32> {ens.name = "w"}, %b: tensor<4xf32> {ens.name = "b"},
                %x: tensor<4x2x2xf32> {ens.name = "x", ens.role = "data"},
                %y: tensor<4xi32> {ens.name = "y", ens.role = "data"}) -> tensor<4xf32> {
  %h = call @hidden(%w, %b, %x) : (tensor<4x4xf32>, tensor<4xf32>, tensor<4x2x2xf32>) -> tensor<4x4xf32>
  %l = ens.softmax_cross_entropy %h, %y : (tensor<4x4xf32>, tensor<4xi32>) -> tensor<4xf32>
  %half = ens.constant dense<0.5> : tensor<4xf32>
  %m = ens.mul %l, %half : tensor<4xf32>
  %first = ens.slice %h starts = [0, 0] limits = [4, 1] strides = [1, 1] : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %column = ens.reshape %first : tensor<4x1xf32> to tensor<4xf32>
  %s = ens.add %m, %column : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @error(%w: tensor<4x4xf32> {ens.name = "w"}, %b: tensor<4xf32> {ens.name = "b"},
                 %x: tensor<4x2x2xf32> {ens.name = "x", ens.role = "data"}) -> tensor<4xf32> {
  %l = ens.mse %x, %x : (tensor<4x2x2xf32>, tensor<4x2x2xf32>) -> tensor<4xf32>
  %m = ens.mean %l dims = [0] : (tensor<4xf32>) -> tensor<f32>
  %rows = ens.broadcast %m dims = [] : tensor<f32> to tensor<4xf32>
  %c = ens.sub %l, %rows : tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @predict(%w: tensor<4x4xf32> {ens.name = "w"}, %b: tensor<4xf32> {ens.name = "b"},
                   %x: tensor<4x2x2xf32> {ens.name = "x", ens.role = "data"}) -> tensor<4xi32> {
  %h = call @hidden(%w, %b, %x) : (tensor<4x4xf32>, tensor<4xf32>, tensor<4x2x2xf32>) -> tensor<4x4xf32>
  %i = ens.arg_reduce max, %h dim = 1 : (tensor<4x4xf32>) -> tensor<4xi32>
  return %i : tensor<4xi32>
}
func.func @untouched(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
ens.learner @net {init = @init, loss = @loss, metrics = {error = @error}, predict = @predict, batch_size = 4 : i64,
                  optimizer = #ens.momentum<lr = 0.1>}
