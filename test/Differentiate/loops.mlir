// RUN: ens-opt %s --ens-differentiate-functions | FileCheck %s

// A stack has a slot for each iteration that there can be.

func.func private @any(%go: tensor<i1>) -> index {
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %p = tensor.extract %go[] : tensor<i1>
  %n = scf.if %p -> (index) {
    scf.yield %c7 : index
  } else {
    scf.yield %c8 : index
  }
  return %n : index
}

// CHECK-LABEL: func.func @min(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<9xf32>
func.func @min(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @min_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @min_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %step = arith.constant 1 : index
  %u = arith.minsi %any, %c9 : index
  %y = scf.for %i = %c0 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @max(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<7xf32>
func.func @max(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @max_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @max_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %step = arith.constant 1 : index
  %l = arith.maxsi %any, %c2 : index
  %y = scf.for %i = %l to %c9 step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @clamp_steps(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<3xf32>
func.func @clamp_steps(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @clamp_steps_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @clamp_steps_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %step = arith.constant 3 : index
  %l = arith.maxsi %any, %c2 : index
  %u = arith.minsi %any, %c9 : index
  %y = scf.for %i = %l to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @select(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<7xf32>
func.func @select(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @select_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @select_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %step = arith.constant 1 : index
  %p = arith.cmpi slt, %any, %c4 : index
  %u = arith.select %p, %c4, %c9 : index
  %y = scf.for %i = %c2 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @product(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<9xf32>
func.func @product(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @product_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @product_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n3 = arith.constant -3 : index
  %step = arith.constant 1 : index
  %m = arith.minsi %any, %c4 : index
  %k = arith.maxsi %m, %n3 : index
  %u = arith.muli %k, %n3 : index
  %y = scf.for %i = %c0 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @difference(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<5xf32>
func.func @difference(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @difference_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @difference_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n3 = arith.constant -3 : index
  %step = arith.constant 1 : index
  %m = arith.minsi %any, %c4 : index
  %k = arith.maxsi %m, %n3 : index
  %u = arith.subi %c2, %k : index
  %y = scf.for %i = %c0 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @quotient(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<5xf32>
func.func @quotient(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @quotient_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @quotient_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %step = arith.constant 1 : index
  %m = arith.minsi %any, %c9 : index
  %k = arith.maxsi %m, %c0 : index
  %u = arith.ceildivui %k, %c2 : index
  %y = scf.for %i = %c0 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @remainder(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<3xf32>
func.func @remainder(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @remainder_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @remainder_loop(%x: tensor<f32>, %go: tensor<i1>)
    -> tensor<f32> {
  %any = func.call @any(%go) : (tensor<i1>) -> index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %step = arith.constant 1 : index
  %m = arith.minsi %any, %c9 : index
  %k = arith.maxsi %m, %c0 : index
  %u = arith.remui %k, %c4 : index
  %y = scf.for %i = %c0 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @bit(
// CHECK:         ens.constant dense<0.000000e+00> : tensor<1xf32>
func.func @bit(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %g = ens.grad @bit_loop(%x, %go) wrt = [0]
      : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %g : tensor<f32>
}
func.func private @bit_loop(%x: tensor<f32>, %go: tensor<i1>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %step = arith.constant 1 : index
  %p = tensor.extract %go[] : tensor<i1>
  %u = arith.index_castui %p : i1 to index
  %y = scf.for %i = %c0 to %u step %step iter_args(%a = %x) -> (tensor<f32>) {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
