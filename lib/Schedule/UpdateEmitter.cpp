//===- UpdateEmitter.cpp - Phases whose points run in order ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

//===----------------------------------------------------------------------===//
// Scatter and dynamic update slice
//===----------------------------------------------------------------------===//

/// Where an update goes: `batch` indices, then one per start, as in
/// `ens.dynamic_slice`.
static Indices windowTarget(IndexSpace &space, DynamicUpdateSliceOp op) {
  ArrayRef<IndexId> at = space.point();
  unsigned batch = op.getBatchDims();
  Indices target(at.take_front(batch));
  for (auto [start, size, extent, index] : llvm::zip_equal(
           op.getStarts(), shapeOf(op.getUpdate()).drop_front(batch),
           shapeOf(op.getX()).drop_front(batch), at.drop_front(batch))) {
    IndexId first = space.read(start, at.take_front(batch));
    target.push_back(space.add(space.clamp(first, extent - size), index));
  }
  return target;
}

/// Where the update of a scatter goes, and the row as it is given.
static std::pair<Indices, IndexId> scatterTarget(IndexSpace &space,
                                                 ScatterOp op) {
  ArrayRef<IndexId> at = space.point();
  unsigned batch = op.getBatchDims(), axis = op.getAxis();
  unsigned picked = shapeOf(op.getIndices()).size() - batch;
  Indices which(at.take_front(batch));
  llvm::append_range(which, at.slice(axis, picked));
  IndexId row = space.read(op.getIndices(), which);
  Indices target(at.take_front(axis));
  target.push_back(space.clamp(row, shapeOf(op.getX())[axis] - 1));
  llvm::append_range(target, at.drop_front(axis + picked));
  return {target, row};
}

void PhaseEmitter::emitUpdate(Frame &frame, const Node &node) {
  Operation *op = node.op;
  Location loc = op->getLoc();
  const Memory &memory = frame.memoryOf(node.stores.front());
  if (frame.buffers.isCopied(op->getOpOperand(0)))
    assign(frame, op->getOpOperand(0), memory);
  auto scatter = dyn_cast<ScatterOp>(op);
  // Nowhere to go for any update.
  if (scatter && shapeOf(scatter.getX())[scatter.getAxis()] == 0)
    return;

  MapOp map = createMap(loc, node.domain, node.lanes, /*sequential=*/scatter);
  ScalarEmitter scalars(loc, values, node.domain, node.lanes,
                        &map.getBody().front());
  Indices point = scalars.space().point();
  if (auto window = dyn_cast<DynamicUpdateSliceOp>(op)) {
    Value element = scalars.emit(window.getUpdate(), point);
    scalars.store(element, memory, windowTarget(scalars.space(), window));
    return;
  }
  auto [target, row] = scatterTarget(scalars.space(), scatter);
  Value element = scalars.emit(scatter.getUpdates(), point);
  Value inside;
  if (scatter.getMode() == ScatterMode::drop)
    inside =
        scalars.isWithin(row, 0, shapeOf(scatter.getX())[scatter.getAxis()]);
  Value old;
  if (inside || scatter.getKind() == ScatterKind::add)
    old = scalars.load(memory, target);
  ImplicitLocOpBuilder &inBody = scalars.atEnd();
  if (scatter.getKind() == ScatterKind::add)
    element = AddOp::create(inBody, old, element);
  if (inside)
    element = SelectOp::create(inBody, element.getType(), inside, element, old);
  scalars.store(element, memory, target);
}

//===----------------------------------------------------------------------===//
// Permutation
//===----------------------------------------------------------------------===//

namespace {
/// Emits exchanges of a Fisher-Yates shuffle.
struct Shuffle {
  ScalarEmitter &scalars;
  Memory order;
  Indices prefix;

  /// Exchanges the elements `i` (a ui32) and the one that `word` chooses below.
  void exchange(Value i, Value word) const;
  SmallVector<Value> position(Value i) const;
};
} // namespace

