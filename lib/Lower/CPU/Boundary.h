//===- Boundary.h - Between a kernel and its caller -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_BOUNDARY_H
#define ENSC_LIB_LOWER_CPU_BOUNDARY_H

#include "RunExchange.h"

namespace ensc::cpu {

/// Emits the accesses to the memory of the caller, an `ensc_group` of
/// ensc/Runtime/ABI.h, as the attribute `ens.entry` of a function describes it.
class Boundary {
public:
  Boundary(Kernel &kernel, mlir::Value group, mlir::DictionaryAttr entry);

  /// The arena's address.
  mlir::Value arena();

  // Each reports an error at its op if the entry does not fit it.
  mlir::LogicalResult emitShared(ens::SharedOp op);
  mlir::LogicalResult emitReadRuns(ens::ReadRunsOp op);
  mlir::LogicalResult emitWriteRuns(ens::WriteRunsOp op);
  mlir::LogicalResult emitReadRunIds(ens::ReadRunIdsOp op);

private:
  /// Runs in the group, as far as the tables of pointers go.
  int64_t lanes_;
  /// For each argument the position of its first pointer, and whether each run
  /// has one.
  llvm::SmallVector<std::pair<int64_t, bool>> arguments_;
  int64_t numResults_ = 0;

  mlir::Value field(int64_t byteOffset);
  void copy(const Buffer &from, const Buffer &to, bool canonical);
  Buffer asElements(const Buffer &buffer, int64_t elements);

  RunExchange exchange_;
  Kernel &kernel_;
  mlir::Value group_;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_BOUNDARY_H
