//===- ContractEmitter.cpp - Contractions in register tiles ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dimensions become vectors, rows and columns of register tiles, and the
// loops over the tiles.
//
//===----------------------------------------------------------------------===//

#include "ContractEmitter.h"
#include "FlatDomain.h"
#include "ensc/Lower/CPU/TileSolver.h"

#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

/// Registers for an epilogue that runs between the steps of a tile.
static constexpr int64_t epilogueRegisters = 5;

//===----------------------------------------------------------------------===//
// The choice of dimensions
//===----------------------------------------------------------------------===//

/// About the instructions for one step of a tile with vectors along `dim`.
double ContractEmitter::costAlong(unsigned dim) {
  double cost = 0;
  double steps = std::max<int64_t>(ShapedType::getNumElements(over_), 1);
  auto add = [&](Block &block, double repetitions) {
    AccessAnalysis analysis(block);
    for (const Access &access : accessesIn(block)) {
      auto along = [&](unsigned argument) {
        return analysis.strideOf(access.type, access.indices, argument);
      };
      double instructions = 2 * maxWidth;
      if (along(dim) == 0 || along(dim) == 1)
        instructions = 1;
      else if (&block == &factors_ && along(block.getNumArguments() - 1) == 1)
        instructions = 4; // It will be packed.
      cost += repetitions * instructions;
    }
  };
  add(factors_, 1);
  add(epilogue_, 1 / steps);
  int64_t vectors = 0;
  for (const VectorStretch &stretch : cutIntoVectors(domain_[dim]))
    vectors += stretch.count;
  return cost * vectors * maxWidth / domain_[dim];
}

/// The last dimension on which one factor depends and the other does not.
std::optional<unsigned> ContractEmitter::lastDimOf(uint64_t side,
                                                   uint64_t otherSide) {
  for (unsigned dim = domain_.size(); dim-- > 0;)
    if (dim != vectorDim_ && domain_[dim] > 1 && (side >> dim & 1) &&
        !(otherSide >> dim & 1))
      return dim;
  return std::nullopt;
}

void ContractEmitter::chooseDims() {
  uint64_t lhs = analysis_.dependsOn(yield()->getOperand(0));
  uint64_t rhs = analysis_.dependsOn(yield()->getOperand(1));
  if (hasLanes()) {
    vectorDim_ = domain_.size() - 1;
  } else {
    double least = 0;
    for (unsigned dim = domain_.size(); dim-- > 0;) {
      double cost = costAlong(dim);
      if (vectorDim_ && cost >= least)
        continue;
      vectorDim_ = dim;
      least = cost;
    }
  }
  bool inLhs = vectorDim_ && (lhs >> *vectorDim_ & 1);
  bool inRhs = vectorDim_ && (rhs >> *vectorDim_ & 1);
  if (!hasLanes() && inLhs != inRhs) {
    columnDim_ = vectorDim_;
    rowDim_ = inRhs ? lastDimOf(lhs, rhs) : lastDimOf(rhs, lhs);
    packer_.emplace(root_, factors_, over_, *columnDim_, rowDim_);
    return;
  }
  rowDim_ = lastDimOf(lhs, rhs);
  columnDim_ = lastDimOf(rhs, lhs);
}

//===----------------------------------------------------------------------===//
// Loops over tiles
//===----------------------------------------------------------------------===//

LogicalResult ContractEmitter::emit() {
  if (llvm::is_contained(domain_, 0))
    return success();
  chooseDims();
  epilogue_.walk([&](Operation *op) { divides_ |= isSlow(op); });
  delaysEpilogues_ = shouldDelayEpilogues();
  if (delaysEpilogues_)
    stages_ = cutIntoStages(epilogue_, hasLanes());
  start_.assign(domain_.size(), kernel_.math.constant(0));
  if (!vectorDim_)
    emitStretch({0, 1, 1});
  else if (hasLanes())
    emitStretch({0, domain_.back(), 1});
  else
    for (const VectorStretch &stretch : cutIntoVectors(domain_[*vectorDim_]))
      emitStretch(stretch);
  return success(!failed_);
}

