//===- Liveness.cpp - When the buffers of a phase program exist -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::schedule;

int64_t schedule::bytesOf(MemRefType type) {
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  return type.getNumElements() *
         static_cast<int64_t>(llvm::divideCeil(bits, 8));
}

/// Numbers the ops of a block, those of loops and branches in their place.
static void number(Block &block, DenseMap<Operation *, int64_t> &moments,
                   DenseMap<Operation *, int64_t> &ends, int64_t &next) {
  for (Operation &op : block) {
    moments[&op] = next++;
    if (isa<scf::ForOp, scf::IfOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          number(inner, moments, ends, next);
    ends[&op] = next - 1;
  }
}

Liveness schedule::findLiveness(func::FuncOp entry) {
  DenseMap<Operation *, int64_t> moments, ends;
  int64_t next = 0;
  number(entry.getBody().front(), moments, ends, next);
  Liveness liveness;
  entry.walk([&](memref::AllocOp alloc) {
    LiveBuffer buffer{bytesOf(alloc.getType()), next, -1};
    if (alloc->use_empty())
      buffer = {0, 0, 0};
    for (Operation *user : alloc->getUsers()) {
      // The op in the buffer's own block in which the user lies.
      Operation *around = alloc->getBlock()->findAncestorOpInBlock(*user);
      buffer.first = std::min(buffer.first, moments.lookup(around));
      buffer.last = std::max(buffer.last, ends.lookup(around));
    }
    liveness.allocations.push_back(alloc);
    liveness.buffers.push_back(buffer);
  });
  return liveness;
}
