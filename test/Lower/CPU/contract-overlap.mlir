// RUN: ens-opt %s --ens-lower-phases=cpu=x86-64-v4 --cse | FileCheck %s

// The epilogues of a tile run among the steps of the next one, whatever CPU
// compiles.

// Two steps follow a point. The root of a point is stored after that of the next
// one has begun, at the point that the loop hands on with it; the first tile has
// no turns.
// CHECK-LABEL: llvm.func @two_steps_solo(
// CHECK-SAME: tiles = ["contract [24, 32] over [40]: 8 rows x 2 columns of 16 elements, epilogues among the steps of the next tile"]
func.func @two_steps(%arena: memref<12032xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "two_steps", instance = "solo",
      arena_bytes = 12032 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 3840 : index
  %o2 = arith.constant 8960 : index
  %a = memref.view %arena[%o0][] : memref<12032xi8> to memref<24x40xf32>
  %b = memref.view %arena[%o1][] : memref<12032xi8> to memref<40x32xf32>
  %c = memref.view %arena[%o2][] : memref<12032xi8> to memref<24x32xf32>
  // CHECK: scf.for %[[AT:.*]] = %c0_i64 to %c24_i64 step %c8_i64 iter_args(%[[ROW:[^ ]*]] = %c0_i64, %[[COLUMN:[^ ]*]] = %c0_i64, %[[TURNS:[^ ]*]] = %c0_i64)
  // CHECK:   %[[TURN:.*]]:18 = scf.for %[[POINT:.*]] = %c0_i64 to %[[TURNS]] step %c1_i64 iter_args({{.*}}, %[[DUE:[^ ]*]] = %c0_i64, %[[LATE:[^ ]*]] = %cst)
  // CHECK:     %[[SUM:.*]] = llvm.load {{.*}} -> vector<16xf32>
  // CHECK:     %[[ROOT:.*]] = math.sqrt %[[SUM]]
  // CHECK:     arith.divui %[[DUE]], %c2_i64
  // CHECK:     arith.remui %[[DUE]], %c2_i64
  // CHECK:     llvm.store %[[LATE]], {{.*}} : vector<16xf32>
  // CHECK-COUNT-32: math.fma
  // CHECK-NOT: math.fma
  // CHECK:     scf.yield {{.*}}, %[[POINT]], %[[ROOT]] :
  // CHECK-NEXT: } {ens.trips = 16 : i64}
  // The last point of the tile.
  // CHECK:     %[[HAS_POINTS:.*]] = arith.cmpi sgt, %[[TURNS]], %c0_i64
  // CHECK:     scf.if %[[HAS_POINTS]] {
  // CHECK:       arith.divui %[[TURN]]#16, %c2_i64
  // CHECK:       llvm.store %[[TURN]]#17, {{.*}} : vector<16xf32>
  // CHECK-NEXT: }
  // The other steps: 8 of them, or 40 in the first tile.
  // CHECK:     %[[REST:.*]] = arith.muli %[[TURNS]], %c2_i64
  // CHECK:     scf.for {{.*}} = %[[REST]] to %c40_i64 step %c1_i64 iter_args({{.*}} = %[[TURN]]#0, {{.*}} = %[[TURN]]#15)
  // CHECK-COUNT-16: math.fma
  // CHECK-NOT: math.fma
  // CHECK:     } {ens.trips = 8 : i64}
  // CHECK-COUNT-16: llvm.store {{.*}} : vector<16xf32>
  // CHECK:     scf.yield %[[AT]], %c0_i64, %c16_i64
  // The last tile has none after it.
  // CHECK:     scf.for {{.*}} = %c0_i64 to %c8_i64 step %c1_i64
  // CHECK:       math.sqrt
  // CHECK:       llvm.store
  // CHECK:       math.sqrt
  // CHECK:       llvm.store
  // CHECK-NOT:  math.sqrt
  // CHECK-NOT:  math.fma
  // CHECK:   llvm.return
  ens.contract domain = [24, 32] over = [40] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<24x40xf32>
    %y = memref.load %b[%k, %j] : memref<40x32xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %sqrt = ens.sqrt %sum : f32
    memref.store %sqrt, %c[%i, %j] : memref<24x32xf32>
  }
  return %end : index
}

