// RUN: ens-opt %s --ens-differentiate-functions --split-input-file --verify-diagnostics

// expected-error @below {{cannot differentiate or inline @f, which calls itself}}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func private @declared(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{needs the body of @declared, which is only declared}}
  %g = ens.grad @declared(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// expected-error @below {{expects @blocks to have one block: write its control flow with scf.if and scf.for}}
func.func @blocks(%x: tensor<f32>) -> tensor<f32> {
  cf.br ^next(%x : tensor<f32>)
^next(%y: tensor<f32>):
  return %y : tensor<f32>
}

// -----

func.func private @id(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func private @id_vjp(%x: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{brings no jvp function for @id, which this derivative needs: add jvp = @...}}
  %y = ens.custom_grad @id(%x) vjp = @id_vjp : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func @forward(%x: tensor<f32>) -> tensor<f32> {
  %y, %dy = ens.jvp @f(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dy : tensor<f32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %true = arith.constant true
  // expected-error @below {{cannot differentiate 'scf.while', which has no derivative in reverse mode}}
  %y = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    scf.condition(%true) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  %g = ens.grad @f(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.addi %one, %one : index
  // expected-error @below {{cannot differentiate in reverse mode a loop whose number of iterations is not known at compile time, or is above 2147483647: make its bounds constant, or use ens.jvp}}
  %y = scf.for %i = %zero to %end step %one iter_args(%a = %x) -> tensor<f32> {
    %b = ens.mul %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  %g = ens.grad @f(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// What a loop only captures counts as well.

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %true = arith.constant true
  %one = ens.constant dense<1.0> : tensor<f32>
  // expected-error @below {{cannot differentiate 'scf.while', which has no derivative in forward mode}}
  %y = scf.while (%a = %one) : (tensor<f32>) -> tensor<f32> {
    scf.condition(%true) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %b = ens.mul %a, %x : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  %y, %t = ens.jvp @f(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %t : tensor<f32>
}
