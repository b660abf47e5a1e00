//===- FusionPlan.cpp - Which values share a phase, and their order -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the block from its end: when an op is visited, all that need
// its result have been placed, so it is known where and how often the result is
// needed.
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

static int64_t countElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

FusionPlan::FusionPlan(Block &block, std::function<bool(Value)> isVarying)
    : body(block), isVarying(std::move(isVarying)) {
  Operation *terminator = block.getTerminator();
  position = llvm::range_size(block);
  addNode(Node::Kind::End, terminator, {}, false);
  for (OpOperand &operand : terminator->getOpOperands())
    if (isTensor(operand.get()))
      addUse(operand.get(), {end, UseKind::Buffer, {}, &operand});
  for (Operation &op : llvm::drop_begin(llvm::reverse(block))) {
    --position;
    visit(&op);
    if (unknown)
      return;
  }
}

void FusionPlan::visit(Operation *op) {
  Family family = familyOf(op);
  if (family == Family::Control || family == Family::Predicate)
    return;
  if (family == Family::Unknown || op->getNumResults() == 0 ||
      !llvm::all_of(op->getResults(), isTensor)) {
    unknown = op;
    return;
  }
  if (llvm::all_of(op->getResults(),
                   [&](Value result) { return usesOf(result).empty(); }))
    return;
  switch (family) {
  case Family::Free:
    return visitFree(op);
  case Family::Pointwise:
  case Family::Reduction:
    return visitComputed(op);
  case Family::Contraction:
    return visitContraction(op);
  case Family::Update:
    return visitUpdate(op);
  case Family::Permutation:
    return visitPermutation(op);
  case Family::Branch:
    return visitBranch(op);
  default:
    return visitLoop(op);
  }
}

//===----------------------------------------------------------------------===//
// Ops by family
//===----------------------------------------------------------------------===//

void FusionPlan::visitFree(Operation *op) {
  Value result = op->getResult(0);
  bool stored = false;
  SmallVector<Use> all(usesOf(result));
  for (const Use &use : all) {
    if (use.kind == UseKind::Buffer) {
      // Nobody else reads that buffer, so its user may overwrite it.
      NodeId node =
          addNode(Node::Kind::Map, nullptr, shapeOf(result), isVarying(result));
      nodes[node].stores.push_back({result, use.operand});
      nodes[node].position = nodes[use.node].position;
      order(node, use.node);
      usePoint(op, node, nodes[node].space.point());
    } else if (use.kind == UseKind::Point) {
      usePoint(op, use.node, use.at);
    } else if (isTransparent(op, isVarying)) {
      useOperands(op, use);
    } else {
      stored = true;
    }
  }
  if (stored) {
    NodeId node =
        addNode(Node::Kind::Map, nullptr, shapeOf(result), isVarying(result));
    addStore(node, result);
    usePoint(op, node, nodes[node].space.point());
  }
}

/// Whether the uses all only need single elements.
static bool onlyPoints(ArrayRef<Use> uses) {
  return llvm::all_of(
      uses, [](const Use &use) { return use.kind == UseKind::Point; });
}

/// The uses without repetitions.
static SmallVector<Use> distinctPoints(ArrayRef<Use> uses) {
  SmallVector<Use> distinct;
  for (const Use &use : uses)
    if (use.kind == UseKind::Point &&
        llvm::none_of(distinct, [&](const Use &other) {
          return other.node == use.node && other.at == use.at;
        }))
      distinct.push_back(use);
  return distinct;
}

/// Whether a node may have the loops of a reduction, `times` times.
static bool hasRoomFor(const Node &node, Operation *reduction, size_t times) {
  return node.space.numLoops() + times * foldExtents(reduction).size() <=
         IndexSpace::maxLoops;
}

bool FusionPlan::mayCompute(Operation *op) const {
  Value result = op->getResult(0);
  if (!onlyPoints(usesOf(result)))
    return false;
  SmallVector<Use> distinct = distinctPoints(usesOf(result));
  int64_t evaluations = 0;
  bool expands = false;
  for (const Use &use : distinct) {
    const Node &user = nodes[use.node];
    int64_t here = user.space.evaluations(use.at);
    evaluations += here;
    expands |= here > countElements(result);
    if (familyOf(op) == Family::Reduction &&
        (user.kind != Node::Kind::Map ||
         !hasRoomFor(user, op, distinct.size())))
      return false;
  }
  if (evaluations <= countElements(result))
    return true;
  // Computing it again must not cost more than loading it would.
  int budget = 3;
  return familyOf(op) == Family::Pointwise && !expands &&
         isCheap(result, budget);
}

