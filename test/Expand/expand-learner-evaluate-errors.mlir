// RUN: ens-opt %s --verify-diagnostics \
// RUN:   --ens-expand-learner="own-rows=3 own-validation-rows=1 entries=net.evaluate"

// Rows of its own are some of the training data, also where nothing trains.

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op does not say how many rows the training data have; add rows = N : i64, or compile with --rows=N}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}
