// RUN: ens-opt %s --split-input-file --ens-schedule-pipeline | FileCheck %s

// Rows are picked from what all runs share; indices are clamped.

// CHECK-LABEL: func.func @batch.lanes
// CHECK: %[[X:.*]] = ens.shared 0 : memref<9x3xf32>
// CHECK: ens.map domain = [4, 3, 8] lanes {
// CHECK-NEXT: ^bb0(%[[B:.*]]: index, %[[J:.*]]: index, %[[L:.*]]: index):
// CHECK: %[[I:.*]] = memref.load %{{.*}}[%[[B]], %[[L]]] : memref<4x8xi32>
// CHECK: %[[ROW:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK: arith.maxsi
// CHECK: %[[AT:.*]] = arith.minsi
// CHECK: memref.load %[[X]][%[[AT]], %[[J]]] : memref<9x3xf32>
func.func @batch.lanes(%x: tensor<9x3xf32> {ens.name = "x"}, %i: tensor<8x4xi32> {ens.name = "i", ens.per_run}) -> tensor<8x4x3xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  %0 = ens.gather clamp, %x, %i axis = 0 : (tensor<9x3xf32>, tensor<8x4xi32>) -> tensor<8x4x3xf32>
  return %0 : tensor<8x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @fill.solo
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
// CHECK: ens.select
func.func @fill(%x: tensor<9xf32> {ens.name = "x"}, %i: tensor<4xi32> {ens.name = "i", ens.per_run}) -> tensor<4xf32>
    attributes {ens.instance = "solo"} {
  %0 = ens.gather fill, %x, %i axis = 0 : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Updates run in order, and out of range they put back what was there.

// CHECK-LABEL: func.func @scatter.lanes
// CHECK: %[[X:.*]] = memref.view %{{.*}} to memref<5x8xf32>
// CHECK: ens.map domain = [4, 8] lanes sequential {
// CHECK: %[[OLD:.*]] = memref.load %[[X]][%{{.*}}] : memref<5x8xf32>
// CHECK: %[[SUM:.*]] = ens.add %[[OLD]], %{{.*}} : f32
// CHECK: %[[NEW:.*]] = ens.select %{{.*}}, %[[SUM]], %[[OLD]] : f32
// CHECK: memref.store %[[NEW]], %[[X]]
// CHECK: ens.write_runs %[[X]] to 0 lanes
func.func @scatter.lanes(%x: tensor<8x5xf32> {ens.name = "x", ens.per_run}, %i: tensor<8x4xi32> {ens.name = "i", ens.per_run},
                         %u: tensor<8x4xf32> {ens.name = "u", ens.per_run}) -> tensor<8x5xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  %0 = ens.scatter add, drop, %x, %i, %u axis = 1 {batch_dims = 1 : i64} : (tensor<8x5xf32>, tensor<8x4xi32>, tensor<8x4xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

// CHECK-LABEL: func.func @random.solo
// CHECK: ens.map domain = [2, 3] {
// CHECK: = ens.philox
// CHECK-COUNT-3: ens.select
// CHECK: ens.map domain = [6] {
// CHECK: ens.map domain = [1] sequential {
// CHECK: ens.mul_high
// CHECK: ens.map domain = [1] sequential {
// CHECK-COUNT-4: ens.mul_high
func.func @random(%seed: tensor<i64> {ens.name = "seed", ens.per_run}) -> (tensor<2x3xui32>, tensor<6xi32>)
    attributes {ens.instance = "solo"} {
  %0 = ens.rng_bits %seed, %seed {site = 7 : i64} : tensor<i64>, tensor<i64> -> tensor<2x3xui32>
  %1 = ens.permutation %seed, %seed size = 6 : (tensor<i64>, tensor<i64>) -> tensor<6xi32>
  return %0, %1 : tensor<2x3xui32>, tensor<6xi32>
}

// -----

// Padding with space between the elements; pieces side by side.

// CHECK-LABEL: func.func @shapes.solo
// CHECK: ens.map domain = [10] {
// CHECK: arith.divui
// CHECK: ens.select
// CHECK: ens.map domain = [5] {
// CHECK: arith.cmpi slt
// CHECK: ens.select
func.func @shapes(%x: tensor<4xf32> {ens.name = "x", ens.per_run}, %v: tensor<f32> {ens.name = "v", ens.per_run})
    -> (tensor<10xf32>, tensor<5xf32>) attributes {ens.instance = "solo"} {
  %0 = ens.pad %x, %v low = [1] high = [2] interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<10xf32>
  %1 = ens.reshape %v : tensor<f32> to tensor<1xf32>
  %2 = ens.concat %1, %x dim = 0 : (tensor<1xf32>, tensor<4xf32>) -> tensor<5xf32>
  return %0, %2 : tensor<10xf32>, tensor<5xf32>
}

// -----

// The ids of the runs; a constant whose elements differ.

// CHECK-LABEL: func.func @ids.lanes
// CHECK: ens.read_run_ids into %[[IDS:.*]] : memref<8xi64>
// CHECK: %[[T:.*]] = ens.table dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> to memref<2xf32>
// CHECK: memref.load %[[IDS]]
// CHECK: memref.load %[[T]]
func.func @ids.lanes(%x: tensor<8x2xf32> {ens.name = "x", ens.per_run}) -> (tensor<8xi64>, tensor<8x2xf32>)
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  %0 = ens.run_id : tensor<8xi64>
  %1 = ens.add %0, %0 : tensor<8xi64>
  %c = ens.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = ens.broadcast %c dims = [1] {runs} : tensor<2xf32> to tensor<8x2xf32>
  %2 = ens.add %x, %b : tensor<8x2xf32>
  return %1, %2 : tensor<8xi64>, tensor<8x2xf32>
}

// -----

// Both branches write the buffer of the result.

// CHECK-LABEL: func.func @branch.solo
// CHECK: %[[P:.*]] = memref.load %{{.*}}[] : memref<i1>
// CHECK: scf.if %[[P]] {
// CHECK: ens.exp
// CHECK: } else {
// CHECK: ens.map domain = [4]
// CHECK: }
// CHECK: ens.write_runs
func.func @branch(%x: tensor<4xf32> {ens.name = "x", ens.per_run}, %p: tensor<i1> {ens.name = "p", ens.per_run}) -> tensor<4xf32>
    attributes {ens.instance = "solo"} {
  %zero = ens.constant dense<0.0> : tensor<4xf32>
  %c = tensor.extract %p[] : tensor<i1>
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = ens.exp %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %zero : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// An initial value from outside of the outer loop is written anew each time.

// CHECK-LABEL: func.func @hoisted.solo
// CHECK: scf.for
// CHECK: ens.map domain = [4] {
// CHECK: memref.store %{{.*}}, %[[S:.*]][
// CHECK: scf.for
// CHECK: memref.load %[[S]]
func.func @hoisted(%x: tensor<4xf32> {ens.name = "x", ens.per_run}, %begin: index {ens.role = "begin"},
                   %end: index {ens.role = "end"}) -> tensor<4xf32> attributes {ens.instance = "solo"} {
  %one = arith.constant 1 : index
  %zero = ens.constant dense<0.0> : tensor<4xf32>
  %0 = scf.for %i = %begin to %end step %one iter_args(%a = %x) -> tensor<4xf32> {
    %1 = scf.for %j = %begin to %end step %one iter_args(%s = %zero) -> tensor<4xf32> {
      %2 = ens.add %s, %a : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