bool FusionPlan::isCheap(Value value, int &budget) const {
  Operation *op = value.getDefiningOp();
  bool loaded = !op || op->getBlock() != &body ||
                familyOf(op) == Family::Loop ||
                familyOf(op) == Family::Branch ||
                familyOf(op) == Family::Update || !onlyPoints(usesOf(value));
  if (loaded)
    return --budget >= 0;
  if (familyOf(op) == Family::Free)
    return op->getNumOperands() == 0 || isa<FromIndexOp>(op) ||
           isCheap(op->getOperand(0), budget);
  if (!isa<CompareOp, SelectOp, ConvertOp, NotOp, AndOp, OrOp, NegOp, AbsOp,
           AddOp, SubOp, MulOp>(op) ||
      --budget < 0)
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isCheap(operand, budget); });
}

void FusionPlan::visitComputed(Operation *op) {
  Value result = op->getResult(0);
  SmallVector<Use> all(usesOf(result));
  auto isUsedAs = [&](UseKind kind) {
    return llvm::any_of(all, [&](const Use &use) { return use.kind == kind; });
  };
  if (isUsedAs(UseKind::Load) && !isUsedAs(UseKind::Buffer) &&
      isTransparent(op, isVarying)) {
    for (const Use &use : all)
      if (use.kind == UseKind::Point)
        usePoint(op, use.node, use.at);
      else
        useOperands(op, use);
    return;
  }
  if (mayCompute(op)) {
    for (const Use &use : distinctPoints(all))
      usePoint(op, use.node, use.at);
    return;
  }
  std::optional<NodeId> host = findHost(op);
  if (!host)
    host =
        addNode(Node::Kind::Map, nullptr, shapeOf(result), isVarying(result));
  addStore(*host, result);
  usePoint(op, *host, nodes[*host].space.point());
}

void FusionPlan::visitContraction(Operation *op) {
  Value result = op->getResult(0);
  std::optional<NodeId> host = findHost(op);
  bool stored = !host;
  if (!host)
    host =
        addNode(Node::Kind::Map, nullptr, shapeOf(result), isVarying(result));
  for (const Use &use : usesOf(result))
    stored |= use.node != *host;
  if (stored)
    addStore(*host, result);
  nodes[*host].kind = Node::Kind::Contract;
  nodes[*host].op = op;
  useOperands(op, {*host, UseKind::Load});
}

void FusionPlan::visitUpdate(Operation *op) {
  Value result = op->getResult(0);
  auto scatter = dyn_cast<ScatterOp>(op);
  unsigned updates = scatter ? 2 : 1;
  NodeId node = addNode(Node::Kind::Update, op,
                        shapeOf(op->getOperand(updates)), isVarying(result));
  addStore(node, result);
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (number == 0)
      addUse(operand.get(), {node, UseKind::Buffer, {}, &operand});
    else if (number == updates)
      addUse(operand.get(), {node, UseKind::Point, nodes[node].space.point()});
    else
      addUse(operand.get(), {node, UseKind::Load});
  }
}

void FusionPlan::visitPermutation(Operation *op) {
  Value result = op->getResult(0);
  NodeId node =
      addNode(Node::Kind::Permutation, op, shapeOf(result), isVarying(result));
  addStore(node, result);
  useOperands(op, {node, UseKind::Load});
}

void FusionPlan::visitLoop(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  NodeId node = addNode(Node::Kind::Loop, op, {}, false);
  for (Value result : loop.getResults())
    addStore(node, result);
  for (OpOperand &init : loop.getInitArgsMutable())
    addUse(init.get(), {node, UseKind::Buffer, {}, &init});
  useCaptured(op, node);
}

void FusionPlan::visitBranch(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  NodeId node = addNode(Node::Kind::Branch, op, {}, false);
  for (Value result : branch.getResults())
    addStore(node, result);
  if (auto read = branch.getCondition().getDefiningOp<tensor::ExtractOp>())
    // Outside of phases there are only loads.
    addUse(read.getTensor(),
           {node, UseKind::Buffer, {}, &read.getTensorMutable()});
  useCaptured(op, node);
}

//===----------------------------------------------------------------------===//
// Uses and nodes
//===----------------------------------------------------------------------===//

NodeId FusionPlan::addNode(Node::Kind kind, Operation *op,
                           ArrayRef<int64_t> domain, bool lanes) {
  NodeId id = nodes.size();
  nodes.emplace_back(kind, op, domain, lanes);
  nodes[id].position = position;
  return id;
}

void FusionPlan::addUse(Value value, Use use) {
  if (value.getParentBlock() == &body)
    uses[value].push_back(std::move(use));
}

