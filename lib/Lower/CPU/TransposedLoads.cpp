//===- TransposedLoads.cpp - Gathers as transposed blocks -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposedLoads.h"
#include "AccessAnalysis.h"

using namespace mlir;
using namespace ensc::cpu;

/// Swaps off-diagonal blocks of halving size: log2(n) rounds of n shuffles.
void ensc::cpu::emitTranspose(Kernel &kernel, MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t half = size / 2; half > 0; half /= 2) {
    SmallVector<int32_t> upper, lower;
    for (int32_t j = 0; j < size; ++j) {
      bool right = j & half;
      upper.push_back(right ? size + j - half : j);
      lower.push_back(right ? size + j : j + half);
    }
    for (int64_t i = 0; i < size; ++i) {
      if (i & half)
        continue;
      Value a = rows[i], b = rows[i + half];
      rows[i] = kernel.shuffle(a, b, upper);
      rows[i + half] = kernel.shuffle(a, b, lower);
    }
  }
}

TransposedLoads::TransposedLoads(Block &block, unsigned lane, unsigned inner) {
  AccessAnalysis analysis(block);
  for (auto load : block.getOps<memref::LoadOp>()) {
    auto along = [&](unsigned argument) {
      return analysis.strideOf(load.getMemRefType(), load.getIndices(),
                               argument);
    };
    bool isGather = along(lane) != 0 && along(lane) != 1;
    if (isGather && along(inner) == 1 && !load.getType().isInteger(1))
      loads_.push_back(load);
  }
}

LogicalResult TransposedLoads::emit(BodyEmitter &first) {
  Kernel &kernel = first.kernel();
  blocks_.clear();
  for (memref::LoadOp load : loads_) {
    SmallVector<Index> indices;
    for (Value index : load.getIndices()) {
      if (failed(first.emitDefinition(index)))
        return failure();
      indices.push_back(first.lookup(index).index);
    }
    const Buffer &buffer = kernel.buffers.lookup(load.getMemRef());
    blocks_.push_back(kernel.loadRows(buffer, kernel.position(buffer, indices),
                                      first.width()));
    emitTranspose(kernel, blocks_.back());
  }
  return success();
}

void TransposedLoads::bind(BodyEmitter &body, int64_t offset) {
  for (auto [load, block] : llvm::zip(loads_, blocks_))
    body.bind(load.getResult(), block[offset]);
}
