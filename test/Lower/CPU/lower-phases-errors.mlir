// RUN: ens-opt %s --ens-lower-phases=cpu=x86-64-v4 --split-input-file --verify-diagnostics

// expected-error @below {{expects the attribute 'ens.entry' with a name and an instance}}
func.func @plain(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error @below {{expects (arena, begin, end) -> index}}
func.func @f.solo(%arena: memref<64xi8>) attributes {
    ens.entry = {name = "f", instance = "solo"}} {
  return
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [
      {name = "x", role = "data", type = tensor<4xf32>}], results = []}} {
  %o = arith.constant 0 : index
  %x = memref.view %arena[%o][] : memref<64xi8> to memref<4xf32>
  // expected-error @below {{expects argument 0 of the entry to differ between 1 runs}}
  ens.read_runs 0 into %x : memref<4xf32>
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  // expected-error @below {{expects argument 3 of the entry to be shared by all runs}}
  %x = ens.shared 3 : memref<4xf32>
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  // expected-error @below {{expects a static view of the arena at a constant offset}}
  %x = memref.view %arena[%begin][] : memref<64xi8> to memref<4xf32>
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  %one = arith.constant 1 : index
  %init = arith.constant 0.0 : f32
  // expected-error @below {{carries values: what a loop carries belongs into buffers}}
  %r = scf.for %i = %begin to %end step %one iter_args(%x = %init) -> f32 {
    scf.yield %x : f32
  }
  return %end : index
}

// -----

// expected-note @below {{the other symbol is here}}
llvm.func @f_solo()
// expected-error @below {{becomes the symbol 'f_solo', which exists already: rename the entry}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  %o = arith.constant 0 : index
  %x = memref.view %arena[%o][] : memref<64xi8> to memref<4xf32>
  ens.map domain = [4] {
  ^bb0(%i: index):
    %a = memref.load %x[%i] : memref<4xf32>
    // expected-error @below {{has no place in the body of a phase on a CPU}}
    %b = math.exp %a : f32
    memref.store %b, %x[%i] : memref<4xf32>
  }
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<32768xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "f", instance = "solo",
                                      arguments = [], results = []}} {
  %o = arith.constant 0 : index
  %x = memref.view %arena[%o][] : memref<32768xi8> to memref<64x64xf32>
  ens.contract domain = [64, 64] over = [64] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x64xf32>
    %b = memref.load %x[%k, %j] : memref<64x64xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    // expected-error @below {{has no place in the body of a phase on a CPU}}
    %e = math.exp %sum : f32
    %c = ens.div %e, %sum : f32
    memref.store %c, %x[%i, %j] : memref<64x64xf32>
  }
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<32768xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "f", instance = "solo",
                                      arguments = [], results = []}} {
  %o = arith.constant 0 : index
  %x = memref.view %arena[%o][] : memref<32768xi8> to memref<64x64xf32>
  ens.contract domain = [64, 64] over = [64] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x64xf32>
    %b = memref.load %x[%k, %j] : memref<64x64xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %e = ens.div %sum, %sum : f32
    // expected-error @below {{has no place in the body of a phase on a CPU}}
    %c = math.exp %e : f32
    memref.store %c, %x[%i, %j] : memref<64x64xf32>
  }
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  // expected-error @below {{has no place in the body of a phase on a CPU}}
  %x = memref.alloc() : memref<4xf32>
  return %end : index
}

// -----

func.func @f.lanes(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "lanes", lanes = 8 : i64,
                             arguments = [], results = []}} {
  // expected-error @below {{has lanes that are not those of the entry}}
  ens.map domain = [16] lanes {
  ^bb0(%l: index):
  }
  return %end : index
}

// -----

// expected-error @below {{expects 8 or 16 lanes, got 12}}
func.func @f.lanes(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "lanes", lanes = 12 : i64,
                             arguments = [], results = []}} {
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", arguments = [],
                             results = []}} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{counts with 'i32', but only an index can be lowered}}
  scf.for %i = %c0 to %c1 step %c1 : i32 {
  }
  return %end : index
}
