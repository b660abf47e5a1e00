// RUN: ens-opt %s --ens-number-sites --ens-expand-learner --ens-offset-draws \
// RUN:   --verify-diagnostics

// Each batch of an evaluation draws numbers of its own.

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<3xf32> {ens.name = "x", ens.role = "data"},
                %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
                %step: tensor<i64> {ens.name = "step", ens.role = "step"})
    -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %late = ens.compare gt, %step, %seed : tensor<i64>
  %isLate = tensor.extract %late[] : tensor<i1>
  %trips = arith.select %isLate, %c1, %c2 : index
  // expected-error @+1 {{the number of iterations of this loop may change with the batch on which a learner evaluates the function, so the random op at}}
  %0 = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %x)
      -> (tensor<3xf32>) {
    %1 = ens.rng_bits %seed, %step : tensor<i64>, tensor<i64> -> tensor<3xui32>
    %2 = ens.convert %1 : tensor<3xui32> to tensor<3xf32>
    %3 = ens.mul %a, %2 : tensor<3xf32>
    scf.yield %3 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64,
                  rows = 9 : i64, validation_rows = 6 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}
