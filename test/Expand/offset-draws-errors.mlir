// RUN: ens-opt %s --ens-number-sites --ens-offset-draws=batch-entries=predict \
// RUN:   --split-input-file --verify-diagnostics

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

// What is called for batches draws from the number of the batch.

func.func @predict(%seed: tensor<i64>, %end: index {ens.role = "end"},
                   %x: tensor<2xui32>) -> tensor<2xui32> {
  // expected-error @-2 {{expected a function without steps, since it draws random numbers and is called for batches}}
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

func.func @predict(%seed: tensor<i64>, %go: tensor<i1>, %x: tensor<2xui32>)
    -> tensor<2xui32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = tensor.extract %go[] : tensor<i1>
  %trips = arith.select %true, %c1, %c0 : index
  // expected-error @+1 {{the number of iterations of this loop may change with the batch that the function is called for, so the random op at}}
  %0 = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %x)
      -> (tensor<2xui32>) {
    %1 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<2xui32>
    scf.yield %1 : tensor<2xui32>
  }
  return %0 : tensor<2xui32>
}
