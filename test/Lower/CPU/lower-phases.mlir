// RUN: ens-opt %s --ens-lower-phases=cpu=x86-64-v4 --cse | FileCheck %s

// What is per run moves through functions that all arguments and results share:
// squares of 16 runs and 16 elements, transposed in registers, and the rest
// element by element.
// CHECK-LABEL: llvm.func internal @net_fit_lanes_read_f32
// CHECK-SAME: (%[[RECORDS:.*]]: !llvm.ptr, %[[BUFFER:.*]]: !llvm.ptr, %[[ELEMENTS:.*]]: i64)
// CHECK: %[[SQUARES:.*]] = arith.andi %[[ELEMENTS]], %{{.*}} : i64
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[SQUARES]]
// A record is not padded, so that nothing is known of its alignment.
// CHECK-COUNT-16: llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-COUNT-64: llvm.shufflevector
// CHECK-COUNT-16: llvm.store {{.*}} {alignment = 4 : i64} : vector<16xf32>
// CHECK: scf.for
// CHECK:   scf.for %{{.*}} = %[[SQUARES]] to %[[ELEMENTS]]
// CHECK-LABEL: llvm.func internal @net_fit_lanes_write_f32
// CHECK-COUNT-64: llvm.shufflevector
// CHECK-COUNT-16: llvm.store {{.*}} {alignment = 1 : i64} : vector<16xf32>

// The symbol is the entry's name as C can spell it; the description stays.
// CHECK-LABEL: llvm.func @net_fit_lanes(
// CHECK-SAME: %[[GROUP:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64) -> i64
// CHECK-SAME: ens.entry = {
func.func @net.fit.lanes(%arena: memref<4096xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "net.fit", instance = "lanes",
      lanes = 16 : i64, arena_bytes = 4096 : i64,
      arguments = [{name = "x", role = "data", type = tensor<4x8xf32>},
                   {name = "w", role = "param", type = tensor<8xf32>, per_run}],
      results = [{name = "y", type = tensor<4xf32>, per_run}]}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 512 : index
  %one = arith.constant 1 : index
  %w = memref.view %arena[%o0][] : memref<4096xi8> to memref<8x16xf32>
  %y = memref.view %arena[%o1][] : memref<4096xi8> to memref<4x16xf32>
  // CHECK: %[[TABLE_AT:.*]] = llvm.getelementptr %[[GROUP]][8]
  // CHECK: %[[TABLE:.*]] = llvm.load %[[TABLE_AT]]
  %x = ens.shared 0 : memref<4x8xf32>
  // CHECK: %[[RECORD:.*]] = llvm.getelementptr %[[TABLE]][1]
  // CHECK: llvm.call @net_fit_lanes_read_f32(%[[RECORD]], %{{.*}}, %{{.*}})
  ens.read_runs 1 into %w lanes : memref<8x16xf32>
  // CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
  scf.for %step = %begin to %end step %one {
    // One tile of four rows; a shared factor is a scalar, broadcast once.
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
    // CHECK-DAG: llvm.load {{.*}} -> vector<16xf32>
    // CHECK-DAG: llvm.load {{.*}} -> f32
    // CHECK-COUNT-4: math.fma {{.*}} : vector<16xf32>
    // CHECK-NOT: math.fma
    // CHECK: scf.yield
    ens.contract domain = [4, 16] lanes over = [8] : f32 {
    ^bb0(%i: index, %l: index, %k: index):
      %a = memref.load %x[%i, %k] : memref<4x8xf32>
      %b = memref.load %w[%k, %l] : memref<8x16xf32>
      ens.yield %a, %b : f32, f32
    } epilogue {
    ^bb0(%i: index, %l: index, %sum: f32):
      // CHECK-COUNT-4: llvm.store {{.*}} : vector<16xf32>
      memref.store %sum, %y[%i, %l] : memref<4x16xf32>
    }
  }
  // CHECK: llvm.call @net_fit_lanes_write_f32
  ens.write_runs %y to 0 lanes : memref<4x16xf32>
  // CHECK: llvm.return %[[END]]
  return %end : index
}

// Vectors inside one run: 16 elements, then a remainder without masks. Rows that
// are contiguous in memory are walked as one.
// CHECK-LABEL: llvm.func @map_solo
func.func @map.solo(%arena: memref<4096xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "map", instance = "solo",
      arena_bytes = 4096 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %x = memref.view %arena[%o0][] : memref<4096xi8> to memref<5x9xf32>
  // CHECK: scf.for
  // CHECK: llvm.load {{.*}} -> vector<16xf32>
  // CHECK: arith.addf {{.*}} : vector<16xf32>
  // CHECK: arith.addf {{.*}} : vector<8xf32>
  // CHECK: arith.addf {{.*}} : vector<4xf32>
  // CHECK: arith.addf {{.*}} : f32
  // CHECK-NOT: arith.addf
  ens.map domain = [5, 9] {
  ^bb0(%i: index, %j: index):
    %a = memref.load %x[%i, %j] : memref<5x9xf32>
    %b = ens.add %a, %a : f32
    memref.store %b, %x[%i, %j] : memref<5x9xf32>
  }
  return %end : index
}

