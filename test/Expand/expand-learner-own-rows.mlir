// RUN: ens-opt %s --ens-expand-learner="own-rows=5 own-validation-rows=4" \
// RUN:   | FileCheck %s

// Each run has the numbers of its rows: the order of an epoch is one of these
// numbers, and what is evaluated are rows of the training data.

// CHECK-LABEL: func.func @net.fit(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<7x2xf32> {ens.name = "x", ens.role = "data"}
// CHECK-SAME:    %[[OWN:[a-z0-9]+]]: tensor<5xi64> {ens.classes = 7 : i64, ens.name = "row_numbers", ens.role = "rows"}
// CHECK:         %[[ORDER:.*]] = ens.permutation {{.*}} size = 5
// CHECK:         %[[PLACES:.*]] = ens.dynamic_slice %[[ORDER]]
// CHECK:         %[[ROWS:.*]] = ens.gather clamp, %[[OWN]], %[[PLACES]]
// CHECK:         ens.gather clamp, %[[X]], %[[ROWS]]
// CHECK-LABEL: func.func @net.evaluate(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<7x2xf32> {ens.name = "x", ens.role = "data"}
// CHECK-SAME:    %[[OWN:[a-z0-9]+]]: tensor<4xi64> {ens.classes = 7 : i64, ens.name = "row_numbers_val", ens.role = "rows"}
// CHECK:         %[[ROWS:.*]] = ens.gather clamp, %[[OWN]]
// CHECK:         ens.gather clamp, %[[X]], %[[ROWS]]
func.func private @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @loss(%w: tensor<2xf32> {ens.name = "w"},
                        %x: tensor<3x2xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<3xf32> {
  %0 = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  rows = 7 : i64, validation_rows = 6 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}
