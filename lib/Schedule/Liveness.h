//===- Liveness.h - When the buffers of a phase program exist ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_LIVENESS_H
#define ENSC_LIB_SCHEDULE_LIVENESS_H

#include "ensc/Schedule/Arena.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ensc::schedule {

/// The buffers of a phase program, allocated by `memref.alloc`, in program
/// order.
struct Liveness {
  llvm::SmallVector<mlir::memref::AllocOp> allocations;
  llvm::SmallVector<LiveBuffer> buffers;
};

/// A moment is a phase, or another op outside of phases. A buffer that is
/// allocated inside a loop is written anew in each iteration; one that comes
/// from outside exists during the whole loop that uses it. The buffers of the
/// boundary are read at the start and written at the end.
Liveness findLiveness(mlir::func::FuncOp entry);

/// The bytes of a buffer.
int64_t bytesOf(mlir::MemRefType type);

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_LIVENESS_H
