//===- TransposedLoads.h - Gathers as transposed blocks ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each run of a group may read another row of the data. Lane by lane that is
// one load and one insertion per element. Where rows are contiguous, a block of
// as many elements of each row as there are lanes is loaded instead, a vector
// per lane, and transposed in registers.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_TRANSPOSEDLOADS_H
#define ENSC_LIB_LOWER_CPU_TRANSPOSEDLOADS_H

#include "BodyEmitter.h"

namespace ensc::cpu {

/// Transposes a square of as many vectors as each has elements, a power of two.
void emitTranspose(Kernel &kernel, llvm::MutableArrayRef<mlir::Value> rows);

class TransposedLoads {
public:
  /// Finds loads of `block` that gather along the index `lane` but are
  /// contiguous along the index `inner`.
  TransposedLoads(mlir::Block &block, unsigned lane, unsigned inner);

  bool empty() const { return loads_.empty(); }

  /// Finds the rows that are loaded; `start` is bound to the points whose index
  /// `inner` is 0.
  mlir::LogicalResult findRows(BodyEmitter &start);

  /// Loads the block that begins at `begin` along `inner`.
  void emit(Kernel &kernel, const Index &begin);

  /// Binds what was loaded for the point `offset` further along `inner`.
  void bind(BodyEmitter &body, int64_t offset);

private:
  llvm::SmallVector<mlir::memref::LoadOp> loads_;
  llvm::SmallVector<Rows> rows_;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> blocks_;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_TRANSPOSEDLOADS_H
