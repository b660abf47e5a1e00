//===- ActivityAnalysis.cpp - Which values carry a derivative -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Differentiate/ActivityAnalysis.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace ensc;

static bool isFloat(Value value) {
  return isa<FloatType>(ens::elementTypeOf(value.getType()));
}

bool ensc::carriesDerivative(OpOperand &operand) {
  if (!isFloat(operand.get()))
    return false;
  auto op = dyn_cast<ens::DifferentiableOpInterface>(operand.getOwner());
  return !op || op.carriesDerivative(operand.getOperandNumber());
}

/// The ops whose regions are tracked value by value. Of all others, what is
/// used inside flows into every result, so that they are found and diagnosed.
static bool isTracked(Operation *op) { return isa<scf::ForOp, scf::IfOp>(op); }

/// Calls `visit` with every value that the operand's value flows into.
static void forEachTarget(OpOperand &operand, function_ref<void(Value)> visit) {
  Operation *op = operand.getOwner();
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (!isTracked(parent))
      llvm::for_each(parent->getResults(), visit);
  unsigned index = operand.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (index >= loop.getNumControlOperands()) {
      visit(loop.getTiedLoopRegionIterArg(&operand));
      visit(loop.getTiedLoopResult(&operand));
    }
    return;
  }
  if (isa<scf::YieldOp>(op) && isTracked(op->getParentOp())) {
    visit(op->getParentOp()->getResult(index));
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      visit(loop.getRegionIterArg(index));
    return;
  }
  for (Value result : op->getResults())
    visit(result);
}

/// Calls `visit` with every value that flows into this one.
static void forEachSource(Value value, function_ref<void(OpOperand &)> visit) {
  Operation *op = value.getDefiningOp();
  unsigned index = 0;
  if (op) {
    index = cast<OpResult>(value).getResultNumber();
  } else {
    op = value.getParentBlock()->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(op);
    unsigned number = cast<BlockArgument>(value).getArgNumber();
    if (!loop || number < loop.getNumInductionVars())
      return;
    index = number - loop.getNumInductionVars();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    visit(loop.getInitArgsMutable()[index]);
  if (isTracked(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        visit(region.front().getTerminator()->getOpOperand(index));
    return;
  }
  op->walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      visit(operand);
  });
}

ActivityAnalysis::ActivityAnalysis(ValueRange sources, ValueRange targets) {
  SmallVector<Value> worklist;
  auto mark = [&](DenseSet<Value> &set, Value value) {
    if (isFloat(value) && set.insert(value).second)
      worklist.push_back(value);
  };
  for (Value source : sources)
    mark(varied, source);
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses())
      if (carriesDerivative(use))
        forEachTarget(use, [&](Value target) { mark(varied, target); });

  for (Value target : targets)
    mark(useful, target);
  while (!worklist.empty())
    forEachSource(worklist.pop_back_val(), [&](OpOperand &operand) {
      if (carriesDerivative(operand))
        mark(useful, operand.get());
    });
}
