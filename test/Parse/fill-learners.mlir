// RUN: ens-opt %s --ens-fill-learners="rows=9 validation-rows=6 shuffle=none" \
// RUN:   | FileCheck %s
// RUN: ens-opt %s --ens-fill-learners | FileCheck %s --check-prefix=AS-IT-IS
// RUN: ens-opt %s --ens-parse-pipeline="rows=9 validation-rows=6 shuffle=none" \
// RUN:   | FileCheck %s
// RUN: ens-opt %s --ens-expand-pipeline="rows=9 shuffle=none entries=loss" \
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

// AS-IT-IS:     ens.learner @open {batch_size = 3 : i64, init = @init, loss = @loss, optimizer = #ens.sgd<lr = 1.000000e-01>}
// AS-IT-IS:     ens.learner @closed

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
