// RUN: ens-opt %s --split-input-file --verify-diagnostics

// map_c1
func.func @f() {
  // expected-error @+1 {{'ens.map' op expects a body that takes 2 indices, got 'index'}}
  ens.map domain = [4, 3] {
  ^bb0(%i: index):
  }
  return
}

// -----

// map_c2
func.func @f() {
  // expected-error @+1 {{'ens.map' op expects extents of at least 0, got [-1]}}
  ens.map domain = [-1] {
  ^bb0(%i: index):
  }
  return
}

// -----

// map_c3
func.func @f() {
  // expected-error @+1 {{'ens.map' op expects an extent that counts the lanes}}
  ens.map domain = [] lanes {
  ^bb0:
  }
  return
}

// -----

// fold_c1
func.func @f(%x: f32) {
  // expected-error @+1 {{'ens.fold' op expects a body that takes 1 indices and yields one number}}
  %0 = ens.fold sum over = [3] : f32 {
  ^bb0(%j: index):
    ens.yield %x, %x : f32, f32
  }
  return
}

// -----

// fold_c2
func.func @f(%x: f32) {
  // expected-error @+1 {{'ens.fold' op expects a result of type 'i32', got 'f32'}}
  %0 = ens.fold argmax over = [3] : f32 {
  ^bb0(%j: index):
    ens.yield %x : f32
  }
  return
}

// -----

// contract_c1
func.func @f(%x: f32) {
  // expected-error @+1 {{'ens.contract' op expects factors of 2 indices, got 'index'}}
  ens.contract domain = [4] over = [3] : f32 {
  ^bb0(%i: index):
    ens.yield %x, %x : f32, f32
  } epilogue {
  ^bb0(%i: index, %sum: f32):
  }
  return
}

// -----

// contract_c1
func.func @f(%x: f32) {
  // expected-error @+1 {{'ens.contract' op expects an epilogue that takes 1 indices and the sum}}
  ens.contract domain = [4] over = [3] : f32 {
  ^bb0(%i: index, %k: index):
    ens.yield %x, %x : f32, f32
  } epilogue {
  ^bb0(%i: index):
  }
  return
}

// -----

// contract_c2
func.func @f(%x: f64) {
  // expected-error @+1 {{'ens.contract' op expects factors that yield two values of type 'f32'}}
  ens.contract domain = [4] over = [3] : f32 {
  ^bb0(%i: index, %k: index):
    ens.yield %x, %x : f64, f64
  } epilogue {
  ^bb0(%i: index, %sum: f32):
  }
  return
}

// -----

// table_c1
func.func @f() {
  // expected-error @+1 {{'ens.table' op expects memory of the shape and element type of 'tensor<3xf32>', got 'memref<4xf32>'}}
  %0 = ens.table dense<[1.0, 2.0, 4.0]> : tensor<3xf32> to memref<4xf32>
  return
}
