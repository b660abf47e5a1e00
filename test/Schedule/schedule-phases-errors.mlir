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
