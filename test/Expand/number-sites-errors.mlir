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
