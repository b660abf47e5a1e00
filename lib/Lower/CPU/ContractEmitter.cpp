//===- ContractEmitter.cpp - Contractions in register tiles ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per tile: a loop over the contracted dimensions that carries one accumulator
// per point of the tile, each a vector, then the epilogue at each point. The
// loop stays rolled, which is as fast as an unrolled one and much less code.
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "Elementwise.h"
#include "FlatDomain.h"
#include "PanelPacker.h"
#include "PhaseEmitter.h"
#include "TileBody.h"
#include "ensc/Lower/CPU/TileSolver.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

namespace {

/// The most elements of one chain: Numerics.md, section 3.
constexpr int64_t maxBlock = 1024;

class ContractEmitter {
public:
  ContractEmitter(BodyEmitter &root, ens::ContractOp contract)
      : root_(root), kernel_(root.kernel()), contract_(contract),
        factors_(contract.getFactors().front()),
        epilogue_(contract.getEpilogue().front()),
        domain_(contract.getDomain()), over_(contract.getOver()),
        analysis_(factors_) {}

  LogicalResult emit();

private:
  bool hasLanes() { return contract_.getLanes(); }
  Operation *yield() { return factors_.getTerminator(); }
  bool bothVectorAndColumn() const { return columnDim_ == vectorDim_; }

  void chooseDims();
  double costAlong(unsigned dim);
  std::optional<unsigned> lastDimOf(uint64_t side, uint64_t otherSide);
  void emitStretch(const VectorStretch &stretch);
  void emitTiles(const VectorStretch &stretch);
  void emitTile(int64_t width, int64_t rows, int64_t columns);
  SmallVector<Index> pointAt(int64_t width, const Index &row,
                             const Index &column);
  TileBody tileBody(Block &block, int64_t width,
                    std::pair<int64_t, int64_t> shape, Index firstRow,
                    Index firstColumn);
  void emitEpilogue(ValueRange sums, int64_t width,
                    std::pair<int64_t, int64_t> shape, const Index &firstRow,
                    const Index &firstColumn);
  void emitEpilogueInLoops(ValueRange sums, int64_t width, int64_t rows,
                           int64_t columns);

  SmallVector<Value> emitSums(TileBody &tile);
  SmallVector<Value> emitBlocks(TileBody &tile, size_t firstInner,
                                ArrayRef<Index> outer, ValueRange sums);
  SmallVector<Value> emitChain(TileBody &tile, ArrayRef<Index> outer,
                               const Index &start, ArrayRef<int64_t> extents);
  SmallVector<Value> emitStep(TileBody &tile, ArrayRef<Index> over,
                              ValueRange sums);
  SmallVector<Value> splats(double value, TileBody &tile);

  BodyEmitter &root_;
  Kernel &kernel_;
  ens::ContractOp contract_;
  Block &factors_, &epilogue_;
  ArrayRef<int64_t> domain_, over_;
  AccessAnalysis analysis_;

  /// Nothing where there is no such dimension. With lanes the vector is the
  /// last dimension; without it may be the column, too.
  std::optional<unsigned> vectorDim_, rowDim_, columnDim_;
  std::optional<PanelPacker> packer_;
  /// First indices of the tile under emission.
  SmallVector<Index> start_;
  bool failed_ = false;
};

} // namespace

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
  TilePlan plan = solveTiles(problem, kernel_.target);
  auto loopOver = [&](const TileCut &cut, std::optional<unsigned> dim,
                      int64_t begin, int64_t unit, auto body) {
    int64_t first = begin + cut.begin * unit, step = cut.size * unit;
    kernel_.emitLoop(first, first + cut.count * step, step, {},
                     [&](const Index &index, ValueRange) {
                       if (dim)
                         start_[*dim] = index;
                       body();
                       return SmallVector<Value>();
                     });
  };
  for (const TileCut &columns : plan.columns)
    loopOver(columns, columnDim_, columnBegin, columnSize, [&] {
      if (packer_ && failed(packer_->pack(start_, stretch.width, columns.size)))
        failed_ = true;
      for (const TileCut &rows : plan.rows)
        loopOver(rows, rowDim_, 0, 1,
                 [&] { emitTile(stretch.width, rows.size, columns.size); });
      if (packer_)
        packer_->release();
    });
}

