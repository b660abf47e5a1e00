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

// -----

func.func @replaced.solo(%arena: memref<192xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 192 : i64}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 128 : index
  %x = memref.view %arena[%o0][] : memref<192xi8> to memref<4x8xf32>
  %w = memref.view %arena[%o1][] : memref<192xi8> to memref<8xf32>
  ens.contract domain = [4] over = [8] : f32 {
  ^bb0(%i: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<4x8xf32>
    // expected-error @+1 {{accesses memory that other points of the phase may store, but points come in any order; use the same view and indices, or another buffer}}
    %b = memref.load %w[%k] : memref<8xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %sum: f32):
    // expected-note @+1 {{the store is here}}
    memref.store %sum, %w[%i] : memref<8xf32>
  }
  return %end : index
}

// -----

// The last elements of %x are the first of %y.
func.func @overlapping.solo(%arena: memref<192xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 192 : i64}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %x = memref.view %arena[%o0][] : memref<192xi8> to memref<4x8xf32>
  %w = memref.view %arena[%o1][] : memref<192xi8> to memref<8xf32>
  %y = memref.view %arena[%o1][] : memref<192xi8> to memref<4xf32>
  ens.contract domain = [4] over = [8] : f32 {
  ^bb0(%i: index, %k: index):
    // expected-error @+1 {{accesses memory that other points of the phase may store}}
    %a = memref.load %x[%i, %k] : memref<4x8xf32>
    ens.yield %a, %a : f32, f32
  } epilogue {
  ^bb0(%i: index, %sum: f32):
    // expected-note @+1 {{the store is here}}
    memref.store %sum, %y[%i] : memref<4xf32>
  }
  return %end : index
}

// -----

// Neighbours have no bytes in common.
func.func @beside.solo(%arena: memref<192xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 192 : i64,
      name = "f", instance = "solo", lanes = 1 : i64, flops_per_step = 0 : i64,
      cycles_per_step = 0 : i64, bytes_moved = 0 : i64,
      bytes_touched = 0 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 128 : index
  %x = memref.view %arena[%o0][] : memref<192xi8> to memref<4x8xf32>
  %y = memref.view %arena[%o1][] : memref<192xi8> to memref<4xf32>
  ens.contract domain = [4] over = [8] : f32 {
  ^bb0(%i: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<4x8xf32>
    ens.yield %a, %a : f32, f32
  } epilogue {
  ^bb0(%i: index, %sum: f32):
    %old = memref.load %y[%i] : memref<4xf32>
    %new = ens.add %old, %sum : f32
    memref.store %new, %y[%i] : memref<4xf32>
  }
  return %end : index
}

// -----

// What the epilogue of one point stores is loaded by another.
func.func @turned.solo(%arena: memref<256xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 256 : i64}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 128 : index
  %three = arith.constant 3 : index
  %x = memref.view %arena[%o0][] : memref<256xi8> to memref<4x8xf32>
  %y = memref.view %arena[%o1][] : memref<256xi8> to memref<4xf32>
  ens.contract domain = [4] over = [8] : f32 {
  ^bb0(%i: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<4x8xf32>
    ens.yield %a, %a : f32, f32
  } epilogue {
  ^bb0(%i: index, %sum: f32):
    %j = arith.subi %three, %i : index
    // expected-error @+1 {{accesses memory that other points of the phase may store}}
    %old = memref.load %y[%j] : memref<4xf32>
    %new = ens.add %old, %sum : f32
    // expected-note @+1 {{the store is here}}
    memref.store %new, %y[%i] : memref<4xf32>
  }
  return %end : index
}

// -----

// Element i of %y is element i + 16 of %x.
func.func @shifted.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %x = memref.view %arena[%o0][] : memref<128xi8> to memref<32xf32>
  %y = memref.view %arena[%o1][] : memref<128xi8> to memref<16xf32>
  ens.map domain = [16] {
  ^bb0(%i: index):
    // expected-error @+1 {{accesses memory that other points of the phase may store}}
    %a = memref.load %x[%i] : memref<32xf32>
    // expected-note @+1 {{the store is here}}
    memref.store %a, %y[%i] : memref<16xf32>
  }
  return %end : index
}

// -----

