// RUN: ens-opt %s --ens-annotate-classes --split-input-file | FileCheck %s

// Labels and indices that come straight from data, through calls, derivatives
// and ops that only rearrange.

// CHECK-LABEL: func.func @loss
// CHECK-SAME:    %{{[^:]*}}: tensor<4xi32> {ens.classes = 10 : i64, ens.name = "y", ens.role = "data"}
func.func @loss(%w: tensor<4x10xf32>,
                %y: tensor<4xi32> {ens.name = "y", ens.role = "data"})
    -> tensor<4xf32> {
  %0 = ens.softmax_cross_entropy %w, %y
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @caller
// CHECK-SAME:    %{{[^:]*}}: tensor<2x2xi32> {ens.classes = 10 : i64, ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<4xi32> {ens.classes = 10 : i64, ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<4xi32>)
func.func @caller(%w: tensor<4x10xf32>,
                  %y: tensor<2x2xi32> {ens.role = "data"},
                  %z: tensor<4xi32> {ens.role = "data"},
                  %plain: tensor<4xi32>) -> tensor<4x10xf32> {
  %flat = ens.reshape %y : tensor<2x2xi32> to tensor<4xi32>
  %0 = func.call @loss(%w, %flat)
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>
  %1 = func.call @loss(%w, %plain)
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>
  %2 = ens.grad @mean(%w, %z) wrt = [0]
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4x10xf32>
  return %2 : tensor<4x10xf32>
}

func.func private @mean(%w: tensor<4x10xf32>, %y: tensor<4xi32>)
    -> tensor<f32> {
  %0 = func.call @loss(%w, %y)
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>
  %1 = ens.mean %0 dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// The smallest range counts, that of the program too.

// CHECK-LABEL: func.func @smallest
// CHECK-SAME:    %{{[^:]*}}: tensor<4xi64> {ens.classes = 5 : i64, ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<4xi64> {ens.classes = 3 : i64, ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<4xui32> {ens.classes = 7 : i64, ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<4xi32> {ens.classes = 2 : i64, ens.role = "data"}
func.func @smallest(%x: tensor<9x3xf32>, %few: tensor<5x3xf32>,
                    %i: tensor<4xi64> {ens.role = "data"},
                    %j: tensor<4xi64> {ens.role = "data", ens.classes = 3 : i64},
                    %k: tensor<4xui32> {ens.role = "data", ens.classes = 7 : i64},
                    %l: tensor<4xi32> {ens.role = "data", ens.classes = 2 : i64})
    -> (tensor<4x3xf32>, tensor<9x3xf32>) {
  %0 = ens.gather clamp, %x, %i axis = 0
      : (tensor<9x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  %1 = ens.gather clamp, %few, %i axis = 0
      : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  %wide = ens.convert %k : tensor<4xui32> to tensor<4xi64>
  %2 = ens.scatter add, clamp, %x, %wide, %0 axis = 0
      : (tensor<9x3xf32>, tensor<4xi64>, tensor<4x3xf32>) -> tensor<9x3xf32>
  %3 = ens.scatter add, clamp, %2, %j, %1 axis = 0
      : (tensor<9x3xf32>, tensor<4xi64>, tensor<4x3xf32>) -> tensor<9x3xf32>
  return %0, %3 : tensor<4x3xf32>, tensor<9x3xf32>
}

// -----

// Modes that say what an index out of range means, and indices that the program
// computes.

// CHECK-LABEL: func.func @free
// CHECK-NOT:     ens.classes
func.func @free(%x: tensor<9x3xf32>,
                %i: tensor<4xi32> {ens.role = "data"},
                %j: tensor<4xi32> {ens.role = "data"},
                %u: tensor<4x3xf32> {ens.role = "data"})
    -> (tensor<4x3xf32>, tensor<9x3xf32>, tensor<4x3xf32>) {
  %0 = ens.gather fill, %x, %i axis = 0
      : (tensor<9x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
  %1 = ens.scatter add, drop, %x, %i, %u axis = 0
      : (tensor<9x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> tensor<9x3xf32>
  %low = ens.constant dense<0> : tensor<4xi32>
  %high = ens.constant dense<8> : tensor<4xi32>
  %inside = ens.clamp %low, %j, %high : tensor<4xi32>
  %2 = ens.gather clamp, %x, %inside axis = 0
      : (tensor<9x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
  return %0, %1, %2 : tensor<4x3xf32>, tensor<9x3xf32>, tensor<4x3xf32>
}
