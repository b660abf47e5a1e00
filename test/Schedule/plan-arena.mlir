// RUN: ens-opt %s --split-input-file --ens-plan-arena | FileCheck %s

// Buffers that never exist together share memory; each starts at a multiple of
// 64 bytes.

// CHECK-LABEL: func.func @share.solo
// CHECK-SAME: (%[[ARENA:.*]]: memref<192xi8>, %{{.*}}: index, %{{.*}}: index)
// CHECK-SAME: arena_bytes = 192 : i64
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%[[ZERO]]][] : memref<192xi8> to memref<20xf32>
// CHECK: %[[AT:.*]] = arith.constant 128 : index
// CHECK: %[[B:.*]] = memref.view %[[ARENA]][%[[AT]]][] : memref<192xi8> to memref<10xf32>
// CHECK: %[[AGAIN:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[ARENA]][%[[AGAIN]]][] : memref<192xi8> to memref<5xi1>
// CHECK-NOT: memref.alloc
func.func @share.solo(%arena: memref<0xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "share"}} {
  %a = memref.alloc() : memref<20xf32>
  %b = memref.alloc() : memref<10xf32>
  %c = memref.alloc() : memref<5xi1>
  ens.read_runs 0 into %a : memref<20xf32>
  ens.map domain = [10] {
  ^bb0(%i: index):
    %0 = memref.load %a[%i] : memref<20xf32>
    memref.store %0, %b[%i] : memref<10xf32>
  }
  ens.map domain = [5] {
  ^bb0(%i: index):
    %0 = memref.load %b[%i] : memref<10xf32>
    %1 = ens.compare lt, %0, %0 : f32
    memref.store %1, %c[%i] : memref<5xi1>
  }
  ens.write_runs %b to 0 : memref<10xf32>
  ens.write_runs %c to 1 : memref<5xi1>
  return %end : index
}

// -----

// What a loop uses from outside stays during the whole loop; what it allocates
// itself does not outlive an iteration.

// CHECK-LABEL: func.func @loop.solo
// CHECK-SAME: memref<192xi8>
func.func @loop.solo(%arena: memref<0xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "loop"}} {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  ens.read_runs 0 into %a : memref<16xf32>
  scf.for %i = %begin to %end step %one {
    %b = memref.alloc() : memref<16xf32>
    ens.map domain = [16] {
    ^bb0(%j: index):
      %0 = memref.load %a[%j] : memref<16xf32>
      memref.store %0, %b[%j] : memref<16xf32>
    }
    %c = memref.alloc() : memref<16xf32>
    ens.map domain = [16] {
    ^bb0(%j: index):
      %0 = memref.load %b[%j] : memref<16xf32>
      memref.store %0, %c[%j] : memref<16xf32>
    }
  }
  return %end : index
}
