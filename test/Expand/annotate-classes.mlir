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
                  %plain: tensor<4xi32>)
    -> (tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>) {
  %flat = ens.reshape %y : tensor<2x2xi32> to tensor<4xi32>
  %0 = func.call @loss(%w, %flat)
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>
  %1 = func.call @loss(%w, %plain)
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4xf32>
  %2 = ens.grad @mean(%w, %z) wrt = [0]
      : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<4x10xf32>
  return %2, %0, %1 : tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>
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

// -----

// Uses that reach no result, alone, in a chain, in a call or in a loop.

// CHECK-LABEL: func.func @dead
// CHECK-NOT:     ens.classes
// CHECK:         return
func.func @dead(%x: tensor<9xf32>, %i: tensor<4xi32> {ens.role = "data"},
                %j: tensor<4xi32> {ens.role = "data"}) -> tensor<4xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = ens.gather clamp, %x, %i axis = 0
      : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
  %1 = ens.add %0, %0 : tensor<4xf32>
  %2 = func.call @pick(%x, %j) : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
  %3 = scf.for %n = %zero to %one step %one iter_args(%a = %2) -> (tensor<4xf32>) {
    %5 = ens.gather clamp, %x, %j axis = 0
        : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  }
  %4 = ens.add %i, %j : tensor<4xi32>
  return %4 : tensor<4xi32>
}

func.func private @pick(%x: tensor<9xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  %0 = ens.gather clamp, %x, %i axis = 0
      : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A branch may be there for indices that are in the range; the index that it
// surrounds counts where it is used outside of it, too, or in a loop.

// CHECK-LABEL: func.func @branches
// CHECK-SAME:    %{{[^:]*}}: tensor<i32> {ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<i32> {ens.classes = 9 : i64, ens.role = "data"}
// CHECK-SAME:    %{{[^:]*}}: tensor<i32> {ens.classes = 5 : i64, ens.role = "data"}
func.func @branches(%x: tensor<9xf32>, %few: tensor<5xf32>, %p: tensor<i1>,
                    %i: tensor<i32> {ens.role = "data"},
                    %j: tensor<i32> {ens.role = "data"},
                    %k: tensor<i32> {ens.role = "data"})
    -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = ens.constant dense<0.0> : tensor<f32>
  %taken = tensor.extract %p[] : tensor<i1>
  %0 = scf.if %taken -> (tensor<f32>) {
    %3 = ens.gather clamp, %x, %i axis = 0
        : (tensor<9xf32>, tensor<i32>) -> tensor<f32>
    %4 = ens.gather clamp, %few, %j axis = 0
        : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
    %5 = ens.add %3, %4 : tensor<f32>
    scf.yield %5 : tensor<f32>
  } else {
    scf.yield %none : tensor<f32>
  }
  %1 = scf.for %n = %zero to %one step %one iter_args(%a = %0) -> (tensor<f32>) {
    %3 = ens.gather clamp, %few, %k axis = 0
        : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
    %4 = ens.add %a, %3 : tensor<f32>
    scf.yield %4 : tensor<f32>
  }
  %2 = ens.gather clamp, %x, %j axis = 0
      : (tensor<9xf32>, tensor<i32>) -> tensor<f32>
  return %1, %2 : tensor<f32>, tensor<f32>
}
