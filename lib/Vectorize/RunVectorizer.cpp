//===- RunVectorizer.cpp - A block of one run for several -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Vectorize/RunVectorizer.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/TripCount.h"
#include "ensc/Vectorize/RunRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

//===----------------------------------------------------------------------===//
// Blocks and values
//===----------------------------------------------------------------------===//

LogicalResult RunVectorizer::vectorizeBlock(OpBuilder &builder, Block &block,
                                            IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    if (failed(vectorizeOp(builder, op, mapping)))
      return failure();
  return success();
}

Value RunVectorizer::lookupVarying(OpBuilder &builder, Location loc,
                                   Value value, const IRMapping &mapping) {
  Value emitted = mapping.lookup(value);
  return variance.isVarying(value) ? emitted
                                   : bringToRuns(builder, loc, emitted, runs);
}

/// What stands for `values`, each led by the runs if its counterpart in
/// `variedLike`, to which it flows, is.
SmallVector<Value> RunVectorizer::lookupAll(OpBuilder &builder, Location loc,
                                            ValueRange values,
                                            ValueRange variedLike,
                                            const IRMapping &mapping) {
  SmallVector<Value> emitted;
  for (auto [value, like] : llvm::zip_equal(values, variedLike))
    emitted.push_back(variance.isVarying(like)
                          ? lookupVarying(builder, loc, value, mapping)
                          : mapping.lookup(value));
  return emitted;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult RunVectorizer::vectorizeOp(OpBuilder &builder, Operation &op,
                                         IRMapping &mapping) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return vectorizeFor(builder, loop, mapping);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return vectorizeIf(builder, branch, mapping);
  if (isa<scf::WhileOp>(op))
    return op.emitOpError("is for the interpreter alone, and cannot be "
                          "vectorized over runs; ")
           << boundedLoopAdvice;
  if (op.getNumRegions() > 0 || isa<CallOpInterface>(op))
    return op.emitOpError(
        "cannot be vectorized over runs: only scf.for, scf.if "
        "and functions that do not call themselves can");

  bool varies = llvm::any_of(op.getResults(), [&](Value result) {
    return variance.isVarying(result);
  });
  // What canonicalization makes of a branch that only chooses.
  if (auto select = dyn_cast<arith::SelectOp>(op); select && varies)
    return selectPerRun(builder, op.getResult(0), select.getCondition(),
                        select.getTrueValue(), select.getFalseValue(), mapping);
  if (varies)
    return vectorizeByRule(builder, op, mapping);
  builder.clone(op, mapping);
  return success();
}

