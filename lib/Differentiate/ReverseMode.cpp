//===- ReverseMode.cpp - Cotangents of a block ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Straight-line code keeps its primal values, since they are SSA values of the
// same block. A branch computes its primal values again, inside the branch of
// the reverse pass. See ReverseLoop.cpp for loops.
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/TripCount.h"
#include "ensc/Differentiate/Modes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

InFlightDiagnostic ensc::emitNoDerivative(Operation *op, StringRef mode) {
  InFlightDiagnostic error = op->emitError("cannot differentiate '");
  error << op->getName() << "', which has no derivative in " << mode << " mode";
  if (isa<scf::WhileOp>(op))
    error << "; " << boundedLoopAdvice;
  return error;
}

void ReverseMode::accumulate(OpBuilder &builder, Value value, Value cotangent) {
  if (!cotangent)
    return;
  Value &sum = cotangents[value];
  sum = sum ? AddOp::create(builder, cotangent.getLoc(), sum.getType(), sum,
                            cotangent)
            : cotangent;
}

LogicalResult ReverseMode::visitOps(ArrayRef<Operation *> ops,
                                    OpBuilder &builder) {
  for (Operation *op : llvm::reverse(ops))
    if (failed(visitOp(op, builder)))
      return failure();
  return success();
}

LogicalResult ReverseMode::visitOp(Operation *op, OpBuilder &builder) {
  SmallVector<Value> resultCotangents;
  for (Value result : op->getResults())
    resultCotangents.push_back(activity.isVaried(result) ? cotangentOf(result)
                                                         : Value());
  if (llvm::none_of(resultCotangents, [](Value value) { return bool(value); }))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop, builder);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch, builder);
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return emitNoDerivative(op, "reverse");
  BitVector active(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands())
    active[operand.getOperandNumber()] =
        carriesDerivative(operand) && activity.isVaried(operand.get());
  SmallVector<Value> operandCotangents;
  if (failed(differentiable.emitVjp(builder, resultCotangents, active,
                                    operandCotangents)))
    return failure();
  for (unsigned index : active.set_bits())
    accumulate(builder, op->getOperand(index), operandCotangents[index]);
  return success();
}

SmallVector<Value> ReverseMode::activeCaptures(Operation *op) const {
  llvm::SetVector<Value> captures;
  op->walk([&](Operation *nested) {
    if (nested == op)
      return;
    for (Value operand : nested->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()) &&
          activity.isActive(operand))
        captures.insert(operand);
  });
  return captures.takeVector();
}

LogicalResult ReverseMode::visitIf(scf::IfOp branch, OpBuilder &builder) {
  Location loc = branch.getLoc();
  SmallVector<Value> captures = activeCaptures(branch);
  auto reverse = scf::IfOp::create(
      builder, loc, ValueRange(captures).getTypes(), branch.getCondition(),
      /*withElseRegion=*/true);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), reverse->getRegions())) {
    OpBuilder inner = OpBuilder::atBlockBegin(&to.front());
    IRMapping mapping;
    SmallVector<Operation *> primal;
    for (Operation &op : from.front().without_terminator())
      primal.push_back(inner.clone(op, mapping));
    auto yields = llvm::map_to_vector(
        from.front().getTerminator()->getOperands(),
        [&](Value yielded) { return mapping.lookupOrDefault(yielded); });
    ActivityAnalysis activity(captures, yields);
    ReverseMode mode(activity);
    for (auto [result, yielded] : llvm::zip_equal(branch.getResults(), yields))
      mode.accumulate(inner, yielded, cotangentOf(result));
    if (failed(mode.visitOps(primal, inner)))
      return failure();
    SmallVector<Value> results;
    for (Value capture : captures) {
      Value cotangent = mode.cotangentOf(capture);
      results.push_back(cotangent ? cotangent
                                  : createZero(inner, loc, capture.getType()));
    }
    if (to.front().mightHaveTerminator())
      to.front().getTerminator()->erase();
    scf::YieldOp::create(inner, loc, results);
  }
  for (auto [capture, cotangent] :
       llvm::zip_equal(captures, reverse.getResults()))
    accumulate(builder, capture, cotangent);
  return success();
}
