// What 'ensc run' can be asked for: scalars, tensors and one shared value.

func.func @affine(%a: tensor<f32> {ens.name = "a"},
                  %x: tensor<3xf32> {ens.name = "x"},
                  %b: tensor<3xf32> {ens.name = "b", ens.role = "data"},
                  %n: tensor<i32> {ens.name = "n"})
    -> (tensor<3xf32> {ens.name = "y"}, tensor<i32> {ens.name = "m"},
        tensor<3xi1>) {
  %rows = ens.broadcast %a dims = [] : tensor<f32> to tensor<3xf32>
  %p = ens.mul %rows, %x : tensor<3xf32>
  %y = ens.add %p, %b : tensor<3xf32>
  %m = ens.add %n, %n : tensor<i32>
  %q = ens.compare gt, %x, %b : tensor<3xf32>
  return %y, %m, %q : tensor<3xf32>, tensor<i32>, tensor<3xi1>
}

func.func @draw(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> tensor<i64> {
  return %seed : tensor<i64>
}
