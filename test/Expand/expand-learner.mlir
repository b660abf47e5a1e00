// RUN: ens-opt %s --ens-expand-pipeline --split-input-file > %t
// RUN: FileCheck %s < %t
// RUN: ens-opt %t --ens-expand-pipeline --split-input-file | diff %t -
// RUN: ens-opt %ensc_src/docs/examples/digits.mlir --ens-lower-composites \
// RUN:     --ens-number-sites \
// RUN:     --ens-fill-learners="rows=1437 validation-rows=360" \
// RUN:     --ens-expand-learner=entries=logits,digits.fit,digits.evaluate \
// RUN:     --ens-offset-draws \
// RUN:     --ens-verify-expand \
// RUN:   | FileCheck %s --check-prefix=DIGITS

// DIGITS:       monitor = "val_accuracy"
// DIGITS-SAME:  rows = 1437 : i64
// DIGITS-SAME:  steps_per_epoch = 44 : i64, validation_rows = 360 : i64
// DIGITS:       func.func @logits(
// DIGITS:       func.func private @loss(

// The functions of a learner, their arguments and what they are called.

// CHECK:       ens.learners = [{batch_size = 4 : i64, direction = "max", metrics = [{direction = "min", name = "val_loss"}, {direction = "max", name = "val_hits"}], monitor = "val_hits", name = "net", params = ["w", "b"], rows = 9 : i64, shuffle = "per_run", states = ["adam.m.w", "adam.m.b", "adam.v.w", "adam.v.b"], steps_per_epoch = 2 : i64, validation_rows = 6 : i64}]
// CHECK:       func.func private @init
// CHECK:       func.func private @loss
// CHECK:       func.func private @hits
// CHECK:       func.func private @predict
// CHECK:       func.func private @scores

// CHECK-LABEL: func.func @net.init(
// CHECK-SAME:    %{{.*}}: tensor<i64> {ens.name = "seed", ens.role = "seed"}, %{{.*}}: tensor<f32> {ens.default = 5.000000e-01 : f64, ens.name = "spread", ens.role = "hyper"})
// CHECK-SAME:    -> (tensor<3xf32> {ens.name = "w", ens.role = "param"}, tensor<f64> {ens.name = "b", ens.role = "param"}, tensor<3xf32> {ens.name = "adam.m.w", ens.role = "state"}, tensor<f64> {ens.name = "adam.m.b", ens.role = "state"}, tensor<3xf32> {ens.name = "adam.v.w", ens.role = "state"}, tensor<f64> {ens.name = "adam.v.b", ens.role = "state"})
// CHECK:         %[[PARAMS:.*]]:2 = call @init(%arg1, %arg0)
// CHECK:         return %[[PARAMS]]#0, %[[PARAMS]]#1,

// CHECK-LABEL: func.func private @net.objective(
// CHECK-SAME:    {ens.name = "rate", ens.role = "hyper"}, %{{.*}}: tensor<i64> {ens.name = "seed", ens.role = "seed"}, %{{.*}}: tensor<i64> {ens.name = "step", ens.role = "step"}) -> (tensor<f32> {ens.name = "loss"})
// CHECK:         %[[ROWS:.*]] = call @loss
// CHECK:         %[[SUM:.*]] = ens.reduce sum, %[[ROWS]] dims = [0]
// CHECK:         ens.div %[[SUM]]

// CHECK-LABEL: func.func private @net.step(
// CHECK:         ens.value_and_grad @net.objective(%{{.*}}) wrt = [0, 1]

// Scalars of the optimizer are converted for parameters of another type.
// CHECK:         ens.convert %{{.*}} : tensor<f32> to tensor<f64>

