//===- RunVarianceAnalysis.cpp - What differs between runs ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Vectorize/RunVarianceAnalysis.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

RunVarianceAnalysis::RunVarianceAnalysis(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), perRunAttr))
      varying.insert(argument);
  run(function);
}

RunVarianceAnalysis::RunVarianceAnalysis(
    func::FuncOp function, const llvm::BitVector &varyingArguments) {
  for (unsigned argument : varyingArguments.set_bits())
    varying.insert(function.getArgument(argument));
  run(function);
}

llvm::BitVector RunVarianceAnalysis::varyingOperands(Operation *op) const {
  llvm::BitVector bits(op->getNumOperands());
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    bits[index] = isVarying(operand);
  return bits;
}

// Values only ever turn varying, so this ends; loops nest so little that a
// worklist would not pay.
void RunVarianceAnalysis::run(func::FuncOp function) {
  do {
    changed = false;
    for (Block &block : function.getBody())
      visitBlock(block);
  } while (changed);
}

void RunVarianceAnalysis::mark(Value value) {
  changed |= varying.insert(value).second;
}

void RunVarianceAnalysis::visitBlock(Block &block) {
  for (Operation &op : block)
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](scf::ForOp loop) { visitFor(loop); })
        .Case([&](scf::IfOp branch) { visitIf(branch); })
        .Case([&](scf::WhileOp loop) { visitWhile(loop); })
        .Default([&](Operation *other) { visitOther(other); });
}

void RunVarianceAnalysis::visitFor(scf::ForOp loop) {
  bool variableStart =
      isVarying(loop.getLowerBound()) || isVarying(loop.getStep());
  bool variableTrips = variableStart || isVarying(loop.getUpperBound());
  if (variableStart)
    mark(loop.getInductionVar());
  visitBlock(*loop.getBody());
  for (auto [init, carried, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults())) {
    bool changes = yielded != carried;
    if (!isVarying(init) && !isVarying(yielded) && !(variableTrips && changes))
      continue;
    mark(carried);
    mark(result);
  }
}

void RunVarianceAnalysis::visitIf(scf::IfOp branch) {
  visitBlock(*branch.thenBlock());
  if (branch.getNumResults() == 0) {
    if (Block *otherwise = branch.elseBlock())
      visitBlock(*otherwise);
    return;
  }
  visitBlock(*branch.elseBlock());
  bool chosenPerRun = isVarying(branch.getCondition());
  for (auto [onTrue, onFalse, result] :
       llvm::zip_equal(branch.thenYield().getOperands(),
                       branch.elseYield().getOperands(), branch.getResults()))
    if (isVarying(onTrue) || isVarying(onFalse) ||
        (chosenPerRun && onTrue != onFalse))
      mark(result);
}

void RunVarianceAnalysis::visitWhile(scf::WhileOp loop) {
  visitBlock(*loop.getBeforeBody());
  visitBlock(*loop.getAfterBody());
  scf::ConditionOp condition = loop.getConditionOp();
  bool variableTrips = isVarying(condition.getCondition());
  ValueRange yielded = loop.getYieldOp().getOperands();
  for (auto [init, before, next] :
       llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(), yielded))
    if (isVarying(init) || isVarying(next))
      mark(before);
  for (auto [index, forwarded] : llvm::enumerate(condition.getArgs())) {
    BlockArgument after = loop.getAfterArguments()[index];
    bool unchanged = index < yielded.size() && yielded[index] == after &&
                     forwarded == loop.getBeforeArguments()[index];
    if (isVarying(forwarded))
      mark(after);
    if (isVarying(forwarded) || (variableTrips && !unchanged))
      mark(loop.getResult(index));
  }
}

void RunVarianceAnalysis::visitOther(Operation *op) {
  auto broadcast = dyn_cast<BroadcastOp>(op);
  bool source = isa<RunIdOp>(op) || (broadcast && broadcast.getRuns());
  if (source || llvm::any_of(op->getOperands(),
                             [&](Value value) { return isVarying(value); }))
    for (Value result : op->getResults())
      mark(result);
}
