//===- PhaseEmitter.cpp - From a block of tensor ops to phases ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseEmitter.h"

#include "ensc/Dialect/Ens/IR/TripCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static LogicalResult reportUnknown(Operation *op) {
  for (Type type : op->getResultTypes())
    if (isa<scf::ForOp>(op) && !isa<RankedTensorType>(type))
      return op->emitOpError("cannot be scheduled: it carries a value of type ")
             << type << ", not a tensor";
  if (isa<scf::WhileOp>(op))
    return op->emitOpError("is for the interpreter alone, and cannot be "
                           "scheduled; ")
           << boundedLoopAdvice;
  return op->emitOpError("cannot be scheduled: it is no core op on tensors");
}

LogicalResult
PhaseEmitter::emitBlock(Block &block,
                        function_ref<bool(BlockArgument)> isWritable,
                        SmallVectorImpl<Memory> *results) {
  FusionPlan plan(block, isVarying);
  if (Operation *op = plan.unknownOp())
    return reportUnknown(op);
  BufferPlan buffers(plan, isWritable);
  Frame frame{plan, buffers, {}};
  Location loc = block.getParentOp()->getLoc();
  for (const BufferPlan::Buffer &buffer : buffers.buffers()) {
    if (buffer.argument)
      frame.memory.push_back(values.tensors.lookup(buffer.argument));
    else if (buffer.type)
      frame.memory.push_back(allocate(loc, buffer.type, buffer.lanes));
    else
      frame.memory.push_back({}); // shares another one
    for (Value value : buffer.values)
      values.tensors[value] = frame.memory.back();
  }
  emitControl(block);
  for (NodeId id : plan.schedule())
    if (failed(emitNode(frame, plan.node(id))))
      return failure();
  if (auto loop = dyn_cast<scf::ForOp>(block.getParentOp()))
    emitYields(frame, loop);
  if (results)
    for (OpOperand &operand : block.getTerminator()->getOpOperands())
      results->push_back(resultOf(frame, operand));
  return success();
}

/// Index arithmetic depends on no phase: it goes first.
void PhaseEmitter::emitControl(Block &block) {
  for (Operation &op : block)
    if (familyOf(&op) == Family::Control)
      builder.clone(op, values.indices);
}

