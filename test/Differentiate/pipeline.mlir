// RUN: ens-opt %s --ens-differentiate-pipeline | FileCheck %s

// A branch that only chooses stays one: later phases know no select whose
// predicate is outside of tensors.

// CHECK-LABEL: func.func @choice
// CHECK-NOT: arith.select
// CHECK: scf.if
func.func @choice(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> (tensor<3xf32>) {
    %p = arith.cmpi eq, %i, %c0 : index
    %z = scf.if %p -> (tensor<3xf32>) {
      scf.yield %s : tensor<3xf32>
    } else {
      scf.yield %y : tensor<3xf32>
    }
    scf.yield %z : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