// CHECK-LABEL: func.func @net.fit(
// CHECK-SAME:    %{{.*}}: tensor<9x3xf32> {ens.name = "x", ens.role = "data"}, %{{.*}}: tensor<9xf32> {ens.name = "y", ens.role = "data"},
// CHECK-SAME:    {ens.default = 1.000000e-03 : f64, ens.name = "lr", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"},
// CHECK-SAME:    {ens.default = 9.000000e-01 : f64, ens.name = "beta1", ens.range = {at_least = 0.000000e+00 : f64, below = 1.000000e+00 : f64}, ens.role = "hyper"},
// CHECK-SAME:    {ens.default = 0.99{{[0-9]*}} : f64, ens.name = "beta2", ens.range = {at_least = 0.000000e+00 : f64, below = 1.000000e+00 : f64}, ens.role = "hyper"},
// CHECK-SAME:    {ens.default = 1.000000e-08 : f64, ens.name = "eps", ens.range = {above = 0.000000e+00 : f64}, ens.role = "hyper"}, %{{.*}}: tensor<f32> {ens.name = "rate", ens.role = "hyper"},
// CHECK-SAME:    %[[SEED:[a-z0-9]+]]: tensor<i64> {ens.name = "seed", ens.role = "seed"}, %[[SUM:[a-z0-9]+]]: tensor<f32> {ens.name = "loss_sum", ens.role = "state"}, %[[BEGIN:[a-z0-9]+]]: index {ens.name = "begin", ens.role = "begin"}, %[[END:[a-z0-9]+]]: index {ens.name = "end", ens.role = "end"})
// CHECK-SAME:    tensor<f32> {ens.name = "loss_sum", ens.role = "state"})
// CHECK-DAG:     %[[SPE:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[FIRST:.*]] = arith.divui %[[BEGIN]], %[[SPE]]
// CHECK-DAG:     %[[LAST:.*]] = arith.divui %{{.*}}, %[[SPE]]
// CHECK:         scf.for %[[EPOCH:[a-z0-9]+]] = %[[FIRST]] to %[[LAST]]
// CHECK-SAME:    = %[[SUM]])
// CHECK:           %[[E:.*]] = ens.from_index %[[EPOCH]]
// CHECK:           %[[ORDER:.*]] = ens.permutation %[[SEED]], %[[E]] size = 9
// CHECK:           %[[START:.*]] = arith.muli %[[EPOCH]], %[[SPE]]
// CHECK:           %[[LOWER:.*]] = arith.maxsi %[[BEGIN]], %[[START]]
// CHECK:           %[[UPPER:.*]] = arith.minsi %[[END]]
// CHECK:           scf.for %[[STEP:[a-z0-9]+]] = %[[LOWER]] to %[[UPPER]]
// CHECK:             %[[ROWS:.*]] = ens.dynamic_slice %[[ORDER]][%{{.*}}] sizes = [4]
// CHECK:             ens.gather clamp, %{{.*}}, %[[ROWS]] axis = 0 : (tensor<9x3xf32>
// CHECK:             ens.gather clamp, %{{.*}}, %[[ROWS]] axis = 0 : (tensor<9xf32>
// CHECK:             %[[T:.*]] = ens.from_index %[[STEP]]
// CHECK:             call @net.step(
// CHECK-SAME:          %[[SEED]], %[[T]])

// CHECK-LABEL: func.func @net.evaluate(
// CHECK-SAME:    %{{.*}}: tensor<6x3xf32> {ens.name = "x_val", ens.role = "data"}, %{{.*}}: tensor<6xf32> {ens.name = "y_val", ens.role = "data"}, %{{.*}}: tensor<f32> {ens.name = "rate", ens.role = "hyper"}, %{{.*}}: tensor<f32> {ens.default = 0.000000e+00 : f64, ens.name = "threshold", ens.role = "hyper"}
// CHECK-SAME:    -> (tensor<f32> {ens.direction = "min", ens.name = "val_loss"}, tensor<f64> {ens.direction = "max", ens.name = "val_hits"})
// Row-wise: two batches of 4 cover 6 rows; the rows behind are row 0 again.
// CHECK:         scf.for
// CHECK:           %[[IS_ROW:.*]] = ens.compare lt
// CHECK:           %[[NUMBERS:.*]] = ens.select %[[IS_ROW]]
// CHECK:           ens.gather clamp, %{{.*}}, %[[NUMBERS]] axis = 0
// CHECK:           func.call @loss
// CHECK:           ens.dynamic_update_slice
// CHECK:         ens.slice %{{.*}} starts = [0] limits = [6] strides = [1] : (tensor<8xf32>)
// CHECK:         ens.constant dense<6.000000e+00> : tensor<f32>
// Per batch: the mean over one full batch.
// CHECK:         scf.for
// CHECK:           func.call @hits
// CHECK:         ens.constant dense<1.000000e+00> : tensor<f64>

