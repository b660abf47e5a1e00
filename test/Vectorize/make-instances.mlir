// RUN: ens-opt %s --split-input-file --ens-make-instances=lanes=8 | FileCheck %s
// RUN: ens-opt %s --split-input-file --ens-make-instances=lanes=0 | FileCheck %s --check-prefix=SOLO

// SOLO-NOT: ens.lanes

// CHECK-LABEL: func.func @roles(
// CHECK-SAME: : tensor<2xf32> {ens.per_run, ens.role = "param"}
// CHECK-SAME: : tensor<2xf32> {ens.role = "data"}
// CHECK-SAME: : tensor<f32> {ens.per_run, ens.role = "hyper"}
// CHECK-SAME: : tensor<i64> {ens.per_run, ens.role = "seed"}
// CHECK-SAME: : tensor<i64> {ens.role = "order_seed"}
// CHECK-SAME: : tensor<i64> {ens.per_run, ens.role = "step"}
// CHECK-SAME: : tensor<f64> {ens.per_run, ens.role = "state"}
// CHECK-SAME: : tensor<i1> {ens.per_run}
// CHECK-SAME: : index {ens.role = "begin"}
// CHECK-SAME: attributes {ens.instance = "solo"}
// CHECK-LABEL: func.func @roles.lanes(
// CHECK-SAME: : tensor<8x2xf32> {ens.per_run, ens.role = "param"}
// CHECK-SAME: : tensor<2xf32> {ens.role = "data"}
// CHECK-SAME: : tensor<8xf32>
// CHECK-SAME: : tensor<8xi64>
// CHECK-SAME: : tensor<i64> {ens.role = "order_seed"}
// CHECK-SAME: : tensor<8xi64>
// CHECK-SAME: : tensor<8xf64>
// CHECK-SAME: : tensor<8xi1> {ens.per_run}
// CHECK-SAME: : index {ens.role = "begin"}
// CHECK-SAME: attributes {ens.instance = "lanes", ens.lanes = 8 : i64}
func.func @roles(%param: tensor<2xf32> {ens.role = "param"},
                 %data: tensor<2xf32> {ens.role = "data"},
                 %hyper: tensor<f32> {ens.role = "hyper"},
                 %seed: tensor<i64> {ens.role = "seed"},
                 %order_seed: tensor<i64> {ens.role = "order_seed"},
                 %step: tensor<i64> {ens.role = "step"},
                 %state: tensor<f64> {ens.role = "state"},
                 %plain: tensor<i1>,
                 %begin: index {ens.role = "begin"}) -> tensor<2xf32> {
  return %param : tensor<2xf32>
}

// -----

// Shared work is done on one value, and what all runs share is returned once.

// CHECK-LABEL: func.func @uniform_work(
// CHECK-SAME: -> (tensor<2xf32>, tensor<2xf32> {ens.uniform})
// CHECK-LABEL: func.func @uniform_work.lanes(
// CHECK-SAME: %[[W:.*]]: tensor<8x2xf32> {{.*}}, %[[X:.*]]: tensor<2xf32>
// CHECK-SAME: -> (tensor<8x2xf32>, tensor<2xf32> {ens.uniform})
// CHECK: %[[E:.*]] = ens.exp %[[X]] : tensor<2xf32>
// CHECK: %[[B:.*]] = ens.broadcast %[[E]] dims = [1] {runs} : tensor<2xf32> to tensor<8x2xf32>
// CHECK: %[[Y:.*]] = ens.mul %[[W]], %[[B]] : tensor<8x2xf32>
// CHECK: return %[[Y]], %[[E]]
func.func @uniform_work(%w: tensor<2xf32>, %x: tensor<2xf32> {ens.role = "data"})
    -> (tensor<2xf32>, tensor<2xf32>) {
  %e = ens.exp %x : tensor<2xf32>
  %y = ens.mul %w, %e : tensor<2xf32>
  return %y, %e : tensor<2xf32>, tensor<2xf32>
}

// -----

// A carry becomes varying through the other one; the third is yielded as it is
// and stays shared.

