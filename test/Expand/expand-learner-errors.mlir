// RUN: ens-opt %s --ens-expand-learner --split-input-file --verify-diagnostics

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

// -----

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %lr: tensor<f32> {ens.name = "lr", ens.role = "hyper"})
    -> tensor<f32> {
  return %lr : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot use the name 'lr' for a hyper, since the learner has another input of that name; rename it in the functions of the learner}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %h: tensor<f32> {ens.name = "status", ens.role = "hyper"})
    -> tensor<f32> {
  return %h : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot use the name 'status' for a hyper, since tables of runs have a column of that name; rename it in the functions of the learner}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %h: tensor<f32> {ens.name = "best_val_loss", ens.role = "hyper"})
    -> tensor<f32> {
  return %h : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot use the name 'best_val_loss' for a hyper, since tables of runs have a column of that name; rename it in the functions of the learner}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "run"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "run"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot use the name 'run' for a param, since files with the states of several runs have their numbers under that name; rename it in the functions of the learner}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "step"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "step"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot use the name 'step' for a param, since the learner has another input of that name; rename it in the functions of the learner}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op watches val_same, but there are no validation data; add validation_rows = N : i64, or watch the loss}}
ens.learner @net {init = @init, loss = @loss, metrics = {same = @loss},
                  batch_size = 3 : i64, monitor = "same",
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op has functions that return one scalar per batch of 3, but only 2 rows of validation data}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  validation_rows = 2 : i64, optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"},
                %x: tensor<3x784xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<f32> {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op has 2000000000 rows of the data 'x', which has 784 elements per row; at most 1402438300 rows are supported}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  rows = 2000000000 : i64, optimizer = #ens.sgd<lr = 0.1>}
