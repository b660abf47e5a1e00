//===- ForwardMode.cpp - Tangents of a block ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Differentiate/Modes.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

Value ensc::createZero(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto zero = DenseElementsAttr::get(
      tensor, builder.getZeroAttr(tensor.getElementType()));
  return ConstantOp::create(builder, loc, tensor, zero);
}

LogicalResult ForwardMode::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(visitOp(&op)))
      return failure();
  return success();
}

LogicalResult ForwardMode::visitOp(Operation *op) {
  if (llvm::none_of(op->getResults(),
                    [&](Value result) { return activity.isActive(result); }))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return emitNoDerivative(op, "forward");
  SmallVector<Value> operandTangents, resultTangents;
  for (OpOperand &operand : op->getOpOperands())
    operandTangents.push_back(
        carriesDerivative(operand) ? tangentOf(operand.get()) : Value());
  if (llvm::none_of(operandTangents, [](Value value) { return bool(value); }))
    return success();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  if (failed(differentiable.emitJvp(builder, operandTangents, resultTangents)))
    return failure();
  for (auto [result, tangent] :
       llvm::zip_equal(op->getResults(), resultTangents))
    if (tangent)
      setTangent(result, tangent);
  return success();
}

/// The tangents of active iteration arguments become iteration arguments, too.
LogicalResult ForwardMode::visitFor(scf::ForOp loop) {
  IRRewriter rewriter(loop);
  SmallVector<unsigned> active;
  SmallVector<Value> inits;
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    if (!activity.isActive(result) &&
        !activity.isActive(loop.getRegionIterArg(index)))
      continue;
    active.push_back(index);
    Value init = loop.getInitArgs()[index];
    Value tangent = tangentOf(init);
    inits.push_back(tangent
                        ? tangent
                        : createZero(rewriter, loop.getLoc(), init.getType()));
  }
  LogicalResult status = success();
  auto yieldTangents = [&](OpBuilder &builder, Location loc,
                           ArrayRef<BlockArgument> arguments) {
    for (auto [index, argument] : llvm::zip_equal(active, arguments))
      setTangent(loop.getRegionIterArg(index), argument);
    status = visitBlock(*loop.getBody());
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    SmallVector<Value> yields;
    for (unsigned index : active) {
      Value yielded = loop.getYieldedValues()[index];
      Value tangent = tangentOf(yielded);
      yields.push_back(tangent ? tangent
                               : createZero(builder, loc, yielded.getType()));
    }
    return yields;
  };
  unsigned count = loop.getNumResults();
  FailureOr<LoopLikeOpInterface> extended = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yieldTangents);
  if (failed(status) || failed(extended))
    return failure();
  for (auto [position, index] : llvm::enumerate(active))
    setTangent((*extended)->getResult(index),
               (*extended)->getResult(count + position));
  return success();
}

/// Both branches yield the tangents of active results, too.
LogicalResult ForwardMode::visitIf(scf::IfOp branch) {
  IRRewriter rewriter(branch);
  SmallVector<unsigned> active;
  SmallVector<Type> types(branch.getResultTypes());
  for (auto [index, result] : llvm::enumerate(branch.getResults()))
    if (activity.isActive(result)) {
      active.push_back(index);
      types.push_back(result.getType());
    }
  for (Region &region : branch->getRegions()) {
    Block &block = region.front();
    if (failed(visitBlock(block)))
      return failure();
    auto yield = cast<scf::YieldOp>(block.getTerminator());
    rewriter.setInsertionPoint(yield);
    for (unsigned index : active) {
      Value yielded = yield.getOperand(index);
      Value tangent = tangentOf(yielded);
      yield.getResultsMutable().append(
          tangent ? tangent
                  : createZero(rewriter, yield.getLoc(), yielded.getType()));
    }
  }
  rewriter.setInsertionPoint(branch);
  auto extended = scf::IfOp::create(rewriter, branch.getLoc(), types,
                                    branch.getCondition());
  extended.getThenRegion().takeBody(branch.getThenRegion());
  extended.getElseRegion().takeBody(branch.getElseRegion());
  unsigned count = branch.getNumResults();
  rewriter.replaceOp(branch, extended.getResults().take_front(count));
  for (auto [position, index] : llvm::enumerate(active))
    setTangent(extended.getResult(index), extended.getResult(count + position));
  return success();
}
