// RUN: ens-opt %s --ens-fill-learners="rows=9 validation-rows=6 shuffle=none" \
// RUN:   | FileCheck %s
// RUN: ens-opt %s --ens-fill-learners | FileCheck %s --check-prefix=AS-IT-IS
// RUN: ens-opt %s --ens-parse-pipeline="rows=9 validation-rows=6 shuffle=none" \
// RUN:   | FileCheck %s
// RUN: ens-opt %s --ens-expand-pipeline="rows=9 shuffle=none entries=loss,open.fit,closed.fit" \
// RUN:   | FileCheck %s --check-prefix=EXPAND

// What a learner does not say is filled in; what it says stays.

// CHECK:      ens.learner @open
// CHECK-SAME: rows = 9 : i64
// CHECK-SAME: shuffle = "none"
// CHECK-SAME: validation_rows = 6 : i64
// CHECK:      ens.learner @closed
// CHECK-SAME: rows = 7 : i64
// CHECK-SAME: shuffle = "none"
// CHECK-SAME: validation_rows = 5 : i64
// CHECK:      ens.learner @of_data {batch_size = 3 : i64
// CHECK:      ens.learner @of_nothing {batch_size = 1 : i64

// AS-IT-IS:     ens.learner @open {batch_size = 3 : i64, init = @init, loss = @loss, optimizer = #ens.sgd<lr = 1.000000e-01>}
// AS-IT-IS:     ens.learner @closed
// AS-IT-IS:     ens.learner @of_data {batch_size = 3 : i64, init = @init, loss = @norm, metrics
// AS-IT-IS:     ens.learner @of_nothing {batch_size = 1 : i64, init = @init, loss = @norm, optimizer

// EXPAND: rows = 9 : i64, shuffle = "none"
// EXPAND: rows = 7 : i64, shuffle = "none"
// EXPAND: func.func @loss

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
ens.learner @open {init = @init, loss = @loss, batch_size = 3 : i64,
                   optimizer = #ens.sgd<lr = 0.1>}
ens.learner @closed {init = @init, loss = @loss, batch_size = 3 : i64,
                     rows = 7 : i64, validation_rows = 5 : i64,
                     shuffle = "none", optimizer = #ens.sgd<lr = 0.1>}

// The size of a batch is that of the data of the loss, or else of a metric.
func.func @norm(%w: tensor<2xf32> {ens.name = "w"}) -> tensor<f32> {
  %0 = ens.reduce sum, %w dims = [0] : (tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
ens.learner @of_data {init = @init, loss = @norm, metrics = {x = @loss},
                      optimizer = #ens.sgd<lr = 0.1>}
ens.learner @of_nothing {init = @init, loss = @norm,
                         optimizer = #ens.sgd<lr = 0.1>}
