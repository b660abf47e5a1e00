// Three numbers to one of two classes by a network of 3-5-2 units with dropout:
// small enough to train in milliseconds, with every kind of argument.

func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<3x5xf32> {ens.name = "w1"}, tensor<5xf32> {ens.name = "b1"},
        tensor<5x2xf32> {ens.name = "w2"}) {
  %w1 = ens.he_normal %seed : tensor<3x5xf32>
  %b1 = ens.constant dense<0.0> : tensor<5xf32>
  %w2 = ens.he_normal %seed : tensor<5x2xf32>
  return %w1, %b1, %w2 : tensor<3x5xf32>, tensor<5xf32>, tensor<5x2xf32>
}

func.func @hidden(%w1: tensor<3x5xf32>, %b1: tensor<5xf32>,
                  %x: tensor<4x3xf32>) -> tensor<4x5xf32> {
  %z = ens.dot %x, %w1 lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %b = ens.broadcast %b1 dims = [1] : tensor<5xf32> to tensor<4x5xf32>
  %zb = ens.add %z, %b : tensor<4x5xf32>
  %h = ens.relu %zb : tensor<4x5xf32>
  return %h : tensor<4x5xf32>
}

func.func @loss(
    %w1: tensor<3x5xf32> {ens.name = "w1"}, %b1: tensor<5xf32> {ens.name = "b1"},
    %w2: tensor<5x2xf32> {ens.name = "w2"},
    %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
    %y: tensor<4xi32> {ens.name = "y", ens.role = "data"},
    %rate: tensor<f32> {ens.name = "rate", ens.role = "hyper", ens.default = 0.0 : f64},
    %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
    %step: tensor<i64> {ens.name = "step", ens.role = "step"}) -> tensor<4xf32> {
  %h = call @hidden(%w1, %b1, %x)
      : (tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
  %d = ens.dropout %h, %rate, %seed, %step : tensor<4x5xf32>
  %o = ens.dot %d, %w2 lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
  %loss = ens.softmax_cross_entropy %o, %y
      : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %loss : tensor<4xf32>
}

func.func @accuracy(
    %w1: tensor<3x5xf32> {ens.name = "w1"}, %b1: tensor<5xf32> {ens.name = "b1"},
    %w2: tensor<5x2xf32> {ens.name = "w2"},
    %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
    %y: tensor<4xi32> {ens.name = "y", ens.role = "data"}) -> tensor<4xf32> {
  %h = call @hidden(%w1, %b1, %x)
      : (tensor<3x5xf32>, tensor<5xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
  %o = ens.dot %h, %w2 lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
  %guess = ens.arg_reduce max, %o dim = 1 : (tensor<4x2xf32>) -> tensor<4xi32>
  %hit = ens.compare eq, %guess, %y : tensor<4xi32>
  %accuracy = ens.convert %hit : tensor<4xi1> to tensor<4xf32>
  return %accuracy : tensor<4xf32>
}

ens.learner @tiny {init = @init, loss = @loss, metrics = {accuracy = @accuracy},
                   optimizer = #ens.adam<lr = 1.0e-2>, batch_size = 4 : i64}
