// RUN: ens-opt %s --split-input-file --ens-schedule-phases | FileCheck %s

// Elementwise ops on one shape are one map, and nothing in between is stored.

// CHECK-LABEL: func.func @chain.solo
// CHECK-SAME: ens.entry = {
// CHECK-SAME: instance = "solo"
// CHECK: %[[X:.*]] = memref.alloc() : memref<4x3xf32>
// CHECK-NEXT: ens.read_runs 0 into %[[X]] : memref<4x3xf32>
// CHECK-NEXT: %[[OUT:.*]] = memref.alloc() : memref<4x3xf32>
// CHECK-NEXT: ens.map domain = [4, 3] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT: %[[E:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[EXP:.*]] = ens.exp %[[E]] : f32
// CHECK-NEXT: %[[SUM:.*]] = ens.add %[[EXP]], %[[E]] : f32
// CHECK-NEXT: memref.store %[[SUM]], %[[OUT]][%[[I]], %[[J]]]
// CHECK-NEXT: }
// CHECK-NEXT: ens.write_runs %[[OUT]] to 0 : memref<4x3xf32>
// CHECK-NEXT: return %{{.*}} : index
func.func @chain(%x: tensor<4x3xf32> {ens.name = "x", ens.per_run}) -> tensor<4x3xf32>
    attributes {ens.instance = "solo"} {
  %0 = ens.exp %x : tensor<4x3xf32>
  %1 = ens.add %0, %x : tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// The lanes are the last dimension of memory, whatever else happens to the
// indices; what all runs share has none.

// CHECK-LABEL: func.func @layout.lanes
// CHECK: %[[X:.*]] = memref.alloc() : memref<4x3x8xf32>
// CHECK: ens.read_runs 0 into %[[X]] lanes
// CHECK: %[[S:.*]] = ens.shared 1 : memref<3xf32>
// CHECK: ens.map domain = [3, 4, 8] lanes {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %[[L:.*]]: index):
// CHECK-DAG: %[[E:.*]] = memref.load %[[X]][%[[J]], %[[I]], %[[L]]]
// CHECK-DAG: %[[B:.*]] = memref.load %[[S]][%[[I]]]
// CHECK: %[[M:.*]] = ens.mul %[[E]], %[[B]] : f32
// CHECK: memref.store %[[M]], %{{.*}}[%[[I]], %[[J]], %[[L]]]
// CHECK: ens.write_runs %{{.*}} to 0 lanes : memref<3x4x8xf32>
func.func @layout.lanes(%x: tensor<8x4x3xf32> {ens.name = "x", ens.per_run},
                        %s: tensor<3xf32> {ens.name = "s"}) -> tensor<8x3x4xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  %t = ens.transpose %x permutation = [0, 2, 1] : (tensor<8x4x3xf32>) -> tensor<8x3x4xf32>
  %b = ens.broadcast %s dims = [1] : tensor<3xf32> to tensor<8x3x4xf32>
  %0 = ens.mul %t, %b : tensor<8x3x4xf32>
  return %0 : tensor<8x3x4xf32>
}

// -----

// Bias, activation and mask are the epilogue of their contraction.

// CHECK-LABEL: func.func @layer.solo
// CHECK: ens.contract domain = [4, 5] over = [3] : f32 {
// CHECK: ens.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: } epilogue {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %[[D:.*]]: f32):
// CHECK: %[[P:.*]] = ens.add %[[D]], %{{.*}} : f32
// CHECK: %[[M:.*]] = ens.compare le, %[[P]], %{{.*}} : f32
// CHECK: %[[H:.*]] = ens.select %[[M]]
// CHECK-DAG: memref.store %[[H]]
// CHECK-DAG: memref.store %[[M]]
// CHECK: }
// CHECK-NOT: ens.map
// CHECK: ens.write_runs
func.func @layer(%x: tensor<4x3xf32> {ens.name = "x"},
                 %w: tensor<3x5xf32> {ens.name = "w", ens.per_run},
                 %b: tensor<5xf32> {ens.name = "b", ens.per_run}) -> (tensor<4x5xf32>, tensor<4x5xi1>)
    attributes {ens.instance = "solo"} {
  %d = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %bb = ens.broadcast %b dims = [1] : tensor<5xf32> to tensor<4x5xf32>
  %p = ens.add %d, %bb : tensor<4x5xf32>
  %zero = ens.constant dense<0.0> : tensor<4x5xf32>
  %m = ens.compare le, %p, %zero : tensor<4x5xf32>
  %h = ens.select %m, %zero, %p : tensor<4x5xf32>
  return %h, %m : tensor<4x5xf32>, tensor<4x5xi1>
}

// -----

// The folds of one row share a phase, and what does not depend on a fold's
// index is computed before it.