func.func @one_target.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64}} {
  %o0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %x = memref.view %arena[%o0][] : memref<128xi8> to memref<4x8xf32>
  ens.map domain = [4, 3] {
  ^bb0(%i: index, %j: index):
    %sum = arith.addi %i, %i : index
    // expected-error @+1 {{goes to the same element at all 3 points of dimension 1 of the domain, but points come in any order; let an index depend on it}}
    memref.store %one, %x[%i, %sum] : memref<4x8xf32>
  }
  return %end : index
}

// -----

func.func @one_target_of_sums.solo(%arena: memref<256xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 256 : i64}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 128 : index
  %x = memref.view %arena[%o0][] : memref<256xi8> to memref<4x8xf32>
  %y = memref.view %arena[%o1][] : memref<256xi8> to memref<4xf32>
  ens.contract domain = [4] over = [8] : f32 {
  ^bb0(%i: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<4x8xf32>
    ens.yield %a, %a : f32, f32
  } epilogue {
  ^bb0(%i: index, %sum: f32):
    // expected-error @+1 {{goes to the same element at all 4 points of dimension 0 of the domain}}
    memref.store %sum, %y[%o0] : memref<4xf32>
  }
  return %end : index
}

// -----

// One point has no other; sequential points have an order.
func.func @defined_target.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64,
      name = "f", instance = "solo", lanes = 1 : i64, flops_per_step = 0 : i64,
      cycles_per_step = 0 : i64, bytes_moved = 0 : i64,
      bytes_touched = 0 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %x = memref.view %arena[%o0][] : memref<128xi8> to memref<4x8xf32>
  ens.map domain = [4, 1] {
  ^bb0(%i: index, %j: index):
    memref.store %one, %x[%i, %o0] : memref<4x8xf32>
  }
  ens.map domain = [4] sequential {
  ^bb0(%i: index):
    memref.store %one, %x[%o0, %o0] : memref<4x8xf32>
  }
  return %end : index
}

// -----

func.func @stored_twice.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %x = memref.view %arena[%o0][] : memref<128xi8> to memref<32xf32>
  %y = memref.view %arena[%o1][] : memref<128xi8> to memref<16xf32>
  ens.map domain = [16] {
  ^bb0(%i: index):
    // expected-error @+1 {{accesses memory that other points of the phase may store}}
    memref.store %one, %x[%i] : memref<32xf32>
    // expected-note @+1 {{the store is here}}
    memref.store %one, %y[%i] : memref<16xf32>
  }
  return %end : index
}

// -----

// A fold goes over what other points replace.
func.func @folded.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 64 : i64}} {
  %o0 = arith.constant 0 : index
  %x = memref.view %arena[%o0][] : memref<64xi8> to memref<16xf32>
  ens.map domain = [16] {
  ^bb0(%i: index):
    %s = ens.fold sum over = [16] : f32 {
    ^bb0(%j: index):
      // expected-error @+1 {{accesses memory that other points of the phase may store}}
      %a = memref.load %x[%j] : memref<16xf32>
      ens.yield %a : f32
    }
    // expected-note @+1 {{the store is here}}
    memref.store %s, %x[%i] : memref<16xf32>
  }
  return %end : index
}

// -----

// Each point replaces its own element; a sequential map runs its points in
// order.
func.func @in_place.solo(%arena: memref<128xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {arena_bytes = 128 : i64,
      name = "f", instance = "solo", lanes = 1 : i64, flops_per_step = 0 : i64,
      cycles_per_step = 0 : i64, bytes_moved = 0 : i64,
      bytes_touched = 0 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %x = memref.view %arena[%o0][] : memref<128xi8> to memref<32xf32>
  %same = memref.view %arena[%o0][] : memref<128xi8> to memref<32xf32>
  %y = memref.view %arena[%o1][] : memref<128xi8> to memref<16xf32>
  ens.map domain = [16] {
  ^bb0(%i: index):
    %a = memref.load %x[%i] : memref<32xf32>
    %b = ens.neg %a : f32
    memref.store %b, %same[%i] : memref<32xf32>
  }
  ens.map domain = [16] sequential {
  ^bb0(%i: index):
    %a = memref.load %x[%i] : memref<32xf32>
    memref.store %a, %y[%i] : memref<16xf32>
  }
  return %end : index
}
