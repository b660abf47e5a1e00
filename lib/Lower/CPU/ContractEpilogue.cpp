//===- ContractEpilogue.cpp - What becomes of the sums of a tile ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An epilogue runs at each point of a tile, right after its sums. One that
// keeps the divider busy waits instead: ContractOverlap.cpp lets it run among
// the multiply-adds of the next tile. Where registers are too few for both, it
// follows the sums of many tiles, so that quotients come one after the other.
//
//===----------------------------------------------------------------------===//

#include "ContractEmitter.h"
#include "EpilogueStages.h"
#include "SideBySide.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

//===----------------------------------------------------------------------===//
// Right after the sums
//===----------------------------------------------------------------------===//

void ContractEmitter::emitEpilogue(ValueRange sums, int64_t width, Shape shape,
                                   const Index &firstRow,
                                   const Index &firstColumn) {
  TileBody epilogue = tileBody(epilogue_, width, shape, firstRow, firstColumn);
  // What keeps the divider busy waits for it however it is mixed.
  int64_t together =
      divides_ ? 1 : pointsSideBySide(epilogue_, width, kernel_.target);
  int64_t points = shape.first * shape.second;
  for (int64_t first = 0; first < points; first += together)
    emitSideBySide(
        kernel_.builder, std::min(together, points - first), [&](int64_t i) {
          int64_t row = (first + i) / shape.second;
          int64_t column = (first + i) % shape.second;
          BodyEmitter body = epilogue.enter(row, column);
          body.bind(epilogue_.getArguments().back(), sums[first + i]);
          if (failed(epilogue.emit(body, row, column)))
            failed_ = true;
        });
}

/// An epilogue that is too long to be repeated takes the sums from memory.
void ContractEmitter::emitEpilogues(ValueRange sums, int64_t width,
                                    Shape shape) {
  int64_t points = shape.first * shape.second;
  Index zero = kernel_.math.constant(0);
  if (points == 1 || weightOf(epilogue_) * points <= mostUnrolled)
    return emitEpilogue(sums, width, shape, zero, zero);
  auto [buffer, guard] = kernel_.scratch(points * width, contract_.getType());
  storeSums(sums, buffer, zero, width);
  emitEpiloguesFromMemory(buffer, width, shape);
}

//===----------------------------------------------------------------------===//
// Through memory
//===----------------------------------------------------------------------===//

/// Stores the sums from number `first` on.
void ContractEmitter::storeSums(ValueRange sums, const Buffer &buffer,
                                const Index &first, int64_t width) {
  IndexMath &math = kernel_.math;
  Index begin = math.scale(first, width);
  if (width > 1)
    begin = math.add(begin, math.lane());
  for (auto [number, sum] : llvm::enumerate(sums))
    kernel_.store(sum, buffer, math.add(begin, math.constant(number * width)),
                  width);
}

Value ContractEmitter::loadSum(const Buffer &buffer, const Index &number,
                               int64_t width) {
  IndexMath &math = kernel_.math;
  Index lane = width > 1 ? math.lane() : math.constant(0);
  return kernel_.load(buffer, math.add(math.scale(number, width), lane), width);
}

void ContractEmitter::emitEpiloguesFromMemory(const Buffer &sums, int64_t width,
                                              Shape shape) {
  IndexMath &math = kernel_.math;
  int64_t rows = shape.first, columns = shape.second;
  // A row at once shares what does not depend on the row's points.
  bool wholeRows = weightOf(epilogue_) * columns <= mostUnrolled;
  int64_t step = wholeRows ? columns : 1;
  kernel_.emitLoop(0, rows, 1, {}, [&](const Index &row, ValueRange) {
    return kernel_.emitLoop(
        0, columns, step, {}, [&](const Index &column, ValueRange) {
          Index first = math.add(math.scale(row, columns), column);
          SmallVector<Value> loaded;
          for (int64_t i = 0; i < step; ++i)
            loaded.push_back(
                loadSum(sums, math.add(first, math.constant(i)), width));
          emitEpilogue(loaded, width, {1, step}, row, column);
          return SmallVector<Value>();
        });
  });
}

