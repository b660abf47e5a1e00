//===- ReverseLoop.cpp - Cotangents of a loop -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The primal loop is extended: it also writes what each iteration starts from
// onto stacks, one per iteration argument. The reverse loop walks the
// iterations backwards, computes one again from the stacks, and visits it.
// Nothing that the loop does not change is stacked. A stack has a slot for each
// iteration that there can be; where there are fewer, the rest stays 0, unread.
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/TripCount.h"
#include "ensc/Differentiate/Modes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// A loop that counts from `begin` in steps of `step`.
struct BoundedLoop {
  Value begin;
  int64_t step;
  /// The most iterations that there can be, each with a slot of a stack.
  int64_t slots;
  /// How many there are, if that is known.
  std::optional<int64_t> trips;
};
} // namespace

static std::optional<BoundedLoop> boundedLoop(scf::ForOp loop) {
  IndexRanges ranges;
  IndexRange begin = ranges.rangeOf(loop.getLowerBound());
  IndexRange end = ranges.rangeOf(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!begin.least || !end.most || !step || *step <= 0)
    return std::nullopt;
  uint64_t distance = *end.most <= *begin.least
                          ? 0
                          : uint64_t(*end.most) - uint64_t(*begin.least);
  uint64_t slots = llvm::divideCeil(distance, uint64_t(*step));
  if (slots > INT32_MAX)
    return std::nullopt;
  BoundedLoop result = {loop.getLowerBound(), *step, int64_t(slots), {}};
  bool isConstant = begin.least == begin.most && end.least == end.most;
  if (slots == 0 || isConstant)
    result.trips = result.slots;
  return result;
}

static Value indexConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// A value of type index as one of another loop counter's type, or back.
static Value castIndex(OpBuilder &builder, Location loc, Value value,
                       Type type) {
  if (value.getType() == type)
    return value;
  return arith::IndexCastOp::create(builder, loc, type, value);
}

/// The position of a slot of a stack, whose values have rank `rank`.
static SmallVector<Value> slotStarts(OpBuilder &builder, Location loc,
                                     Value slot, int64_t rank) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  SmallVector<Value> starts = {FromIndexOp::create(builder, loc, type, slot)};
  if (rank > 0)
    starts.append(rank, createZero(builder, loc, type));
  return starts;
}

static RankedTensorType slotType(RankedTensorType type, int64_t slots) {
  SmallVector<int64_t> shape = {slots};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

static Value writeSlot(OpBuilder &builder, Location loc, Value stack,
                       Value slot, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value window = ReshapeOp::create(builder, loc, slotType(type, 1), value);
  return DynamicUpdateSliceOp::create(
      builder, loc, stack, window,
      slotStarts(builder, loc, slot, type.getRank()), /*batch_dims=*/0);
}

static Value readSlot(OpBuilder &builder, Location loc, Value stack, Value slot,
                      RankedTensorType type) {
  Value window = DynamicSliceOp::create(
      builder, loc, stack, slotStarts(builder, loc, slot, type.getRank()),
      slotType(type, 1).getShape(), /*batch_dims=*/0);
  return ReshapeOp::create(builder, loc, type, window);
}

/// The number of iterations, as a value at `builder`.
static Value emitTrips(OpBuilder &builder, scf::ForOp loop,
                       const BoundedLoop &range) {
  Location loc = loop.getLoc();
  if (range.trips)
    return indexConstant(builder, loc, *range.trips);
  Type index = builder.getIndexType();
  return emitTripCount(builder, loc,
                       castIndex(builder, loc, range.begin, index),
                       castIndex(builder, loc, loop.getUpperBound(), index),
                       indexConstant(builder, loc, range.step));
}

namespace {
/// The reverse of one loop.
struct LoopReversal {
  scf::ForOp loop;
  BoundedLoop range;
  Value trips;
  Location loc;
  /// Positions of the iteration arguments that the body reads, and of those
  /// that have a cotangent.
  SmallVector<unsigned> read, active;
  SmallVector<Value> captures;
  /// The ops of an iteration, without those that write the stacks.
  SmallVector<Operation *> bodyOps;
  SmallVector<Value> stacks;

  LoopReversal(scf::ForOp loop, BoundedLoop range)
      : loop(loop), range(range), loc(loop.getLoc()) {
    for (Operation &op : loop.getBody()->without_terminator())
      bodyOps.push_back(&op);
  }

  void findArguments(const ActivityAnalysis &activity);
  LogicalResult stackArguments();
  LogicalResult emitIteration(OpBuilder &builder, Value reverseIndex,
                              ValueRange arguments,
                              SmallVectorImpl<Value> &next);

private:
  Value slotOf(OpBuilder &builder, Value counter);
  Value counterOf(OpBuilder &builder, Value slot);
};
} // namespace

void LoopReversal::findArguments(const ActivityAnalysis &activity) {
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (llvm::any_of(argument.getUsers(),
                     [&](Operation *user) { return user != yield; }))
      read.push_back(index);
    Value result = loop.getResult(index);
    if (activity.isVaried(argument) &&
        (activity.isUseful(argument) || activity.isUseful(result)))
      active.push_back(index);
  }
}

