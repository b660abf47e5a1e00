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

// -----

// Each function has four times the ops of the one that it applies.
func.func private @f0(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.sin %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f1(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f0(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f0(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  %4 = ens.ensemble @f0(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f0(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
func.func private @f2(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f1(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f1(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  %4 = ens.ensemble @f1(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f1(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
func.func private @f3(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f2(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f2(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  %4 = ens.ensemble @f2(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f2(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
func.func private @f4(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f3(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f3(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  %4 = ens.ensemble @f3(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f3(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
func.func private @f5(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f4(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f4(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  %4 = ens.ensemble @f4(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f4(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
func.func private @f6(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f5(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f5(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  %4 = ens.ensemble @f5(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f5(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
func.func private @f7(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.ensemble @f6(%x) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %1 = ens.reshape %0 : tensor<1xf32> to tensor<f32>
  %2 = ens.ensemble @f6(%1) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %3 = ens.reshape %2 : tensor<1xf32> to tensor<f32>
  // expected-error @+1 {{'ens.ensemble' of @f6 stands for 25938 ops, with which @f7 would grow by 77814; at most 65536 are supported}}
  %4 = ens.ensemble @f6(%3) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %5 = ens.reshape %4 : tensor<1xf32> to tensor<f32>
  %6 = ens.ensemble @f6(%5) runs = 1 per_run = [false] : (tensor<f32>) -> tensor<1xf32>
  %7 = ens.reshape %6 : tensor<1xf32> to tensor<f32>
  return %7 : tensor<f32>
}
