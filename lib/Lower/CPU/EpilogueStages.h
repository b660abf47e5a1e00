//===- EpilogueStages.h - An epilogue in two stages -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_EPILOGUESTAGES_H
#define ENSC_LIB_LOWER_CPU_EPILOGUESTAGES_H

#include "mlir/IR/Block.h"

#include "llvm/ADT/SmallVector.h"

namespace ensc::cpu {

/// Whether an op keeps the divider busy: its result comes late.
bool isSlow(mlir::Operation *op);

/// An epilogue cut where the first results come late. While a point waits for
/// them, the head of the next point can run.
struct EpilogueStages {
  /// Up to the slow ops, with all loads whose indices are not late.
  llvm::SmallVector<mlir::Operation *> head;
  /// What depends on a slow op. Empty if nothing does, where the epilogue may
  /// access what it has stored, as the order would change, and where the tail
  /// takes an index that comes from memory.
  llvm::SmallVector<mlir::Operation *> tail;
  /// What the tail takes of the head of its point. Indices, constants and
  /// memory that is the same at all points are not among it: they are formed
  /// anew.
  llvm::SmallVector<mlir::Value> handedOn;
};

EpilogueStages cutIntoStages(mlir::Block &epilogue, bool hasLanes);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_EPILOGUESTAGES_H