/// Extends the loop so that it fills the stacks.
LogicalResult LoopReversal::stackArguments() {
  IRRewriter rewriter(loop);
  SmallVector<Value> inits;
  for (unsigned index : read) {
    Type carried = loop.getRegionIterArg(index).getType();
    auto type = dyn_cast<RankedTensorType>(carried);
    if (!type)
      return loop.emitError("cannot differentiate in reverse mode a loop that "
                            "carries a value of type ")
             << carried << ": carry tensors only";
    inits.push_back(createZero(rewriter, loc, slotType(type, range.slots)));
  }
  auto yieldStacks = [&](OpBuilder &builder, Location,
                         ArrayRef<BlockArgument> arguments) {
    Value slot = slotOf(builder, loop.getInductionVar());
    SmallVector<Value> yields;
    for (auto [index, stack] : llvm::zip_equal(read, arguments))
      yields.push_back(
          writeSlot(builder, loc, stack, slot, loop.getRegionIterArg(index)));
    return yields;
  };
  FailureOr<LoopLikeOpInterface> extended = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yieldStacks);
  if (failed(extended))
    return failure();
  loop = cast<scf::ForOp>((*extended).getOperation());
  stacks = llvm::to_vector_of<Value>(loop.getResults().take_back(read.size()));
  return success();
}

/// The slot of the iteration in which the primal loop's counter is `counter`.
Value LoopReversal::slotOf(OpBuilder &builder, Value counter) {
  Value index = castIndex(builder, loc, counter, builder.getIndexType());
  Value offset = arith::SubIOp::create(
      builder, loc, index,
      castIndex(builder, loc, range.begin, builder.getIndexType()));
  return arith::DivUIOp::create(builder, loc, offset,
                                indexConstant(builder, loc, range.step));
}

/// The primal loop's counter in the iteration of a slot.
Value LoopReversal::counterOf(OpBuilder &builder, Value slot) {
  Value offset = arith::MulIOp::create(builder, loc, slot,
                                       indexConstant(builder, loc, range.step));
  Value index = arith::AddIOp::create(
      builder, loc, offset,
      castIndex(builder, loc, range.begin, builder.getIndexType()));
  return castIndex(builder, loc, index, loop.getInductionVar().getType());
}

