//===- ContractSums.cpp - The sums of a tile of a contraction -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over the contracted dimensions carries one accumulator per point of
// the tile, each a vector. The loop stays rolled, which is as fast as an
// unrolled one and much less code. Numerics.md, section 3, says which sums are
// chains and where blocks begin.
//
//===----------------------------------------------------------------------===//

#include "ContractEmitter.h"
#include "Elementwise.h"
#include "FlatDomain.h"
#include "StepCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

/// The most elements of one chain: Numerics.md, section 3.
static constexpr int64_t maxBlock = 1024;

SmallVector<Value> ContractEmitter::splats(double value, TileBody &tile) {
  Type type = typeOfWidth(contract_.getType(), tile.width());
  TypedAttr attribute =
      kernel_.builder.getFloatAttr(contract_.getType(), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return SmallVector<Value>(tile.numPoints(),
                            kernel_.math.constantOf(attribute));
}

/// One multiply-add per point of the tile.
SmallVector<Value> ContractEmitter::emitStep(TileBody &tile,
                                             ArrayRef<Index> over,
                                             ValueRange sums) {
  SmallVector<Value> next;
  tile.clear();
  if (packer_)
    packer_->nextStep();
  for (int64_t row = 0; row < tile.rows(); ++row)
    for (int64_t column = 0; column < tile.columns(); ++column) {
      BodyEmitter body = tile.enter(row, column);
      for (auto [argument, index] :
           llvm::zip(factors_.getArguments().take_back(over.size()), over))
        body.bind(argument, index);
      if (packer_ && !over.empty())
        packer_->bind(body, over.back(), column);
      if (failed(tile.emit(body, row, column))) {
        failed_ = true;
        return SmallVector<Value>(sums);
      }
      Value a = tile.vector(body, yield()->getOperand(0), row, column);
      Value b = tile.vector(body, yield()->getOperand(1), row, column);
      next.push_back(math::FmaOp::create(kernel_.builder, a, b,
                                         sums[row * tile.columns() + column]));
    }
  return next;
}

/// Lines that a step loads from where `steps` steps do not fit the second-level
/// cache, since they are a multiple of 4 KiB apart and so share few of its
/// sets.
int64_t ContractEmitter::countConflicts(TileBody &tile, int64_t steps) {
  constexpr int64_t lineBytes = 64, pageBytes = 4096;
  int64_t lines = 0;
  for (auto load : factors_.getOps<memref::LoadOp>()) {
    auto stride = analysis_.strideOf(load.getMemRefType(), load.getIndices(),
                                     factors_.getNumArguments() - 1);
    int64_t bytes = stride ? *stride * bytesOf(load.getType()) : 0;
    if (bytes <= 0 || bytes % pageBytes != 0 ||
        steps <= Target::cacheWays *
                     std::max<int64_t>(Target::cacheWayBytes / bytes, 1))
      continue;
    uint64_t depends = analysis_.dependsOn(load.getResult());
    auto along = [&](std::optional<unsigned> dim, int64_t extent) {
      return dim && (depends >> *dim & 1) ? extent : 1;
    };
    int64_t width = along(vectorDim_, tile.width());
    int64_t vectorBytes = width * bytesOf(load.getType());
    lines += along(rowDim_, tile.rows()) * along(columnDim_, tile.columns()) *
             ((vectorBytes + lineBytes - 1) / lineBytes);
  }
  return lines;
}

/// Sets an attribute of the loops that made `sums`, one after the other.
static void markLoops(ValueRange sums, StringRef name, int64_t value) {
  Type type = IntegerType::get(sums.front().getContext(), 64);
  for (auto loop = sums.front().getDefiningOp<scf::ForOp>(); loop;
       loop = loop.getInitArgs().front().getDefiningOp<scf::ForOp>())
    loop->setAttr(name, IntegerAttr::get(type, value));
}

/// One chain from +0 over the last dimensions, of `extents`, the first of which
/// begins at `start`.
SmallVector<Value> ContractEmitter::emitChain(TileBody &tile,
                                              ArrayRef<Index> outer,
                                              const Index &start,
                                              ArrayRef<int64_t> extents) {
  unsigned first = domain_.size() + outer.size();
  bool isFlat = isFlatDomain(factors_, first, extents);
  SmallVector<int64_t> loops(extents);
  if (isFlat && !extents.empty())
    loops.assign(1, ShapedType::getNumElements(extents));
  auto emitOneStep = [&](ArrayRef<Index> inner, ValueRange sums) {
    SmallVector<Index> over(outer);
    over.append(extents.size() - inner.size(), kernel_.math.constant(0));
    over.append(inner.begin(), inner.end());
    if (extents.size() == 1)
      over.back() = kernel_.math.add(over.back(), start);
    return emitStep(tile, over, sums);
  };
  SmallVector<Value> zeros = splats(0.0, tile);
  SmallVector<Value> sums =
      waiting_
          ? emitStepsWithEpilogues(zeros,
                                   [&](const Index &step, ValueRange sums) {
                                     return emitOneStep(step, sums);
                                   })
          : kernel_.emitLoops(loops, zeros, emitOneStep);
  if (int64_t conflicts =
          countConflicts(tile, ShapedType::getNumElements(extents)))
    markLoops(sums, conflictsAttr, conflicts);
  return sums;
}

/// The blocks of the dimensions from `firstInner` on, added to `sums`.
SmallVector<Value> ContractEmitter::emitBlocks(TileBody &tile,
                                               size_t firstInner,
                                               ArrayRef<Index> outer,
                                               ValueRange sums) {
  ArrayRef<int64_t> extents = over_.drop_front(firstInner);
  auto addBlock = [&](const Index &start, ArrayRef<int64_t> block,
                      ValueRange before) {
    SmallVector<Value> after;
    for (auto [sum, part] :
         llvm::zip(before, emitChain(tile, outer, start, block)))
      after.push_back(arith::AddFOp::create(kernel_.builder, sum, part));
    return after;
  };
  if (ShapedType::getNumElements(extents) <= maxBlock)
    return addBlock(kernel_.math.constant(0), extents, sums);
  int64_t whole = extents.back() / maxBlock * maxBlock;
  SmallVector<Value> results = kernel_.emitLoop(
      0, whole, maxBlock, sums, [&](const Index &start, ValueRange before) {
        return addBlock(start, {maxBlock}, before);
      });
  if (whole < extents.back())
    results = addBlock(kernel_.math.constant(whole), {extents.back() - whole},
                       results);
  return results;
}

SmallVector<Value> ContractEmitter::emitSums(TileBody &tile) {
  if (llvm::is_contained(over_, 0))
    return splats(0.0, tile);
  // A block is the longest suffix that fits, or a part of the last dimension.
  size_t firstInner = over_.size();
  int64_t block = 1;
  while (firstInner > 0 && block * over_[firstInner - 1] <= maxBlock)
    block *= over_[--firstInner];
  if (firstInner == 0)
    return emitChain(tile, {}, kernel_.math.constant(0), over_);
  firstInner = std::min(firstInner, over_.size() - 1);
  // -0 + x is x for every x, so the sum can start before its first block.
  return kernel_.emitLoops(over_.take_front(firstInner), splats(-0.0, tile),
                           [&](ArrayRef<Index> outer, ValueRange sums) {
                             return emitBlocks(tile, firstInner, outer, sums);
                           });
}

bool ContractEmitter::isOneChainInOneLoop() {
  int64_t steps = ShapedType::getNumElements(over_);
  bool isOneLoop =
      over_.size() == 1 || isFlatDomain(factors_, domain_.size(), over_);
  return isOneLoop && steps > 1 && steps <= maxBlock;
}
