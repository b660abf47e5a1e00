// RUN: ens-opt %s --ens-verify-expand --split-input-file --verify-diagnostics

func.func @composite(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'ens.relu' op is a composite, which has to be gone after the phase expand}}
  %y = ens.relu %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @no_site(%seed: tensor<i64>) -> tensor<3xui32> {
  // expected-error @+1 {{'ens.rng_bits' op has no site, which it has to have after the phase expand}}
  %y = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<3xui32>
  return %y : tensor<3xui32>
}

// -----

func.func private @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op has to be gone after the phase expand}}
ens.learner @net {init = @init, loss = @loss,
                  optimizer = #ens.sgd<lr = 0.1>, batch_size = 1 : i64}
