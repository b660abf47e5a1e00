// RUN: ens-opt %s --split-input-file --ens-annotate-run-variance | FileCheck %s

// CHECK-LABEL: func.func @straight_line
// CHECK: ens.exp {{.*}} {ens.varying = array<i1: false>}
// CHECK: ens.mul {{.*}} {ens.varying = array<i1: true>}
// CHECK: ens.run_id {ens.varying = array<i1: true>}
func.func @straight_line(%w: tensor<f32> {ens.per_run}, %x: tensor<f32>) {
  %e = ens.exp %x : tensor<f32>
  %y = ens.mul %w, %e : tensor<f32>
  %r = ens.run_id : tensor<i64>
  return
}

// -----

// A predicate that differs makes results differ, although both sides are shared.

// CHECK-LABEL: func.func @branch
// CHECK: } {ens.varying = array<i1: true, false>}
// CHECK: } {ens.varying = array<i1: true, false>}
func.func @branch(%p: i1 {ens.per_run}, %q: i1, %w: tensor<f32> {ens.per_run},
                  %x: tensor<f32>, %z: tensor<f32>) {
  %a:2 = scf.if %p -> (tensor<f32>, tensor<f32>) {
    scf.yield %x, %x : tensor<f32>, tensor<f32>
  } else {
    scf.yield %z, %x : tensor<f32>, tensor<f32>
  }
  %b:2 = scf.if %q -> (tensor<f32>, tensor<f32>) {
    scf.yield %x, %x : tensor<f32>, tensor<f32>
  } else {
    scf.yield %w, %z : tensor<f32>, tensor<f32>
  }
  return
}

// -----

// With a number of trips that differs, what changes differs.

// CHECK-LABEL: func.func @trips
// CHECK: } {ens.varying = array<i1: true, false>}
func.func @trips(%n: index {ens.per_run}, %x: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x)
      -> (tensor<f32>, tensor<f32>) {
    %e = ens.exp %p : tensor<f32>
    scf.yield %e, %q : tensor<f32>, tensor<f32>
  }
  return
}

// -----

// Late promotion: the third trip makes the first carry varying.

// CHECK-LABEL: func.func @rotation
// CHECK: } {ens.varying = array<i1: true, true, true, false>}
func.func @rotation(%w: tensor<f32> {ens.per_run}, %x: tensor<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a:4 = scf.for %i = %c0 to %n step %c1
      iter_args(%p = %x, %q = %x, %r = %w, %s = %x)
      -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %e = ens.exp %s : tensor<f32>
    scf.yield %q, %r, %r, %e : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @while
// CHECK: } attributes {ens.varying = array<i1: true, false>}
// CHECK: } attributes {ens.varying = array<i1: false>}
func.func @while(%w: tensor<f32> {ens.per_run}, %x: tensor<f32>) {
  %a:2 = scf.while (%p = %x, %q = %x)
      : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %l = ens.compare lt, %p, %w : tensor<f32>
    %s = tensor.extract %l[] : tensor<i1>
    scf.condition(%s) %p, %q : tensor<f32>, tensor<f32>
  } do {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %e = ens.exp %p : tensor<f32>
    scf.yield %e, %q : tensor<f32>, tensor<f32>
  }
  %b = scf.while (%p = %x) : (tensor<f32>) -> tensor<f32> {
    %l = ens.compare lt, %p, %x : tensor<f32>
    %s = tensor.extract %l[] : tensor<i1>
    scf.condition(%s) %p : tensor<f32>
  } do {
  ^bb0(%p: tensor<f32>):
    %e = ens.exp %p : tensor<f32>
    scf.yield %e : tensor<f32>
  }
  return
}
