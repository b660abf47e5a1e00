// RUN: ens-opt %s --ens-fill-learners="rows=2 shuffle=shared" \
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
// expected-error @+1 {{'ens.learner' op has a batch_size of 3, but there are only 2 rows of training data}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op says shuffle = "none", but is compiled with --shuffle=shared; leave out one of them}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  rows = 4 : i64, shuffle = "none",
                  optimizer = #ens.sgd<lr = 0.1>}
