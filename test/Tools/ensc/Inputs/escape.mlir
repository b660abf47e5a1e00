// A result whose name would lead out of the directory of --save.
func.func @f(%x: tensor<f32> {ens.name = "x"})
    -> (tensor<f32> {ens.name = "../outside"}) {
  return %x : tensor<f32>
}
