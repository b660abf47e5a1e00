// RUN: ens-opt %s --ens-verify-expand | FileCheck %s

// CHECK-LABEL: func.func @core
func.func @core(%seed: tensor<i64>) -> tensor<3xui32> {
  %y = ens.rng_bits %seed, %seed {site = 0 : i64}
      : tensor<i64>, tensor<i64> -> tensor<3xui32>
  return %y : tensor<3xui32>
}