//===----------------------------------------------------------------------===//
// After many tiles
//===----------------------------------------------------------------------===//

/// Whether the epilogue replaces elements: it waits for memory, too.
static bool updatesElements(Block &epilogue) {
  llvm::SmallPtrSet<Value, 4> loaded;
  for (auto load : epilogue.getOps<memref::LoadOp>())
    loaded.insert(load.getMemRef());
  return llvm::any_of(epilogue.getOps<memref::StoreOp>(),
                      [&](memref::StoreOp store) {
                        return loaded.contains(store.getMemRef());
                      });
}

bool ContractEmitter::shouldDelayEpilogues() {
  // In fewer steps sums that pass through memory cost what an update saves.
  constexpr int64_t leastStepsForUpdates = 32;
  if (!rowDim_ || !isOneChainInOneLoop())
    return false;
  return divides_ ||
         (hasRegistersToOverlap() && updatesElements(epilogue_) &&
          ShapedType::getNumElements(over_) >= leastStepsForUpdates);
}

/// How many tiles' sums fit a part of the first-level cache.
int64_t ContractEmitter::tilesPerBatch(int64_t width, Shape shape) {
  constexpr int64_t mostBytes = 4 << 10;
  int64_t elements = shape.first * shape.second * width;
  return mostBytes / (elements * bytesOf(contract_.getType()));
}

ContractEmitter::EpilogueOrder ContractEmitter::orderOf(const TilePlan &plan,
                                                        const TileCut &rows,
                                                        const TileCut &columns,
                                                        int64_t width) {
  if (overlaps(plan, rows, columns))
    return EpilogueOrder::AmongSteps;
  if (delaysEpilogues_ && rows.count > 1 &&
      tilesPerBatch(width, {rows.size, columns.size}) > 1)
    return EpilogueOrder::AfterSeveralTiles;
  return EpilogueOrder::AfterEachTile;
}

/// The tiles of a cut of rows in batches.
void ContractEmitter::emitBatchedRowTiles(int64_t width, const TileCut &rows,
                                          int64_t columns) {
  int64_t most = tilesPerBatch(width, {rows.size, columns});
  for (const TileCut &batches : cutIntoBatches(rows.count, most)) {
    TileCut part{rows.begin + batches.begin * rows.size, rows.size,
                 batches.size * batches.count};
    if (batches.size == 1)
      emitRowTiles(width, part, columns);
    else
      emitBatches(width, part, columns, batches.size);
  }
}

/// Batches of `tiles` tiles, each of which is followed by its epilogues.
void ContractEmitter::emitBatches(int64_t width, const TileCut &rows,
                                  int64_t columns, int64_t tiles) {
  IndexMath &math = kernel_.math;
  int64_t points = rows.size * columns;
  auto [buffer, guard] =
      kernel_.scratch(tiles * points * width, contract_.getType());
  const Buffer &sums = buffer;
  int64_t step = tiles * rows.size;
  kernel_.emitLoop(
      rows.begin, rows.begin + rows.count * rows.size, step, {},
      [&](const Index &firstRow, ValueRange) {
        kernel_.emitLoop(0, tiles, 1, {}, [&](const Index &tile, ValueRange) {
          start_[*rowDim_] = math.add(firstRow, math.scale(tile, rows.size));
          TileBody factors = factorsOf(width, {rows.size, columns});
          SmallVector<Value> made = emitSums(factors);
          storeSums(made, sums, math.scale(tile, points), width);
          return SmallVector<Value>();
        });
        start_[*rowDim_] = firstRow;
        emitEpiloguesFromMemory(sums, width, {step, columns});
        return SmallVector<Value>();
      });
}
