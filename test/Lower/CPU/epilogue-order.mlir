// RUN: ens-opt %s --ens-lower-phases=cpu=x86-64-v4 --cse | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: ens-opt %s --ens-lower-phases=cpu=x86-64-v3 --cse | FileCheck %s --check-prefixes=CHECK,NARROW
// What `--explain` says of when epilogues run, and the loops that say the same.

// One row of tiles, and epilogues too long for the steps of the next tile: each
// follows its sums.
// CHECK-LABEL: llvm.func @one_row
// WIDE-SAME: tiles = ["contract [4, 256] over [2]: 4 rows x 4 columns of 16 elements"]
// NARROW-SAME: tiles = ["contract [4, 256] over [2]: 2 rows x 2 columns of 16 elements, epilogues after several tiles"]
func.func @one_row(%arena: memref<6208xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "one_row", instance = "solo",
      arena_bytes = 6208 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %o2 = arith.constant 2112 : index
  %a = memref.view %arena[%o0][] : memref<6208xi8> to memref<4x2xf32>
  %b = memref.view %arena[%o1][] : memref<6208xi8> to memref<2x256xf32>
  %c = memref.view %arena[%o2][] : memref<6208xi8> to memref<4x256xf32>
  ens.contract domain = [4, 256] over = [2] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<4x2xf32>
    %y = memref.load %b[%k, %j] : memref<2x256xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %tanh = ens.tanh %sum : f32
    %exp = ens.exp %tanh : f32
    %logistic = ens.logistic %exp : f32
    %sqrt = ens.sqrt %logistic : f32
    memref.store %sqrt, %c[%i, %j] : memref<4x256xf32>
  }
  return %end : index
}

// The same epilogues come after several tiles where a column has them.
// CHECK-LABEL: llvm.func @many_rows
// WIDE-SAME: tiles = ["contract [64, 32] over [2]: 8 rows x 2 columns of 16 elements, epilogues after several tiles"]
// NARROW-SAME: tiles = ["contract [64, 32] over [2]: 6 or 5 rows x 1 columns of 16 elements, epilogues after several tiles"]
func.func @many_rows(%arena: memref<8960xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "many_rows", instance = "solo",
      arena_bytes = 8960 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 512 : index
  %o2 = arith.constant 768 : index
  %a = memref.view %arena[%o0][] : memref<8960xi8> to memref<64x2xf32>
  %b = memref.view %arena[%o1][] : memref<8960xi8> to memref<2x32xf32>
  %c = memref.view %arena[%o2][] : memref<8960xi8> to memref<64x32xf32>
  ens.contract domain = [64, 32] over = [2] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<64x2xf32>
    %y = memref.load %b[%k, %j] : memref<2x32xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %tanh = ens.tanh %sum : f32
    %exp = ens.exp %tanh : f32
    %logistic = ens.logistic %exp : f32
    %sqrt = ens.sqrt %logistic : f32
    memref.store %sqrt, %c[%i, %j] : memref<64x32xf32>
  }
  return %end : index
}

// The next tile has steps enough, and registers if there are 32.
// CHECK-LABEL: llvm.func @next_tile
// WIDE-SAME: tiles = ["contract [24, 32] over [16]: 8 rows x 2 columns of 16 elements, epilogues among the steps of the next tile"]
// NARROW-SAME: tiles = ["contract [24, 32] over [16]: 6 rows x 1 columns of 16 elements, epilogues after several tiles"]
func.func @next_tile(%arena: memref<6656xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "next_tile", instance = "solo",
      arena_bytes = 6656 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 1536 : index
  %o2 = arith.constant 3584 : index
  %a = memref.view %arena[%o0][] : memref<6656xi8> to memref<24x16xf32>
  %b = memref.view %arena[%o1][] : memref<6656xi8> to memref<16x32xf32>
  %c = memref.view %arena[%o2][] : memref<6656xi8> to memref<24x32xf32>
  ens.contract domain = [24, 32] over = [16] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<24x16xf32>
    %y = memref.load %b[%k, %j] : memref<16x32xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %sqrt = ens.sqrt %sum : f32
    memref.store %sqrt, %c[%i, %j] : memref<24x32xf32>
  }
  return %end : index
}

// Before a step of 8 come 3 of 15 epilogues, which are too long for it, or 2 of
// 12.
// CHECK-LABEL: llvm.func @both
// WIDE-SAME: tiles = ["contract [22, 48] over [8]: 5 or 4 rows x 3 columns of 16 elements, epilogues among the steps of the next tile or after several tiles"]
// NARROW-SAME: tiles = ["contract [22, 48] over [8]: 6 or 5 rows x 1 columns of 16 elements, epilogues after several tiles"]
func.func @both(%arena: memref<6464xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "both", instance = "solo",
      arena_bytes = 6464 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 704 : index
  %o2 = arith.constant 2240 : index
  %a = memref.view %arena[%o0][] : memref<6464xi8> to memref<22x8xf32>
  %b = memref.view %arena[%o1][] : memref<6464xi8> to memref<8x48xf32>
  %c = memref.view %arena[%o2][] : memref<6464xi8> to memref<22x48xf32>
  ens.contract domain = [22, 48] over = [8] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<22x8xf32>
    %y = memref.load %b[%k, %j] : memref<8x48xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %tanh = ens.tanh %sum : f32
    %exp = ens.exp %tanh : f32
    %logistic = ens.logistic %exp : f32
    %sqrt = ens.sqrt %logistic : f32
    memref.store %sqrt, %c[%i, %j] : memref<22x48xf32>
  }
  return %end : index
}

