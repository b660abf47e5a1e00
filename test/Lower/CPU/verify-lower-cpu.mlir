// RUN: ens-opt %s --ens-verify-lower-cpu --split-input-file --verify-diagnostics

llvm.func @kernel(%x: i64) -> i64 {
  llvm.return %x : i64
}

// -----

llvm.func @kernel(%x: i64) -> i64 {
  // expected-error @below {{is left after lowering: only the LLVM dialect may be}}
  %y = arith.addi %x, %x : i64
  llvm.return %y : i64
}

// -----

// expected-error @below {{is external: a kernel calls no library}}
llvm.func @expf(f32) -> f32
