// Exclusive or by a network of 2-2-1 units, on all four rows at once: a small
// problem with minima that most descents do not leave.
//
//   ensc train xor.mlir --data data/xor.npz --starts=1000 --runs=64 \
//     --goal='loss<1e-3' --epochs=500 -o EXPERIMENT

func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<2x2xf32> {ens.name = "w1"}, tensor<2xf32> {ens.name = "b1"},
        tensor<2x1xf32> {ens.name = "w2"}, tensor<1xf32> {ens.name = "b2"}) {
  %w1 = ens.normal %seed {stddev = 3.0 : f64} : tensor<2x2xf32>
  %b1 = ens.normal %seed {stddev = 3.0 : f64} : tensor<2xf32>
  %w2 = ens.normal %seed {stddev = 3.0 : f64} : tensor<2x1xf32>
  %b2 = ens.normal %seed {stddev = 3.0 : f64} : tensor<1xf32>
  return %w1, %b1, %w2, %b2
      : tensor<2x2xf32>, tensor<2xf32>, tensor<2x1xf32>, tensor<1xf32>
}

// The squared error of each row.
func.func @loss(
    %w1: tensor<2x2xf32> {ens.name = "w1"}, %b1: tensor<2xf32> {ens.name = "b1"},
    %w2: tensor<2x1xf32> {ens.name = "w2"}, %b2: tensor<1xf32> {ens.name = "b2"},
    %x: tensor<4x2xf32> {ens.name = "x", ens.role = "data"},
    %y: tensor<4x1xf32> {ens.name = "y", ens.role = "data"}) -> tensor<4xf32> {
  %z = ens.dot %x, %w1 lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %b1_rows = ens.broadcast %b1 dims = [1] : tensor<2xf32> to tensor<4x2xf32>
  %z_biased = ens.add %z, %b1_rows : tensor<4x2xf32>
  %h = ens.tanh %z_biased : tensor<4x2xf32>
  %o = ens.dot %h, %w2 lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x2xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>
  %b2_rows = ens.broadcast %b2 dims = [1] : tensor<1xf32> to tensor<4x1xf32>
  %o_biased = ens.add %o, %b2_rows : tensor<4x1xf32>
  %guess = ens.tanh %o_biased : tensor<4x1xf32>
  %error = ens.sub %guess, %y : tensor<4x1xf32>
  %square = ens.mul %error, %error : tensor<4x1xf32>
  %loss = ens.reshape %square : tensor<4x1xf32> to tensor<4xf32>
  return %loss : tensor<4xf32>
}

ens.learner @xor {init = @init, loss = @loss,
                  optimizer = #ens.sgd<lr = 0.5>, batch_size = 4 : i64,
                  shuffle = "none"}
