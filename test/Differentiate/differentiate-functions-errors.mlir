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
  // expected-error @below {{cannot differentiate 'scf.while', which has no derivative in reverse mode; write an scf.for with as many iterations as there can be, and in it an scf.if that passes the values on once it is over}}
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
  %some = ens.constant dense<true> : tensor<i1>
  %is = tensor.extract %some[] : tensor<i1>
  %end = scf.if %is -> (index) {
    scf.yield %one : index
  } else {
    scf.yield %zero : index
  }
  // expected-error @below {{cannot differentiate in reverse mode a loop that may have any number of iterations, or more than 2147483647, since each one needs memory: bound the lower end with arith.maxsi and the upper end with arith.minsi by constants, or use ens.jvp}}
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
  // expected-error @below {{cannot differentiate 'scf.while', which has no derivative in forward mode; write an scf.for with as many iterations as there can be, and in it an scf.if that passes the values on once it is over}}
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

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 2147483648 : index
  // expected-error @below {{or more than 2147483647, since each one needs memory}}
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

// Each function is the derivative of the one before it.
func.func private @f0(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.mul %x, %x : tensor<f32>
  %1 = ens.sin %0 : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f1(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f0(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f2(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f1(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f3(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f2(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f4(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f3(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f5(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f4(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f6(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f5(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f7(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f6(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f8(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f7(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f9(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f8(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f10(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f9(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f11(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f10(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f12(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f11(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f13(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.grad @f12(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f14(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'ens.grad' of @f13 stands for 99482 ops, with which @f14 would grow by 99482; at most 65536 are supported}}
  %0 = ens.grad @f13(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
