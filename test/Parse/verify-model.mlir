// RUN: ens-opt %s --ens-parse-pipeline | FileCheck %s
// RUN: ens-opt %S/../../docs/examples/digits.mlir --ens-parse-pipeline

// Everything that a program may be made of.

// CHECK-LABEL: func.func @program
func.func @program(
    %w: tensor<4xf32> {ens.name = "w", ens.role = "param"},
    %m: tensor<4xi64> {ens.name = "m", ens.role = "state"},
    %x: tensor<2x4xf64> {ens.name = "x", ens.role = "data"},
    %lr: tensor<f32> {ens.name = "lr", ens.role = "hyper"},
    %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
    %order: tensor<i64> {ens.name = "order", ens.role = "order_seed"},
    %step: tensor<i64> {ens.name = "step", ens.role = "step"},
    %mask: tensor<4xi1>,
    %begin: index {ens.name = "begin", ens.role = "begin"},
    %end: index {ens.name = "end", ens.role = "end"})
    -> (tensor<4xf32> {ens.name = "w", ens.role = "param"}) {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %two = arith.constant 2 : i64
  %rate = ens.broadcast %lr dims = [] : tensor<f32> to tensor<4xf32>
  %0 = scf.for %i = %begin to %end step %c1 iter_args(%a = %w)
      -> (tensor<4xf32>) {
    %begins = arith.cmpi eq, %i, %begin : index
    %wide = arith.index_cast %i : index to i64
    %is_second = arith.cmpi ult, %wide, %two : i64
    %either = arith.ori %begins, %is_second : i1
    %is_first = arith.select %true, %either, %begins : i1
    %j = func.call @twice(%i) : (index) -> index
    %1 = scf.if %is_first -> (tensor<4xf32>) {
      scf.yield %a : tensor<4xf32>
    } else {
      %2 = func.call @helper(%a, %rate)
          : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    %t = ens.from_index %j : tensor<i64>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func private @twice(%i: index) -> index {
  %c2 = arith.constant 2 : index
  %0 = arith.muli %i, %c2 : index
  return %0 : index
}

func.func private @helper(%a: tensor<4xf32>, %b: tensor<4xf32>)
    -> tensor<4xf32> {
  %0 = ens.mul %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A rule of a custom gradient may use the function it belongs to.

// CHECK-LABEL: func.func private @square_vjp
func.func private @square_vjp(%x: tensor<f32>, %dy: tensor<f32>)
    -> tensor<f32> {
  %0 = ens.custom_grad @square(%x) vjp = @square_vjp
      : (tensor<f32>) -> tensor<f32>
  %1 = ens.mul %0, %dy : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.mul %x, %x : tensor<f32>
  return %0 : tensor<f32>
}
