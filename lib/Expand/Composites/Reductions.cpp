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

namespace {
/// The terms of a sum of exponentials, their sum, and what was subtracted from
/// the exponents of each row.
struct ShiftedTerms {
  Value terms, sum, shift;
};
} // namespace

/// Shifted by the greatest element where that is finite: -inf - -inf is NaN.
/// What is made of the terms does not depend on the shift, so no derivative
/// goes through it.
static ShiftedTerms emitShiftedTerms(TensorBuilder &b, Value x) {
  Value greatest =
      b.unary<StopGradientOp>(b.reduce(ReduceKind::max, x, lastDim(x)));
  Type rowType = greatest.getType();
  Value isFinite = b.compare(ComparePredicate::lt, b.unary<AbsOp>(greatest),
                             emitInfinity(b, rowType, 1.0));
  Value shift = b.select(isFinite, greatest, b.splat(rowType, 0.0));
  Value terms = b.unary<ExpOp>(b.sub(x, b.spreadRows(shift, tensorTypeOf(x))));
  return {terms, b.reduce(ReduceKind::sum, terms, lastDim(x)), shift};
}

static SmallVector<Value> emitShiftedLogSumExp(TensorBuilder &b,
                                               ValueRange arguments) {
  ShiftedTerms shifted = emitShiftedTerms(b, arguments[0]);
  return {b.add(b.unary<LogOp>(shifted.sum), shifted.shift)};
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

/// The terms of logsumexp, which are there already, over their sum; 0 in a row
/// of -inf, whose sum is 0.
Value ensc::emitProbabilities(TensorBuilder &b, Value x) {
  ShiftedTerms shifted = emitShiftedTerms(b, x);
  Type rowType = shifted.sum.getType();
  Value one = b.splat(rowType, 1.0);
  Value isEmpty =
      b.compare(ComparePredicate::eq, shifted.sum, b.splat(rowType, 0.0));
  Value scale = b.div(one, b.select(isEmpty, one, shifted.sum));
  return b.mul(shifted.terms, b.spreadRows(scale, tensorTypeOf(x)));
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
