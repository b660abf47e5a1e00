//===- SideBySide.cpp - Chains of ops side by side ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SideBySide.h"
#include "AccessAnalysis.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ensc::cpu;

namespace {
/// The ops of each of several points.
class Interleaver {
public:
  /// From here on ops are emitted at the end of what `builder` has emitted.
  explicit Interleaver(OpBuilder &builder);

  /// What was emitted since the last call belongs to one point.
  void endPoint();

  void mix();

private:
  Operation *lastOp() const;

  OpBuilder &builder_;
  Operation *last_;
  SmallVector<SmallVector<Operation *>> points_;
};
} // namespace

Interleaver::Interleaver(OpBuilder &builder)
    : builder_(builder), last_(lastOp()) {}

/// The last op before the place of insertion, or null.
Operation *Interleaver::lastOp() const {
  Block *block = builder_.getInsertionBlock();
  Block::iterator at = builder_.getInsertionPoint();
  return at == block->begin() ? nullptr : &*std::prev(at);
}

void Interleaver::endPoint() {
  Block *block = builder_.getInsertionBlock();
  Block::iterator begin =
      last_ ? std::next(last_->getIterator()) : block->begin();
  SmallVector<Operation *> &ops = points_.emplace_back();
  for (Operation &op : llvm::make_range(begin, builder_.getInsertionPoint()))
    ops.push_back(&op);
  last_ = lastOp();
}

void Interleaver::mix() {
  llvm::SmallPtrSet<Operation *, 32> waiting;
  size_t left = 0;
  for (auto &ops : points_) {
    waiting.insert(ops.begin(), ops.end());
    left += ops.size();
  }
  auto isReady = [&](Operation *op) {
    WalkResult result = op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && waiting.contains(source))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  };
  SmallVector<size_t> next(points_.size(), 0);
  // The first point that is not done can always go on.
  while (left > 0)
    for (auto [ops, position] : llvm::zip(points_, next)) {
      if (position == ops.size() || !isReady(ops[position]))
        continue;
      Operation *op = ops[position++];
      op->moveBefore(builder_.getInsertionBlock(),
                     builder_.getInsertionPoint());
      waiting.erase(op);
      --left;
    }
}

void ensc::cpu::emitSideBySide(OpBuilder &builder, int64_t count,
                               llvm::function_ref<void(int64_t)> emitPoint) {
  if (count == 1)
    return emitPoint(0);
  Interleaver interleaver(builder);
  for (int64_t point = 0; point < count; ++point) {
    emitPoint(point);
    interleaver.endPoint();
  }
  interleaver.mix();
}

/// The registers of a vector of the widest type in a body.
static int64_t registersOf(Block &body, int64_t width, const Target &target) {
  int64_t bytes = 1;
  for (Operation &op : body)
    for (Type type : op.getResultTypes())
      if (type.isIntOrFloat())
        bytes = std::max(bytes, bytesOf(type));
  return target.registersFor(width, bytes);
}

int64_t ensc::cpu::pointsSideBySide(Block &body, int64_t width,
                                    const Target &target) {
  // Instructions of a chain of which a CPU does not see several at once.
  constexpr int64_t leastWeight = 20, registersPerValue = 4;
  int64_t weight = std::max<int64_t>(weightOf(body), 1);
  // What has a region may use memory that the next point uses again.
  bool hasRegions =
      llvm::any_of(body, [](Operation &op) { return op.getNumRegions() > 0; });
  if (weight < leastWeight || hasRegions)
    return 1;
  int64_t registers = registersPerValue * registersOf(body, width, target);
  int64_t most = std::min(mostUnrolled / weight, target.registers / registers);
  return std::max<int64_t>(most, 1);
}
