// RUN: ens-opt %s --split-input-file --ens-verify-schedule --verify-diagnostics

// expected-error @+1 {{is no phase program: it has no 'ens.entry'}}
func.func @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects an arena of 'arena_bytes' bytes}}
func.func @unplaced.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64}} {
  return %end : index
}

// -----

func.func @tensor.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 64 : i64}} {
  // expected-error @+1 {{is on tensors, but belongs to no phase}}
  %0 = ens.constant dense<1.0> : tensor<4xf32>
  return %end : index
}

// -----

func.func @unaligned.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64}} {
  %at = arith.constant 32 : index
  // expected-error @+1 {{expects an offset that is a multiple of 64 and leaves the buffer within 128 bytes, got 32}}
  %a = memref.view %arena[%at][] : memref<128xi8> to memref<4xf32>
  return %end : index
}

// -----

func.func @outside.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64}} {
  %at = arith.constant 64 : index
  // expected-error @+1 {{leaves the buffer within 128 bytes, got 64}}
  %a = memref.view %arena[%at][] : memref<128xi8> to memref<17xf32>
  return %end : index
}

// -----

func.func @unknown.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 64 : i64}} {
  // expected-error @+1 {{is not allowed outside a phase}}
  %a = memref.alloc() : memref<4xf32>
  return %end : index
}

// -----

func.func @loop.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 64 : i64}} {
  %one = arith.constant 1 : index
  ens.map domain = [4] {
  ^bb0(%i: index):
    // expected-error @+1 {{is not allowed inside a phase}}
    scf.for %j = %begin to %end step %one {
    }
  }
  return %end : index
}