// A fold over what is contiguous: the 16 partial sums are one vector.
// CHECK-LABEL: llvm.func @fold_solo
func.func @fold.solo(%arena: memref<4096xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "fold", instance = "solo",
      arena_bytes = 4096 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 1024 : index
  %x = memref.view %arena[%o0][] : memref<4096xi8> to memref<3x64xf32>
  %s = memref.view %arena[%o1][] : memref<4096xi8> to memref<3xf32>
  // CHECK: scf.for
  // CHECK: scf.for {{.*}} -> (vector<16xf32>)
  // CHECK: arith.addf {{.*}} : vector<16xf32>
  // CHECK: arith.addf {{.*}} : vector<8xf32>
  // CHECK: arith.addf {{.*}} : vector<4xf32>
  // CHECK: arith.addf {{.*}} : vector<2xf32>
  // CHECK: arith.addf {{.*}} : f32
  ens.map domain = [3] {
  ^bb0(%i: index):
    %sum = ens.fold sum over = [64] : f32 {
    ^bb0(%j: index):
      %a = memref.load %x[%i, %j] : memref<3x64xf32>
      ens.yield %a : f32
    }
    memref.store %sum, %s[%i] : memref<3xf32>
  }
  return %end : index
}

// An index that differs between the lanes is followed lane by lane.
// CHECK-LABEL: llvm.func @gather_lanes
func.func @gather.lanes(%arena: memref<4096xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "gather", instance = "lanes",
      lanes = 8 : i64, arena_bytes = 4096 : i64,
      arguments = [{name = "x", role = "data", type = tensor<9xf64>}],
      results = []}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 64 : index
  %x = ens.shared 0 : memref<9xf64>
  %n = memref.view %arena[%o0][] : memref<4096xi8> to memref<8xi32>
  %y = memref.view %arena[%o1][] : memref<4096xi8> to memref<8xf64>
  // CHECK: %[[ROWS:.*]] = arith.extsi {{.*}} : vector<8xi32> to vector<8xi64>
  // CHECK: %[[FIRST:.*]] = llvm.extractelement %[[ROWS]]
  // CHECK: llvm.getelementptr {{.*}}[%[[FIRST]]]
  // CHECK-COUNT-8: llvm.insertelement {{.*}} : vector<8xf64>
  // CHECK: llvm.store {{.*}} : vector<8xf64>
  ens.map domain = [8] lanes {
  ^bb0(%l: index):
    %i = memref.load %n[%l] : memref<8xi32>
    %row = arith.index_cast %i : i32 to index
    %a = memref.load %x[%row] : memref<9xf64>
    memref.store %a, %y[%l] : memref<8xf64>
  }
  return %end : index
}

// A constant whose elements differ is memory of the module; i1 takes a byte.
// CHECK-LABEL: llvm.func @table_solo
func.func @table.solo(%arena: memref<4096xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "table", instance = "solo",
      arena_bytes = 4096 : i64, arguments = [], results = []}} {
  %o0 = arith.constant 0 : index
  %y = memref.view %arena[%o0][] : memref<4096xi8> to memref<2x2xf32>
  %t = ens.table dense<[[1.0, 2.0], [4.0, 8.0]]> : tensor<2x2xf32> to memref<2x2xf32>
  %p = ens.table dense<[[true, false], [true, true]]> : tensor<2x2xi1> to memref<2x2xi1>
  // CHECK: llvm.mlir.addressof @table_solo_table0
  ens.map domain = [2, 2] {
  ^bb0(%i: index, %j: index):
    %a = memref.load %t[%i, %j] : memref<2x2xf32>
    %b = memref.load %p[%i, %j] : memref<2x2xi1>
    %c = ens.neg %a : f32
    %d = ens.select %b, %a, %c : f32
    memref.store %d, %y[%i, %j] : memref<2x2xf32>
  }
  return %end : index
}
// CHECK: llvm.mlir.global internal constant @table_solo_table0(dense<[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00]> : tensor<4xf32>)
// CHECK: llvm.mlir.global internal constant @table_solo_table1(dense<[1, 0, 1, 1]> : tensor<4xi8>)