// CHECK-LABEL: func.func @rows.solo
// CHECK: ens.map domain = [4] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: %[[MAX:.*]] = ens.fold max over = [3] : f32 {
// CHECK: ens.yield
// CHECK: %[[SUM:.*]] = ens.fold sum over = [3] : f32 {
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: %[[E:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: %[[D:.*]] = ens.sub %[[E]], %[[MAX]] : f32
// CHECK-NEXT: %[[X:.*]] = ens.exp %[[D]] : f32
// CHECK-NEXT: ens.yield %[[X]] : f32
// CHECK: %[[LOG:.*]] = ens.log %[[SUM]] : f32
// CHECK-NEXT: %[[R:.*]] = ens.add %[[LOG]], %[[MAX]] : f32
// CHECK-NEXT: memref.store %[[R]]
// CHECK-NOT: ens.map
// CHECK: ens.write_runs
func.func @rows(%x: tensor<4x3xf32> {ens.name = "x", ens.per_run}) -> tensor<4xf32>
    attributes {ens.instance = "solo"} {
  %m = ens.reduce max, %x dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
  %b = ens.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x3xf32>
  %d = ens.sub %x, %b : tensor<4x3xf32>
  %e = ens.exp %d : tensor<4x3xf32>
  %s = ens.reduce sum, %e dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
  %l = ens.log %s : tensor<4xf32>
  %r = ens.add %l, %m : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A step of gradient descent: the parameter is read into the buffer that the
// loop updates in place, by the epilogue of the contraction that makes the
// gradient, which is never stored. The contraction that reads the old parameter
// comes first, in spite of the order in the text.

// CHECK-LABEL: func.func @step.lanes
// CHECK: %[[W:.*]] = memref.alloc() : memref<3x5x8xf32>
// CHECK: ens.read_runs 0 into %[[W]] lanes
// CHECK: scf.for
// CHECK-NOT: memref.alloc() : memref<3x5x8xf32>
// CHECK: ens.contract domain = [4, 3, 8] lanes over = [5] : f32 {
// CHECK: memref.load %[[W]]
// CHECK: ens.contract domain = [3, 5, 8] lanes over = [4] : f32 {
// CHECK: } epilogue {
// CHECK: memref.store %{{.*}}, %[[W]]
// CHECK: ens.write_runs %[[W]] to 0 lanes
func.func @step.lanes(%w: tensor<8x3x5xf32> {ens.name = "w", ens.per_run},
                      %x: tensor<8x4x3xf32> {ens.name = "x", ens.per_run},
                      %dy: tensor<8x4x5xf32> {ens.name = "dy", ens.per_run},
                      %begin: index {ens.role = "begin"}, %end: index {ens.role = "end"})
    -> (tensor<8x3x5xf32>, tensor<8x4x3xf32>)
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %begin to %end step %one iter_args(%p = %w, %x1 = %x) -> (tensor<8x3x5xf32>, tensor<8x4x3xf32>) {
    %g = ens.dot %x, %dy lhs_batch = [0] rhs_batch = [0] lhs_contract = [1] rhs_contract = [1] : (tensor<8x4x3xf32>, tensor<8x4x5xf32>) -> tensor<8x3x5xf32>
    %n = ens.sub %p, %g : tensor<8x3x5xf32>
    %dx = ens.dot %dy, %p lhs_batch = [0] rhs_batch = [0] lhs_contract = [2] rhs_contract = [2] : (tensor<8x4x5xf32>, tensor<8x3x5xf32>) -> tensor<8x4x3xf32>
    scf.yield %n, %dx : tensor<8x3x5xf32>, tensor<8x4x3xf32>
  }
  return %0#0, %0#1 : tensor<8x3x5xf32>, tensor<8x4x3xf32>
}

// -----

// Values that change places are saved first.

// CHECK-LABEL: func.func @swap.solo
// CHECK: %[[A:.*]] = memref.alloc() : memref<2xf32>
// CHECK: ens.read_runs 0 into %[[A]]
// CHECK: %[[B:.*]] = memref.alloc() : memref<2xf32>
// CHECK: ens.read_runs 1 into %[[B]]
// CHECK: scf.for
// CHECK: %[[SB:.*]] = memref.alloc()
// CHECK: memref.load %[[B]]
// CHECK: memref.store %{{.*}}, %[[SB]]
// CHECK: %[[SA:.*]] = memref.alloc()
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[SA]]
// CHECK: memref.load %[[SB]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.load %[[SA]]
// CHECK: memref.store %{{.*}}, %[[B]]
func.func @swap(%a: tensor<2xf32> {ens.name = "a", ens.per_run},
                %b: tensor<2xf32> {ens.name = "b", ens.per_run},
                %begin: index {ens.role = "begin"}, %end: index {ens.role = "end"})
    -> (tensor<2xf32>, tensor<2xf32>) attributes {ens.instance = "solo"} {
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %begin to %end step %one iter_args(%p = %a, %q = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    scf.yield %q, %p : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// One element of a carried buffer is replaced in place, at a position that the
// loop counts.

// CHECK-LABEL: func.func @record.solo
// CHECK: %[[R:.*]] = memref.alloc() : memref<9xf32>
// CHECK: ens.map domain = [9]
// CHECK: memref.store %{{.*}}, %[[R]]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NOT: ens.map domain = [9]
// CHECK: arith.index_cast %[[I]] : index to i64
// CHECK: memref.store %{{.*}}, %[[R]]
// CHECK: ens.write_runs %[[R]] to 0
func.func @record(%x: tensor<1xf32> {ens.name = "x", ens.per_run},
                  %begin: index {ens.role = "begin"}, %end: index {ens.role = "end"})
    -> tensor<9xf32> attributes {ens.instance = "solo"} {
  %one = arith.constant 1 : index
  %zero = ens.constant dense<0.0> : tensor<9xf32>
  %0 = scf.for %i = %begin to %end step %one iter_args(%r = %zero) -> tensor<9xf32> {
    %at = ens.from_index %i : tensor<i64>
    %n = ens.dynamic_update_slice %r, %x [%at] : (tensor<9xf32>, tensor<1xf32>, tensor<i64>) -> tensor<9xf32>
    scf.yield %n : tensor<9xf32>
  }
  return %0 : tensor<9xf32>
}
