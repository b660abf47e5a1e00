// RUN: ens-opt %s --ens-expand-learner="own-rows=2 own-validation-rows=1" \
// RUN:   --split-input-file --verify-diagnostics

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op has a batch_size of 3, but each run trains on only 2 rows of its own}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  rows = 9 : i64, optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op has no data of which a run could train on rows of its own}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "row_numbers"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "row_numbers"},
                %x: tensor<1xf32> {ens.name = "x", ens.role = "data"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot use the name 'row_numbers' for a param, since the learner has another input of that name; rename it in the functions of the learner}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  rows = 9 : i64, optimizer = #ens.sgd<lr = 0.1>}