//===----------------------------------------------------------------------===//
// A tile
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
TileBody ContractEmitter::tileBody(Block &block, int64_t width,
                                   std::pair<int64_t, int64_t> shape,
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

void ContractEmitter::emitTile(int64_t width, int64_t rows, int64_t columns) {
  Index zero = kernel_.math.constant(0);
  TileBody factors = tileBody(factors_, width, {rows, columns}, zero, zero);
  SmallVector<Value> sums = emitSums(factors);
  if (weightOf(epilogue_) * rows * columns > mostUnrolled && rows * columns > 1)
    return emitEpilogueInLoops(sums, width, rows, columns);
  emitEpilogue(sums, width, {rows, columns}, zero, zero);
}

void ContractEmitter::emitEpilogue(ValueRange sums, int64_t width,
                                   std::pair<int64_t, int64_t> shape,
                                   const Index &firstRow,
                                   const Index &firstColumn) {
  TileBody epilogue = tileBody(epilogue_, width, shape, firstRow, firstColumn);
  for (int64_t row = 0; row < shape.first; ++row)
    for (int64_t column = 0; column < shape.second; ++column) {
      BodyEmitter body = epilogue.enter(row, column);
      body.bind(epilogue_.getArguments().back(),
                sums[row * shape.second + column]);
      if (failed(epilogue.emit(body, row, column)))
        failed_ = true;
    }
}

/// An epilogue that is too long to be repeated takes the sums from memory.
void ContractEmitter::emitEpilogueInLoops(ValueRange sums, int64_t width,
                                          int64_t rows, int64_t columns) {
  IndexMath &math = kernel_.math;
  auto [buffer, guard] =
      kernel_.scratch(rows * columns * width, contract_.getType());
  Index lane = width > 1 ? math.lane() : math.constant(0);
  for (auto [number, sum] : llvm::enumerate(sums))
    kernel_.store(sum, buffer, math.add(math.constant(number * width), lane),
                  width);
  // A row at once shares what does not depend on the row's points.
  bool wholeRows = weightOf(epilogue_) * columns <= mostUnrolled;
  int64_t step = wholeRows ? columns : 1;
  Buffer &sumsInMemory = buffer;
  kernel_.emitLoop(0, rows, 1, {}, [&](const Index &row, ValueRange) {
    return kernel_.emitLoop(
        0, columns, step, {}, [&](const Index &column, ValueRange) {
          Index first = math.add(math.scale(row, columns), column);
          SmallVector<Value> loaded;
          for (int64_t i = 0; i < step; ++i)
            loaded.push_back(kernel_.load(
                sumsInMemory,
                math.add(math.scale(math.add(first, math.constant(i)), width),
                         lane),
                width));
          emitEpilogue(loaded, width, {1, step}, row, column);
          return SmallVector<Value>();
        });
  });
}

SmallVector<Value> ContractEmitter::splats(double value, TileBody &tile) {
  Type type = typeOfWidth(contract_.getType(), tile.width());
  TypedAttr attribute =
      kernel_.builder.getFloatAttr(contract_.getType(), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return SmallVector<Value>(tile.numPoints(),
                            kernel_.math.constantOf(attribute));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

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
  return kernel_.emitLoops(
      loops, splats(0.0, tile), [&](ArrayRef<Index> inner, ValueRange sums) {
        SmallVector<Index> over(outer);
        over.append(extents.size() - inner.size(), kernel_.math.constant(0));
        over.append(inner.begin(), inner.end());
        if (extents.size() == 1)
          over.back() = kernel_.math.add(over.back(), start);
        return emitStep(tile, over, sums);
      });
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

LogicalResult ensc::cpu::emitContract(BodyEmitter &root,
                                      ens::ContractOp contract) {
  return ContractEmitter(root, contract).emit();
}