// A prime number of tiles: batches of 9 and 8, in 4 KiB each.
// CHECK-LABEL: llvm.func @prime
// WIDE-SAME: tiles = ["contract [34, 16] over [8]: 6 or 5 rows x 1 columns of 16 elements, epilogues among the steps of the next tile"]
// NARROW-SAME: tiles = ["contract [34, 16] over [8]: 2 rows x 1 columns of 16 elements, epilogues after several tiles"]
func.func @prime(%arena: memref<7552xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "prime", instance = "solo",
      arena_bytes = 7552 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 2176 : index
  %o2 = arith.constant 3200 : index
  %a = memref.view %arena[%o0][] : memref<7552xi8> to memref<34x8xf64>
  %b = memref.view %arena[%o1][] : memref<7552xi8> to memref<8x16xf64>
  %c = memref.view %arena[%o2][] : memref<7552xi8> to memref<34x16xf64>
  // NARROW:      scf.for {{.*}} to %c9_i64
  // NARROW:        scf.for {{.*}} to %c8_i64
  // NARROW-COUNT-2:  math.fma
  // NARROW:      scf.for {{.*}} to %c18_i64
  // NARROW:        math.sqrt
  // NARROW:      scf.for {{.*}} to %c8_i64
  // NARROW:        scf.for {{.*}} to %c8_i64
  // NARROW-COUNT-2:  math.fma
  // NARROW:      scf.for {{.*}} to %c16_i64
  // NARROW:        math.sqrt
  // NARROW-NOT:  math.fma
  ens.contract domain = [34, 16] over = [8] : f64 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<34x8xf64>
    %y = memref.load %b[%k, %j] : memref<8x16xf64>
    ens.yield %x, %y : f64, f64
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f64):
    %sqrt = ens.sqrt %sum : f64
    memref.store %sqrt, %c[%i, %j] : memref<34x16xf64>
  }
  return %end : index
}

// All registers are for accumulators where no epilogue runs among steps.
// CHECK-LABEL: llvm.func @nothing_reserved
// WIDE-SAME: tiles = ["contract [4, 80] over [2]: 4 rows x 5 columns of 16 elements"]
// NARROW-SAME: tiles = ["contract [4, 80] over [2]: 4 rows x 1 columns of 16 elements"]
func.func @nothing_reserved(%arena: memref<1984xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "nothing_reserved", instance = "solo",
      arena_bytes = 1984 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %o2 = arith.constant 704 : index
  %a = memref.view %arena[%o0][] : memref<1984xi8> to memref<4x2xf32>
  %b = memref.view %arena[%o1][] : memref<1984xi8> to memref<2x80xf32>
  %c = memref.view %arena[%o2][] : memref<1984xi8> to memref<4x80xf32>
  ens.contract domain = [4, 80] over = [2] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<4x2xf32>
    %y = memref.load %b[%k, %j] : memref<2x80xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %tanh = ens.tanh %sum : f32
    %exp = ens.exp %tanh : f32
    %logistic = ens.logistic %exp : f32
    %sqrt = ens.sqrt %logistic : f32
    memref.store %sqrt, %c[%i, %j] : memref<4x80xf32>
  }
  return %end : index
}

// Points of a chain as long as that of exp are mixed, but not those that wait for
// the divider anyway, whether their epilogues wait for other tiles or not.
// CHECK-LABEL: llvm.func @not_mixed
// WIDE-SAME: tiles = ["contract [4, 16] over [1]: 4 rows x 1 columns of 16 elements"]
// NARROW-SAME: tiles = ["contract [4, 16] over [1]: 4 rows x 1 columns of 16 elements"]
func.func @not_mixed(%arena: memref<384xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "not_mixed", instance = "solo",
      arena_bytes = 384 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %o2 = arith.constant 128 : index
  %a = memref.view %arena[%o0][] : memref<384xi8> to memref<4x1xf32>
  %b = memref.view %arena[%o1][] : memref<384xi8> to memref<1x16xf32>
  %c = memref.view %arena[%o2][] : memref<384xi8> to memref<4x16xf32>
  // CHECK-COUNT-4: math.fma
  // CHECK: math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK: llvm.store
  // CHECK: math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK: llvm.store
  // CHECK: math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK: llvm.store
  ens.contract domain = [4, 16] over = [1] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<4x1xf32>
    %y = memref.load %b[%k, %j] : memref<1x16xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %exp = ens.exp %sum : f32
    %sqrt = ens.sqrt %exp : f32
    memref.store %sqrt, %c[%i, %j] : memref<4x16xf32>
  }
  return %end : index
}
