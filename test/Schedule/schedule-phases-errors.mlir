// RUN: ens-opt %s --split-input-file --ens-schedule-phases --verify-diagnostics

// expected-error @+1 {{is no instance: run the phase vectorize first}}
func.func @single(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @composite(%x: tensor<4xf32> {ens.per_run}) -> tensor<4xf32>
    attributes {ens.instance = "solo"} {
  // expected-error @+1 {{cannot be scheduled: it is no core op on tensors}}
  %0 = ens.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @while(%x: tensor<f32> {ens.per_run}) -> tensor<f32>
    attributes {ens.instance = "solo"} {
  // expected-error @+1 {{'scf.while' op is for the interpreter alone, and cannot be scheduled; write an scf.for with as many iterations as there can be}}
  %0 = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %true = arith.constant true
    scf.condition(%true) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    scf.yield %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @carry(%x: tensor<4xf32> {ens.per_run}, %begin: index {ens.role = "begin"},
                 %end: index {ens.role = "end"}) -> tensor<4xf32>
    attributes {ens.instance = "solo"} {
  %one = arith.constant 1 : index
  // expected-error @+1 {{carries a value of type 'index', not a tensor}}
  %0:2 = scf.for %i = %begin to %end step %one iter_args(%r = %x, %n = %one) -> (tensor<4xf32>, index) {
    scf.yield %r, %n : tensor<4xf32>, index
  }
  return %0#0 : tensor<4xf32>
}
