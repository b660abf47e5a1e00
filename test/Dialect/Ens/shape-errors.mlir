// RUN: ens-opt %s --split-input-file --verify-diagnostics

// iota_c1
func.func @f() {
  // expected-error @+1 {{'ens.iota' op expects dim in [0, 2), got 2}}
  %0 = ens.iota dim = 2 : tensor<4x3xi32>
  return
}

// -----

// broadcast_c1
func.func @f(%x: tensor<3xf32>) {
  // expected-error @+1 {{'ens.broadcast' op expects dims to give each of the 1 dimensions of the operand one of the 2 of the result, strictly increasing, got [0, 1]}}
  %0 = ens.broadcast %x dims = [0, 1] : tensor<3xf32> to tensor<3x3xf32>
  return
}

// -----

// broadcast_c1
func.func @f(%x: tensor<3x3xf32>) {
  // expected-error @+1 {{strictly increasing, got [1, 0]}}
  %0 = ens.broadcast %x dims = [1, 0] : tensor<3x3xf32> to tensor<3x3xf32>
  return
}

// -----

// broadcast_c2
func.func @f(%x: tensor<1xf32>) {
  // expected-error @+1 {{'ens.broadcast' op expects extent 1 in dimension 1 of the result, got 3}}
  %0 = ens.broadcast %x dims = [1] : tensor<1xf32> to tensor<4x3xf32>
  return
}

// -----

// broadcast_c3
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{'ens.broadcast' op expects the runs in a first dimension of their own, got dims [0] of 'tensor<8x3xf32>'}}
  %0 = ens.broadcast %x dims = [0] {runs} : tensor<8xf32> to tensor<8x3xf32>
  return
}

// -----

// broadcast_c3
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.broadcast' op expects the runs in a first dimension of their own, got dims [] of 'tensor<f32>'}}
  %0 = ens.broadcast %x dims = [] {runs} : tensor<f32> to tensor<f32>
  return
}

// -----

// reshape_c1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'ens.reshape' op expects as many elements as before, got 12 and 11}}
  %0 = ens.reshape %x : tensor<4x3xf32> to tensor<11xf32>
  return
}

// -----

// transpose_c1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.transpose' op expects permutation to hold each dimension of the operand once, got [0, 0] for rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.transpose %x permutation = [0, 0] : (tensor<4x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

// reverse_c1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.reverse' op expects strictly increasing dims below 2, got [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.reverse %x dims = [2] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// slice_c1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.slice' op expects 2 starts, limits and strides, got 1, 2 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.slice %x starts = [0] limits = [4, 3] strides = [1, 1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// slice_c2
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.slice' op expects 0 <= start <= limit <= 3 in dimension 1, got start 0 and limit 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.slice %x starts = [0, 0] limits = [4, 4] strides = [1, 1] : (tensor<4x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

// slice_c3
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'ens.slice' op expects a positive stride of at most 2^40 in dimension 0, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.slice %x starts = [0] limits = [4] strides = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// dynamic_slice_c1
func.func @f(%x: tensor<4x3xf32>, %i: tensor<i32>) {
  // expected-error @+2 {{'ens.dynamic_slice' op expects one start for each of the 2 dimensions but the 0 batch dimensions, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_slice %x [%i] sizes = [2] : (tensor<4x3xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

// dynamic_slice_c1
func.func @f(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+2 {{'ens.dynamic_slice' op expects 1 sizes, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_slice %x [%i] sizes = [2, 2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

// dynamic_slice_c2
func.func @f(%x: tensor<4x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{'ens.dynamic_slice' op expects starts of shape [4], got [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_slice %x [%i] sizes = [2] {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return
}

// -----

// dynamic_slice_c3
func.func @f(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+2 {{'ens.dynamic_slice' op expects sizes of at most the extents [4], got [5]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_slice %x [%i] sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

// dynamic_update_slice_c1
func.func @f(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+2 {{'ens.dynamic_update_slice' op expects one start for each of the 1 dimensions but the 2 batch dimensions, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_update_slice %x, %x [%i] {batch_dims = 2 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// dynamic_update_slice_c2
func.func @f(%x: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{'ens.dynamic_update_slice' op expects starts of shape [], got [1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_update_slice %x, %x [%i] : (tensor<4xf32>, tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}

// -----

// dynamic_update_slice_c3
func.func @f(%x: tensor<4xf32>, %u: tensor<5xf32>, %i: tensor<i32>) {
  // expected-error @+2 {{'ens.dynamic_update_slice' op expects an update that fits into 'tensor<4xf32>' with equal batch dimensions, got 'tensor<5xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.dynamic_update_slice %x, %u [%i] : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// concat_c1
func.func @f() {
  // expected-error @+2 {{'ens.concat' op expects an operand}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "ens.concat"() {dim = 0 : i64} : () -> tensor<4xf32>
  return
}

// -----

// concat_c2
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'ens.concat' op expects dim in [0, 1), got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.concat %x, %x dim = -1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// concat_c3
func.func @f(%x: tensor<4x3xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+2 {{'ens.concat' op expects operands that differ in dimension 0 alone, got 'tensor<4x3xf32>' and 'tensor<4x2xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.concat %x, %y dim = 0 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<8x3xf32>
  return
}

// -----

// pad_c1
func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects 1 entries of low, high and interior, got 2, 1 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [0, 0] high = [0] interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

// pad_c2
func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects 0 <= interior < 2^40 in dimension 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [0] high = [0] interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

// slice_c3
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'ens.slice' op expects a positive stride of at most 2^40 in dimension 0, got 9223372036854775807}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.slice %x starts = [1] limits = [4] strides = [9223372036854775807] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

// pad_c2
func.func @f(%x: tensor<1xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects 0 <= interior < 2^40 in dimension 0, got 1099511627776}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [0] high = [0] interior = [1099511627776] : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

// pad_c2
func.func @f(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects -2^40 <= low <= 2^40 in dimension 0, got -1125899906842624}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [-1125899906842624] high = [0] interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// pad_c2
func.func @f(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects -2^40 <= high <= 2^40 in dimension 0, got 1099511627777}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [0] high = [1099511627777] interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// pad_c3
func.func @f(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects at most 2^40 elements in dimension 0 with interior, got 3 with 549755813888 between neighbours}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [-1099511627776] high = [0] interior = [549755813888] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

// pad_c3
func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{'ens.pad' op expects extents that are at least 0, got -1 in dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [-3] high = [-2] interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

// pad_c4
func.func @f(%x: tensor<4xf32>, %v: tensor<1xf32>) {
  // expected-error @+2 {{'ens.pad' op expects a value of the operand's element type and of the shape of its 0 batch dimensions, got 'tensor<1xf32>' for 'tensor<4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [1] high = [0] interior = [0] : (tensor<4xf32>, tensor<1xf32>) -> tensor<5xf32>
  return
}

// -----

// pad_c5
func.func @f(%x: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+2 {{'ens.pad' op expects no padding of batch dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.pad %x, %v low = [1] high = [0] interior = [0] {batch_dims = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @constant_of_another_type() {
  // expected-error @+1 {{'ens.constant' op result #0 must be static tensor of f32, f64, i1, i32, i64 or ui32}}
  %0 = ens.constant dense<1.0> : tensor<2xf16>
  return
}

// -----

func.func @result_of_another_type(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'ens.transpose' op inferred type(s) 'tensor<3x4xf32>' are incompatible with return type(s) of operation 'tensor<4x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ens.transpose %x permutation = [1, 0] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
