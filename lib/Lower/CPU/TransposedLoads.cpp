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

namespace {
/// The elements of a pair of vectors that each of two shuffles takes.
struct ShufflePair {
  SmallVector<int32_t> first, second;
};
} // namespace

/// Interleaves pieces of `width` elements within each block of `block`: of the
/// first halves of the blocks, and of the second.
static ShufflePair interleave(int32_t size, int32_t block, int32_t width) {
  ShufflePair pair;
  for (int32_t start = 0; start < size; start += block)
    for (int32_t piece = start; piece < start + block / 2; piece += width)
      for (int32_t from : {piece, size + piece})
        for (int32_t i = from; i < from + width; ++i) {
          pair.first.push_back(i);
          pair.second.push_back(i + block / 2);
        }
  return pair;
}

/// Takes the blocks with even numbers, and those with odd ones.
static ShufflePair separate(int32_t size, int32_t block) {
  ShufflePair pair;
  for (int32_t start = 0; start < 2 * size; start += 2 * block)
    for (int32_t i = start; i < start + block; ++i) {
      pair.first.push_back(i);
      pair.second.push_back(i + block);
    }
  return pair;
}

/// Transposes squares of blocks. In the first round each vector gives half of
/// its blocks, which costs nothing where a vector is two registers.
static void transposeBlocks(Kernel &kernel, MutableArrayRef<Value> rows,
                            int64_t block) {
  int64_t size = rows.size(), blocks = size / block;
  for (int64_t bit = block; bit < size; bit *= 2) {
    ShufflePair pair = separate(size, bit == block ? size / 2 : block);
    for (int64_t i = 0; i < size; ++i) {
      if (i & bit)
        continue;
      Value a = rows[i], b = rows[i + bit];
      rows[i] = kernel.shuffle(a, b, pair.first);
      rows[i + bit] = kernel.shuffle(a, b, pair.second);
    }
  }
  // The first round chose by the highest bit of a block's number, the others by
  // the bits from the lowest on.
  SmallVector<Value> before(rows.begin(), rows.end());
  for (int64_t i = 0; i < size; ++i) {
    int64_t from = 2 * (i / block);
    rows[i] = before[(from % blocks + from / blocks) * block + i % block];
  }
}

/// log2(n) rounds of n shuffles, each of which is one instruction: other
/// networks need tables of lanes in registers, and LLVM takes a fifth longer
/// for the whole function.
void ensc::cpu::emitTranspose(Kernel &kernel, MutableArrayRef<Value> rows) {
  constexpr int64_t blockBits = 128;
  auto type = cast<VectorType>(rows.front().getType());
  int64_t size = rows.size();
  int64_t block =
      std::min<int64_t>(size, blockBits / type.getElementTypeBitWidth());
  for (int64_t width = 1; width < block; width *= 2) {
    ShufflePair pair = interleave(size, block, width);
    SmallVector<Value> before(rows.begin(), rows.end());
    for (int64_t start = 0; start < size; start += 2 * width)
      for (int64_t i = 0; i < width; ++i) {
        Value a = before[start + i], b = before[start + width + i];
        rows[start + 2 * i] = kernel.shuffle(a, b, pair.first);
        rows[start + 2 * i + 1] = kernel.shuffle(a, b, pair.second);
      }
  }
  transposeBlocks(kernel, rows, block);
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

LogicalResult TransposedLoads::findRows(BodyEmitter &start) {
  Kernel &kernel = start.kernel();
  for (memref::LoadOp load : loads_) {
    FailureOr<Index> position = start.emitPosition(load);
    if (failed(position))
      return failure();
    rows_.push_back(kernel.rowsAt(kernel.buffers.lookup(load.getMemRef()),
                                  *position, start.width()));
  }
  return success();
}

void TransposedLoads::emit(Kernel &kernel, const Index &begin) {
  blocks_.clear();
  for (const Rows &rows : rows_) {
    blocks_.push_back(kernel.loadRows(rows, begin));
    emitTranspose(kernel, blocks_.back());
  }
}

void TransposedLoads::bind(BodyEmitter &body, int64_t offset) {
  for (auto [load, block] : llvm::zip(loads_, blocks_))
    body.bind(load.getResult(), block[offset]);
}
