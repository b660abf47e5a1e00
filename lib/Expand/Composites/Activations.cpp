//===- Activations.cpp - relu, gelu, softplus -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composites.h"

#include <cmath>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// By select, not by max: the derivative at 0 is 0 and NaN stays visible.
static LogicalResult lowerRelu(ReluOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Value zero = b.splat(op.getType(), 0.0);
  Value isOff = b.compare(ComparePredicate::le, op.getX(), zero);
  rewriter.replaceOp(op, b.select(isOff, zero, op.getX()));
  return success();
}

static LogicalResult lowerGelu(GeluOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Value x = op.getX();
  Value half = b.mul(x, b.splat(x.getType(), 0.5));
  Value erf = b.unary<ErfOp>(b.mul(x, b.splat(x.getType(), std::sqrt(0.5))));
  Value weight = b.add(b.splat(x.getType(), 1.0), erf);
  rewriter.replaceOp(op, b.mul(half, weight));
  return success();
}

//===----------------------------------------------------------------------===//
// Softplus
//===----------------------------------------------------------------------===//

static SmallVector<Value> emitSoftplus(TensorBuilder &b, ValueRange arguments) {
  Value x = arguments[0];
  Value linear = MaxOp::create(b, x.getType(), x, b.splat(x.getType(), 0.0));
  Value decay = b.unary<ExpOp>(b.unary<NegOp>(b.unary<AbsOp>(x)));
  return {b.add(linear, b.unary<Log1pOp>(decay))};
}

/// The derivative is the same number in both modes: logistic(x) times what
/// comes in.
static SmallVector<Value> emitSoftplusRule(TensorBuilder &b,
                                           ValueRange arguments) {
  return {b.mul(b.unary<LogisticOp>(arguments[0]), arguments[1])};
}

/// A custom gradient, since the formula has a kink at 0 that the function has
/// not, and loses the derivative of large arguments.
static LogicalResult lowerSoftplus(SoftplusOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Type type = op.getType();
  std::string name = "ens.softplus." + typeSuffix(type);
  auto primal = getOrCreateFunction(b, name, type, emitSoftplus);
  auto rule =
      getOrCreateFunction(b, name + ".rule", {type, type}, emitSoftplusRule);
  rewriter.replaceOpWithNewOp<CustomGradOp>(op, type, primal, op.getX(), rule,
                                            rule);
  return success();
}

void ensc::populateActivationPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerRelu);
  patterns.add(lowerGelu);
  patterns.add(lowerSoftplus);
}
