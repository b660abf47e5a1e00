// RUN: ens-opt %s --ens-number-sites --split-input-file | FileCheck %s

// Sites are numbered in the order of the text; those that are taken stay.

// CHECK-LABEL: func.func @order
// CHECK:         ens.rng_bits %{{.*}} {site = 0 : i64}
// CHECK:         ens.rng_bits %{{.*}} {site = 1 : i64}
// CHECK:         ens.rng_bits %{{.*}} {site = 3 : i64}
// CHECK-LABEL: func.func @other
// CHECK:         ens.rng_bits %{{.*}} {site = 2 : i64}
func.func @order(%seed: tensor<i64>)
    -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>) {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
  %1 = ens.rng_bits %seed, %seed {site = 1 : i64}
      : tensor<i64>, tensor<i64> -> tensor<2xui32>
  %2 = ens.rng_bits %seed, %seed {site = 3 : i64}
      : tensor<i64>, tensor<i64> -> tensor<2xui32>
  return %0, %1, %2 : tensor<2xui32>, tensor<2xui32>, tensor<2xui32>
}
func.func @other(%seed: tensor<i64>) -> tensor<2xui32> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

// Each call of a function that draws is a site of its own, through calls of
// calls too; a function that does not draw stays a call.

// CHECK-LABEL: func.func @twice
// CHECK:         ens.rng_bits %{{.*}} {site = 0 : i64}
// CHECK:         call @plain
// CHECK:         ens.rng_bits %{{.*}} {site = 1 : i64}
// CHECK-NOT:   func.func private @draw
// CHECK-NOT:   func.func private @between
// CHECK:       func.func private @plain
func.func @twice(%seed: tensor<i64>) -> (tensor<2xui32>, tensor<2xui32>) {
  %0 = call @between(%seed) : (tensor<i64>) -> tensor<2xui32>
  %1 = call @draw(%seed) : (tensor<i64>) -> tensor<2xui32>
  return %0, %1 : tensor<2xui32>, tensor<2xui32>
}
func.func private @between(%seed: tensor<i64>) -> tensor<2xui32> {
  %0 = call @draw(%seed) : (tensor<i64>) -> tensor<2xui32>
  %1 = call @plain(%0) : (tensor<2xui32>) -> tensor<2xui32>
  return %1 : tensor<2xui32>
}
func.func private @draw(%seed: tensor<i64>) -> tensor<2xui32> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
func.func private @plain(%x: tensor<2xui32>) -> tensor<2xui32> {
  %0 = ens.not %x : tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

// A function and its derivative see the same numbers.

// CHECK-LABEL: func.func @derivative
// CHECK:         ens.grad @loss
// CHECK:       func.func private @loss
// CHECK:         ens.rng_bits %{{.*}} {site = 0 : i64}
func.func @derivative(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %0 = ens.grad @loss(%x, %seed) wrt = [0]
      : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @loss(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
  %1 = ens.convert %0 : tensor<ui32> to tensor<f32>
  %2 = ens.mul %x, %1 : tensor<f32>
  return %2 : tensor<f32>
}