LogicalResult RunVectorizer::vectorizeByRule(OpBuilder &builder, Operation &op,
                                             IRMapping &mapping) {
  // A scalar that varies is a tensor of rank 1, and so is the tensor that it
  // comes from or goes to.
  if (isa<tensor::ExtractOp, tensor::FromElementsOp>(op)) {
    auto tensor = dyn_cast<RankedTensorType>(isa<tensor::ExtractOp>(op)
                                                 ? op.getOperand(0).getType()
                                                 : op.getResult(0).getType());
    if (tensor.getRank() == 0) {
      mapping.map(op.getResult(0), mapping.lookup(op.getOperand(0)));
      return success();
    }
  }
  auto rule = dyn_cast<RunVectorizableOpInterface>(op);
  if (!rule)
    return op.emitOpError(
        "has no rule for values that differ between runs; compute them with "
        "ops of the ens dialect, and bounds of loops from shared values");
  SmallVector<Value> operands = llvm::map_to_vector(
      op.getOperands(), [&](Value value) { return mapping.lookup(value); });
  SmallVector<Value> results;
  if (failed(rule.vectorizeOverRuns(
          builder, operands, variance.varyingOperands(&op), runs, results)))
    return failure();
  mapping.map(op.getResults(), results);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult RunVectorizer::vectorizeFor(OpBuilder &builder, scf::ForOp loop,
                                          IRMapping &mapping) {
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (variance.isVarying(bound))
      return loop.emitOpError(
          "cannot be vectorized over runs: its bounds differ "
          "between runs; loop to a bound that is shared and "
          "select what a finished run keeps");

  SmallVector<Value> inits = lookupAll(
      builder, loop.getLoc(), loop.getInitArgs(), loop.getResults(), mapping);
  auto copy = scf::ForOp::create(builder, loop.getLoc(),
                                 mapping.lookup(loop.getLowerBound()),
                                 mapping.lookup(loop.getUpperBound()),
                                 mapping.lookup(loop.getStep()), inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mapping.map(loop.getInductionVar(), copy.getInductionVar());
  mapping.map(loop.getRegionIterArgs(), copy.getRegionIterArgs());

  OpBuilder::InsertionGuard guard(builder);
  // Without carried values the builder has made the terminator already.
  if (inits.empty())
    builder.setInsertionPoint(copy.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(copy.getBody());
  if (failed(vectorizeBlock(builder, *loop.getBody(), mapping)))
    return failure();
  if (!inits.empty())
    scf::YieldOp::create(builder, loop.getLoc(),
                         lookupAll(builder, loop.getLoc(),
                                   loop.getYieldedValues(), loop.getResults(),
                                   mapping));
  mapping.map(loop.getResults(), copy.getResults());
  return success();
}

LogicalResult RunVectorizer::vectorizeIf(OpBuilder &builder, scf::IfOp branch,
                                         IRMapping &mapping) {
  if (variance.isVarying(branch.getCondition()))
    return selectBranch(builder, branch, mapping);
  if (branch.getNumResults() == 0)
    return success();

  SmallVector<Type> types;
  for (Value result : branch.getResults())
    types.push_back(variance.isVarying(result)
                        ? typeForRuns(result.getType(), runs)
                        : result.getType());
  auto copy = scf::IfOp::create(builder, branch.getLoc(), types,
                                mapping.lookup(branch.getCondition()),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  copy->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  auto emitSide = [&](Block *from, Block *to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(to);
    if (failed(vectorizeBlock(builder, *from, mapping)))
      return failure();
    scf::YieldOp::create(builder, branch.getLoc(),
                         lookupAll(builder, branch.getLoc(),
                                   from->getTerminator()->getOperands(),
                                   branch.getResults(), mapping));
    return success();
  };
  if (failed(emitSide(branch.thenBlock(), copy.thenBlock())) ||
      failed(emitSide(branch.elseBlock(), copy.elseBlock())))
    return failure();
  mapping.map(branch.getResults(), copy.getResults());
  return success();
}

/// Both sides are evaluated for all runs and each run keeps its own: ops have
/// no effect beside their result, and a select hides what the other side gave,
/// NaN included.
LogicalResult RunVectorizer::selectBranch(OpBuilder &builder, scf::IfOp branch,
                                          IRMapping &mapping) {
  if (branch.getNumResults() == 0)
    return success();
  if (failed(vectorizeBlock(builder, *branch.thenBlock(), mapping)) ||
      failed(vectorizeBlock(builder, *branch.elseBlock(), mapping)))
    return failure();
  for (auto [onTrue, onFalse, result] :
       llvm::zip_equal(branch.thenYield().getOperands(),
                       branch.elseYield().getOperands(), branch.getResults()))
    if (!variance.isVarying(result))
      mapping.map(result, mapping.lookup(onTrue));
    else if (failed(selectPerRun(builder, result, branch.getCondition(), onTrue,
                                 onFalse, mapping)))
      return failure();
  return success();
}

/// Emits what stands for `result`, which is `onTrue` in the runs where
/// `condition` holds, else `onFalse`.
LogicalResult RunVectorizer::selectPerRun(OpBuilder &builder, OpResult result,
                                          Value condition, Value onTrue,
                                          Value onFalse, IRMapping &mapping) {
  Operation *op = result.getOwner();
  if (elementTypeOf(result.getType()).isIndex())
    return op->emitOpError("cannot be vectorized over runs: it gives an index "
                           "that differs between runs");
  Location loc = op->getLoc();
  RankedTensorType type = typeForRuns(result.getType(), runs);
  auto maskType = cast<RankedTensorType>(
      withElementType(type, IntegerType::get(builder.getContext(), 1)));
  Value mask = lookupVarying(builder, loc, condition, mapping);
  if (mask.getType() != maskType)
    mask =
        BroadcastOp::create(builder, loc, maskType, mask, ArrayRef<int64_t>{0});
  mapping.map(result,
              SelectOp::create(builder, loc, type, mask,
                               lookupVarying(builder, loc, onTrue, mapping),
                               lookupVarying(builder, loc, onFalse, mapping)));
  return success();
}