/// The dimensions that are neither row, column nor vector.
void ContractEmitter::emitStretch(const VectorStretch &stretch) {
  SmallVector<unsigned> outer;
  SmallVector<int64_t> extents;
  for (unsigned dim = 0; dim < domain_.size(); ++dim)
    if (dim != vectorDim_ && dim != rowDim_ && dim != columnDim_) {
      outer.push_back(dim);
      extents.push_back(domain_[dim]);
    }
  kernel_.emitLoops(extents, {}, [&](ArrayRef<Index> indices, ValueRange) {
    for (auto [dim, index] : llvm::zip(outer, indices))
      start_[dim] = index;
    if (!vectorDim_ || hasLanes() || bothVectorAndColumn()) {
      emitTiles(stretch);
      return SmallVector<Value>();
    }
    return kernel_.emitLoop(
        stretch.begin, stretch.begin + stretch.width * stretch.count,
        stretch.width, {}, [&](const Index &index, ValueRange) {
          start_[*vectorDim_] = index;
          emitTiles(stretch);
          return SmallVector<Value>();
        });
  });
}

/// Where neighbouring rows are far apart in memory, each row of a tile begins
/// a stream of addresses per access of the epilogue.
double ContractEmitter::cyclesPerRow() {
  constexpr double cyclesPerStream = 3;
  if (!rowDim_)
    return 0;
  AccessAnalysis analysis(epilogue_);
  int64_t streams = 0;
  for (const Access &access : accessesIn(epilogue_)) {
    auto stride = analysis.strideOf(access.type, access.indices, *rowDim_);
    streams += !access.isStore && (!stride || std::abs(*stride) > maxWidth);
  }
  double steps = std::max<int64_t>(ShapedType::getNumElements(over_), 1);
  return cyclesPerStream * streams / steps;
}

/// An epilogue among the steps of a tile needs registers. They are given up
/// only where some epilogues do run there.
TilePlan ContractEmitter::chooseTiles(TileProblem problem) {
  overlapsTiles_ = delaysEpilogues_ && hasRegistersToOverlap();
  if (overlapsTiles_) {
    problem.reserved = epilogueRegisters * problem.registersPerVector;
    TilePlan plan = solveTiles(problem, kernel_.target);
    for (const TileCut &rows : plan.rows)
      for (const TileCut &columns : plan.columns)
        if (overlaps(plan, rows, columns))
          return plan;
    overlapsTiles_ = false;
    problem.reserved = 0;
  }
  return solveTiles(problem, kernel_.target);
}

void ContractEmitter::emitTiles(const VectorStretch &stretch) {
  TileProblem problem;
  problem.registersPerVector = kernel_.target.registersFor(
      stretch.width, contract_.getType().getIntOrFloatBitWidth() / 8);
  int64_t columnSize = bothVectorAndColumn() ? stretch.width : 1;
  int64_t columnBegin = bothVectorAndColumn() ? stretch.begin : 0;
  if (rowDim_)
    problem.rows = domain_[*rowDim_];
  if (columnDim_)
    problem.columns =
        bothVectorAndColumn() ? stretch.count : domain_[*columnDim_];
  problem.cyclesPerRow = cyclesPerRow();
  // With lanes the steps of a column are pages apart: what counts is that its
  // neighbours are fetched with it.
  if (columnDim_ && !hasLanes())
    problem.columnBytes = stretch.width * ShapedType::getNumElements(over_) *
                          bytesOf(contract_.getType());
  TilePlan plan = chooseTiles(problem);
  noteTiles(plan, stretch.width);
  for (const TileCut &columns : plan.columns) {
    ColumnLoop loop{columnBegin + columns.begin * columnSize,
                    columns.size * columnSize, columns.count, columns.size};
    const TileCut &firstRows = plan.rows.front();
    if (plan.rows.size() == 1 && overlaps(plan, firstRows, columns)) {
      emitOverlapped(stretch.width, firstRows, loop, /*inAllColumns=*/true);
      continue;
    }
    emitColumns(stretch.width, loop, {}, [&](ValueRange) {
      for (const TileCut &rows : plan.rows)
        switch (orderOf(plan, rows, columns, stretch.width)) {
        case EpilogueOrder::AmongSteps:
          emitOverlapped(stretch.width, rows, loop, /*inAllColumns=*/false);
          break;
        case EpilogueOrder::AfterSeveralTiles:
          emitBatchedRowTiles(stretch.width, rows, columns.size);
          break;
        case EpilogueOrder::AfterEachTile:
          emitRowTiles(stretch.width, rows, columns.size);
          break;
        }
      return SmallVector<Value>();
    });
  }
}

