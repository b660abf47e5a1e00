// RUN: ens-opt %s --split-input-file --verify-diagnostics

func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c1
// expected-error @+1 {{expects @init to be a function of the module with a body}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func private @init() -> (tensor<f32> {ens.name = "w"})
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c1
// expected-error @+1 {{expects @init to be a function of the module with a body}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() {
  return
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c2
// expected-error @+1 {{expects @init to return the parameters, got no result}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> tensor<f32> {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
// learner_c2
// expected-error @+1 {{expects @init to return float tensors with an ens.name, got 'tensor<f32>' without name as result 0}}
ens.learner @net {init = @init, loss = @init, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<i32> {ens.name = "w"}) {
  %0 = ens.constant dense<1> : tensor<i32>
  return %0 : tensor<i32>
}
// learner_c2
// expected-error @+1 {{expects @init to return float tensors with an ens.name, got 'tensor<i32>' as result 0}}
ens.learner @net {init = @init, loss = @init, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}, tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
// learner_c2
// expected-error @+1 {{expects @init to name each parameter once, got 'w' twice}}
ens.learner @net {init = @init, loss = @init, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}, tensor<2xf32> {ens.name = "b"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  %1 = ens.constant dense<1.0> : tensor<2xf32>
  return %0, %1 : tensor<f32>, tensor<2xf32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c2
// expected-error @+1 {{expects @loss to take the parameter 'b' as argument 1}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f64> {ens.name = "w"}) -> tensor<f64> {
  return %w : tensor<f64>
}
// learner_c2
// expected-error @+1 {{expects @loss to take the parameter 'w' of type 'tensor<f32>' as argument 0, got 'w' of type 'tensor<f64>'}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

// learner_c3
// expected-error @+1 {{expects #ens.sgd, #ens.momentum, #ens.adam or #ens.adamw as optimizer, got 1 : i64}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = 1 : i64}

// -----

