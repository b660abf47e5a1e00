// RUN: ens-opt %s --split-input-file --ens-lower-phases=cpu=x86-64-v4 | FileCheck %s

// A step of 16 x 32 x 64 multiply-adds of 16 lanes takes about as many cycles,
// as vectors of 64 bytes go one by one; what happens once does not count.
// CHECK: cycles_per_step = {{(3[3-9]|4[0-4])[0-9][0-9][0-9]}} : i64
func.func @net.fit.lanes(%arena: memref<172032xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "net.fit", instance = "lanes",
      lanes = 16 : i64, arena_bytes = 172032 : i64,
      arguments = [{name = "x", role = "data", type = tensor<16x64xf32>},
                   {name = "w", role = "param", type = tensor<64x32xf32>, per_run}],
      results = [{name = "y", type = tensor<16x32xf32>, per_run}]}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 131072 : index
  %one = arith.constant 1 : index
  %w = memref.view %arena[%o0][] : memref<172032xi8> to memref<64x32x16xf32>
  %y = memref.view %arena[%o1][] : memref<172032xi8> to memref<16x32x16xf32>
  %x = ens.shared 0 : memref<16x64xf32>
  ens.read_runs 1 into %w lanes : memref<64x32x16xf32>
  scf.for %step = %begin to %end step %one {
    ens.contract domain = [16, 32, 16] lanes over = [64] : f32 {
    ^bb0(%i: index, %j: index, %l: index, %k: index):
      %a = memref.load %x[%i, %k] : memref<16x64xf32>
      %b = memref.load %w[%k, %j, %l] : memref<64x32x16xf32>
      ens.yield %a, %b : f32, f32
    } epilogue {
    ^bb0(%i: index, %j: index, %l: index, %sum: f32):
      memref.store %sum, %y[%i, %j, %l] : memref<16x32x16xf32>
    }
  }
  ens.write_runs %y to 0 lanes : memref<16x32x16xf32>
  return %end : index
}

// -----

// 128 vectors of 16 quotients, 6 cycles for each, half a cycle for the loop.
// CHECK-LABEL: llvm.func @quotients_solo
// CHECK-SAME:    cycles_per_step = 832 : i64
func.func @quotients.solo(%arena: memref<16384xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "quotients", instance = "solo",
      lanes = 1 : i64, arena_bytes = 16384 : i64, arguments = [],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 8192 : index
  %x = memref.view %arena[%o0][] : memref<16384xi8> to memref<2048xf32>
  %y = memref.view %arena[%o1][] : memref<16384xi8> to memref<2048xf32>
  ens.map domain = [2048] {
  ^bb0(%i: index):
    %a = memref.load %x[%i] : memref<2048xf32>
    %b = memref.load %y[%i] : memref<2048xf32>
    %q = ens.div %a, %b : f32
    memref.store %q, %y[%i] : memref<2048xf32>
  }
  return %end : index
}

// -----

// 64 x 32 x 64 multiply-adds, 16 in a cycle, and little else.
// CHECK-LABEL: llvm.func @plain_solo
// CHECK-SAME:    cycles_per_step = {{8[67][0-9][0-9]}} : i64
func.func @plain.solo(%arena: memref<32768xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "plain", instance = "solo",
      lanes = 1 : i64, arena_bytes = 32768 : i64, arguments = [],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 16384 : index
  %o2 = arith.constant 24576 : index
  %x = memref.view %arena[%o0][] : memref<32768xi8> to memref<64x64xf32>
  %w = memref.view %arena[%o1][] : memref<32768xi8> to memref<64x32xf32>
  %y = memref.view %arena[%o2][] : memref<32768xi8> to memref<64x32xf32>
  ens.contract domain = [64, 32] over = [64] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x64xf32>
    %b = memref.load %w[%k, %j] : memref<64x32xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    memref.store %sum, %y[%i, %j] : memref<64x32xf32>
  }
  return %end : index
}

// -----

// Four quotients for each sum, 24 cycles for 16 of them: a step in four of the
// next tile has some, beside 16 multiply-adds. Those of the last tile follow it.
// If all steps had some, that would be 12,288 cycles.
// CHECK-LABEL: llvm.func @hidden_solo
// CHECK-SAME:    cycles_per_step = {{10[0-3][0-9][0-9]}} : i64
func.func @hidden.solo(%arena: memref<32768xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "hidden", instance = "solo",
      lanes = 1 : i64, arena_bytes = 32768 : i64, arguments = [],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 16384 : index
  %o2 = arith.constant 24576 : index
  %x = memref.view %arena[%o0][] : memref<32768xi8> to memref<64x64xf32>
  %w = memref.view %arena[%o1][] : memref<32768xi8> to memref<64x32xf32>
  %y = memref.view %arena[%o2][] : memref<32768xi8> to memref<64x32xf32>
  ens.contract domain = [64, 32] over = [64] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x64xf32>
    %b = memref.load %w[%k, %j] : memref<64x32xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %q0 = ens.div %sum, %sum : f32
    %q1 = ens.div %sum, %q0 : f32
    %q2 = ens.div %sum, %q1 : f32
    %q3 = ens.div %sum, %q2 : f32
    memref.store %q3, %y[%i, %j] : memref<64x32xf32>
  }
  return %end : index
}

