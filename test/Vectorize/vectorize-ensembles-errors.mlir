// RUN: ens-opt %s --split-input-file --ens-vectorize-ensembles --verify-diagnostics

func.func @itself(%x: tensor<f32>) -> tensor<f32> {
  %b = ens.broadcast %x dims = [] : tensor<f32> to tensor<2xf32>
  // expected-error @+1 {{'ens.ensemble' op calls @itself, which comes back to this ensemble; a function cannot contain an ensemble of itself}}
  %y = ens.ensemble @itself(%b) runs = 2 per_run = [true]
      : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<f32>
}

// -----

func.func private @declared(tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'ens.ensemble' op calls @declared, which has no body}}
  %y = ens.ensemble @declared(%x) runs = 2 per_run = [true]
      : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
