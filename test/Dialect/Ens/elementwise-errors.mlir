// RUN: ens-opt %s --split-input-file --verify-diagnostics

// mul_high_c1
func.func @f(%x: tensor<2xi64>) {
  // expected-error @+1 {{'ens.mul_high' op expects i32 or ui32 elements, got 'i64'}}
  %0 = ens.mul_high %x, %x : tensor<2xi64>
  return
}

// -----

// compare_c1
func.func @f(%x: tensor<2xi1>) {
  // expected-error @+1 {{'ens.compare' op expects eq or ne for i1 operands, got lt}}
  %0 = ens.compare lt, %x, %x : tensor<2xi1>
  return
}

// -----

// bitcast_c1
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.bitcast' op expects element types of equal width above 1, got 'f32' and 'i64'}}
  %0 = ens.bitcast %x : tensor<2xf32> to tensor<2xi64>
  return
}

// -----

// bitcast_c1
func.func @f(%x: tensor<2xi1>) {
  // expected-error @+1 {{'ens.bitcast' op expects element types of equal width above 1, got 'i1' and 'i1'}}
  %0 = ens.bitcast %x : tensor<2xi1> to tensor<2xi1>
  return
}

// -----

func.func @wrong_element_type(%x: tensor<2xi32>) {
  // expected-error @+1 {{'ens.exp' op operand #0 must be f32 or f64, scalar or static tensor (at most 2^40 elements), but got 'tensor<2xi32>'}}
  %0 = ens.exp %x : tensor<2xi32>
  return
}

// -----

func.func @unknown_element_type(%x: tensor<2xf16>) {
  // expected-error @+1 {{'ens.neg' op operand #0 must be}}
  %0 = ens.neg %x : tensor<2xf16>
  return
}

// -----

func.func @dynamic_shape(%x: tensor<?xf32>) {
  // expected-error @+1 {{'ens.neg' op operand #0 must be}}
  %0 = ens.neg %x : tensor<?xf32>
  return
}

// -----

func.func @encoded(%x: tensor<2xf32, 1 : i32>) {
  // expected-error @+1 {{'ens.neg' op operand #0 must be}}
  %0 = ens.neg %x : tensor<2xf32, 1 : i32>
  return
}

// -----

func.func @add_of_booleans(%x: tensor<2xi1>) {
  // expected-error @+1 {{'ens.add' op operand #0 must be}}
  %0 = ens.add %x, %x : tensor<2xi1>
  return
}

// -----

// Nothing is broadcast silently.
func.func @unequal_shapes(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'ens.add' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "ens.add"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @predicate_of_another_shape(%p: tensor<3xi1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.select' op failed to verify that the predicate is i1 of the same shape}}
  %0 = "ens.select"(%p, %x, %x) : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @convert_to_another_shape(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.convert' op all non-scalar operands/results must have the same shape and base type}}
  %0 = ens.convert %x : tensor<2xf32> to tensor<3xi32>
  return
}
