//===- MapEmitter.cpp - Maps as loops over vectors ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "FlatDomain.h"
#include "PhaseEmitter.h"
#include "SideBySide.h"
#include "TransposedLoads.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

SmallVector<VectorStretch> ensc::cpu::cutIntoVectors(int64_t extent) {
  SmallVector<VectorStretch> stretches;
  int64_t begin = 0;
  for (int64_t width = maxWidth; width > 0; width /= 2) {
    int64_t count = (extent - begin) / width;
    if (count > 0)
      stretches.push_back({begin, width, count});
    begin += count * width;
  }
  return stretches;
}

namespace {

/// Dimensions of a domain that are walked as one: [first, first + size).
struct DimGroup {
  unsigned first, size;
  int64_t extent;

  unsigned last() const { return first + size - 1; }
};

class MapEmitter {
public:
  MapEmitter(BodyEmitter &root, ens::MapOp map)
      : root_(root), kernel_(root.kernel()), map_(map),
        block_(map.getBody().front()), domain_(map.getDomain()) {}

  LogicalResult emit();

private:
  void groupDims();
  std::optional<unsigned> chooseVectorGroup();
  double costAlong(std::optional<unsigned> group);
  void emitPoints(std::optional<unsigned> group);
  void emitBody(int64_t width);
  int64_t vectorsTogether(int64_t count, int64_t width);
  void emitEach(int64_t begin, int64_t end, int64_t step, int64_t width,
                llvm::function_ref<void(const Index &)> emitAt);
  bool emitInBlocks(unsigned inner);
  void bindGroup(unsigned group, const Index &index);

  BodyEmitter &root_;
  Kernel &kernel_;
  ens::MapOp map_;
  Block &block_;
  ArrayRef<int64_t> domain_;
  SmallVector<DimGroup> groups_;
  /// The index of each dimension at the point under emission.
  SmallVector<Index> point_;
  bool failed_ = false;
};

} // namespace

/// Joins neighbours wherever that changes nothing but the number of loops.
void MapEmitter::groupDims() {
  unsigned rank = domain_.size();
  for (unsigned dim = 0; dim < rank; ++dim) {
    bool isLane = map_.getLanes() && dim + 1 == rank;
    if (!groups_.empty() && !isLane && !map_.getSequential()) {
      DimGroup &group = groups_.back();
      if (isFlatDomain(block_, group.first,
                       domain_.slice(group.first, group.size + 1))) {
        ++group.size;
        group.extent *= domain_[dim];
        continue;
      }
    }
    groups_.push_back({dim, 1, domain_[dim]});
  }
}

//===----------------------------------------------------------------------===//
// The choice of the vector
//===----------------------------------------------------------------------===//

/// How often the op runs at one point.
static double repetitionsOf(Operation *op) {
  double repetitions = 1;
  for (auto fold = op->getParentOfType<ens::FoldOp>(); fold;
       fold = fold->getParentOfType<ens::FoldOp>())
    repetitions *= ShapedType::getNumElements(fold.getOver());
  return repetitions;
}

/// About the instructions for 16 points, with vectors along a group, or with
/// scalars except where a fold is contiguous.
double MapEmitter::costAlong(std::optional<unsigned> group) {
  AccessAnalysis analysis(block_);
  double cost = 0;
  for (const Access &access : accessesIn(block_)) {
    double repetitions = repetitionsOf(access.op);
    if (group) {
      auto stride = analysis.strideOf(access.type, access.indices,
                                      groups_[*group].last());
      bool isCheap = stride == 0 || stride == 1;
      cost += repetitions * (isCheap ? 1 : 2 * maxWidth);
      continue;
    }
    auto fold = access.op->getParentOfType<ens::FoldOp>();
    bool isCheap = false;
    if (fold) {
      Block &body = fold.getBody().front();
      auto stride = AccessAnalysis(body).strideOf(access.type, access.indices,
                                                  body.getNumArguments() - 1);
      isCheap = stride == 0 || stride == 1;
    }
    cost += repetitions * (isCheap ? 1 : maxWidth);
  }
  block_.walk([&](Operation *op) {
    bool isArithmetic =
        op->getDialect() == map_->getDialect() && op->getNumRegions() == 0;
    bool inFold = op->getParentOp() != map_;
    if (isArithmetic)
      cost += repetitionsOf(op) * (group || inFold ? 1 : maxWidth);
  });
  if (!group)
    return cost;
  int64_t extent = groups_[*group].extent, vectors = 0;
  for (const VectorStretch &stretch : cutIntoVectors(extent))
    vectors += stretch.count;
  return cost * vectors * maxWidth / std::max<int64_t>(extent, 1);
}

