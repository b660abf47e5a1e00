// RUN: ens-opt %s --split-input-file --verify-diagnostics

// mean_c1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.mean' op expects strictly increasing dims below 2, got [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.mean %x dims = [2] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// logsumexp_c1
func.func @f(%x: tensor<f32>) {
  // expected-error @+2 {{'ens.logsumexp' op expects a last dimension that is not empty, got 'tensor<f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.logsumexp %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// softmax_c1
func.func @f(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{'ens.softmax' op expects a last dimension that is not empty, got 'tensor<4x0xf32>'}}
  %0 = ens.softmax %x : tensor<4x0xf32>
  return
}

// -----

// log_softmax_c1
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.log_softmax' op expects a last dimension that is not empty, got 'tensor<f32>'}}
  %0 = ens.log_softmax %x : tensor<f32>
  return
}

// -----

// softmax_cross_entropy_c1
func.func @f(%x: tensor<f32>, %l: tensor<i32>) {
  // expected-error @+2 {{'ens.softmax_cross_entropy' op expects a last dimension that is not empty, got 'tensor<f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.softmax_cross_entropy %x, %l : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

// softmax_cross_entropy_c2
func.func @f(%x: tensor<4x3xf32>, %l: tensor<3xi32>) {
  // expected-error @+2 {{'ens.softmax_cross_entropy' op expects labels of shape [4], got [3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.softmax_cross_entropy %x, %l : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

// mse_c1
func.func @f(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+2 {{'ens.mse' op expects two operands of one type with rows, got 'tensor<4xf32>' and 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.mse %x, %y : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

// dropout_c1
func.func @f(%x: tensor<4xf32>, %seed: tensor<i64>, %step: tensor<i64>) {
  %rate = ens.constant dense<1.5> : tensor<f32>
  // expected-error @+1 {{'ens.dropout' op expects a rate in [0, 1], got 1.5}}
  %0 = ens.dropout %x, %rate, %seed, %step : tensor<4xf32>
  return
}

// -----

// uniform_c1
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.uniform' op expects finite low < high, got 1}}
  %0 = ens.uniform %seed {low = 1.0 : f64, high = 1.0 : f64} : tensor<4xf32>
  return
}

// -----

// normal_c1
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.normal' op expects a finite mean and a finite stddev above 0, got 0}}
  %0 = ens.normal %seed {stddev = -1.0 : f64} : tensor<4xf32>
  return
}

// -----

// he_normal_c1
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.he_normal' op expects a result of rank 2 or more without empty dimensions, got 'tensor<4xf32>'}}
  %0 = ens.he_normal %seed : tensor<4xf32>
  return
}

// -----

// he_uniform_c1
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.he_uniform' op expects a result of rank 2 or more without empty dimensions, got 'tensor<4x0xf32>'}}
  %0 = ens.he_uniform %seed : tensor<4x0xf32>
  return
}

// -----

// glorot_normal_c1
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.glorot_normal' op expects a result of rank 2 or more without empty dimensions, got 'tensor<f32>'}}
  %0 = ens.glorot_normal %seed : tensor<f32>
  return
}

// -----

// glorot_uniform_c1
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.glorot_uniform' op expects a result of rank 2 or more without empty dimensions, got 'tensor<4xf64>'}}
  %0 = ens.glorot_uniform %seed : tensor<4xf64>
  return
}
