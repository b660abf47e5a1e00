// RUN: ens-opt %s --split-input-file --ens-make-instances=lanes=8 --verify-diagnostics

func.func @varying_bound(%x: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %p = ens.compare lt, %x, %x : tensor<f32>
  %s = tensor.extract %p[] : tensor<i1>
  // expected-error @+1 {{'arith.index_castui' op has no rule for values that differ between runs; compute them with ops of the ens dialect, and bounds of loops from shared values}}
  %m = arith.index_castui %s : i1 to index
  %y = scf.for %i = %c0 to %m step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %e = ens.exp %a : tensor<f32>
    scf.yield %e : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

func.func @per_run_while(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'scf.while' op is for the interpreter alone, and cannot be vectorized over runs; write an scf.for with as many iterations as there can be, and in it an scf.if that passes the values on once it is over}}
  %y = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %p = ens.compare lt, %a, %x : tensor<f32>
    %s = tensor.extract %p[] : tensor<i1>
    scf.condition(%s) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %e = ens.exp %a : tensor<f32>
    scf.yield %e : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

func.func @recursive(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'func.call' op cannot be vectorized over runs}}
  %y = func.call @recursive(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @per_run_index(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tensor.extract %p[] : tensor<i1>
  // expected-error @+1 {{'scf.if' op cannot be vectorized over runs: it gives an index that differs between runs}}
  %n = scf.if %s -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %c2 : index
  }
  return %x : tensor<f32>
}

// -----

func.func @composite(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'ens.relu' op has no rule for values that differ between runs}}
  %y = ens.relu %x : tensor<f32>
  return %y : tensor<f32>
}

// -----

// expected-error @+1 {{'func.func' op cannot get a lanes instance: @f.lanes is already there}}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func private @f.lanes(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
