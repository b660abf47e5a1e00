// RUN: ens-opt %s --ens-verify-differentiate --split-input-file --verify-diagnostics

func.func @core(%x: tensor<f32>, %n: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> tensor<f32> {
    %b = ens.exp %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @call(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{is left after differentiation: calls are inlined by ens-differentiate-functions}}
  %y = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @gradient(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{is not a core op, as every op is after differentiation}}
  %y = ens.grad @f(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @composite(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{is not a core op, as every op is after differentiation}}
  %y = ens.relu %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