// learner_c3
// expected-error @+1 {{expects #ens.constant, #ens.cosine or #ens.warmup as schedule, got 1 : i64}}
ens.learner @scheduled {init = @init, loss = @loss, batch_size = 1 : i64,
                        optimizer = #ens.sgd<lr = 0.1>, schedule = 1 : i64}

// -----

// learner_c4
// expected-error @+1 {{expects a positive batch_size, got -1}}
ens.learner @batch {init = @init, loss = @loss, batch_size = -1 : i64,
                    optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"},
                %y: tensor<2xf32> {ens.name = "y", ens.role = "data"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c4, where the data say how large a batch is
// expected-error @+1 {{expects @loss to take batches of batch_size = 3 rows as 'y', got 'tensor<2xf32>'}}
ens.learner @batch {init = @init, loss = @loss, optimizer = #ens.sgd<lr = 0.1>}

// -----

// learner_c10
// expected-error @+1 {{expects rows to be at most 2147483647, got 4611686018427387904}}
ens.learner @rows {init = @init, loss = @loss, batch_size = 1 : i64,
                   rows = 4611686018427387904 : i64,
                   optimizer = #ens.sgd<lr = 0.1>}

// -----

// learner_c10
// expected-error @+1 {{expects validation_rows to be at most 2147483647, got 2147483648}}
ens.learner @validation {init = @init, loss = @loss, batch_size = 1 : i64,
                         validation_rows = 2147483648 : i64,
                         optimizer = #ens.sgd<lr = 0.1>}

// -----

// learner_c4
// expected-error @+1 {{expects batch_size to be at most 2147483647, got 2147483648}}
ens.learner @batch {init = @init, loss = @loss, batch_size = 2147483648 : i64,
                    optimizer = #ens.sgd<lr = 0.1>}

// -----

// learner_c6
// expected-error @+1 {{expects direction to be min or max, got up}}
ens.learner @direction {init = @init, loss = @loss, batch_size = 1 : i64,
                        optimizer = #ens.sgd<lr = 0.1>, direction = "up"}

// -----

// learner_c7
// expected-error @+1 {{expects a positive, finite clip_norm, got 0}}
ens.learner @clip {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.sgd<lr = 0.1>, clip_norm = 0.0 : f64}

// -----

// learner_c7
// expected-error @+1 {{expects a positive, finite clip_norm, got INF}}
ens.learner @clip {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.sgd<lr = 0.1>,
                   clip_norm = 0x7FF0000000000000 : f64}

// -----

// learner_c7
// expected-error @+1 {{expects finite numbers, got #ens.sgd<lr = 0x7FF8000000000000>}}
ens.learner @rate {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.sgd<lr = 0x7FF8000000000000>}

// -----

// learner_c7
// expected-error @+1 {{expects finite numbers, got #ens.adam<lr = 1.000000e-01, eps = 0xFFF0000000000000>}}
ens.learner @rate {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.adam<lr = 0.1, eps = -1.0e999>}

// -----

// learner_c10
// expected-error @+1 {{expects rows to be at least batch_size = 2, got 1}}
ens.learner @rows {init = @init, loss = @loss, batch_size = 2 : i64,
                   optimizer = #ens.sgd<lr = 0.1>, rows = 1 : i64}

// -----

// learner_c10
// expected-error @+1 {{expects validation_rows not to be negative, got -1}}
ens.learner @validation {init = @init, loss = @loss, batch_size = 2 : i64,
                         optimizer = #ens.sgd<lr = 0.1>,
                         validation_rows = -1 : i64}

// -----

// learner_c10
// expected-error @+1 {{expects shuffle to be per_run, shared or none, got all}}
ens.learner @shuffle {init = @init, loss = @loss, batch_size = 2 : i64,
                      optimizer = #ens.sgd<lr = 0.1>, shuffle = "all"}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c4
// expected-error @+1 {{expects @loss to take batches of batch_size = 2 rows as 'x', got 'tensor<3xf32>'}}
ens.learner @net {init = @init, loss = @loss, batch_size = 2 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loss(%w: tensor<2xf32> {ens.name = "w"}) -> tensor<2xf32> {
  return %w : tensor<2xf32>
}
// learner_c5
// expected-error @+1 {{expects @loss to return one float for each of the batch_size = 3 rows, or one scalar, got ('tensor<2xf32>')}}
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
func.func @count(%w: tensor<f32> {ens.name = "w"}) -> tensor<i32> {
  %0 = ens.constant dense<1> : tensor<i32>
  return %0 : tensor<i32>
}
// learner_c5
// expected-error @+1 {{expects @count to return one float for each of the batch_size = 1 rows, or one scalar, got ('tensor<i32>')}}
ens.learner @net {init = @init, loss = @loss, metrics = {count = @count},
                  batch_size = 1 : i64, optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c5
// expected-error @+1 {{expects another name than 'loss' for a metric}}
ens.learner @net {init = @init, loss = @loss, metrics = {loss = @loss},
                  batch_size = 1 : i64, optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c6
// expected-error @+1 {{expects monitor to be loss or a metric, got accuracy}}
ens.learner @net {init = @init, loss = @loss, monitor = "accuracy",
                  batch_size = 1 : i64, optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init(%x: tensor<f32> {ens.name = "x", ens.role = "data"})
    -> (tensor<f32> {ens.name = "w"}) {
  return %x : tensor<f32>
}
// learner_c8
// expected-error @+1 {{expects @init to take arguments with the role seed or hyper only, got 'data' for argument 0}}
ens.learner @net {init = @init, loss = @init, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}, %x: tensor<1xf32> {ens.name = "x"})
    -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c8
// expected-error @+1 {{expects @loss to give argument 1 an ens.name and the ens.role data, hyper, seed or step, got 'x' and ''}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %rate: tensor<2xf32> {ens.name = "rate", ens.role = "hyper"})
    -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c8
// expected-error @+1 {{expects @loss to take the hyper-parameter 'rate' as a float of rank 0, got 'tensor<2xf32>'}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %t: tensor<i32> {ens.name = "t", ens.role = "step"})
    -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c8
// expected-error @+1 {{expects @loss to take the step as tensor<i64>, got 'tensor<i32>'}}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<2xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<f32> {
  return %w : tensor<f32>
}
func.func @metric(%w: tensor<f32> {ens.name = "w"},
                  %x: tensor<2x3xf32> {ens.name = "x", ens.role = "data"})
    -> tensor<f32> {
  return %w : tensor<f32>
}
// learner_c9
// expected-error @+1 {{expects @metric to use 'x' as another function does, as data of type 'tensor<2xf32>', got data of type 'tensor<2x3xf32>'}}
ens.learner @net {init = @init, loss = @loss, metrics = {metric = @metric},
                  batch_size = 2 : i64, optimizer = #ens.sgd<lr = 0.1>}

// -----

// learner_c7
// expected-error @+1 {{expects steps to be above 0, got #ens.cosine<steps = 0.000000e+00>}}
ens.learner @cosine {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = 0.1>,
  schedule = #ens.cosine<steps = 0.0>}

// -----

// learner_c7
// expected-error @+1 {{expects steps to be above 0, got}}
ens.learner @cosine {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = 0.1>,
  schedule = #ens.cosine<steps = -5.0, warmup = 10.0>}

// -----

// learner_c7
// expected-error @+1 {{expects warmup to be at most steps, got #ens.cosine<steps = 1.000000e+01, warmup = 5.000000e+01>}}
ens.learner @cosine {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = 0.1>,
  schedule = #ens.cosine<steps = 10.0, warmup = 50.0>}

// -----

// learner_c7
// expected-error @+1 {{expects final to be at least 0 and at most 1, got}}
ens.learner @cosine {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = 0.1>,
  schedule = #ens.cosine<steps = 10.0, final = 1.5>}

// -----

// learner_c7
// expected-error @+1 {{expects steps to be at least 0, got}}
ens.learner @warmup {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = 0.1>,
  schedule = #ens.warmup<steps = -1.0>}

// -----

// learner_c7
// expected-error @+1 {{expects lr to be at least 0, got #ens.sgd<lr = -1.000000e+00>}}
ens.learner @rate {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = -1.0>}

// -----

// learner_c7
// expected-error @+1 {{expects weight_decay to be at least 0, got}}
ens.learner @decay {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.sgd<lr = 1.0, weight_decay = -0.1>}

// -----

// learner_c7
// expected-error @+1 {{expects momentum to be at least 0 and below 1, got}}
ens.learner @momentum {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.momentum<lr = 0.1, momentum = 9.0>}

// -----

// learner_c7
// expected-error @+1 {{expects beta1 to be at least 0 and below 1, got}}
ens.learner @beta {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.adam<lr = 0.1, beta1 = 1.0>}

// -----

// learner_c7
// expected-error @+1 {{expects beta2 to be at least 0 and below 1, got}}
ens.learner @beta {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.adamw<lr = 0.1, beta2 = -0.5>}

// -----

// learner_c7
// expected-error @+1 {{expects eps to be above 0, got}}
ens.learner @eps {init = @init, loss = @loss, batch_size = 1 : i64,
  optimizer = #ens.adam<lr = 0.1, eps = 0.0>}