// Where there are no steps to spare, one follows each point, and the rest is
// empty but in the first tile.
// CHECK-LABEL: llvm.func @one_step_solo(
// CHECK-SAME: tiles = ["contract [24, 32] over [16]: 8 rows x 2 columns of 16 elements, epilogues among the steps of the next tile"]
func.func @one_step(%arena: memref<6656xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "one_step", instance = "solo",
      arena_bytes = 6656 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 1536 : index
  %o2 = arith.constant 3584 : index
  %a = memref.view %arena[%o0][] : memref<6656xi8> to memref<24x16xf32>
  %b = memref.view %arena[%o1][] : memref<6656xi8> to memref<16x32xf32>
  %c = memref.view %arena[%o2][] : memref<6656xi8> to memref<24x32xf32>
  // CHECK: scf.for {{.*}} iter_args({{.*}}, %[[TURNS:[^ ]*]] = %c0_i64)
  // CHECK:   scf.for {{.*}} to %[[TURNS]]
  // CHECK:     math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK-COUNT-16: math.fma
  // CHECK-NOT: math.fma
  // CHECK:   } {ens.trips = 16 : i64}
  // CHECK:   %[[REST:.*]] = arith.muli %[[TURNS]], %c1_i64
  // CHECK:   scf.for {{.*}} = %[[REST]] to %c16_i64 step %c1_i64
  // CHECK-COUNT-16: math.fma
  // CHECK-NOT: math.fma
  // CHECK:   } {ens.trips = 0 : i64}
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

// Four points come before each of four steps out of five.
// CHECK-LABEL: llvm.func @four_points_solo(
// CHECK-SAME: tiles = ["contract [24, 32] over [5]: 8 rows x 2 columns of 16 elements, epilogues among the steps of the next tile"]
func.func @four_points(%arena: memref<4224xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "four_points", instance = "solo",
      arena_bytes = 4224 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 512 : index
  %o2 = arith.constant 1152 : index
  %a = memref.view %arena[%o0][] : memref<4224xi8> to memref<24x5xf32>
  %b = memref.view %arena[%o1][] : memref<4224xi8> to memref<5x32xf32>
  %c = memref.view %arena[%o2][] : memref<4224xi8> to memref<24x32xf32>
  // CHECK: scf.for {{.*}} iter_args({{.*}}, %[[TURNS:[^ ]*]] = %c0_i64)
  // CHECK:   scf.for {{.*}} to %[[TURNS]]
  // CHECK-COUNT-4: math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK-COUNT-16: math.fma
  // CHECK-NOT: math.fma
  // CHECK:   } {ens.trips = 4 : i64}
  // CHECK:   %[[REST:.*]] = arith.muli %[[TURNS]], %c1_i64
  // CHECK:   scf.for {{.*}} = %[[REST]] to %c5_i64 step %c1_i64
  // CHECK:   } {ens.trips = 1 : i64}
  ens.contract domain = [24, 32] over = [5] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<24x5xf32>
    %y = memref.load %b[%k, %j] : memref<5x32xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %sqrt = ens.sqrt %sum : f32
    memref.store %sqrt, %c[%i, %j] : memref<24x32xf32>
  }
  return %end : index
}

