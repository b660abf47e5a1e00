//===- Reductions.cpp - mean, logsumexp, softmax --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composites.h"

#include <limits>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static int64_t lastDim(Value x) { return tensorTypeOf(x).getRank() - 1; }

/// The constant -inf or inf.
static Value emitInfinity(TensorBuilder &b, Type type, double sign) {
  return b.splat(type, sign * std::numeric_limits<double>::infinity());
}

static LogicalResult lowerMean(MeanOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  rewriter.replaceOp(op, b.mean(op.getX(), op.getDims()));
  return success();
}

//===----------------------------------------------------------------------===//
// logsumexp
//===----------------------------------------------------------------------===//

/// Shifted by the greatest element where that is finite: -inf - -inf is NaN.
static SmallVector<Value> emitShiftedLogSumExp(TensorBuilder &b,
                                               ValueRange arguments) {
  Value x = arguments[0];
  Value greatest = b.reduce(ReduceKind::max, x, lastDim(x));
  Type rowType = greatest.getType();
  Value isFinite = b.compare(ComparePredicate::lt, b.unary<AbsOp>(greatest),
                             emitInfinity(b, rowType, 1.0));
  Value shift = b.select(isFinite, greatest, b.splat(rowType, 0.0));
  Value terms = b.unary<ExpOp>(b.sub(x, b.spreadRows(shift, tensorTypeOf(x))));
  Value sum = b.reduce(ReduceKind::sum, terms, lastDim(x));
  return {b.add(b.unary<LogOp>(sum), shift)};
}

static SmallVector<Value> emitLogSumExpVjp(TensorBuilder &b,
                                           ValueRange arguments) {
  Value x = arguments[0];
  Value cotangents = b.spreadRows(arguments[1], tensorTypeOf(x));
  return {b.mul(emitProbabilities(b, x), cotangents)};
}

static SmallVector<Value> emitLogSumExpJvp(TensorBuilder &b,
                                           ValueRange arguments) {
  Value x = arguments[0];
  Value products = b.mul(emitProbabilities(b, x), arguments[1]);
  return {b.reduce(ReduceKind::sum, products, lastDim(x))};
}

/// The rules call logsumexp in turn: a function exists before its body does, so
/// the recursion ends.
Value ensc::emitLogSumExp(TensorBuilder &b, Value x) {
  RankedTensorType type = tensorTypeOf(x);
  RankedTensorType rows = type.clone(type.getShape().drop_back());
  std::string name = "ens.logsumexp." + typeSuffix(type);
  auto primal = getOrCreateFunction(b, name, type, emitShiftedLogSumExp);
  auto vjp =
      getOrCreateFunction(b, name + ".vjp", {type, rows}, emitLogSumExpVjp);
  auto jvp =
      getOrCreateFunction(b, name + ".jvp", {type, type}, emitLogSumExpJvp);
  return CustomGradOp::create(b, rows, primal, x, vjp, jvp).getResult(0);
}

/// x minus logsumexp is NaN in a row of -inf, so that 0 is subtracted there.
Value ensc::emitProbabilities(TensorBuilder &b, Value x) {
  Value total = emitLogSumExp(b, x);
  Value isEmpty = b.compare(ComparePredicate::eq, total,
                            emitInfinity(b, total.getType(), -1.0));
  Value shift = b.select(isEmpty, b.splat(total.getType(), 0.0), total);
  return b.unary<ExpOp>(b.sub(x, b.spreadRows(shift, tensorTypeOf(x))));
}

static LogicalResult lowerLogSumExp(LogSumExpOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  rewriter.replaceOp(op, emitLogSumExp(b, op.getX()));
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Any shift gives the same function, so the derivative need not see it.
static LogicalResult lowerSoftmax(SoftmaxOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Value x = op.getX();
  Value greatest = b.reduce(ReduceKind::max, x, lastDim(x));
  Value shift = b.spreadRows(b.unary<StopGradientOp>(greatest), op.getType());
  Value terms = b.unary<ExpOp>(b.sub(x, shift));
  Value sum = b.reduce(ReduceKind::sum, terms, lastDim(x));
  rewriter.replaceOp(op, b.div(terms, b.spreadRows(sum, op.getType())));
  return success();
}

static LogicalResult lowerLogSoftmax(LogSoftmaxOp op,
                                     PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Value total = b.spreadRows(emitLogSumExp(b, op.getX()), op.getType());
  rewriter.replaceOp(op, b.sub(op.getX(), total));
  return success();
}

void ensc::populateReductionPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerMean);
  patterns.add(lowerLogSumExp);
  patterns.add(lowerSoftmax);
  patterns.add(lowerLogSoftmax);
}