std::optional<unsigned> MapEmitter::chooseVectorGroup() {
  std::optional<unsigned> best;
  if (map_.getSequential() || groups_.empty())
    return best;
  bool hasFolds = !block_.getOps<ens::FoldOp>().empty();
  double least = 0;
  if (hasFolds)
    least = costAlong(std::nullopt);
  for (unsigned group = groups_.size(); group-- > 0;) {
    double cost = costAlong(group);
    if ((best || hasFolds) && cost >= least)
      continue;
    best = group;
    least = cost;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

void MapEmitter::bindGroup(unsigned group, const Index &index) {
  const DimGroup &dims = groups_[group];
  for (unsigned dim = dims.first; dim < dims.last(); ++dim)
    point_[dim] = kernel_.math.constant(0);
  point_[dims.last()] = index;
}

void MapEmitter::emitBody(int64_t width) {
  BodyEmitter body(kernel_, width, &root_);
  for (auto [argument, index] : llvm::zip(block_.getArguments(), point_))
    body.bind(argument, index);
  if (failed(body.emit(block_)))
    failed_ = true;
}

/// How many of `count` vectors of points are emitted side by side: what the
/// loop over them holds, and what is left after it, is not too long.
int64_t MapEmitter::vectorsTogether(int64_t count, int64_t width) {
  if (map_.getSequential())
    return 1;
  int64_t weight = weightOf(block_);
  int64_t together = pointsSideBySide(block_, width, kernel_.target);
  auto bodies = [&] { return together + count % together; };
  while (together > 1 && bodies() * weight > mostUnrolled)
    --together;
  return std::min(together, std::max<int64_t>(count, 1));
}

/// Emits `begin`, `begin + step`, ... below `end`, vectors of `width` points,
/// some of them side by side.
void MapEmitter::emitEach(int64_t begin, int64_t end, int64_t step,
                          int64_t width,
                          llvm::function_ref<void(const Index &)> emitAt) {
  int64_t together = vectorsTogether((end - begin) / step, width);
  auto emitSome = [&](const Index &first, int64_t count) {
    emitSideBySide(kernel_.builder, count, [&](int64_t i) {
      emitAt(kernel_.math.add(first, kernel_.math.constant(i * step)));
    });
  };
  int64_t left = (end - begin) / step % together;
  int64_t whole = end - left * step;
  kernel_.emitLoop(begin, whole, together * step, {},
                   [&](const Index &first, ValueRange) {
                     emitSome(first, together);
                     return SmallVector<Value>();
                   });
  if (left > 0)
    emitSome(kernel_.math.constant(whole), left);
}

/// With lanes: the points along the last group before them, in blocks of as
/// many as there are lanes, if that turns gathers into vector loads. Returns
/// whether it does.
bool MapEmitter::emitInBlocks(unsigned inner) {
  int64_t width = domain_.back(), extent = groups_[inner].extent;
  if (extent < width || weightOf(block_) * width > mostUnrolled)
    return false;
  TransposedLoads loads(block_, domain_.size() - 1, groups_[inner].last());
  if (loads.empty())
    return false;
  auto bindPoint = [&](BodyEmitter &body, const Index &index) {
    bindGroup(inner, index);
    for (auto [argument, bound] : llvm::zip(block_.getArguments(), point_))
      body.bind(argument, bound);
  };
  BodyEmitter start(kernel_, width, &root_);
  bindPoint(start, kernel_.math.constant(0));
  if (failed(loads.findRows(start))) {
    failed_ = true;
    return true;
  }
  int64_t whole = extent / width * width;
  kernel_.emitLoop(0, whole, width, {}, [&](const Index &begin, ValueRange) {
    loads.emit(kernel_, begin);
    for (int64_t offset = 0; offset < width && !failed_; ++offset) {
      BodyEmitter body(kernel_, width, &root_);
      bindPoint(body, kernel_.math.add(begin, kernel_.math.constant(offset)));
      loads.bind(body, offset);
      failed_ |= failed(body.emit(block_));
    }
    return SmallVector<Value>();
  });
  emitEach(whole, extent, 1, width, [&](const Index &index) {
    bindGroup(inner, index);
    emitBody(width);
  });
  return true;
}

/// All vectors along the chosen group, the other indices being bound.
void MapEmitter::emitPoints(std::optional<unsigned> group) {
  if (!group)
    return emitBody(1);
  if (map_.getLanes()) {
    bindGroup(*group, kernel_.math.lane());
    return emitBody(domain_.back());
  }
  for (const VectorStretch &stretch : cutIntoVectors(groups_[*group].extent)) {
    int64_t end = stretch.begin + stretch.width * stretch.count;
    emitEach(stretch.begin, end, stretch.width, stretch.width,
             [&](const Index &begin) {
               Index lane = stretch.width == 1 ? kernel_.math.constant(0)
                                               : kernel_.math.lane();
               bindGroup(*group, kernel_.math.add(begin, lane));
               emitBody(stretch.width);
             });
  }
}

LogicalResult MapEmitter::emit() {
  if (llvm::is_contained(domain_, 0))
    return success();
  groupDims();
  point_.assign(domain_.size(), Index());
  std::optional<unsigned> vectorGroup =
      map_.getLanes() ? groups_.size() - 1 : chooseVectorGroup();
  SmallVector<unsigned> outer;
  for (unsigned group = 0; group < groups_.size(); ++group)
    if (group != vectorGroup)
      outer.push_back(group);
  // The last one may want to be walked in blocks.
  std::optional<unsigned> inner;
  if (map_.getLanes() && !map_.getSequential() && !outer.empty())
    inner = outer.pop_back_val();
  SmallVector<int64_t> extents;
  for (unsigned group : outer)
    extents.push_back(groups_[group].extent);
  kernel_.emitLoops(extents, {}, [&](ArrayRef<Index> indices, ValueRange) {
    for (auto [group, index] : llvm::zip(outer, indices))
      bindGroup(group, index);
    if (!inner)
      return emitPoints(vectorGroup), SmallVector<Value>();
    bindGroup(*vectorGroup, kernel_.math.lane());
    if (emitInBlocks(*inner))
      return SmallVector<Value>();
    emitEach(0, groups_[*inner].extent, 1, domain_.back(),
             [&](const Index &index) {
               bindGroup(*inner, index);
               emitPoints(vectorGroup);
             });
    return SmallVector<Value>();
  });
  return success(!failed_);
}

LogicalResult ensc::cpu::emitMap(BodyEmitter &root, ens::MapOp map) {
  return MapEmitter(root, map).emit();
}
