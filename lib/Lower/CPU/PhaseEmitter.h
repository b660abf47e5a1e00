//===- PhaseEmitter.h - Phases as loops over vectors ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One emitter serves both instances: it is parametrized by the dimension that
// becomes the vector. With lanes that is the last one, otherwise the one along
// which the accesses are contiguous, cut into vectors of 16 and smaller powers
// of two at the end.
//
// All functions fail after an error was reported. `root` holds the values
// outside of phases.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_PHASEEMITTER_H
#define ENSC_LIB_LOWER_CPU_PHASEEMITTER_H

#include "BodyEmitter.h"

namespace ensc::cpu {

mlir::LogicalResult emitMap(BodyEmitter &root, ens::MapOp map);

mlir::LogicalResult emitContract(BodyEmitter &root, ens::ContractOp contract);

/// A stretch of `count` vectors of `width` elements from `begin` on.
struct VectorStretch {
  int64_t begin, width, count;
};

/// `extent` as vectors of 16, then at most one of each smaller power of two.
llvm::SmallVector<VectorStretch> cutIntoVectors(int64_t extent);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_PHASEEMITTER_H
