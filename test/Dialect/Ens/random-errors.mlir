// RUN: ens-opt %s --split-input-file --verify-diagnostics

// rng_bits_c1
func.func @f(%seed: tensor<i64>, %step: tensor<2xi64>) {
  // expected-error @+1 {{'ens.rng_bits' op expects step and offset of the seed's type 'tensor<i64>', got 'tensor<2xi64>'}}
  %0 = ens.rng_bits %seed, %step : tensor<i64>, tensor<2xi64> -> tensor<4xui32>
  return
}

// -----

// rng_bits_c2
func.func @f(%seed: tensor<2xi64>) {
  // expected-error @+1 {{'ens.rng_bits' op expects the result's shape to begin with the seed's, [2], got [4]}}
  %0 = ens.rng_bits %seed, %seed : tensor<2xi64>, tensor<2xi64> -> tensor<4xui32>
  return
}

// -----

// rng_bits_c3
func.func @f(%seed: tensor<i64>) {
  // expected-error @+1 {{'ens.rng_bits' op expects site in [0, 4294967295), got 4294967295}}
  %0 = ens.rng_bits %seed, %seed {site = 4294967295 : i64} : tensor<i64>, tensor<i64> -> tensor<4xui32>
  return
}

// -----

// permutation_c1
func.func @f(%seed: tensor<i64>, %epoch: tensor<2xi64>) {
  // expected-error @+2 {{'ens.permutation' op expects an epoch of the seed's type 'tensor<i64>', got 'tensor<2xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.permutation %seed, %epoch size = 4 : (tensor<i64>, tensor<2xi64>) -> tensor<4xi32>
  return
}

// -----

// permutation_c2
func.func @f(%seed: tensor<i64>) {
  // expected-error @+2 {{'ens.permutation' op expects size in [0, 2^31), got 2147483648}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.permutation %seed, %seed size = 2147483648 : (tensor<i64>, tensor<i64>) -> tensor<2147483648xi32>
  return
}

// -----

// run_id_c1
func.func @f() {
  // expected-error @+1 {{'ens.run_id' op expects a result of rank 0 or 1, got 'tensor<2x2xi64>'}}
  %0 = ens.run_id : tensor<2x2xi64>
  return
}
