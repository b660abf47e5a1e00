// RUN: ens-opt %s --ens-override-learners="batch-size=2" \
// RUN:   --split-input-file --verify-diagnostics

// A mean over the rows may have been written with their number.

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 3: @loss does not give one value per row of the batch, so that its meaning may depend on it; change the program}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<3xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @loss(%w: tensor<3xf32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"}) -> tensor<3xf32> {
  %0 = ens.mul %w, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 3: the type of argument 0 of @loss depends on it}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"}) -> tensor<3xf32> {
  %0 = ens.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = ens.mul %0, %x : tensor<3xf32>
  return %1 : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 3: a constant has different elements for the rows of a batch}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3x2xf32> {ens.name = "x", ens.role = "data"}) -> tensor<3xf32> {
  // expected-note @+1 {{'ens.reshape' op}}
  %0 = ens.reshape %x : tensor<3x2xf32> to tensor<6xf32>
  %1 = ens.reshape %0 : tensor<6xf32> to tensor<2x3xf32>
  %2 = ens.reduce sum, %x dims = [1] : (tensor<3x2xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 3: an op cannot take it}}
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
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 1: it has no data}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

// What picks rows, or sums over them, may count them in a constant.

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"}) -> tensor<3xf32> {
  // expected-note @+1 {{here}}
  %0 = ens.reduce sum, %x dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %1 = ens.broadcast %0 dims = [] : tensor<f32> to tensor<3xf32>
  %2 = ens.sub %x, %1 : tensor<3xf32>
  return %2 : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 3: an op sums over the rows}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"}) -> tensor<3xf32> {
  // expected-note @+1 {{here}}
  %0 = ens.slice %x starts = [0] limits = [1] strides = [1] : (tensor<3xf32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.broadcast %1 dims = [] : tensor<f32> to tensor<3xf32>
  %3 = ens.add %x, %2 : tensor<3xf32>
  return %3 : tensor<3xf32>
}
// expected-error @+1 {{'ens.learner' op cannot have a batch size of 2 instead of 3: an op picks some of the rows}}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}
