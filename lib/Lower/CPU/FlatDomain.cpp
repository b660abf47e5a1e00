//===- FlatDomain.cpp - Several dimensions walked as one ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlatDomain.h"
#include "AccessAnalysis.h"

using namespace mlir;
using namespace ensc::cpu;

/// Whether an op turns indices into something that is no index, other than by
/// an access.
static bool looksAtIndices(Operation *op) {
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return false;
  bool takesIndex = llvm::any_of(op->getOperandTypes(),
                                 [](Type type) { return type.isIndex(); });
  bool givesIndex = llvm::all_of(op->getResultTypes(),
                                 [](Type type) { return type.isIndex(); });
  return takesIndex && !givesIndex;
}

bool ensc::cpu::isFlatDomain(Block &block, unsigned first,
                             ArrayRef<int64_t> extents) {
  if (extents.size() <= 1)
    return true;
  AccessAnalysis analysis(block);
  uint64_t mask = 0;
  for (size_t dim = 0; dim < extents.size(); ++dim)
    mask |= uint64_t(1) << (first + dim);
  WalkResult looked = block.walk([&](Operation *op) {
    return looksAtIndices(op) && (analysis.dependsOn(op) & mask)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (looked.wasInterrupted())
    return false;
  return llvm::all_of(accessesIn(block), [&](const Access &access) {
    for (size_t dim = 0; dim + 1 < extents.size(); ++dim) {
      auto outer = analysis.strideOf(access.type, access.indices, first + dim);
      auto inner =
          analysis.strideOf(access.type, access.indices, first + dim + 1);
      if (!outer || !inner || *outer != *inner * extents[dim + 1])
        return false;
    }
    return true;
  });
}

SmallVector<Index> ensc::cpu::delinearize(Kernel &kernel, Index position,
                                          ArrayRef<int64_t> extents,
                                          bool isFlat, int64_t width) {
  SmallVector<Index> indices(extents.size(), kernel.math.constant(0));
  for (size_t dim = extents.size(); dim-- > 0;) {
    if (isFlat || dim == 0) {
      indices[dim] = position;
      break;
    }
    Index extent = kernel.math.constant(extents[dim]);
    indices[dim] =
        kernel.math.apply(IndexOp::Remainder, position, extent, width);
    position = kernel.math.apply(IndexOp::Divide, position, extent, width);
  }
  return indices;
}