// CHECK-LABEL: func.func @rotated_carries.lanes(
// CHECK-SAME: %[[W:.*]]: tensor<8xf32> {{.*}}, %[[X:.*]]: tensor<f32>
// CHECK: %[[B:.*]] = ens.broadcast %[[X]] dims = [] {runs}
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %[[W]], %[[Q:.*]] = %[[B]], %[[R:.*]] = %[[X]])
// CHECK-SAME: -> (tensor<8xf32>, tensor<8xf32>, tensor<f32>)
// CHECK: scf.yield %[[Q]], %[[P]], %[[R]]
func.func @rotated_carries(%w: tensor<f32>, %x: tensor<f32> {ens.role = "data"},
                           %begin: index, %end: index)
    -> (tensor<f32>, tensor<f32>) {
  %c1 = arith.constant 1 : index
  %p, %q, %r = scf.for %i = %begin to %end step %c1
      iter_args(%a = %w, %b = %x, %c = %x)
      -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    scf.yield %b, %a, %c : tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %p, %r : tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @loop_without_carries.lanes(
// CHECK: scf.for
func.func @loop_without_carries(%w: tensor<f32>, %end: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %end step %c1 {
    %e = ens.exp %w : tensor<f32>
  }
  return %w : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @shared_predicate.lanes(
// CHECK-SAME: %[[W:.*]]: tensor<8xf32> {{.*}}, %[[X:.*]]: tensor<f32> {{.*}}, %[[P:.*]]: i1
// CHECK: scf.if %[[P]] -> (tensor<8xf32>, tensor<f32>)
// CHECK: scf.yield %[[W]], %[[X]]
// CHECK: %[[B:.*]] = ens.broadcast %[[X]] dims = [] {runs}
// CHECK: scf.yield %[[B]], %[[X]]
func.func @shared_predicate(%w: tensor<f32>, %x: tensor<f32> {ens.role = "data"},
                            %p: i1) -> (tensor<f32>, tensor<f32>) {
  %y:2 = scf.if %p -> (tensor<f32>, tensor<f32>) {
    scf.yield %w, %x : tensor<f32>, tensor<f32>
  } else {
    scf.yield %x, %x : tensor<f32>, tensor<f32>
  }
  return %y#0, %y#1 : tensor<f32>, tensor<f32>
}

// -----

// Both sides are shared, but which one a run takes is not.

// CHECK-LABEL: func.func @varying_predicate.lanes(
// CHECK-SAME: %[[P:.*]]: tensor<8xi1> {{.*}}, %[[X:.*]]: tensor<2xf32>
// CHECK: %[[E:.*]] = ens.exp %[[X]] : tensor<2xf32>
// CHECK: %[[M:.*]] = ens.broadcast %[[P]] dims = [0] : tensor<8xi1> to tensor<8x2xi1>
// CHECK: %[[T:.*]] = ens.broadcast %[[E]] dims = [1] {runs}
// CHECK: %[[F:.*]] = ens.broadcast %[[X]] dims = [1] {runs}
// CHECK: %[[Y:.*]] = ens.select %[[M]], %[[T]], %[[F]] : tensor<8x2xf32>
// CHECK: return %[[Y]], %[[X]]
func.func @varying_predicate(%p: tensor<i1>, %x: tensor<2xf32> {ens.role = "data"})
    -> (tensor<2xf32>, tensor<2xf32>) {
  %take = tensor.extract %p[] : tensor<i1>
  %y:2 = scf.if %take -> (tensor<2xf32>, tensor<2xf32>) {
    %e = ens.exp %x : tensor<2xf32>
    scf.yield %e, %x : tensor<2xf32>, tensor<2xf32>
  } else {
    scf.yield %x, %x : tensor<2xf32>, tensor<2xf32>
  }
  return %y#0, %y#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A scalar that differs between lanes is a tensor of rank 1.

// CHECK-LABEL: func.func @scalars.lanes(
// CHECK-SAME: %[[W:.*]]: tensor<8xf32> {{.*}}, %[[X:.*]]: tensor<f32>
// CHECK: %[[S:.*]] = tensor.extract %[[X]][]
// CHECK: %[[T:.*]] = tensor.from_elements %[[S]] : tensor<f32>
// CHECK: %[[B:.*]] = ens.broadcast %[[T]] dims = [] {runs}
// CHECK: %[[Y:.*]] = ens.add %[[W]], %[[B]] : tensor<8xf32>
// CHECK: return %[[Y]]
func.func @scalars(%w: tensor<f32>, %x: tensor<f32> {ens.role = "data"})
    -> tensor<f32> {
  %a = tensor.extract %w[] : tensor<f32>
  %b = tensor.extract %x[] : tensor<f32>
  %c = ens.add %a, %b : f32
  %y = tensor.from_elements %c : tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @choice.lanes(
// CHECK-SAME: %[[P:.*]]: tensor<8xi1> {{.*}}, %[[X:.*]]: tensor<2xf32>
// CHECK: %[[M:.*]] = ens.broadcast %[[P]] dims = [0] : tensor<8xi1> to tensor<8x2xi1>
// CHECK: ens.select %[[M]]
func.func @choice(%p: tensor<i1>, %x: tensor<2xf32> {ens.role = "data"})
    -> tensor<2xf32> {
  %take = tensor.extract %p[] : tensor<i1>
  %n = ens.neg %x : tensor<2xf32>
  %y = arith.select %take, %x, %n : tensor<2xf32>
  return %y : tensor<2xf32>
}
