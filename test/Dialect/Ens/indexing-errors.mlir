// RUN: ens-opt %s --split-input-file --verify-diagnostics

// gather_c1
func.func @f(%x: tensor<4x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{expects 0 <= batch_dims <= axis < 2 and batch_dims <= 1, got batch_dims 0 and axis 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.gather clamp, %x, %i axis = 2 : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return
}

// -----

// gather_c1
func.func @f(%x: tensor<4x3xf32>, %i: tensor<4xi32>) {
  // expected-error @+2 {{expects 0 <= batch_dims <= axis < 2 and batch_dims <= 1, got batch_dims 1 and axis 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.gather clamp, %x, %i axis = 0 {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

// gather_c2
func.func @f(%x: tensor<4x3xf32>, %i: tensor<5xi32>) {
  // expected-error @+2 {{expects equal batch dimensions of operand and indices, got [4] and [5]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.gather clamp, %x, %i axis = 1 {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<4xf32>
  return
}

// -----

// gather_c3
func.func @f(%x: tensor<0xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{expects at least one element to clamp indices to in dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.gather clamp, %x, %i axis = 0 : (tensor<0xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// scatter_c1
func.func @f(%x: tensor<4xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) {
  // expected-error @+2 {{expects 0 <= batch_dims <= axis < 1 and batch_dims <= 1, got batch_dims 0 and axis 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.scatter add, drop, %x, %i, %u axis = 1 : (tensor<4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// scatter_c2
func.func @f(%x: tensor<4x3xf32>, %i: tensor<2xi32>, %u: tensor<4xf32>) {
  // expected-error @+2 {{expects equal batch dimensions of operand and indices, got [4] and [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.scatter add, drop, %x, %i, %u axis = 1 {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

// scatter_c3
func.func @f(%x: tensor<4xf32>, %i: tensor<2xi32>, %u: tensor<3xf32>) {
  // expected-error @+2 {{'ens.scatter' op expects updates of type 'tensor<2xf32>', got 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.scatter add, drop, %x, %i, %u axis = 0 : (tensor<4xf32>, tensor<2xi32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

// scatter_c4
func.func @f(%x: tensor<4xi1>, %i: tensor<2xi32>, %u: tensor<2xi1>) {
  // expected-error @+2 {{'ens.scatter' op expects numbers to add, got i1; use set}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.scatter add, drop, %x, %i, %u axis = 0 : (tensor<4xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<4xi1>
  return
}

// -----

// scatter_c5
func.func @f(%x: tensor<0xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) {
  // expected-error @+2 {{expects at least one element to clamp indices to in dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.scatter add, clamp, %x, %i, %u axis = 0 : (tensor<0xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @float_index(%x: tensor<4xf32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{'ens.gather' op operand #1 must be static tensor of i32 or i64}}
  %0 = ens.gather clamp, %x, %i axis = 0 : (tensor<4xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
