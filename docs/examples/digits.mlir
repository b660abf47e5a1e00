// Handwritten digits, 8x8 pixels in [0, 1], by a network of 64-32-10 units.
//
//   ensc train digits.mlir --data data/digits.npz --runs=64 \
//     --set lr=log:1e-4..1e-1 --epochs=30 -o EXPERIMENT
//
// The program trains one network; how many of them are trained, and in what
// they differ, is chosen outside it.

// The parameters of a fresh network. Each run has a seed of its own.
func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<64x32xf32> {ens.name = "w1"}, tensor<32xf32> {ens.name = "b1"},
        tensor<32x10xf32> {ens.name = "w2"}, tensor<10xf32> {ens.name = "b2"}) {
  %w1 = ens.he_normal %seed : tensor<64x32xf32>
  %b1 = ens.constant dense<0.0> : tensor<32xf32>
  %w2 = ens.he_normal %seed : tensor<32x10xf32>
  %b2 = ens.constant dense<0.0> : tensor<10xf32>
  return %w1, %b1, %w2, %b2
      : tensor<64x32xf32>, tensor<32xf32>, tensor<32x10xf32>, tensor<10xf32>
}

// One logit per class for each image of a batch.
func.func @logits(
    %w1: tensor<64x32xf32> {ens.name = "w1"}, %b1: tensor<32xf32> {ens.name = "b1"},
    %w2: tensor<32x10xf32> {ens.name = "w2"}, %b2: tensor<10xf32> {ens.name = "b2"},
    %x: tensor<32x64xf32> {ens.name = "x", ens.role = "data"})
    -> (tensor<32x10xf32> {ens.name = "logits"}) {
  %z = ens.dot %x, %w1 lhs_contract = [1] rhs_contract = [0]
      : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %b1_rows = ens.broadcast %b1 dims = [1] : tensor<32xf32> to tensor<32x32xf32>
  %z_biased = ens.add %z, %b1_rows : tensor<32x32xf32>
  %h = ens.relu %z_biased : tensor<32x32xf32>
  %o = ens.dot %h, %w2 lhs_contract = [1] rhs_contract = [0]
      : (tensor<32x32xf32>, tensor<32x10xf32>) -> tensor<32x10xf32>
  %b2_rows = ens.broadcast %b2 dims = [1] : tensor<10xf32> to tensor<32x10xf32>
  %logits = ens.add %o, %b2_rows : tensor<32x10xf32>
  return %logits : tensor<32x10xf32>
}

// What is minimized: one value per image; a step descends along their mean.
func.func @loss(
    %w1: tensor<64x32xf32> {ens.name = "w1"}, %b1: tensor<32xf32> {ens.name = "b1"},
    %w2: tensor<32x10xf32> {ens.name = "w2"}, %b2: tensor<10xf32> {ens.name = "b2"},
    %x: tensor<32x64xf32> {ens.name = "x", ens.role = "data"},
    %y: tensor<32xi32> {ens.name = "y", ens.role = "data"}) -> tensor<32xf32> {
  %logits = call @logits(%w1, %b1, %w2, %b2, %x)
      : (tensor<64x32xf32>, tensor<32xf32>, tensor<32x10xf32>, tensor<10xf32>,
         tensor<32x64xf32>) -> tensor<32x10xf32>
  %loss = ens.softmax_cross_entropy %logits, %y
      : (tensor<32x10xf32>, tensor<32xi32>) -> tensor<32xf32>
  return %loss : tensor<32xf32>
}

// What is reported: 1 for each image whose greatest logit is the label's.
func.func @accuracy(
    %w1: tensor<64x32xf32> {ens.name = "w1"}, %b1: tensor<32xf32> {ens.name = "b1"},
    %w2: tensor<32x10xf32> {ens.name = "w2"}, %b2: tensor<10xf32> {ens.name = "b2"},
    %x: tensor<32x64xf32> {ens.name = "x", ens.role = "data"},
    %y: tensor<32xi32> {ens.name = "y", ens.role = "data"}) -> tensor<32xf32> {
  %logits = call @logits(%w1, %b1, %w2, %b2, %x)
      : (tensor<64x32xf32>, tensor<32xf32>, tensor<32x10xf32>, tensor<10xf32>,
         tensor<32x64xf32>) -> tensor<32x10xf32>
  %guess = ens.arg_reduce max, %logits dim = 1 : (tensor<32x10xf32>) -> tensor<32xi32>
  %hit = ens.compare eq, %guess, %y : tensor<32xi32>
  %accuracy = ens.convert %hit : tensor<32xi1> to tensor<32xf32>
  return %accuracy : tensor<32xf32>
}

ens.learner @digits {init = @init, loss = @loss,
                     metrics = {accuracy = @accuracy}, predict = @logits,
                     optimizer = #ens.adam<lr = 1.0e-3>, batch_size = 32 : i64}
