// RUN: ens-opt %s --ens-number-sites --split-input-file --verify-diagnostics

func.func @endless(%seed: tensor<i64>) -> tensor<2xui32> {
  // expected-error @+1 {{the call of @endless is recursive; write a loop with scf.for instead}}
  %0 = call @endless(%seed) : (tensor<i64>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

// Each function has four times the ops of the one that it calls.
func.func private @f0(%seed: tensor<i64>) -> tensor<i64> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<i64>
  return %0 : tensor<i64>
}
func.func private @f1(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f0(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f0(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f0(%1) : (tensor<i64>) -> tensor<i64>
  %3 = func.call @f0(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
func.func private @f2(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f1(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f1(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f1(%1) : (tensor<i64>) -> tensor<i64>
  %3 = func.call @f1(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
func.func private @f3(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f2(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f2(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f2(%1) : (tensor<i64>) -> tensor<i64>
  %3 = func.call @f2(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
func.func private @f4(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f3(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f3(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f3(%1) : (tensor<i64>) -> tensor<i64>
  %3 = func.call @f3(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
func.func private @f5(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f4(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f4(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f4(%1) : (tensor<i64>) -> tensor<i64>
  %3 = func.call @f4(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
func.func private @f6(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f5(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f5(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f5(%1) : (tensor<i64>) -> tensor<i64>
  %3 = func.call @f5(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
func.func private @f7(%x: tensor<i64>) -> tensor<i64> {
  %0 = func.call @f6(%x) : (tensor<i64>) -> tensor<i64>
  %1 = func.call @f6(%0) : (tensor<i64>) -> tensor<i64>
  %2 = func.call @f6(%1) : (tensor<i64>) -> tensor<i64>
  // expected-error @+1 {{'func.call' of @f6 stands for 20478 ops, with which @f7 would grow by 81912; at most 65536 are supported}}
  %3 = func.call @f6(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