void ContractEmitter::emitColumns(
    int64_t width, const ColumnLoop &loop, ValueRange initial,
    llvm::function_ref<SmallVector<Value>(ValueRange)> emitRows) {
  kernel_.emitLoop(loop.begin, loop.begin + loop.count * loop.step, loop.step,
                   initial, [&](const Index &index, ValueRange carried) {
                     if (columnDim_)
                       start_[*columnDim_] = index;
                     if (packer_ &&
                         failed(packer_->pack(start_, width, loop.columns)))
                       failed_ = true;
                     SmallVector<Value> results = emitRows(carried);
                     if (packer_)
                       packer_->release();
                     return results;
                   });
}

/// As in "contract [16, 32] over [64]: 8 rows x 2 columns of 16 elements".
void ContractEmitter::noteTiles(const TilePlan &plan, int64_t width) {
  std::string &note = kernel_.tiles.emplace_back();
  llvm::raw_string_ostream os(note);
  auto sizes = [](ArrayRef<TileCut> cuts) {
    return llvm::map_to_vector(cuts,
                               [](const TileCut &cut) { return cut.size; });
  };
  os << "contract " << llvm::interleaved_array(domain_) << " over "
     << llvm::interleaved_array(over_) << ": "
     << llvm::interleaved(sizes(plan.rows), " or ") << " rows x "
     << llvm::interleaved(sizes(plan.columns), " or ") << " columns of "
     << width << (hasLanes() ? " lanes" : " elements");
  bool several = false, overlapped = false;
  for (const TileCut &rows : plan.rows)
    for (const TileCut &columns : plan.columns) {
      EpilogueOrder order = orderOf(plan, rows, columns, width);
      overlapped |= order == EpilogueOrder::AmongSteps;
      several |= order == EpilogueOrder::AfterSeveralTiles;
    }
  if (overlapped)
    os << ", epilogues among the steps of the next tile";
  if (several)
    os << (overlapped ? " or" : ", epilogues") << " after several tiles";
}

void ContractEmitter::emitRowTiles(int64_t width, const TileCut &rows,
                                   int64_t columns) {
  kernel_.emitLoop(rows.begin, rows.begin + rows.count * rows.size, rows.size,
                   {}, [&](const Index &row, ValueRange) {
                     if (rowDim_)
                       start_[*rowDim_] = row;
                     Shape shape(rows.size, columns);
                     TileBody factors = factorsOf(width, shape);
                     emitEpilogues(emitSums(factors), width, shape);
                     return SmallVector<Value>();
                   });
}

//===----------------------------------------------------------------------===//
// Points of a tile
//===----------------------------------------------------------------------===//

/// The indices of the domain at a point of the tile.
SmallVector<Index> ContractEmitter::pointAt(int64_t width, const Index &row,
                                            const Index &column) {
  IndexMath &math = kernel_.math;
  SmallVector<Index> indices(start_);
  auto advance = [&](std::optional<unsigned> dim, const Index &by) {
    if (dim)
      indices[*dim] = math.add(indices[*dim], by);
  };
  advance(rowDim_, row);
  advance(columnDim_, math.scale(column, bothVectorAndColumn() ? width : 1));
  if (width > 1)
    advance(vectorDim_, math.lane());
  return indices;
}

/// The body at the points of a tile whose first row and column are given.
TileBody ContractEmitter::tileBody(Block &block, int64_t width, Shape shape,
                                   Index firstRow, Index firstColumn) {
  auto maskOf = [](std::optional<unsigned> dim) {
    return dim ? uint64_t(1) << *dim : 0;
  };
  auto at = [this, width, firstRow, firstColumn](int64_t row, int64_t column) {
    IndexMath &math = kernel_.math;
    return pointAt(width, math.add(firstRow, math.constant(row)),
                   math.add(firstColumn, math.constant(column)));
  };
  return TileBody(root_, block, width, shape, maskOf(rowDim_),
                  maskOf(columnDim_), at);
}

TileBody ContractEmitter::factorsOf(int64_t width, Shape shape) {
  Index zero = kernel_.math.constant(0);
  return tileBody(factors_, width, shape, zero, zero);
}

LogicalResult ensc::cpu::emitContract(BodyEmitter &root,
                                      ens::ContractOp contract) {
  return ContractEmitter(root, contract).emit();
}