SmallVector<Value> Shuffle::position(Value i) const {
  ImplicitLocOpBuilder &builder = scalars.atEnd();
  // Sizes are below 2^31.
  Value narrow = ConvertOp::create(builder, builder.getI32Type(), i);
  Value index =
      arith::IndexCastOp::create(builder, builder.getIndexType(), narrow);
  SmallVector<Value> result;
  for (IndexId id : ArrayRef<IndexId>(prefix).drop_front(order.lanes))
    result.push_back(scalars.index(id));
  result.push_back(index);
  if (order.lanes)
    result.push_back(scalars.index(prefix.front()));
  return result;
}

void Shuffle::exchange(Value i, Value word) const {
  ImplicitLocOpBuilder &builder = scalars.atEnd();
  Value one = ScalarEmitter::constant(builder, i.getType(), 1);
  Value bound = AddOp::create(builder, i, one);
  Value j = MulHighOp::create(builder, word, bound);
  SmallVector<Value> first = position(i), second = position(j);
  ImplicitLocOpBuilder &atEnd = scalars.atEnd();
  Value a = memref::LoadOp::create(atEnd, order.memref, first);
  Value b = memref::LoadOp::create(atEnd, order.memref, second);
  memref::StoreOp::create(atEnd, b, order.memref, first);
  memref::StoreOp::create(atEnd, a, order.memref, second);
}

/// The exchanges with the words of the blocks `topBlock`, `topBlock - 1`, ...,
/// one block per point of the map; `words` of each block are used, from the
/// last one down. Element 0 exchanged with itself changes nothing.
void PhaseEmitter::emitExchanges(PermutationOp op, const Memory &order,
                                 int64_t topBlock, int64_t blocks,
                                 int64_t words) {
  ArrayRef<int64_t> batch = shapeOf(op.getSeed());
  SmallVector<int64_t> domain(batch);
  domain.push_back(blocks);
  Location loc = op.getLoc();
  MapOp map = createMap(loc, domain, order.lanes, /*sequential=*/true);
  ScalarEmitter scalars(loc, values, domain, order.lanes,
                        &map.getBody().front());
  Indices prefix = scalars.space().point();
  IndexId block =
      scalars.space().add(scalars.space().scale(prefix.pop_back_val(), -1),
                          scalars.space().constant(topBlock));
  Value seed = scalars.emit(op.getSeed(), prefix);
  Value step = scalars.emit(op.getEpoch(), prefix);
  Value blockIndex = scalars.index(block);
  ImplicitLocOpBuilder &builder = scalars.atEnd();
  Type word = builder.getIntegerType(32, /*isSigned=*/false);
  Value narrow =
      arith::IndexCastOp::create(builder, builder.getI32Type(), blockIndex);
  Value number = ConvertOp::create(builder, word, narrow);
  PhiloxStream stream{seed, step,
                      ScalarEmitter::constant(builder, word, 0xFFFFFFFF)};
  ResultRange drawn = stream.block(builder, number);
  Value base =
      MulOp::create(builder, number, ScalarEmitter::constant(builder, word, 4));
  Shuffle shuffle{scalars, order, prefix};
  for (int64_t w = words - 1; w >= 0; --w) {
    Value offset = ScalarEmitter::constant(scalars.atEnd(), word, w);
    Value i = AddOp::create(scalars.atEnd(), base, offset);
    shuffle.exchange(i, drawn[w]);
  }
}

void PhaseEmitter::emitPermutation(Frame &frame, const Node &node) {
  auto op = cast<PermutationOp>(node.op);
  Location loc = op.getLoc();
  const Memory &order = frame.memoryOf(node.stores.front());
  MapOp map = createMap(loc, node.domain, node.lanes);
  ScalarEmitter scalars(loc, values, node.domain, node.lanes,
                        &map.getBody().front());
  Indices point = scalars.space().point();
  Value index = scalars.index(point.back());
  Value start =
      arith::IndexCastOp::create(scalars.atEnd(), builder.getI32Type(), index);
  scalars.store(start, order, point);

  // Descending over the elements, a block of four words at a time; the top one
  // may have less.
  int64_t last = static_cast<int64_t>(op.getSize()) - 1;
  if (last < 1)
    return;
  int64_t top = last / 4;
  emitExchanges(op, order, top, 1, last % 4 + 1);
  if (top > 0)
    emitExchanges(op, order, top - 1, top, 4);
}
