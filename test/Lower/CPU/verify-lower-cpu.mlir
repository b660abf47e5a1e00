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

// -----

// expected-error @below {{has a name that is no identifier of C}}
llvm.func @"w*/ int x; /*"(%x: i64) -> i64 {
  llvm.return %x : i64
}

// -----

// expected-error @below {{'llvm.func' op expects 'name' of ens.entry to be a name, got none}}
llvm.func @kernel(%x: i64) -> i64 attributes {ens.entry = {}} {
  llvm.return %x : i64
}

// -----

llvm.func @kernel(%p: !llvm.ptr) {
  // expected-error @below {{expects a power of 2 that is at most 4294967296 as alignment, got -5}}
  %x = llvm.load %p {alignment = -5 : i64} : !llvm.ptr -> i64
  // The walk ends at the first one.
  %y = llvm.load %p {alignment = 3 : i64} : !llvm.ptr -> i64
  llvm.return
}
