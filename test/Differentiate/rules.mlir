// RUN: ens-opt %s --ens-differentiate-pipeline | FileCheck %s

// The form of a few rules; that all of them are right is checked by numbers, in
// test/unit/Differentiate.

func.func private @batched(%a: tensor<2x4x3xf32>, %b: tensor<5x3x2xf32>) -> tensor<2x4x5xf32> {
  %y = ens.dot %a, %b lhs_batch = [0] rhs_batch = [2] lhs_contract = [2] rhs_contract = [1] : (tensor<2x4x3xf32>, tensor<5x3x2xf32>) -> tensor<2x4x5xf32>
  return %y : tensor<2x4x5xf32>
}

// One side needs a transpose, since its batch dimension comes last.
// CHECK-LABEL: func.func @dot
// CHECK-SAME: (%[[A:.*]]: tensor<2x4x3xf32>, %[[B:.*]]: tensor<5x3x2xf32>, %[[C:.*]]: tensor<2x4x5xf32>)
// CHECK: %[[DA:.*]] = ens.dot %[[C]], %[[B]] lhs_batch = [0] rhs_batch = [2] lhs_contract = [2] rhs_contract = [0]
// CHECK: %[[DB:.*]] = ens.dot %[[C]], %[[A]] lhs_batch = [0] rhs_batch = [0] lhs_contract = [1] rhs_contract = [1]
// CHECK: %[[DBT:.*]] = ens.transpose %[[DB]] permutation = [1, 2, 0]
// CHECK: return %[[DA]], %[[DBT]]
func.func @dot(%a: tensor<2x4x3xf32>, %b: tensor<5x3x2xf32>, %c: tensor<2x4x5xf32>) -> (tensor<2x4x3xf32>, tensor<5x3x2xf32>) {
  %y, %da, %db = ens.vjp @batched(%a, %b, %c) wrt = [0, 1] : (tensor<2x4x3xf32>, tensor<5x3x2xf32>, tensor<2x4x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x3xf32>, tensor<5x3x2xf32>)
  return %da, %db : tensor<2x4x3xf32>, tensor<5x3x2xf32>
}

func.func private @rows(%x: tensor<9x3xf32>, %i: tensor<4xi32>) -> tensor<4x3xf32> {
  %y = ens.gather fill, %x, %i axis = 0 : (tensor<9x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%{{.*}}: tensor<9x3xf32>, %[[I:.*]]: tensor<4xi32>, %[[C:.*]]: tensor<4x3xf32>)
// CHECK: %[[ZERO:.*]] = ens.constant dense<0.000000e+00>
// CHECK: ens.scatter add, drop, %[[ZERO]], %[[I]], %[[C]] axis = 0
func.func @gather(%x: tensor<9x3xf32>, %i: tensor<4xi32>, %c: tensor<4x3xf32>) -> tensor<9x3xf32> {
  %y, %dx = ens.vjp @rows(%x, %i, %c) wrt = [0] : (tensor<9x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<9x3xf32>)
  return %dx : tensor<9x3xf32>
}

func.func private @greatest(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %y = ens.reduce max, %x dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @reduce_max
// CHECK-SAME: (%[[X:.*]]: tensor<4x3xf32>, %[[C:.*]]: tensor<4xf32>)
// CHECK: %[[ZERO:.*]] = ens.constant dense<0.000000e+00>
// CHECK: %[[Y:.*]] = ens.reduce max, %[[X]]
// CHECK: %[[YB:.*]] = ens.broadcast %[[Y]] dims = [0]
// CHECK: %[[WINS:.*]] = ens.compare eq, %[[X]], %[[YB]]
// CHECK: %[[ONES:.*]] = ens.convert %[[WINS]]
// CHECK: %[[COUNT:.*]] = ens.reduce sum, %[[ONES]] dims = [1]
// CHECK: %[[SHARE:.*]] = ens.div %[[C]], %[[COUNT]]
// CHECK: %[[SB:.*]] = ens.broadcast %[[SHARE]] dims = [0]
// CHECK: ens.select %[[WINS]], %[[SB]], %[[ZERO]]
func.func @reduce_max(%x: tensor<4x3xf32>, %c: tensor<4xf32>) -> tensor<4x3xf32> {
  %y, %dx = ens.vjp @greatest(%x, %c) wrt = [0] : (tensor<4x3xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4x3xf32>)
  return %dx : tensor<4x3xf32>
}

// A loop stacks what it carries, and the reverse loop reads it back; what it
// captures is used as it is.

func.func private @repeat(%x: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %y = scf.for %i = %zero to %five step %one iter_args(%a = %x) -> (tensor<3xf32>) {
    %b = ens.mul %a, %w : tensor<3xf32>
    scf.yield %b : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>, %[[W:.*]]: tensor<3xf32>, %[[C:.*]]: tensor<3xf32>)
// CHECK: %[[STACK:.*]]:2 = scf.for {{.*}} -> (tensor<3xf32>, tensor<5x3xf32>)
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[DA:.*]] = %[[C]], %[[DW:.*]] = %{{.*}}) -> (tensor<3xf32>, tensor<3xf32>)
// CHECK: %[[K:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK: %[[SLOT:.*]] = ens.from_index %[[K]]
// CHECK: %[[A1:.*]] = ens.dynamic_slice %[[STACK]]#1[%[[SLOT]], %{{.*}}]
// CHECK: %[[A:.*]] = ens.reshape %[[A1]]
// CHECK: %[[NEXT:.*]] = ens.mul %[[DA]], %[[W]]
// CHECK: %[[TERM:.*]] = ens.mul %[[DA]], %[[A]]
// CHECK: %[[SUM:.*]] = ens.add %[[DW]], %[[TERM]]
// CHECK: scf.yield %[[NEXT]], %[[SUM]]
func.func @loop(%x: tensor<3xf32>, %w: tensor<3xf32>, %c: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %y, %dx, %dw = ens.vjp @repeat(%x, %w, %c) wrt = [0, 1] : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %dx, %dw : tensor<3xf32>, tensor<3xf32>
}
