//===- RunExchange.h - Between records and buffers --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller keeps the elements of a run together, a kernel with lanes the runs
// of an element. A function per type of elements and direction moves them, in
// squares of some runs and as many elements, which are transposed in registers:
// run by run, each cache line of a buffer would be touched once per run. All
// arguments and results of a kernel share these functions.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_RUNEXCHANGE_H
#define ENSC_LIB_LOWER_CPU_RUNEXCHANGE_H

#include "Kernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ensc::cpu {

/// A value as it may leave a program: with no NaN but the canonical one.
mlir::Value emitCanonical(Kernel &kernel, mlir::Value value);

/// The memory whose pointer is at a position of a table.
Buffer pointedAt(Kernel &kernel, mlir::Value table, const Index &slot,
                 mlir::MemRefType type);

/// The same of what a run has of its own, which lies in a record without
/// padding.
Buffer recordAt(Kernel &kernel, mlir::Value table, const Index &slot,
                mlir::MemRefType type);

class RunExchange {
public:
  RunExchange(Kernel &kernel, int64_t lanes) : kernel_(kernel), lanes_(lanes) {}

  /// Moves all elements from the records whose pointers are at `slot` of
  /// `table` and behind, one for each lane, to `buffer`.
  void emitRead(const Buffer &buffer, mlir::Value table, int64_t slot) {
    emitCall(buffer, table, slot, /*reads=*/true);
  }
  /// The same in the other direction.
  void emitWrite(const Buffer &buffer, mlir::Value table, int64_t slot) {
    emitCall(buffer, table, slot, /*reads=*/false);
  }

private:
  void emitCall(const Buffer &buffer, mlir::Value table, int64_t slot,
                bool reads);
  mlir::LLVM::LLVMFuncOp functionFor(mlir::Type element, bool reads);

  Kernel &kernel_;
  int64_t lanes_;
  llvm::DenseMap<mlir::Type, mlir::LLVM::LLVMFuncOp> readers_, writers_;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_RUNEXCHANGE_H
