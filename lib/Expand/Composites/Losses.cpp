//===- Losses.cpp - softmax_cross_entropy, mse ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composites.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static LogicalResult lowerMse(MseOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Value difference = b.sub(op.getPrediction(), op.getTarget());
  Value square = b.mul(difference, difference);
  RankedTensorType type = tensorTypeOf(square);
  if (type.getRank() > 1)
    square =
        b.mean(square, llvm::to_vector(llvm::seq<int64_t>(1, type.getRank())));
  rewriter.replaceOp(op, square);
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax cross entropy
//===----------------------------------------------------------------------===//

static SmallVector<Value> emitCrossEntropy(TensorBuilder &b,
                                           ValueRange arguments) {
  Value logits = arguments[0];
  int64_t rowRank = tensorTypeOf(logits).getRank() - 1;
  Value picked = GatherOp::create(b, GatherMode::clamp, logits, arguments[1],
                                  /*axis=*/rowRank, /*batch_dims=*/rowRank);
  return {b.sub(emitLogSumExp(b, logits), picked)};
}

/// softmax(logits) minus 1 at the label: elementwise, where the derivative of a
/// gather would be a scatter.
static Value emitCrossEntropyGradient(TensorBuilder &b, Value logits,
                                      Value labels) {
  RankedTensorType type = tensorTypeOf(logits);
  RankedTensorType labelType = tensorTypeOf(labels);
  int64_t classes = type.getShape().back();
  // Clamped as the gather clamps.
  Value label = ClampOp::create(b, labelType, b.splatInteger(labelType, 0),
                                labels, b.splatInteger(labelType, classes - 1));
  Value index = IotaOp::create(b, type.clone(labelType.getElementType()),
                               type.getRank() - 1);
  Value isLabel =
      b.compare(ComparePredicate::eq, index, b.spreadRows(label, type));
  Value probabilities = emitProbabilities(b, logits);
  Value atLabel = b.sub(probabilities, b.splat(type, 1.0));
  return b.select(isLabel, atLabel, probabilities);
}

static SmallVector<Value> emitCrossEntropyVjp(TensorBuilder &b,
                                              ValueRange arguments) {
  Value gradient = emitCrossEntropyGradient(b, arguments[0], arguments[1]);
  Value cotangents = b.spreadRows(arguments[2], tensorTypeOf(gradient));
  return {b.mul(gradient, cotangents)};
}

static SmallVector<Value> emitCrossEntropyJvp(TensorBuilder &b,
                                              ValueRange arguments) {
  Value gradient = emitCrossEntropyGradient(b, arguments[0], arguments[1]);
  return {b.reduce(ReduceKind::sum, b.mul(gradient, arguments[2]),
                   tensorTypeOf(gradient).getRank() - 1)};
}

static LogicalResult lowerSoftmaxCrossEntropy(SoftmaxCrossEntropyOp op,
                                              PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  Type logits = op.getLogits().getType(), labels = op.getLabels().getType();
  Type rows = op.getType();
  std::string name = "ens.softmax_cross_entropy." + typeSuffix(logits) + "." +
                     typeSuffix(labels);
  auto primal =
      getOrCreateFunction(b, name, {logits, labels}, emitCrossEntropy);
  auto vjp = getOrCreateFunction(b, name + ".vjp", {logits, labels, rows},
                                 emitCrossEntropyVjp);
  auto jvp = getOrCreateFunction(b, name + ".jvp", {logits, labels, logits},
                                 emitCrossEntropyJvp);
  rewriter.replaceOpWithNewOp<CustomGradOp>(
      op, rows, primal, ValueRange{op.getLogits(), op.getLabels()}, vjp, jvp);
  return success();
}

void ensc::populateLossPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerMse);
  patterns.add(lowerSoftmaxCrossEntropy);
}
