//===- BufferPlan.cpp - Which values share a buffer -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc::schedule;

BufferPlan::BufferPlan(FusionPlan &plan,
                       function_ref<bool(BlockArgument)> isWritable)
    : plan(plan) {
  addBuffers(isWritable);
  for (NodeId id : plan.schedule()) {
    Operation *op = plan.node(id).op;
    if (plan.node(id).kind == Node::Kind::Update)
      takeOver(op->getOpOperand(0), id, op->getResult(0));
    else if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
      for (auto [init, result] :
           llvm::zip_equal(loop.getInitArgsMutable(), loop.getResults()))
        takeOver(init, id, result);
  }
  if (auto loop = dyn_cast<scf::ForOp>(plan.block().getParentOp()))
    for (auto [yielded, carried] : llvm::zip_equal(
             loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs()))
      overwriteCarried(yielded, carried);
}

std::optional<BufferId> BufferPlan::of(Value value) const {
  auto place = ofValue.find(value);
  if (place == ofValue.end())
    return std::nullopt;
  return place->second;
}

std::optional<BufferId> BufferPlan::of(OpOperand &operand) const {
  auto place = ofOperand.find(&operand);
  return place == ofOperand.end() ? of(operand.get()) : place->second;
}

void BufferPlan::addBuffers(function_ref<bool(BlockArgument)> isWritable) {
  for (BlockArgument argument : plan.block().getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    ofValue[argument] = all.size();
    Buffer buffer{{argument}, {}, argument};
    buffer.writable = isWritable(argument);
    buffer.type = type;
    buffer.lanes = plan.isLanes(argument);
    all.push_back(std::move(buffer));
  }
  for (NodeId id = 0; id < plan.size(); ++id) {
    for (const Store &store : plan.node(id).stores) {
      Buffer buffer{{}, {id}, {}};
      buffer.type = cast<RankedTensorType>(store.value.getType());
      buffer.lanes = plan.isLanes(store.value);
      if (store.owner) {
        ofOperand[store.owner] = all.size();
      } else {
        ofValue[store.value] = all.size();
        buffer.values.push_back(store.value);
      }
      all.push_back(std::move(buffer));
    }
  }
}

//===----------------------------------------------------------------------===//
// Working in place
//===----------------------------------------------------------------------===//

/// Whether `writer` may replace what is in the buffer: all other readers can
/// run before, and the writer itself reads nothing but, at each point, the
/// element it is about to replace, or only `consumed`.
bool BufferPlan::mayOverwrite(BufferId buffer, NodeId writer,
                              OpOperand *consumed) const {
  const Node &node = plan.node(writer);
  bool isPhase =
      node.kind == Node::Kind::Map || node.kind == Node::Kind::Contract;
  auto mayRead = [&](const Use &use) {
    if (use.node != writer)
      return !plan.precedes(writer, use.node);
    return use.operand ? use.operand == consumed
                       : isPhase && plan.isPointwise(use);
  };
  if (!llvm::all_of(all[buffer].values, [&](Value value) {
        return llvm::all_of(plan.usesOf(value), mayRead);
      }))
    return false;
  return llvm::none_of(all[buffer].writers, [&](NodeId other) {
    return other == writer || plan.precedes(writer, other);
  });
}

void BufferPlan::orderOverwrite(BufferId buffer, NodeId writer) {
  for (NodeId other : all[buffer].writers)
    plan.order(other, writer);
  for (Value value : all[buffer].values)
    for (const Use &use : plan.usesOf(value))
      plan.order(use.node, writer);
}

void BufferPlan::merge(BufferId from, BufferId into) {
  for (auto &entry : ofValue)
    if (entry.second == from)
      entry.second = into;
  for (auto &entry : ofOperand)
    if (entry.second == from)
      entry.second = into;
  llvm::append_range(all[into].values, all[from].values);
  llvm::append_range(all[into].writers, all[from].writers);
  all[from] = Buffer();
}

void BufferPlan::takeOver(OpOperand &operand, NodeId node, Value result) {
  std::optional<BufferId> initial = of(operand);
  if (!initial || !all[*initial].writable ||
      !mayOverwrite(*initial, node, &operand)) {
    copied.insert(&operand);
    return;
  }
  orderOverwrite(*initial, node);
  merge(*of(result), *initial);
}

void BufferPlan::overwriteCarried(OpOperand &yielded, BlockArgument carried) {
  std::optional<BufferId> next = of(yielded);
  BufferId buffer = *of(carried);
  if (next == buffer)
    return;
  if (!next || all[*next].argument ||
      !llvm::all_of(all[*next].writers, [&](NodeId writer) {
        return mayOverwrite(buffer, writer, nullptr);
      })) {
    copied.insert(&yielded);
    return;
  }
  for (NodeId writer : all[*next].writers)
    orderOverwrite(buffer, writer);
  merge(*next, buffer);
}
