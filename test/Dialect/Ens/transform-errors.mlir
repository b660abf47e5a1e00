// RUN: ens-opt %s --split-input-file --verify-diagnostics

// grad_c1
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.grad' op expects @nobody to be a function of the module}}
  %0 = ens.grad @nobody(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// grad_c2
func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.grad' op expects the first result of @g to be a float of rank 0, got 'tensor<2xf32>'}}
  %0 = ens.grad @g(%x) wrt = [0] : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// grad_c3
func.func private @g(%x: tensor<2xf32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.grad' op expects wrt to name arguments of @g, strictly increasing, got [] for 1 arguments}}
  "ens.grad"(%x) {callee = @g, wrt = array<i64>} : (tensor<2xf32>) -> ()
  return
}

// -----

// grad_c3
func.func private @g(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>, %n: tensor<i32>) {
  // expected-error @+1 {{'ens.grad' op cannot differentiate with respect to argument 1 of @g, which is 'tensor<i32>': only float arguments have a derivative}}
  %0 = ens.grad @g(%x, %n) wrt = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<i32>
  return
}

// -----

// grad_c4
func.func private @g(%x: tensor<2xf32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.grad' op expects results of types ('tensor<2xf32>'), got ('tensor<f32>')}}
  %0 = ens.grad @g(%x) wrt = [0] : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

// value_and_grad_c1
func.func private @g(%x: tensor<2xf32>) -> tensor<f32>
func.func @f(%x: tensor<3xf32>) {
  // expected-error @+1 {{'ens.value_and_grad' op expects operands of types ('tensor<2xf32>'), got ('tensor<3xf32>')}}
  %0:2 = ens.value_and_grad @g(%x) wrt = [0] : (tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>)
  return
}

// -----

// value_and_grad_c2
func.func private @g(%x: tensor<2xf32>)
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.value_and_grad' op expects the first result of @g to be a float of rank 0}}
  %0 = ens.value_and_grad @g(%x) wrt = [0] : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// value_and_grad_c3
func.func private @g(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.value_and_grad' op expects wrt to name arguments of @g, strictly increasing, got [1, 0] for 2 arguments}}
  %0:3 = ens.value_and_grad @g(%x, %x) wrt = [1, 0] : (tensor<2xf32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

// value_and_grad_c4
func.func private @g(%x: tensor<2xf32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.value_and_grad' op expects results of types ('tensor<f32>', 'tensor<2xf32>'), got ('tensor<2xf32>')}}
  %0 = ens.value_and_grad @g(%x) wrt = [0] : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// jvp_c1
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.jvp' op expects @nobody to be a function of the module}}
  %0:2 = ens.jvp @nobody(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// jvp_c2
func.func private @g(%x: tensor<i32>) -> tensor<f32>
func.func @f(%x: tensor<i32>) {
  // expected-error @+1 {{'ens.jvp' op cannot differentiate with respect to argument 0 of @g}}
  %0:2 = ens.jvp @g(%x, %x) wrt = [0] : (tensor<i32>, tensor<i32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// jvp_c3
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.jvp' op expects operands of types ('tensor<f32>', 'tensor<f32>'), got ('tensor<f32>')}}
  %0:2 = ens.jvp @g(%x) wrt = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// vjp_c1
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.vjp' op expects @nobody to be a function of the module}}
  %0:2 = ens.vjp @nobody(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// vjp_c2
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.vjp' op expects wrt to name arguments of @g, strictly increasing, got [1] for 1 arguments}}
  %0:2 = ens.vjp @g(%x, %x) wrt = [1] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// vjp_c3
func.func private @g(%x: tensor<f32>) -> tensor<2xf32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.vjp' op expects operands of types ('tensor<f32>', 'tensor<2xf32>'), got ('tensor<f32>', 'tensor<f32>')}}
  %0:2 = ens.vjp @g(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return
}

// -----

// custom_grad_c1
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.custom_grad' op expects @nobody to be a function of the module}}
  %0 = ens.custom_grad @g(%x) vjp = @nobody : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// custom_grad_c2
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func private @g_vjp(%x: tensor<f32>, %ct: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.custom_grad' op expects results of types ('tensor<f32>'), got ('tensor<2xf32>')}}
  %0 = ens.custom_grad @g(%x) vjp = @g_vjp : (tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// custom_grad_c3
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func private @g_vjp(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.custom_grad' op expects a rule with arguments of types ('tensor<f32>', 'tensor<f32>'), got ('tensor<f32>')}}
  %0 = ens.custom_grad @g(%x) vjp = @g_vjp : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// custom_grad_c4
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'ens.custom_grad' op expects a vjp or a jvp function}}
  %0 = ens.custom_grad @g(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// ensemble_c1
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.ensemble' op expects per_run to have one entry for each of the 1 arguments of @g, got 2}}
  %0 = ens.ensemble @g(%x) runs = 2 per_run = [true, false] : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// ensemble_c2
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<0xf32>) {
  // expected-error @+1 {{'ens.ensemble' op expects runs to be positive, got 0}}
  %0 = ens.ensemble @g(%x) runs = 0 per_run = [true] : (tensor<0xf32>) -> tensor<0xf32>
  return
}

// -----

// ensemble_c3
// USR-A03: a shared argument of two entries is not two runs of a scalar.
func.func private @g(%w: tensor<2xf32>, %x: tensor<2xf32>) -> tensor<f32>
func.func @f(%w: tensor<2x2xf32>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.ensemble' op expects operands of types ('tensor<2x2xf32>', 'tensor<2x2xf32>'), got ('tensor<2x2xf32>', 'tensor<2xf32>')}}
  %0 = ens.ensemble @g(%w, %x) runs = 2 per_run = [true, true] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// ensemble_c3
func.func private @g(%x: tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'ens.ensemble' op expects results of types ('tensor<2xf32>'), got ('tensor<f32>')}}
  %0 = ens.ensemble @g(%x) runs = 2 per_run = [true] : (tensor<2xf32>) -> tensor<f32>
  return
}
