// The frequency of a sinusoid, a * sin(f * t) + b * cos(f * t), by descent on
// the squared error: from where f is not near the answer already, the error
// leads to one of many wrong frequencies.
//
//   ensc train sinusoid.mlir --data data/sinusoid.npz --starts=1000 --runs=64 \
//     --goal='loss<1e-3' --epochs=500 -o EXPERIMENT

func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<f32> {ens.name = "frequency"}, tensor<f32> {ens.name = "a"},
        tensor<f32> {ens.name = "b"}) {
  %frequency = ens.uniform %seed {low = 0.0 : f64, high = 20.0 : f64}
      : tensor<f32>
  %a = ens.normal %seed {stddev = 0.1 : f64} : tensor<f32>
  %b = ens.normal %seed {stddev = 0.1 : f64} : tensor<f32>
  return %frequency, %a, %b : tensor<f32>, tensor<f32>, tensor<f32>
}

// The squared error of each row.
func.func @loss(
    %frequency: tensor<f32> {ens.name = "frequency"},
    %a: tensor<f32> {ens.name = "a"}, %b: tensor<f32> {ens.name = "b"},
    %t: tensor<64xf32> {ens.name = "t", ens.role = "data"},
    %y: tensor<64xf32> {ens.name = "y", ens.role = "data"}) -> tensor<64xf32> {
  %f_rows = ens.broadcast %frequency dims = [] : tensor<f32> to tensor<64xf32>
  %a_rows = ens.broadcast %a dims = [] : tensor<f32> to tensor<64xf32>
  %b_rows = ens.broadcast %b dims = [] : tensor<f32> to tensor<64xf32>
  %angle = ens.mul %f_rows, %t : tensor<64xf32>
  %sine = ens.sin %angle : tensor<64xf32>
  %cosine = ens.cos %angle : tensor<64xf32>
  %a_part = ens.mul %a_rows, %sine : tensor<64xf32>
  %b_part = ens.mul %b_rows, %cosine : tensor<64xf32>
  %guess = ens.add %a_part, %b_part : tensor<64xf32>
  %error = ens.sub %guess, %y : tensor<64xf32>
  %loss = ens.mul %error, %error : tensor<64xf32>
  return %loss : tensor<64xf32>
}

ens.learner @sinusoid {init = @init, loss = @loss,
                       optimizer = #ens.adam<lr = 0.02>, batch_size = 64 : i64,
                       shuffle = "none"}