void FusionPlan::addStore(NodeId node, Value value) {
  nodes[node].stores.push_back({value});
  writers[value] = node;
  for (const Use &use : usesOf(value))
    order(node, use.node);
}

void FusionPlan::useOperands(Operation *op, const Use &use) {
  for (Value operand : op->getOperands())
    if (isTensor(operand))
      addUse(operand, use);
}

void FusionPlan::useCaptured(Operation *op, NodeId node) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (isTensor(value))
      addUse(value, {node, UseKind::Load});
}

void FusionPlan::usePoint(Operation *op, NodeId node, ArrayRef<IndexId> at) {
  IndexSpace &space = nodes[node].space;
  if (familyOf(op) == Family::Reduction) {
    nodes[node].hasFold = true;
    Indices fold = space.addFold(foldExtents(op), space.foldsAround(at));
    addUse(op->getOperand(0),
           {node, UseKind::Point, foldOperandIndices(op, at, fold)});
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isTensor(operand.get()))
      addUse(operand.get(),
             {node, UseKind::Point, operandIndices(space, operand, at)});
}

std::optional<NodeId> FusionPlan::findHost(Operation *op) const {
  Value result = op->getResult(0);
  Family family = familyOf(op);
  for (const Use &candidate : usesOf(result)) {
    const Node &host = nodes[candidate.node];
    bool isMap = host.kind == Node::Kind::Map;
    if (!isMap && host.kind != Node::Kind::Contract)
      continue;
    if (family == Family::Contraction && (!isMap || host.hasFold))
      continue;
    if (family == Family::Reduction && (!isMap || !hasRoomFor(host, op, 1)))
      continue;
    if (ArrayRef<int64_t>(host.domain) != shapeOf(result) ||
        host.lanes != isVarying(result))
      continue;
    bool fits = llvm::all_of(usesOf(result), [&](const Use &use) {
      return use.node == candidate.node ? isPointwise(use)
                                        : !precedes(use.node, candidate.node);
    });
    if (fits)
      return candidate.node;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<NodeId> FusionPlan::writer(Value value) const {
  auto place = writers.find(value);
  if (place == writers.end())
    return std::nullopt;
  return place->second;
}

ArrayRef<Use> FusionPlan::usesOf(Value value) const {
  auto place = uses.find(value);
  return place == uses.end() ? ArrayRef<Use>() : ArrayRef<Use>(place->second);
}

bool FusionPlan::isPointwise(const Use &use) const {
  const Node &user = nodes[use.node];
  return use.kind == UseKind::Point && use.at == user.space.point();
}

void FusionPlan::order(NodeId earlier, NodeId later) {
  if (earlier != later)
    nodes[earlier].successors.insert(later);
}

bool FusionPlan::precedes(NodeId earlier, NodeId later) const {
  SmallVector<NodeId> pending{earlier};
  DenseSet<NodeId> seen;
  while (!pending.empty()) {
    NodeId node = pending.pop_back_val();
    for (NodeId next : nodes[node].successors) {
      if (next == later)
        return true;
      if (seen.insert(next).second)
        pending.push_back(next);
    }
  }
  // The end comes after everything.
  return later == end && earlier != end;
}

SmallVector<NodeId> FusionPlan::schedule() const {
  SmallVector<unsigned> waitingFor(nodes.size());
  for (const Node &node : nodes)
    for (NodeId next : node.successors)
      ++waitingFor[next];
  // The least position first.
  auto later = [&](NodeId a, NodeId b) {
    return std::make_pair(nodes[a].position, b) >
           std::make_pair(nodes[b].position, a);
  };
  SmallVector<NodeId> ready, result;
  auto add = [&](NodeId node) {
    if (node == end)
      return;
    ready.push_back(node);
    std::push_heap(ready.begin(), ready.end(), later);
  };
  for (NodeId node = 1; node < nodes.size(); ++node)
    if (waitingFor[node] == 0)
      add(node);
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), later);
    NodeId node = ready.pop_back_val();
    result.push_back(node);
    for (NodeId next : nodes[node].successors)
      if (--waitingFor[next] == 0)
        add(next);
  }
  return result;
}

bool schedule::isTransparent(Operation *op,
                             function_ref<bool(Value)> isVarying) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return isAffineReshape(shapeOf(reshape.getX()),
                           shapeOf(reshape.getResult()));
  // A window at one place for all runs is only an offset.
  if (auto slice = dyn_cast<DynamicSliceOp>(op))
    return llvm::none_of(slice.getStarts(), isVarying) &&
           slice.getBatchDims() == 0;
  return familyOf(op) == Family::Free;
}
