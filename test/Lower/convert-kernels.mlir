// RUN: ens-opt %s -ens-convert-kernels | FileCheck %s

// A loop with a carried value and a branch becomes blocks; arithmetic keeps its
// types, and a product and a sum stay apart.

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64) -> i64
// CHECK:         llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i64, vector<16xf32>)
// CHECK:       ^[[HEAD]](%[[I:.*]]: i64, %[[SUM:.*]]: vector<16xf32>):
// CHECK:         llvm.icmp "slt" %[[I]], %[[N]] : i64
// CHECK:         llvm.cond_br
// CHECK:         %[[X:.*]] = llvm.load
// CHECK:         %[[PRODUCT:.*]] = llvm.fmul %[[X]], %[[X]] : vector<16xf32>
// CHECK-NEXT:    %[[ADDED:.*]] = llvm.fadd %[[SUM]], %[[PRODUCT]] : vector<16xf32>
// CHECK-NEXT:    llvm.intr.fma(%[[X]], %[[X]], %[[ADDED]]) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK:         llvm.icmp "eq"
// CHECK:         llvm.cond_br
// CHECK:         llvm.return
// CHECK-NOT:     {{scf|arith|math|cf}}.
llvm.func @kernel(%p: !llvm.ptr, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant dense<0.0> : vector<16xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> vector<16xf32> : i64 {
    %x = llvm.load %p : !llvm.ptr -> vector<16xf32>
    %product = arith.mulf %x, %x : vector<16xf32>
    %added = arith.addf %s, %product : vector<16xf32>
    %next = math.fma %x, %x, %added : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  %none = arith.cmpi eq, %n, %zero : i64
  scf.if %none {
    llvm.store %sum, %p : vector<16xf32>, !llvm.ptr
  }
  llvm.return %zero : i64
}

// CHECK-LABEL: llvm.func @iterations(
// CHECK:         llvm.udiv
llvm.func @iterations(%distance: i64, %step: i64) -> i64 {
  %count = arith.ceildivui %distance, %step : i64
  llvm.return %count : i64
}
