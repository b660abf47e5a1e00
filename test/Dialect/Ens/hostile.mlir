// RUN: ens-opt %s --split-input-file --verify-diagnostics

// Extents whose products or sums overflow are diagnosed, not computed.

func.func @product(%x: tensor<4611686018427387904x4xf32>) {
  // expected-error @+1 {{'ens.reshape' op operand #0 must be static tensor of f32, f64, i1, i32, i64 or ui32 (at most 2^40 elements), but got 'tensor<4611686018427387904x4xf32>'}}
  %0 = ens.reshape %x : tensor<4611686018427387904x4xf32> to tensor<0xf32>
  return
}

// -----

func.func @empty_but_huge(%x: tensor<0x4611686018427387904x4xf32>) {
  // expected-error @+1 {{'ens.neg' op operand #0 must be}}
  %0 = ens.neg %x : tensor<0x4611686018427387904x4xf32>
  return
}

// -----

func.func @constant() {
  // expected-error @+1 {{'ens.constant' op result #0 must be}}
  %0 = ens.constant dense<0.0> : tensor<1048577x1048576xf32>
  return
}

// -----

func.func @pad_low(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects -2^40 <= low <= 2^40 in dimension 0, got 9223372036854775807}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [9223372036854775807] high = [0] interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_interior(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects 0 <= interior < 2^40 in dimension 0, got 9223372036854775807}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [0] high = [0] interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @stride(%x: tensor<4xf32>) -> tensor<1xf32> {
  %0 = ens.slice %x starts = [1] limits = [4] strides = [1099511627776] : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @result(%x: tensor<1048576xf32>) {
  // expected-error @+1 {{'ens.dot' op result #0 must be}}
  %0 = ens.dot %x, %x lhs_contract = [] rhs_contract = [] : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576x2097152xf32>
  return
}

// -----

func.func @largest(%x: tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> {
  %0 = ens.neg %x : tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}
