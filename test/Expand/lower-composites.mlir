// RUN: ens-opt %s --ens-lower-composites --split-input-file | FileCheck %s
// RUN: ens-opt %s --ens-expand-pipeline --split-input-file \
// RUN:   | ens-opt --ens-expand-pipeline --split-input-file \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: ens.{{relu|gelu|mean|mse|dropout|he_normal|uniform|normal}}

// CHECK-LABEL: func.func @relu
// CHECK-SAME:    (%[[X:.*]]: tensor<3xf32>)
// CHECK:         %[[ZERO:.*]] = ens.constant dense<0.000000e+00>
// CHECK:         %[[OFF:.*]] = ens.compare le, %[[X]], %[[ZERO]]
// CHECK:         ens.select %[[OFF]], %[[ZERO]], %[[X]]
func.func @relu(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = ens.relu %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @gelu
// CHECK-SAME:    (%[[X:.*]]: tensor<3xf64>)
// CHECK:         %[[HALF:.*]] = ens.mul %[[X]], %{{.*}} : tensor<3xf64>
// CHECK:         ens.constant dense<0.707{{.*}}>
// CHECK:         %[[ERF:.*]] = ens.erf
// CHECK:         %[[WEIGHT:.*]] = ens.add %{{.*}}, %[[ERF]]
// CHECK:         ens.mul %[[HALF]], %[[WEIGHT]]
func.func @gelu(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = ens.gelu %x : tensor<3xf64>
  return %y : tensor<3xf64>
}

// -----

// Two uses of one type share the generated functions.

// CHECK-LABEL: func.func @softplus
// CHECK-COUNT-2: ens.custom_grad @ens.softplus.4x3xf32(%{{.*}}) vjp = @ens.softplus.4x3xf32.rule jvp = @ens.softplus.4x3xf32.rule
// CHECK:       func.func private @ens.softplus.4x3xf32(
// CHECK:         ens.max
// CHECK:         ens.abs
// CHECK:         ens.log1p
// CHECK:       func.func private @ens.softplus.4x3xf32.rule(
// CHECK:         ens.logistic
// CHECK-NOT:   func.func
func.func @softplus(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = ens.softplus %x : tensor<4x3xf32>
  %z = ens.softplus %y : tensor<4x3xf32>
  return %z : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @mean
// CHECK:         %[[SUM:.*]] = ens.reduce sum, %{{.*}} dims = [0, 2]
// CHECK:         %[[COUNT:.*]] = ens.constant dense<8.000000e+00> : tensor<3xf32>
// CHECK:         ens.div %[[SUM]], %[[COUNT]]
func.func @mean(%x: tensor<4x3x2xf32>) -> tensor<3xf32> {
  %y = ens.mean %x dims = [0, 2] : (tensor<4x3x2xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @logsumexp
// CHECK:         ens.custom_grad @ens.logsumexp.4x3xf32(%{{.*}}) vjp = @ens.logsumexp.4x3xf32.vjp jvp = @ens.logsumexp.4x3xf32.jvp
// CHECK:       func.func private @ens.logsumexp.4x3xf32(
// CHECK:         %[[MAX:.*]] = ens.reduce max
// CHECK:         %[[HELD:.*]] = ens.stop_gradient %[[MAX]]
// CHECK:         %[[SHIFT:.*]] = ens.select %{{.*}}, %[[HELD]]
// CHECK:         %[[SUM:.*]] = ens.reduce sum
// CHECK:         %[[LOG:.*]] = ens.log %[[SUM]]
// CHECK:         ens.add %[[LOG]], %[[SHIFT]]
// CHECK:       func.func private @ens.logsumexp.4x3xf32.vjp(
// CHECK:         %[[TERMS:.*]] = ens.exp
// CHECK:         ens.reduce sum, %[[TERMS]]
// CHECK:         ens.div
// CHECK:         ens.mul %[[TERMS]]
// CHECK:       func.func private @ens.logsumexp.4x3xf32.jvp(
// CHECK:         ens.reduce sum
func.func @logsumexp(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %y = ens.logsumexp %x : (tensor<4x3xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK:         %[[MAX:.*]] = ens.reduce max
// CHECK:         ens.stop_gradient %[[MAX]]
// CHECK:         ens.exp
// CHECK:         ens.div
func.func @softmax(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = ens.softmax %x : tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @log_softmax
// CHECK-SAME:    (%[[X:.*]]: tensor<4x3xf32>)
// CHECK:         %[[TOTAL:.*]] = ens.custom_grad @ens.logsumexp.4x3xf32
// CHECK:         %[[ROWS:.*]] = ens.broadcast %[[TOTAL]] dims = [0]
// CHECK:         ens.sub %[[X]], %[[ROWS]]
func.func @log_softmax(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = ens.log_softmax %x : tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// The derivative picks the label by a comparison: elementwise, not a scatter.

// CHECK-LABEL: func.func @cross_entropy
// CHECK:         ens.custom_grad @ens.softmax_cross_entropy.4x3xf32.4xi32(
// CHECK:       func.func private @ens.softmax_cross_entropy.4x3xf32.4xi32(
// CHECK:         ens.gather clamp, %{{.*}} axis = 1 {batch_dims = 1 : i64}
// CHECK:         ens.custom_grad @ens.logsumexp.4x3xf32
// CHECK:       func.func private @ens.softmax_cross_entropy.4x3xf32.4xi32.vjp(
// CHECK:         ens.clamp
// CHECK:         ens.iota dim = 1 : tensor<4x3xi32>
// CHECK:         ens.compare eq
// CHECK:         ens.exp
// CHECK:         ens.select
// CHECK-NOT:     ens.scatter
// CHECK:       func.func private @ens.softmax_cross_entropy.4x3xf32.4xi32.jvp(
func.func @cross_entropy(%x: tensor<4x3xf32>, %y: tensor<4xi32>)
    -> tensor<4xf32> {
  %l = ens.softmax_cross_entropy %x, %y
      : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %l : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @mse
// CHECK:         %[[D:.*]] = ens.sub
// CHECK:         %[[SQUARE:.*]] = ens.mul %[[D]], %[[D]]
// CHECK:         ens.reduce sum, %[[SQUARE]] dims = [1, 2]
// CHECK:         ens.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK:         ens.div
func.func @mse(%x: tensor<4x3x2xf32>, %y: tensor<4x3x2xf32>) -> tensor<4xf32> {
  %l = ens.mse %x, %y
      : (tensor<4x3x2xf32>, tensor<4x3x2xf32>) -> tensor<4xf32>
  return %l : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @mse_of_rows
// CHECK:         ens.mul
// CHECK-NOT:     ens.reduce
func.func @mse_of_rows(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %l = ens.mse %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %l : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @uniform
// CHECK:         %[[STEP:.*]] = ens.constant dense<0> : tensor<i64>
// CHECK:         %[[BITS:.*]] = ens.rng_bits %{{.*}}, %[[STEP]] {site = 5 : i64} : tensor<i64>, tensor<i64> -> tensor<3xui32>
// CHECK:         ens.constant dense<9> : tensor<3xui32>
// CHECK:         ens.shift_right_logical
// CHECK:         ens.convert
// CHECK:         ens.constant dense<1.1920929E-7> : tensor<3xf32>
func.func @uniform(%seed: tensor<i64>) -> tensor<3xf32> {
  %w = ens.uniform %seed {site = 5 : i64} : tensor<3xf32>
  return %w : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @uniform_f64
// CHECK:         ens.rng_bits %{{.*}} -> tensor<3xi64>
// CHECK:         ens.constant dense<12> : tensor<3xi64>
// CHECK:         %[[LOW:.*]] = ens.constant dense<-1.000000e+00> : tensor<3xf64>
// CHECK:         %[[RANGE:.*]] = ens.constant dense<3.000000e+00> : tensor<3xf64>
// CHECK:         %[[SCALED:.*]] = ens.mul %[[RANGE]]
// CHECK:         ens.add %[[LOW]], %[[SCALED]]
func.func @uniform_f64(%seed: tensor<i64>) -> tensor<3xf64> {
  %w = ens.uniform %seed {low = -1.0 : f64, high = 2.0 : f64} : tensor<3xf64>
  return %w : tensor<3xf64>
}

// -----

// CHECK-LABEL: func.func @normal
// CHECK:         %[[SCALE:.*]] = ens.constant dense<2.{{82842.*}}> : tensor<3xf32>
// CHECK:         %[[ERF:.*]] = ens.erf_inv
// CHECK:         ens.mul %[[SCALE]], %[[ERF]]
// CHECK:         ens.constant dense<5.000000e-01>
// CHECK:         ens.add
func.func @normal(%seed: tensor<i64>) -> tensor<3xf32> {
  %w = ens.normal %seed {mean = 0.5 : f64, stddev = 2.0 : f64} : tensor<3xf32>
  return %w : tensor<3xf32>
}

// -----

// Fan-in 8: the normal draws are scaled by sqrt(2) * 0.5 and, with fan-out 2,
// by sqrt(2) * sqrt(0.2); the uniform limits are sqrt(0.75) and sqrt(0.6).

// CHECK-LABEL: func.func @initializers
// CHECK:         ens.constant dense<0.707106{{.*}}> : tensor<2x4x2xf32>
// CHECK:         ens.erf_inv
// CHECK:         ens.constant dense<-0.866025{{.*}}> : tensor<2x4x2xf32>
// CHECK:         ens.constant dense<0.632455{{.*}}> : tensor<2x4x2xf32>
// CHECK:         ens.erf_inv
// CHECK:         ens.constant dense<-0.774596{{.*}}> : tensor<2x4x2xf32>
func.func @initializers(%seed: tensor<i64>)
    -> (tensor<2x4x2xf32>, tensor<2x4x2xf32>, tensor<2x4x2xf32>,
        tensor<2x4x2xf32>) {
  %0 = ens.he_normal %seed : tensor<2x4x2xf32>
  %1 = ens.he_uniform %seed : tensor<2x4x2xf32>
  %2 = ens.glorot_normal %seed : tensor<2x4x2xf32>
  %3 = ens.glorot_uniform %seed : tensor<2x4x2xf32>
  return %0, %1, %2, %3 : tensor<2x4x2xf32>, tensor<2x4x2xf32>,
                          tensor<2x4x2xf32>, tensor<2x4x2xf32>
}

// -----

// CHECK-LABEL: func.func @dropout
// CHECK-SAME:    (%[[X:.*]]: tensor<3xf32>, %[[RATE:.*]]: tensor<f32>, %[[SEED:.*]]: tensor<i64>, %[[STEP:.*]]: tensor<i64>)
// CHECK:         %[[VALID:.*]] = ens.select %{{.*}}, %[[RATE]]
// CHECK:         %[[KEPT:.*]] = ens.select
// CHECK:         ens.rng_bits %[[SEED]], %[[STEP]]
// CHECK:         %[[DROPPED:.*]] = ens.compare lt
// CHECK:         %[[SCALED:.*]] = ens.div %[[X]]
// CHECK:         ens.select %[[DROPPED]], %{{.*}}, %[[SCALED]]
func.func @dropout(%x: tensor<3xf32>, %rate: tensor<f32>, %seed: tensor<i64>,
                   %step: tensor<i64>) -> tensor<3xf32> {
  %y = ens.dropout %x, %rate, %seed, %step : tensor<3xf32>
  return %y : tensor<3xf32>
}
