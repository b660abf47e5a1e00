// RUN: ens-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @scalars
// CHECK: ens.exp %{{.*}} : f32
// CHECK: ens.mul_high %{{.*}}, %{{.*}} : ui32
// CHECK: ens.compare ge, %{{.*}}, %{{.*}} : i64
// CHECK: ens.select %{{.*}}, %{{.*}}, %{{.*}} : i64
// CHECK: ens.convert %{{.*}} : i64 to f64
func.func @scalars(%x: f32, %u: ui32, %n: i64) -> f64 {
  %0 = ens.exp %x : f32
  %1 = ens.mul_high %u, %u : ui32
  %2 = ens.compare ge, %n, %n : i64
  %3 = ens.select %2, %n, %n : i64
  %4 = ens.convert %3 : i64 to f64
  return %4 : f64
}

// CHECK-LABEL: @batch_dims
// CHECK: ens.dynamic_slice %{{.*}}[%{{.*}}] sizes = [2] {batch_dims = 1 : i64}
// CHECK: ens.pad %{{.*}}, %{{.*}} low = [0, 1] high = [0, -2] interior = [0, 1] {batch_dims = 1 : i64}
// CHECK: ens.gather fill, %{{.*}}, %{{.*}} axis = 1 {batch_dims = 1 : i64}
// CHECK: ens.scatter set, clamp, %{{.*}}, %{{.*}}, %{{.*}} axis = 1 {batch_dims = 1 : i64}
// CHECK: ens.dot %{{.*}}, %{{.*}} lhs_batch = [0] rhs_batch = [0] lhs_contract = [1] rhs_contract = [1]
func.func @batch_dims(%x: tensor<4x3xf32>, %i: tensor<4xi32>, %v: tensor<4xf32>) {
  %0 = ens.dynamic_slice %x [%i] sizes = [2] {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %1 = ens.pad %x, %v low = [0, 1] high = [0, -2] interior = [0, 1] {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2 = ens.gather fill, %x, %i axis = 1 {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
  %3 = ens.scatter set, clamp, %x, %i, %v axis = 1 {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4x3xf32>
  %4 = ens.dot %x, %x lhs_batch = [0] rhs_batch = [0] lhs_contract = [1] rhs_contract = [1] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @empty_lists
// CHECK: ens.broadcast %{{.*}} dims = [] : tensor<f32> to tensor<2x0xf32>
// CHECK: ens.reduce max, %{{.*}} dims = [] : (tensor<2x0xf32>) -> tensor<2x0xf32>
// CHECK: ens.dot %{{.*}}, %{{.*}} lhs_contract = [] rhs_contract = []
func.func @empty_lists(%x: tensor<f32>) {
  %0 = ens.broadcast %x dims = [] : tensor<f32> to tensor<2x0xf32>
  %1 = ens.reduce max, %0 dims = [] : (tensor<2x0xf32>) -> tensor<2x0xf32>
  %2 = ens.dot %x, %x lhs_contract = [] rhs_contract = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @random
// CHECK: ens.rng_bits %{{.*}}, %{{.*}} offset %{{.*}} {site = 4294967294 : i64} : tensor<2xi64>, tensor<2xi64>, tensor<2xi64> -> tensor<2x3xi64>
// CHECK: ens.run_id : tensor<16xi64>
func.func @random(%s: tensor<2xi64>) {
  %0 = ens.rng_bits %s, %s offset %s {site = 4294967294 : i64} : tensor<2xi64>, tensor<2xi64>, tensor<2xi64> -> tensor<2x3xi64>
  %1 = ens.run_id : tensor<16xi64>
  return
}

// CHECK-LABEL: @every_type
// CHECK: ens.constant dense<0x7FC00000> : tensor<f32>
// CHECK: ens.constant dense<true> : tensor<2xi1>
// CHECK: ens.constant dense<4294967295> : tensor<ui32>
func.func @every_type() {
  %0 = ens.constant dense<0x7FC00000> : tensor<f32>
  %1 = ens.constant dense<true> : tensor<2xi1>
  %2 = ens.constant dense<4294967295> : tensor<ui32>
  %3 = ens.constant dense<> : tensor<0x3xi64>
  %4 = ens.constant dense<-1> : tensor<i32>
  %5 = ens.constant dense<-0.0> : tensor<f64>
  return
}
