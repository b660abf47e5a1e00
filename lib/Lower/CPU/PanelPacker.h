//===- PanelPacker.h - Transposed factors, packed ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without lanes, a factor that is contiguous along the contracted dimension,
// not along the vector, would be gathered in every step. It is copied before
// the tiles of a column run, transposed, into scratch memory of the shape
// [steps][columns][width], from which each step loads vectors.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_PANELPACKER_H
#define ENSC_LIB_LOWER_CPU_PANELPACKER_H

#include "BodyEmitter.h"

namespace ensc::cpu {

class PanelPacker {
public:
  /// Finds the loads of `factors`, a block whose arguments are the indices of
  /// the domain, then `over`, that are worth it. `columnDim` is the dimension
  /// that is the vector and the column at once.
  PanelPacker(BodyEmitter &root, mlir::Block &factors,
              llvm::ArrayRef<int64_t> over, unsigned columnDim,
              std::optional<unsigned> rowDim);

  /// Copies what the tiles need whose first point is `start`: `columns` vectors
  /// of `width`.
  mlir::LogicalResult pack(llvm::ArrayRef<Index> start, int64_t width,
                           int64_t columns);

  /// Binds the loads at a step and a column to what was copied.
  void bind(BodyEmitter &body, const Index &step, int64_t column);

  /// Forgets what was bound, at the start of another step.
  void nextStep() { bound_.clear(); }

  /// Gives the scratch memory back.
  void release() { panels_.clear(); }

private:
  mlir::LogicalResult packLoad(mlir::memref::LoadOp load, const Buffer &panel,
                               llvm::ArrayRef<Index> start, int64_t column);
  mlir::FailureOr<Index> positionAt(mlir::memref::LoadOp load,
                                    llvm::ArrayRef<Index> point,
                                    const Index &step);
  Index panelPosition(const Index &step, int64_t column);

  BodyEmitter &root_;
  Kernel &kernel_;
  mlir::Block &factors_;
  int64_t steps_ = 0;
  unsigned columnDim_;
  llvm::SmallVector<mlir::memref::LoadOp> loads_;
  llvm::SmallVector<Scratch> panels_;
  llvm::DenseMap<std::pair<mlir::Operation *, int64_t>, mlir::Value> bound_;
  int64_t width_ = 0, columns_ = 0;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_PANELPACKER_H