// Rows that are cut evenly: the tile before the first one of a column is the last
// one of the column before, and only the very last one is finished alone.
// CHECK-LABEL: llvm.func @from_column_to_column_solo(
// CHECK-SAME: tiles = ["contract [16, 128] over [16]: 4 rows x 4 columns of 16 elements, epilogues among the steps of the next tile"]
func.func @from_column_to_column(%arena: memref<17408xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "from_column_to_column", instance = "solo",
      arena_bytes = 17408 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 1024 : index
  %o2 = arith.constant 9216 : index
  %a = memref.view %arena[%o0][] : memref<17408xi8> to memref<16x16xf32>
  %b = memref.view %arena[%o1][] : memref<17408xi8> to memref<16x128xf32>
  %c = memref.view %arena[%o2][] : memref<17408xi8> to memref<16x128xf32>
  // CHECK: %[[TILES:.*]]:3 = scf.for {{.*}} step %c64_i64 iter_args(%[[ROW:.*]] = %c0_i64, %[[COLUMN:.*]] = %c0_i64, %[[TURNS:.*]] = %c0_i64)
  // CHECK:   %[[IN_COLUMN:.*]]:3 = scf.for {{.*}} step %c4_i64 iter_args(%{{.*}} = %[[ROW]], %{{.*}} = %[[COLUMN]], %{{.*}} = %[[TURNS]])
  // CHECK:     } {ens.trips = 16 : i64}
  // CHECK:     } {ens.trips = 0 : i64}
  // CHECK-NOT: math.sqrt
  // CHECK:     scf.yield {{.*}}, %c16_i64 : i64, i64, i64
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.yield %[[IN_COLUMN]]#0, %[[IN_COLUMN]]#1, %[[IN_COLUMN]]#2
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.for {{.*}} = %c0_i64 to %c4_i64 step %c1_i64
  // CHECK-COUNT-4: math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK: llvm.return
  ens.contract domain = [16, 128] over = [16] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<16x16xf32>
    %y = memref.load %b[%k, %j] : memref<16x128xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %sqrt = ens.sqrt %sum : f32
    memref.store %sqrt, %c[%i, %j] : memref<16x128xf32>
  }
  return %end : index
}

// Rows of two sizes: the last tile of each size is finished in each column.
// CHECK-LABEL: llvm.func @uneven_rows_solo(
// CHECK-SAME: tiles = ["contract [22, 128] over [16]: 4 or 3 rows x 4 columns of 16 elements, epilogues among the steps of the next tile"]
func.func @uneven_rows(%arena: memref<20864xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "uneven_rows", instance = "solo",
      arena_bytes = 20864 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 1408 : index
  %o2 = arith.constant 9600 : index
  %a = memref.view %arena[%o0][] : memref<20864xi8> to memref<22x16xf32>
  %b = memref.view %arena[%o1][] : memref<20864xi8> to memref<16x128xf32>
  %c = memref.view %arena[%o2][] : memref<20864xi8> to memref<22x128xf32>
  // CHECK: scf.for %[[COLUMN:.*]] = %c0_i64 to %c128_i64 step %c64_i64 : i64 {
  // CHECK:   scf.for {{.*}} = %c0_i64 to %c16_i64 step %c4_i64 iter_args(%{{.*}} = %c0_i64, %{{.*}} = %[[COLUMN]], %{{.*}} = %c0_i64)
  // CHECK:     } {ens.trips = 16 : i64}
  // CHECK:     scf.yield {{.*}}, %c16_i64 : i64, i64, i64
  // CHECK:   scf.for {{.*}} = %c0_i64 to %c4_i64 step %c1_i64 : i64
  // CHECK-COUNT-4: math.sqrt
  // CHECK:   scf.for {{.*}} = %c16_i64 to %c22_i64 step %c3_i64 iter_args(%{{.*}} = %c16_i64, %{{.*}} = %[[COLUMN]], %{{.*}} = %c0_i64)
  // CHECK:     } {ens.trips = 12 : i64}
  // CHECK:     scf.yield {{.*}}, %c12_i64 : i64, i64, i64
  // CHECK:   scf.for {{.*}} = %c0_i64 to %c3_i64 step %c1_i64 : i64
  // CHECK-COUNT-4: math.sqrt
  // CHECK-NOT: math.sqrt
  // CHECK: llvm.return
  ens.contract domain = [22, 128] over = [16] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<22x16xf32>
    %y = memref.load %b[%k, %j] : memref<16x128xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %sqrt = ens.sqrt %sum : f32
    memref.store %sqrt, %c[%i, %j] : memref<22x128xf32>
  }
  return %end : index
}

