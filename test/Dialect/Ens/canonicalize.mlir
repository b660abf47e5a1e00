// RUN: ens-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @involutions
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>, %[[N:.*]]: tensor<2xi32>
// CHECK-NEXT: %[[A:.*]] = ens.abs %[[X]]
// CHECK-NEXT: return %[[X]], %[[N]], %[[A]]
func.func @involutions(%x: tensor<2xf32>, %n: tensor<2xi32>)
    -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>) {
  %0 = ens.neg %x : tensor<2xf32>
  %1 = ens.neg %0 : tensor<2xf32>
  %2 = ens.not %n : tensor<2xi32>
  %3 = ens.not %2 : tensor<2xi32>
  %4 = ens.abs %x : tensor<2xf32>
  %5 = ens.abs %4 : tensor<2xf32>
  return %1, %3, %5 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>
}

// What looks like an identity of floats is none: -0 + 0 is +0.

// CHECK-LABEL: @float_arithmetic_stays
// CHECK: ens.add
// CHECK: ens.mul
// CHECK: ens.add
func.func @float_arithmetic_stays(%x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = ens.constant dense<0.0> : tensor<2xf32>
  %one = ens.constant dense<1.0> : tensor<2xf32>
  %0 = ens.add %x, %zero : tensor<2xf32>
  %1 = ens.mul %x, %one : tensor<2xf32>
  %2 = ens.add %one, %one : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @sign_bits_of_constants
// CHECK-DAG: dense<[-1.000000e+00, 0.000000e+00]>
// CHECK-DAG: dense<[1.000000e+00, 0.000000e+00]>
// CHECK-NOT: ens.neg
// CHECK-NOT: ens.abs
func.func @sign_bits_of_constants() -> (tensor<2xf32>, tensor<2xf32>) {
  %c = ens.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %0 = ens.neg %c : tensor<2xf32>
  %1 = ens.abs %c : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Integers wrap.

// CHECK-LABEL: @integer_constants
// CHECK-DAG: dense<[-2147483648, 5]> : tensor<2xi32>
// CHECK-DAG: dense<[2147483646, 1]> : tensor<2xi32>
// CHECK-DAG: dense<[2147483647, 6]> : tensor<2xi32>
// CHECK-DAG: dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: dense<[2147483647, 3]> : tensor<2xi32>
// CHECK-DAG: dense<4294967295> : tensor<2xui32>
// CHECK-NOT: ens.add
func.func @integer_constants() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
    tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xui32>) {
  %a = ens.constant dense<[2147483647, 3]> : tensor<2xi32>
  %b = ens.constant dense<[1, 2]> : tensor<2xi32>
  %zero = ens.constant dense<0> : tensor<2xui32>
  %one = ens.constant dense<1> : tensor<2xui32>
  %0 = ens.add %a, %b : tensor<2xi32>
  %1 = ens.sub %a, %b : tensor<2xi32>
  %2 = ens.mul %a, %b : tensor<2xi32>
  %3 = ens.and %a, %b : tensor<2xi32>
  %4 = ens.or %a, %b : tensor<2xi32>
  %5 = ens.xor %a, %b : tensor<2xi32>
  %6 = ens.sub %zero, %one : tensor<2xui32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi32>, tensor<2xi32>,
      tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xui32>
}

// CHECK-LABEL: @choices
// CHECK-SAME: %[[P:.*]]: tensor<2xi1>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>
// CHECK-NEXT: return %[[X]], %[[Y]], %[[X]]
func.func @choices(%p: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %true = ens.constant dense<true> : tensor<2xi1>
  %false = ens.constant dense<false> : tensor<2xi1>
  %0 = ens.select %true, %x, %y : tensor<2xf32>
  %1 = ens.select %false, %x, %y : tensor<2xf32>
  %2 = ens.select %p, %x, %x : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A bitcast to a float makes NaNs canonical, so it is no copy.

// CHECK-LABEL: @casts
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>, %[[N:.*]]: tensor<2xi32>
// CHECK-NEXT: %[[B:.*]] = ens.bitcast %[[X]] : tensor<2xf32> to tensor<2xf32>
// CHECK-NEXT: %[[F:.*]] = ens.bitcast %[[N]] : tensor<2xi32> to tensor<2xf32>
// CHECK-NEXT: %[[I:.*]] = ens.bitcast %[[F]] : tensor<2xf32> to tensor<2xi32>
// CHECK-NEXT: return %[[X]], %[[N]], %[[B]], %[[N]], %[[I]]
func.func @casts(%x: tensor<2xf32>, %n: tensor<2xi32>) -> (tensor<2xf32>,
    tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<2xi32>) {
  %0 = ens.convert %x : tensor<2xf32> to tensor<2xf32>
  %1 = ens.bitcast %n : tensor<2xi32> to tensor<2xi32>
  %2 = ens.bitcast %x : tensor<2xf32> to tensor<2xf32>
  %3 = ens.bitcast %n : tensor<2xi32> to tensor<2xui32>
  %4 = ens.bitcast %3 : tensor<2xui32> to tensor<2xi32>
  %5 = ens.bitcast %n : tensor<2xi32> to tensor<2xf32>
  %6 = ens.bitcast %5 : tensor<2xf32> to tensor<2xi32>
  return %0, %1, %2, %4, %6 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>,
      tensor<2xi32>, tensor<2xi32>
}

// CHECK-LABEL: @identities_of_shape
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>, %[[V:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>, %[[U:.*]]: tensor<4x3xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[U]], %[[X]], %[[X]]
func.func @identities_of_shape(%x: tensor<4x3xf32>, %v: tensor<f32>,
    %i: tensor<i32>, %u: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>,
    tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>,
    tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = ens.broadcast %x dims = [0, 1] : tensor<4x3xf32> to tensor<4x3xf32>
  %1 = ens.reshape %x : tensor<4x3xf32> to tensor<4x3xf32>
  %2 = ens.transpose %x permutation = [0, 1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = ens.reverse %x dims = [] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %4 = ens.slice %x starts = [0, 0] limits = [4, 3] strides = [1, 1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %5 = ens.dynamic_slice %x [%i, %i] sizes = [4, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  %6 = ens.dynamic_update_slice %x, %u [%i, %i] : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  %7 = ens.concat %x dim = 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %8 = ens.pad %x, %v low = [0, 0] high = [0, 0] interior = [0, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<4x3xf32>, tensor<4x3xf32>,
      tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>,
      tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: @compositions
// CHECK-SAME: %[[X:.*]]: tensor<4x3x2xf32>
// CHECK-NEXT: %[[T:.*]] = ens.transpose %[[X]] permutation = [2, 1, 0]
// CHECK-NEXT: %[[B:.*]] = ens.broadcast %[[X]] dims = [0, 3, 4] : tensor<4x3x2xf32> to tensor<4x6x5x3x2xf32>
// CHECK-NEXT: %[[R:.*]] = ens.reshape %[[X]] : tensor<4x3x2xf32> to tensor<8x3xf32>
// CHECK-NEXT: return %[[T]], %[[B]], %[[R]], %[[X]], %[[X]]
func.func @compositions(%x: tensor<4x3x2xf32>) -> (tensor<2x3x4xf32>,
    tensor<4x6x5x3x2xf32>, tensor<8x3xf32>, tensor<4x3x2xf32>,
    tensor<4x3x2xf32>) {
  %0 = ens.transpose %x permutation = [1, 2, 0] : (tensor<4x3x2xf32>) -> tensor<3x2x4xf32>
  %1 = ens.transpose %0 permutation = [1, 0, 2] : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  %2 = ens.broadcast %x dims = [0, 2, 3] : tensor<4x3x2xf32> to tensor<4x5x3x2xf32>
  %3 = ens.broadcast %2 dims = [0, 2, 3, 4] : tensor<4x5x3x2xf32> to tensor<4x6x5x3x2xf32>
  %4 = ens.reshape %x : tensor<4x3x2xf32> to tensor<24xf32>
  %5 = ens.reshape %4 : tensor<24xf32> to tensor<8x3xf32>
  %6 = ens.reverse %x dims = [0, 2] : (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  %7 = ens.reverse %6 dims = [0, 2] : (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  %8 = ens.transpose %x permutation = [2, 0, 1] : (tensor<4x3x2xf32>) -> tensor<2x4x3xf32>
  %9 = ens.transpose %8 permutation = [1, 2, 0] : (tensor<2x4x3xf32>) -> tensor<4x3x2xf32>
  return %1, %3, %5, %7, %9 : tensor<2x3x4xf32>, tensor<4x6x5x3x2xf32>,
      tensor<8x3xf32>, tensor<4x3x2xf32>, tensor<4x3x2xf32>
}

// The broadcast of a constant costs nothing.

// CHECK-LABEL: @shapes_of_constants
// CHECK-DAG: %[[TWO:.*]] = ens.constant dense<2.000000e+00> : tensor<f32>
// CHECK-DAG: %[[N:.*]] = ens.constant dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK: %[[B:.*]] = ens.broadcast %[[TWO]]
// CHECK: return %[[B]], %[[N]]
func.func @shapes_of_constants() -> (tensor<4x3xf32>, tensor<2x2xi32>) {
  %two = ens.constant dense<2.0> : tensor<f32>
  %0 = ens.broadcast %two dims = [] : tensor<f32> to tensor<4x3xf32>
  %n = ens.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = ens.reshape %n : tensor<4xi32> to tensor<2x2xi32>
  return %0, %1 : tensor<4x3xf32>, tensor<2x2xi32>
}

// The runs stay marked.

// CHECK-LABEL: @runs
// CHECK: %[[C:.*]] = ens.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: ens.broadcast %[[C]] dims = [] {runs} : tensor<f32> to tensor<8xf32>
// CHECK-DAG: ens.broadcast %{{.*}} dims = [2] {runs} : tensor<3xf32> to tensor<8x4x3xf32>
// CHECK-DAG: ens.broadcast %{{.*}} dims = [2] {runs} : tensor<3xf32> to tensor<8x2x3xf32>
func.func @runs(%x: tensor<3xf32>)
    -> (tensor<8xf32>, tensor<8x4x3xf32>, tensor<8x2x3xf32>) {
  %one = ens.constant dense<1.0> : tensor<f32>
  %0 = ens.broadcast %one dims = [] {runs} : tensor<f32> to tensor<8xf32>
  %1 = ens.broadcast %x dims = [1] : tensor<3xf32> to tensor<4x3xf32>
  %2 = ens.broadcast %1 dims = [1, 2] {runs} : tensor<4x3xf32> to tensor<8x4x3xf32>
  %3 = ens.broadcast %x dims = [1] {runs} : tensor<3xf32> to tensor<8x3xf32>
  %4 = ens.broadcast %3 dims = [0, 2] : tensor<8x3xf32> to tensor<8x2x3xf32>
  return %0, %2, %4 : tensor<8xf32>, tensor<8x4x3xf32>, tensor<8x2x3xf32>
}