// CHECK-LABEL: func.func @net.predict(
// CHECK-SAME:    %{{.*}}: tensor<3xf32> {ens.name = "w", ens.role = "param"}, %{{.*}}: tensor<f64> {ens.name = "b", ens.role = "param"}, %{{.*}}: tensor<1x3xf32> {ens.name = "x", ens.role = "data"}) -> (tensor<1xf32> {ens.name = "y"})
// CHECK-NOT:   ens.learner @
func.func @init(%spread: tensor<f32> {ens.name = "spread", ens.role = "hyper", ens.default = 0.5 : f64},
                %key: tensor<i64> {ens.name = "key", ens.role = "seed"})
    -> (tensor<3xf32> {ens.name = "w"}, tensor<f64> {ens.name = "b"}) {
  %0 = ens.normal %key : tensor<3xf32>
  %1 = ens.broadcast %spread dims = [] : tensor<f32> to tensor<3xf32>
  %w = ens.mul %0, %1 : tensor<3xf32>
  %b = ens.constant dense<0.0> : tensor<f64>
  return %w, %b : tensor<3xf32>, tensor<f64>
}
func.func @loss(%w: tensor<3xf32> {ens.name = "w"}, %b: tensor<f64> {ens.name = "b"},
                %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
                %y: tensor<4xf32> {ens.name = "y", ens.role = "data"},
                %rate: tensor<f32> {ens.name = "rate", ens.role = "hyper"},
                %key: tensor<i64> {ens.name = "key", ens.role = "seed"},
                %t: tensor<i64> {ens.name = "t", ens.role = "step"})
    -> tensor<4xf32> {
  %0 = ens.dropout %x, %rate, %key, %t : tensor<4x3xf32>
  %1 = call @scores(%w, %b, %0)
      : (tensor<3xf32>, tensor<f64>, tensor<4x3xf32>) -> tensor<4xf32>
  %2 = ens.mse %1, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @hits(%w: tensor<3xf32> {ens.name = "w"}, %b: tensor<f64> {ens.name = "b"},
                %y: tensor<4xf32> {ens.name = "y", ens.role = "data"},
                %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
                %threshold: tensor<f32> {ens.name = "threshold", ens.role = "hyper", ens.default = 0.0 : f64})
    -> tensor<f64> {
  return %b : tensor<f64>
}
func.func @predict(%w: tensor<3xf32> {ens.name = "w"}, %b: tensor<f64> {ens.name = "b"},
                   %x: tensor<1x3xf32> {ens.name = "x", ens.role = "data"})
    -> (tensor<1xf32> {ens.name = "y"}) {
  %0 = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<1x3xf32>, tensor<3xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @scores(%w: tensor<3xf32>, %b: tensor<f64>, %x: tensor<4x3xf32>)
    -> tensor<4xf32> {
  %0 = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>
  %1 = ens.convert %b : tensor<f64> to tensor<f32>
  %2 = ens.broadcast %1 dims = [] : tensor<f32> to tensor<4xf32>
  %3 = ens.add %0, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
ens.learner @net {init = @init, loss = @loss, metrics = {hits = @hits},
                  predict = @predict, optimizer = #ens.adam<lr = 1.0e-3>,
                  batch_size = 4 : i64, rows = 9 : i64,
                  validation_rows = 6 : i64}

// -----

// SGD; no data, so that an epoch is one step and nothing is shuffled; no
// validation data, so that the loss is watched and nothing is evaluated.

// CHECK:       ens.learners = [{batch_size = 1 : i64, direction = "min", metrics = [], monitor = "loss", name = "sgd", params = ["w"], rows = 1 : i64, shuffle = "per_run", states = [], steps_per_epoch = 1 : i64, validation_rows = 0 : i64}]
// CHECK-LABEL: func.func private @sgd.step(
// CHECK-SAME:    %[[W:.*]]: tensor<2xf32> {ens.name = "w", ens.role = "param"}, %[[LR:.*]]: tensor<f32> {ens.default = 1.000000e-01 : f64, ens.name = "lr", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}, %[[WD:.*]]: tensor<f32> {ens.default = 0.000000e+00 : f64, ens.name = "weight_decay", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}
// CHECK:         %[[DECAY:.*]] = ens.mul %[[LR]], %[[WD]]
// CHECK:         %[[KEEP:.*]] = ens.sub %{{.*}}, %[[DECAY]]
// CHECK:         %[[KEEPS:.*]] = ens.broadcast %[[KEEP]]
// CHECK:         %[[KEPT:.*]] = ens.mul %[[KEEPS]], %[[W]]
// CHECK:         %[[RATE:.*]] = ens.broadcast %[[LR]]
// CHECK:         %[[CHANGE:.*]] = ens.mul %[[RATE]], %{{.*}}#1
// CHECK:         ens.sub %[[KEPT]], %[[CHANGE]]
// CHECK-LABEL: func.func @sgd.fit(
// CHECK-NOT:     ens.permutation
// CHECK-NOT:   func.func @sgd.evaluate
func.func private @init() -> (tensor<2xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @loss(%w: tensor<2xf32> {ens.name = "w"}) -> tensor<f32> {
  %0 = ens.reduce sum, %w dims = [0] : (tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
ens.learner @sgd {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}

// -----

// Momentum with clipping and a cosine schedule; the order of the rows shared by
// all runs.

// CHECK-LABEL: func.func private @momentum.step(
// CHECK-SAME:    {ens.default = 1.000000e-01 : f64, ens.name = "lr", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}, %{{.*}}: tensor<f32> {ens.default = 9.000000e-01 : f64, ens.name = "momentum", ens.range = {at_least = 0.000000e+00 : f64, below = 1.000000e+00 : f64}, ens.role = "hyper"}, %{{.*}}: tensor<f32> {ens.default = 0.000000e+00 : f64, ens.name = "weight_decay", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}, %[[STEPS:.*]]: tensor<f32> {ens.default = 1.000000e+02 : f64, ens.name = "schedule_steps", ens.range = {above = 0.000000e+00 : f64}, ens.role = "hyper"}, %[[WARMUP:.*]]: tensor<f32> {ens.default = 1.000000e+01 : f64, ens.limit = "schedule_steps", ens.name = "warmup_steps", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}, %[[FINAL:.*]]: tensor<f32> {ens.default = 0.000000e+00 : f64, ens.name = "final_fraction", ens.range = {at_least = 0.000000e+00 : f64, at_most = 1.000000e+00 : f64}, ens.role = "hyper"}, %[[CLIP:.*]]: tensor<f32> {ens.default = 1.000000e+00 : f64, ens.name = "clip_norm", ens.range = {above = 0.000000e+00 : f64}, ens.role = "hyper"}
// CHECK:         %[[SQUARES:.*]] = ens.mul %[[G:.*]]#1, %[[G]]#1
// CHECK:         %[[SUM:.*]] = ens.reduce sum, %[[SQUARES]]
// CHECK:         %[[NORM:.*]] = ens.sqrt %[[SUM]]
// CHECK:         %[[IS_LONG:.*]] = ens.compare gt, %[[NORM]], %[[CLIP]]
// CHECK:         %[[SCALE:.*]] = ens.div %[[CLIP]], %[[NORM]]
// CHECK:         ens.select %[[IS_LONG]], %[[SCALE]]
// CHECK:         %[[T:.*]] = ens.convert %{{.*}} : tensor<i64> to tensor<f32>
// CHECK:         ens.cos
// CHECK:         %[[IS_OVER:.*]] = ens.compare ge, %[[T]], %[[STEPS]]
// CHECK:         ens.select %[[IS_OVER]], %[[FINAL]]
// CHECK:         ens.compare lt, %[[T]], %[[WARMUP]]
// A small velocity becomes a multiple of 2^-100.
// CHECK:         ens.constant dense<9.92616735E-24>
// CHECK-LABEL: func.func @momentum.fit(
// CHECK-SAME:    %[[ORDER_SEED:[a-z0-9]+]]: tensor<i64> {ens.name = "order_seed", ens.role = "order_seed"}
// CHECK:         ens.permutation %[[ORDER_SEED]]
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
ens.learner @momentum {init = @init, loss = @loss, batch_size = 3 : i64,
                       rows = 7 : i64, shuffle = "shared",
                       clip_norm = 1.0 : f64,
                       schedule = #ens.cosine<steps = 100.0, warmup = 10.0>,
                       optimizer = #ens.momentum<lr = 0.1, nesterov = true>}

// -----

// AdamW with a warm-up; the rows in the order of the data.

// CHECK-LABEL: func.func private @adamw.step(
// CHECK-SAME:    %[[W:.*]]: tensor<2xf32> {ens.name = "w", ens.role = "param"}
// CHECK-SAME:    {ens.default = 1.000000e-02 : f64, ens.name = "weight_decay", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}, %[[WARMUP:.*]]: tensor<f32> {ens.default = 5.000000e+00 : f64, ens.name = "warmup_steps", ens.range = {at_least = 0.000000e+00 : f64}, ens.role = "hyper"}
// CHECK:         ens.compare lt, %{{.*}}, %[[WARMUP]]
// CHECK-COUNT-2: ens.expm1
// CHECK-COUNT-2: ens.constant dense<9.92616735E-24>
// CHECK:         ens.sqrt
// CHECK:         %[[CHANGE:.*]] = ens.div
// CHECK:         %[[DECAY:.*]] = ens.mul %{{.*}}, %[[W]]
// CHECK:         %[[KEPT:.*]] = ens.sub %[[W]], %[[DECAY]]
// CHECK:         ens.sub %[[KEPT]], %[[CHANGE]]
// CHECK-LABEL: func.func @adamw.fit(
// CHECK-NOT:     ens.permutation
// CHECK:         ens.dynamic_slice %{{.*}} sizes = [3, 2] : (tensor<7x2xf32>
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
ens.learner @adamw {init = @init, loss = @loss, batch_size = 3 : i64,
                    rows = 7 : i64, shuffle = "none",
                    schedule = #ens.warmup<steps = 5.0>,
                    optimizer = #ens.adamw<lr = 0.1>}