// -----

// With an eighth of the steps each has two of them: 64 times 48 cycles, and
// those of the last tile.
// CHECK-LABEL: llvm.func @bound_solo
// CHECK-SAME:    cycles_per_step = {{3[67][0-9][0-9]}} : i64
func.func @bound.solo(%arena: memref<11264xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "bound", instance = "solo",
      lanes = 1 : i64, arena_bytes = 11264 : i64, arguments = [],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 2048 : index
  %o2 = arith.constant 3072 : index
  %x = memref.view %arena[%o0][] : memref<11264xi8> to memref<64x8xf32>
  %w = memref.view %arena[%o1][] : memref<11264xi8> to memref<8x32xf32>
  %y = memref.view %arena[%o2][] : memref<11264xi8> to memref<64x32xf32>
  ens.contract domain = [64, 32] over = [8] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x8xf32>
    %b = memref.load %w[%k, %j] : memref<8x32xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %q0 = ens.div %sum, %sum : f32
    %q1 = ens.div %sum, %q0 : f32
    %q2 = ens.div %sum, %q1 : f32
    %q3 = ens.div %sum, %q2 : f32
    memref.store %q3, %y[%i, %j] : memref<64x32xf32>
  }
  return %end : index
}

// -----

// Rows of %w that are no multiple of 4 KiB apart.
// CHECK-LABEL: llvm.func @apart_solo
// CHECK-SAME:    cycles_per_step = {{67[0-9][0-9][0-9]}} : i64
func.func @apart.solo(%arena: memref<2269184xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "apart", instance = "solo",
      lanes = 1 : i64, arena_bytes = 2269184 : i64, arguments = [],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 131072 : index
  %o2 = arith.constant 2260992 : index
  %x = memref.view %arena[%o0][] : memref<2269184xi8> to memref<64x512xf32>
  %w = memref.view %arena[%o1][] : memref<2269184xi8> to memref<512x1040xf32>
  %y = memref.view %arena[%o2][] : memref<2269184xi8> to memref<64x32xf32>
  ens.contract domain = [64, 32] over = [512] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x512xf32>
    %b = memref.load %w[%k, %j] : memref<512x1040xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    memref.store %sum, %y[%i, %j] : memref<64x32xf32>
  }
  return %end : index
}

// -----

// Rows that are: 6 tiles of rows, 512 steps, 2 lines, 8 cycles for each.
// CHECK-LABEL: llvm.func @conflicting_solo
// CHECK-SAME:    cycles_per_step = {{1164[0-9][0-9]}} : i64
func.func @conflicting.solo(%arena: memref<2236416xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "conflicting", instance = "solo",
      lanes = 1 : i64, arena_bytes = 2236416 : i64, arguments = [],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 131072 : index
  %o2 = arith.constant 2228224 : index
  %x = memref.view %arena[%o0][] : memref<2236416xi8> to memref<64x512xf32>
  %w = memref.view %arena[%o1][] : memref<2236416xi8> to memref<512x1024xf32>
  %y = memref.view %arena[%o2][] : memref<2236416xi8> to memref<64x32xf32>
  ens.contract domain = [64, 32] over = [512] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %x[%i, %k] : memref<64x512xf32>
    %b = memref.load %w[%k, %j] : memref<512x1024xf32>
    ens.yield %a, %b : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    memref.store %sum, %y[%i, %j] : memref<64x32xf32>
  }
  return %end : index
}

// -----

// A loop that never ends in practice takes the most cycles that there are, and
// one around it, too.
// CHECK-LABEL: llvm.func @endless_solo
// CHECK-SAME:    cycles_per_step = 1000000000000000000 : i64
func.func @endless.solo(%arena: memref<64xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "endless", instance = "solo",
      lanes = 1 : i64, arena_bytes = 64 : i64, arguments = [],
      results = []}} {
  %first = arith.constant 0 : index
  %last = arith.constant 9000000000000000000 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = memref.view %arena[%zero][] : memref<64xi8> to memref<16xf32>
  scf.for %i = %first to %last step %one {
    scf.for %j = %first to %last step %one {
      ens.map domain = [16] {
      ^bb0(%l: index):
        %a = memref.load %x[%l] : memref<16xf32>
        %r = ens.sqrt %a : f32
        memref.store %r, %x[%l] : memref<16xf32>
      }
    }
  }
  return %end : index
}

// -----

// A loop that counts down does not run.
// CHECK-LABEL: llvm.func @never_solo
// CHECK-SAME:    cycles_per_step = {{[0-9]}} : i64
func.func @never.solo(%arena: memref<64xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "never", instance = "solo",
      lanes = 1 : i64, arena_bytes = 64 : i64, arguments = [],
      results = []}} {
  %first = arith.constant 9000000000000000000 : index
  %last = arith.constant 0 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = memref.view %arena[%zero][] : memref<64xi8> to memref<16xf32>
  scf.for %i = %first to %last step %one {
    scf.for %j = %first to %last step %one {
      ens.map domain = [16] {
      ^bb0(%l: index):
        %a = memref.load %x[%l] : memref<16xf32>
        %r = ens.sqrt %a : f32
        memref.store %r, %x[%l] : memref<16xf32>
      }
    }
  }
  return %end : index
}
