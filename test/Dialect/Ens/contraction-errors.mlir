// RUN: ens-opt %s --split-input-file --verify-diagnostics

// dot_c1
func.func @f(%x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error @+2 {{'ens.dot' op expects one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dot %x, %y lhs_contract = [0] rhs_contract = [0] : (tensor<3xf32>, tensor<3xf64>) -> tensor<f32>
  return
}

// -----

// dot_c2
func.func @f(%x: tensor<3x3xf32>) {
  // expected-error @+2 {{'ens.dot' op expects distinct dimensions of the left side of rank 2, got batch [] and contract [1, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dot %x, %x lhs_contract = [1, 1] rhs_contract = [0, 1] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<f32>
  return
}

// -----

// dot_c2
func.func @f(%x: tensor<3x3xf32>) {
  // expected-error @+2 {{'ens.dot' op expects distinct dimensions of the right side of rank 2, got batch [0] and contract [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dot %x, %x lhs_batch = [0] rhs_batch = [0] lhs_contract = [1] rhs_contract = [2] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
  return
}

// -----

// dot_c3
func.func @f(%x: tensor<3x3xf32>) {
  // expected-error @+2 {{'ens.dot' op expects as many contracted dimensions on both sides, got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dot %x, %x lhs_contract = [1] rhs_contract = [0, 1] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
  return
}

// -----

// dot_c4
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.dot' op expects equal extents of contracted dimensions 1 and 0, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dot %x, %x lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// dot_c4
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.dot' op expects equal extents of batch dimensions 0 and 1, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dot %x, %x lhs_batch = [0] rhs_batch = [1] lhs_contract = [] rhs_contract = [] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3x4xf32>
  return
}

// -----

// reduce_c1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.reduce' op expects strictly increasing dims below 2, got [1, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.reduce sum, %x dims = [1, 0] : (tensor<4x3xf32>) -> tensor<f32>
  return
}

// -----

// arg_reduce_c1
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'ens.arg_reduce' op expects dim in [0, 1), got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.arg_reduce max, %x dim = 1 : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

// arg_reduce_c2
func.func @f(%x: tensor<4x0xf32>) {
  // expected-error @+2 {{'ens.arg_reduce' op expects an extent of at least 1 in dimension 1, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.arg_reduce max, %x dim = 1 : (tensor<4x0xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @dot_of_integers(%x: tensor<3xi32>) {
  // expected-error @+1 {{'ens.dot' op operand #0 must be static tensor of f32 or f64}}
  %0 = ens.dot %x, %x lhs_contract = [0] rhs_contract = [0] : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>
  return
}
