// RUN: ens-opt %s --ens-number-sites --split-input-file --verify-diagnostics

func.func @endless(%seed: tensor<i64>) -> tensor<2xui32> {
  // expected-error @+1 {{the call of @endless is recursive; write a loop with scf.for instead}}
  %0 = call @endless(%seed) : (tensor<i64>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

func.func @triangle(%seed: tensor<i64>, %begin: index, %end: index,
                    %step: index, %x: tensor<2xui32>) -> tensor<2xui32> {
  %0 = scf.for %i = %begin to %end step %step iter_args(%a = %x)
      -> (tensor<2xui32>) {
    // expected-error @+1 {{the number of iterations of this loop changes with a loop around it, so the random op at}}
    %1 = scf.for %j = %begin to %i step %step iter_args(%b = %a)
        -> (tensor<2xui32>) {
      %2 = ens.rng_bits %seed, %seed
          : tensor<i64>, tensor<i64> -> tensor<2xui32>
      %3 = ens.xor %b, %2 : tensor<2xui32>
      scf.yield %3 : tensor<2xui32>
    }
    scf.yield %1 : tensor<2xui32>
  }
  return %0 : tensor<2xui32>
}

// -----

func.func @unnumbered(%seed: tensor<i64>, %go: tensor<i1>, %x: tensor<2xui32>)
    -> tensor<2xui32> {
  // expected-error @+1 {{the iterations of 'scf.while' have no number, so the random op at}}
  %0 = scf.while (%a = %x) : (tensor<2xui32>) -> tensor<2xui32> {
    %true = tensor.extract %go[] : tensor<i1>
    scf.condition(%true) %a : tensor<2xui32>
  } do {
  ^bb0(%a: tensor<2xui32>):
    %1 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
    scf.yield %1 : tensor<2xui32>
  }
  return %0 : tensor<2xui32>
}

// -----

func.func @narrow_counter(%seed: tensor<i64>, %x: tensor<2xui32>)
    -> tensor<2xui32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{expected an index as the counter of a loop with random ops, got 'i32'}}
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x)
      -> (tensor<2xui32>) : i32 {
    %1 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
    scf.yield %1 : tensor<2xui32>
  }
  return %0 : tensor<2xui32>
}

// -----

// What is applied in a loop draws there.

func.func private @noise(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
  %1 = ens.convert %0 : tensor<ui32> to tensor<f32>
  %2 = ens.mul %x, %1 : tensor<f32>
  return %2 : tensor<f32>
}

func.func @unnumbered_gradient(%x: tensor<f32>, %seed: tensor<i64>,
                               %go: tensor<i1>) -> tensor<f32> {
  // expected-error @+1 {{the iterations of 'scf.while' have no number, so the op that draws in @noise at}}
  %0 = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %true = tensor.extract %go[] : tensor<i1>
    scf.condition(%true) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %1 = ens.grad @noise(%a, %seed) wrt = [0]
        : (tensor<f32>, tensor<i64>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func private @sometimes(%x: tensor<f32>, %seed: tensor<i64>,
                             %go: tensor<i1>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = tensor.extract %go[] : tensor<i1>
  %trips = arith.select %true, %c1, %c0 : index
  // expected-error @+1 {{the number of iterations of this loop may change with the loop in which the function is applied, so the random op at}}
  %0 = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %1 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
    %2 = ens.convert %1 : tensor<ui32> to tensor<f32>
    %3 = ens.mul %a, %2 : tensor<f32>
    scf.yield %3 : tensor<f32>
  }
  return %0 : tensor<f32>
}

func.func @applied(%x: tensor<f32>, %seed: tensor<i64>, %go: tensor<i1>)
    -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %1 = ens.grad @sometimes(%a, %seed, %go) wrt = [0]
        : (tensor<f32>, tensor<i64>, tensor<i1>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func private @noise(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
  %1 = ens.convert %0 : tensor<ui32> to tensor<f32>
  %2 = ens.mul %x, %1 : tensor<f32>
  return %2 : tensor<f32>
}

func.func private @noise_vjp(%x: tensor<f32>, %seed: tensor<i64>,
                             %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}

func.func @custom(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    // expected-error @+1 {{'ens.custom_grad' applies @noise in a loop, where its random ops would repeat their numbers; draw in the loop and pass the numbers as an argument}}
    %1 = ens.custom_grad @noise(%a, %seed) vjp = @noise_vjp
        : (tensor<f32>, tensor<i64>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
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
  // expected-error @+1 {{'func.call' of @f6 stands for 20478 ops, with which @f7 would have 81918; at most 65536 are supported}}
  %3 = func.call @f6(%2) : (tensor<i64>) -> tensor<i64>
  return %3 : tensor<i64>
}