/// One iteration: `arguments` are the cotangents of `active` and those of
/// `captures` so far; `next` is what the next iteration takes.
LogicalResult LoopReversal::emitIteration(OpBuilder &builder,
                                          Value reverseIndex,
                                          ValueRange arguments,
                                          SmallVectorImpl<Value> &next) {
  IRMapping mapping;
  Value last = arith::SubIOp::create(builder, loc, trips,
                                     indexConstant(builder, loc, 1));
  Value slot = arith::SubIOp::create(builder, loc, last, reverseIndex);
  mapping.map(loop.getInductionVar(), counterOf(builder, slot));
  for (auto [index, stack] : llvm::zip_equal(read, stacks)) {
    BlockArgument argument = loop.getRegionIterArg(index);
    auto type = cast<RankedTensorType>(argument.getType());
    mapping.map(argument, readSlot(builder, loc, stack, slot, type));
  }
  SmallVector<Operation *> primal;
  for (Operation *op : bodyOps)
    primal.push_back(builder.clone(*op, mapping));

  SmallVector<Value> sources(captures), targets;
  for (unsigned index : active) {
    sources.push_back(
        mapping.lookupOrDefault<Value>(Value(loop.getRegionIterArg(index))));
    targets.push_back(
        mapping.lookupOrDefault<Value>(loop.getYieldedValues()[index]));
  }
  ActivityAnalysis activity(sources, targets);
  ReverseMode mode(activity);
  for (auto [target, cotangent] :
       llvm::zip_equal(targets, arguments.take_front(active.size())))
    mode.accumulate(builder, target, cotangent);
  if (failed(mode.visitOps(primal, builder)))
    return failure();

  for (Value source : ArrayRef(sources).drop_front(captures.size())) {
    Value cotangent = mode.cotangentOf(source);
    next.push_back(cotangent ? cotangent
                             : createZero(builder, loc, source.getType()));
  }
  ValueRange sums = arguments.drop_front(active.size());
  for (auto [capture, sum] : llvm::zip_equal(captures, sums)) {
    Value cotangent = mode.cotangentOf(capture);
    next.push_back(
        cotangent ? AddOp::create(builder, loc, sum.getType(), sum, cotangent)
                  : sum);
  }
  return success();
}

LogicalResult ReverseMode::visitFor(scf::ForOp loop, OpBuilder &builder) {
  std::optional<BoundedLoop> range = boundedLoop(loop);
  if (!range)
    return loop.emitError(
        "cannot differentiate in reverse mode a loop that may have any number "
        "of iterations, or more than 2147483647, since each one needs memory: "
        "bound the lower end with arith.maxsi and the upper end with "
        "arith.minsi by constants, or use ens.jvp");
  SmallVector<Value> results;
  for (Value result : loop.getResults())
    results.push_back(cotangentOf(result));
  if (range->slots == 0) {
    for (auto [init, cotangent] : llvm::zip_equal(loop.getInitArgs(), results))
      accumulate(builder, init, cotangent);
    return success();
  }

  LoopReversal reversal(loop, *range);
  reversal.captures = activeCaptures(loop);
  reversal.findArguments(activity);
  if (failed(reversal.stackArguments()))
    return failure();
  Location loc = reversal.loc;
  SmallVector<Value> inits;
  for (unsigned index : reversal.active) {
    Value result = reversal.loop.getResult(index);
    inits.push_back(results[index]
                        ? results[index]
                        : createZero(builder, loc, result.getType()));
  }
  for (Value capture : reversal.captures)
    inits.push_back(createZero(builder, loc, capture.getType()));
  reversal.trips = emitTrips(builder, reversal.loop, *range);
  auto reverse =
      scf::ForOp::create(builder, loc, indexConstant(builder, loc, 0),
                         reversal.trips, indexConstant(builder, loc, 1), inits);
  OpBuilder inner = OpBuilder::atBlockEnd(reverse.getBody());
  SmallVector<Value> next;
  if (failed(reversal.emitIteration(inner, reverse.getInductionVar(),
                                    reverse.getRegionIterArgs(), next)))
    return failure();
  scf::YieldOp::create(inner, loc, next);

  ResultRange sums = reverse.getResults();
  for (auto [position, index] : llvm::enumerate(reversal.active))
    accumulate(builder, reversal.loop.getInitArgs()[index], sums[position]);
  for (auto [position, capture] : llvm::enumerate(reversal.captures))
    accumulate(builder, capture, sums[reversal.active.size() + position]);
  return success();
}