// An update without a root or quotient has no late results to hand on, and points
// of the last tile are mixed.
// CHECK-LABEL: llvm.func @update_solo(
// CHECK-SAME: tiles = ["contract [24, 32] over [40]: 8 rows x 2 columns of 16 elements, epilogues among the steps of the next tile"]
func.func @update(%arena: memref<12032xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "update", instance = "solo",
      arena_bytes = 12032 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 3840 : index
  %o2 = arith.constant 8960 : index
  %a = memref.view %arena[%o0][] : memref<12032xi8> to memref<24x40xf32>
  %b = memref.view %arena[%o1][] : memref<12032xi8> to memref<40x32xf32>
  %c = memref.view %arena[%o2][] : memref<12032xi8> to memref<24x32xf32>
  // CHECK: scf.for {{.*}} iter_args({{.*}}, %[[TURNS:[^ ]*]] = %c0_i64)
  // CHECK:   %[[TURN:.*]]:17 = scf.for {{.*}} to %[[TURNS]]
  // CHECK:     arith.subf
  // CHECK:     } {ens.trips = 16 : i64}
  // CHECK-NOT: scf.if
  // CHECK:     } {ens.trips = 8 : i64}
  // CHECK: scf.for {{.*}} = %c0_i64 to %c8_i64 step %c1_i64 : i64
  // CHECK:   arith.subf
  // CHECK-NEXT: arith.subf
  // CHECK:   llvm.store
  // CHECK-NEXT: llvm.store
  // CHECK: llvm.return
  ens.contract domain = [24, 32] over = [40] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<24x40xf32>
    %y = memref.load %b[%k, %j] : memref<40x32xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %tanh = ens.tanh %sum : f32
    %before = memref.load %c[%i, %j] : memref<24x32xf32>
    %after = ens.sub %before, %tanh : f32
    memref.store %after, %c[%i, %j] : memref<24x32xf32>
  }
  return %end : index
}

// Two views of the same memory: what is stored last stays last, although the
// quotient comes late.
// CHECK-LABEL: llvm.func @same_memory_solo(
func.func @same_memory(%arena: memref<12032xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "same_memory", instance = "solo",
      arena_bytes = 12032 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 3840 : index
  %o2 = arith.constant 8960 : index
  %o3 = arith.constant 8960 : index
  %a = memref.view %arena[%o0][] : memref<12032xi8> to memref<24x40xf32>
  %b = memref.view %arena[%o1][] : memref<12032xi8> to memref<40x32xf32>
  %c = memref.view %arena[%o2][] : memref<12032xi8> to memref<24x32xf32>
  %d = memref.view %arena[%o3][] : memref<12032xi8> to memref<24x32xf32>
  // CHECK:      %[[SUM:.*]] = llvm.load {{.*}} -> vector<16xf32>
  // CHECK:      %[[QUOTIENT:.*]] = arith.divf {{.*}}, %[[SUM]]
  // CHECK:      llvm.store %[[QUOTIENT]], %[[AT:[^ ]*]]
  // CHECK-NEXT: llvm.store %[[SUM]], %[[AT]]
  // CHECK:      math.fma
  ens.contract domain = [24, 32] over = [40] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i, %k] : memref<24x40xf32>
    %y = memref.load %b[%k, %j] : memref<40x32xf32>
    ens.yield %x, %y : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    %one = arith.constant 1.0 : f32
    %quotient = ens.div %one, %sum : f32
    memref.store %quotient, %c[%i, %j] : memref<24x32xf32>
    memref.store %sum, %d[%i, %j] : memref<24x32xf32>
  }
  return %end : index
}