LogicalResult PhaseEmitter::emitNode(Frame &frame, const Node &node) {
  switch (node.kind) {
  case Node::Kind::Map:
    emitMap(frame, node);
    return success();
  case Node::Kind::Contract:
    emitContract(frame, node);
    return success();
  case Node::Kind::Update:
    emitUpdate(frame, node);
    return success();
  case Node::Kind::Permutation:
    emitPermutation(frame, node);
    return success();
  case Node::Kind::Loop:
    return emitLoop(frame, node);
  case Node::Kind::Branch:
    return emitBranch(frame, node);
  case Node::Kind::End:
    return success();
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Memory PhaseEmitter::allocate(Location loc, RankedTensorType type, bool lanes) {
  return {memref::AllocOp::create(builder, loc, memoryType(type, lanes)),
          lanes};
}

/// Where a value is that leaves its block.
Memory PhaseEmitter::resultOf(Frame &frame, OpOperand &operand) {
  if (std::optional<BufferId> buffer = frame.buffers.of(operand))
    return frame.memory[*buffer];
  if (values.tensors.contains(operand.get()))
    return values.tensors.lookup(operand.get());
  Memory memory = allocate(operand.getOwner()->getLoc(),
                           cast<RankedTensorType>(operand.get().getType()),
                           isVarying(operand.get()));
  assign(frame, operand, memory);
  return memory;
}

/// Copies a value to `to`, or computes it there: what comes from outside the
/// block need not be in memory.
void PhaseEmitter::assign(Frame &frame, OpOperand &operand, const Memory &to) {
  Location loc = operand.getOwner()->getLoc();
  if (std::optional<BufferId> buffer = frame.buffers.of(operand))
    return copy(loc, frame.memory[*buffer], to);
  MapOp map = createMap(loc, shapeOf(operand.get()), to.lanes);
  ScalarEmitter scalars(loc, values, shapeOf(operand.get()), to.lanes,
                        &map.getBody().front());
  Indices point = scalars.space().point();
  scalars.store(scalars.emit(operand.get(), point), to, point);
}

void PhaseEmitter::copy(Location loc, const Memory &from, const Memory &to) {
  auto type = cast<MemRefType>(to.memref.getType());
  MapOp map = MapOp::create(builder, loc, type.getShape(), to.lanes);
  Block *body = &map.getBody().emplaceBlock();
  SmallVector<Location> locs(type.getRank(), loc);
  body->addArguments(SmallVector<Type>(type.getRank(), builder.getIndexType()),
                     locs);
  auto inside = OpBuilder::atBlockBegin(body);
  Value element =
      memref::LoadOp::create(inside, loc, from.memref, body->getArguments());
  memref::StoreOp::create(inside, loc, element, to.memref,
                          body->getArguments());
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// A block that takes the indices of a domain, and then those of `more`.
static Block *addBody(Region &region, size_t indices, Location loc) {
  Block *body = &region.emplaceBlock();
  for (size_t index = 0; index < indices; ++index)
    body->addArgument(IndexType::get(region.getContext()), loc);
  return body;
}

MapOp PhaseEmitter::createMap(Location loc, ArrayRef<int64_t> domain,
                              bool lanes, bool sequential) {
  MapOp map = MapOp::create(builder, loc, inMemoryOrder(domain, lanes), lanes,
                            sequential);
  addBody(map.getBody(), domain.size(), loc);
  return map;
}

/// All elements first, since a store may replace what an element is computed
/// from.
void PhaseEmitter::emitStores(Frame &frame, const Node &node,
                              ScalarEmitter &scalars) {
  Indices point = scalars.space().point();
  for (const Store &store : node.stores)
    if (!store.owner)
      scalars.own(store.value);
  SmallVector<Value> elements;
  for (const Store &store : node.stores)
    elements.push_back(scalars.emit(store.value, point));
  for (auto [store, element] : llvm::zip_equal(node.stores, elements))
    scalars.store(element, frame.memoryOf(store), point);
}

void PhaseEmitter::emitMap(Frame &frame, const Node &node) {
  Location loc = node.stores.front().value.getLoc();
  MapOp map = createMap(loc, node.domain, node.lanes);
  ScalarEmitter scalars(loc, values, node.domain, node.lanes,
                        &map.getBody().front());
  emitStores(frame, node, scalars);
}

void PhaseEmitter::emitContract(Frame &frame, const Node &node) {
  auto dot = cast<DotOp>(node.op);
  Location loc = dot.getLoc();
  SmallVector<int64_t> over =
      llvm::map_to_vector(dot.getLhsContract(), [&](int64_t dim) {
        return shapeOf(dot.getLhs())[dim];
      });
  Type type = dot.getType().getElementType();
  auto contract = ContractOp::create(
      builder, loc, inMemoryOrder<int64_t>(node.domain, node.lanes), node.lanes,
      over, type);
  size_t rank = node.domain.size();

  Block *factors = addBody(contract.getFactors(), rank + over.size(), loc);
  ScalarEmitter factor(loc, values, node.domain, node.lanes, factors);
  // To the factors' body, the contracted dimensions are loops like the others.
  Indices steps = factor.space().addFold(over, 0);
  for (auto [step, argument] :
       llvm::zip_equal(steps, factors->getArguments().drop_front(rank)))
    if (factor.space()[step].kind == IndexSpace::Kind::Loop)
      factor.bind(step, argument);
  auto [lhsAt, rhsAt] = factorIndices(dot, factor.space().point(), steps);
  Value lhs = factor.emit(dot.getLhs(), lhsAt);
  Value rhs = factor.emit(dot.getRhs(), rhsAt);
  YieldOp::create(factor.atEnd(), ValueRange{lhs, rhs});

  Block *epilogue = addBody(contract.getEpilogue(), rank, loc);
  Value sum = epilogue->addArgument(type, loc);
  ScalarEmitter scalars(loc, values, node.domain, node.lanes, epilogue);
  scalars.bind(dot.getResult(), scalars.space().point(), sum);
  emitStores(frame, node, scalars);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult PhaseEmitter::emitLoop(Frame &frame, const Node &node) {
  auto loop = cast<scf::ForOp>(node.op);
  for (auto [init, carried, result] :
       llvm::zip_equal(loop.getInitArgsMutable(), loop.getRegionIterArgs(),
                       loop.getResults())) {
    Memory memory = frame.memory[*frame.buffers.of(result)];
    if (frame.buffers.isCopied(init))
      assign(frame, init, memory);
    values.tensors[carried] = memory;
  }
  auto indexOf = [&](Value bound) { return values.indices.lookup(bound); };
  auto copyOfLoop = scf::ForOp::create(
      builder, loop.getLoc(), indexOf(loop.getLowerBound()),
      indexOf(loop.getUpperBound()), indexOf(loop.getStep()));
  values.indices.map(loop.getInductionVar(), copyOfLoop.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copyOfLoop.getBody()->getTerminator());
  return emitBlock(
      *loop.getBody(), [](BlockArgument) { return true; }, nullptr);
}

/// What could not be computed in place moves to where the next iteration looks
/// for it. A carried value that moves to another place is saved first, since
/// its own place may be written before.
void PhaseEmitter::emitYields(Frame &frame, scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<std::pair<Memory, Memory>> saved;
  SmallVector<std::pair<OpOperand *, Memory>> others;
  for (auto [yielded, carried] : llvm::zip_equal(
           loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs())) {
    if (!frame.buffers.isCopied(yielded))
      continue;
    Memory to = values.tensors.lookup(carried);
    std::optional<BufferId> buffer = frame.buffers.of(yielded);
    if (!buffer || !frame.buffers.buffers()[*buffer].argument) {
      others.push_back({&yielded, to});
      continue;
    }
    Memory place = allocate(
        loc, cast<RankedTensorType>(yielded.get().getType()), to.lanes);
    copy(loc, frame.memory[*buffer], place);
    saved.push_back({place, to});
  }
  for (auto [from, to] : saved)
    copy(loc, from, to);
  for (auto [yielded, to] : others)
    assign(frame, *yielded, to);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Both branches write the buffers of the results.
LogicalResult PhaseEmitter::emitBranch(Frame &frame, const Node &node) {
  auto branch = cast<scf::IfOp>(node.op);
  Location loc = branch.getLoc();
  Value condition = values.indices.lookupOrNull(branch.getCondition());
  if (!condition) {
    auto extract = branch.getCondition().getDefiningOp<tensor::ExtractOp>();
    Memory predicate = resultOf(frame, extract.getTensorMutable());
    condition = memref::LoadOp::create(builder, loc, predicate.memref);
  }
  auto copyOfBranch = scf::IfOp::create(builder, loc, condition,
                                        /*withElseRegion=*/true);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), copyOfBranch->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(to.front().getTerminator());
    SmallVector<Memory> yielded;
    if (failed(emitBlock(
            from.front(), [](BlockArgument) { return false; }, &yielded)))
      return failure();
    for (auto [result, memory] : llvm::zip_equal(branch.getResults(), yielded))
      copy(loc, memory, frame.memory[*frame.buffers.of(result)]);
  }
  return success();
}
