//===- Random.cpp - Draws, initializers and dropout -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composites.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// Where the numbers of a draw come from.
struct Stream {
  Value seed, step;
  IntegerAttr site; ///< null until sites are numbered
};
} // namespace

/// Initializers draw at step 0.
template <typename DrawOp> static Stream streamOf(TensorBuilder &b, DrawOp op) {
  return {op.getSeed(), b.splatInteger(op.getSeed().getType(), 0),
          op.getSiteAttr()};
}

/// Uniform in the open interval (0, 1): the top 23 (52) bits plus one half, so
/// that neither end is reached and no rounding occurs.
static Value emitUnitUniform(TensorBuilder &b, const Stream &stream,
                             RankedTensorType type) {
  bool isSingle = type.getElementType().isF32();
  Type word = isSingle ? b.getIntegerType(32, /*isSigned=*/false)
                       : Type(b.getI64Type());
  Type bitsType = type.clone(word);
  Value bits = RngBitsOp::create(b, bitsType, stream.seed, stream.step,
                                 /*offset=*/Value(), stream.site);
  Value distance = b.splatInteger(bitsType, isSingle ? 9 : 12);
  Value top = ShiftRightLogicalOp::create(b, bitsType, bits, distance);
  Value centre =
      b.add(b.convert(top, type.getElementType()), b.splat(type, 0.5));
  return b.mul(centre, b.splat(type, std::ldexp(1.0, isSingle ? -23 : -52)));
}

static Value emitUniform(TensorBuilder &b, const Stream &stream,
                         RankedTensorType type, double low, double high) {
  Value u = emitUnitUniform(b, stream, type);
  if (low == 0.0 && high == 1.0)
    return u;
  return b.add(b.splat(type, low), b.mul(b.splat(type, high - low), u));
}

static Value emitNormal(TensorBuilder &b, const Stream &stream,
                        RankedTensorType type, double mean, double stddev) {
  Value u = emitUnitUniform(b, stream, type);
  Value centred = b.sub(b.mul(b.splat(type, 2.0), u), b.splat(type, 1.0));
  Value scale = b.splat(type, stddev * std::sqrt(2.0));
  Value deviation = b.mul(scale, b.unary<ErfInvOp>(centred));
  return mean == 0.0 ? deviation : b.add(b.splat(type, mean), deviation);
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

static LogicalResult lowerUniform(UniformOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  rewriter.replaceOp(op, emitUniform(b, streamOf(b, op), op.getType(),
                                     op.getLow().convertToDouble(),
                                     op.getHigh().convertToDouble()));
  return success();
}

static LogicalResult lowerNormal(NormalOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  rewriter.replaceOp(op, emitNormal(b, streamOf(b, op), op.getType(),
                                    op.getMean().convertToDouble(),
                                    op.getStddev().convertToDouble()));
  return success();
}

/// Inputs and outputs of one unit of a layer.
static double fanOut(RankedTensorType type) {
  return static_cast<double>(type.getShape().back());
}
static double fanIn(RankedTensorType type) {
  return static_cast<double>(type.getNumElements()) / fanOut(type);
}

static double inAndOut(RankedTensorType type) {
  return fanIn(type) + fanOut(type);
}

template <typename InitializerOp, double (*fan)(RankedTensorType)>
static LogicalResult lowerToNormal(InitializerOp op,
                                   PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  double stddev = std::sqrt(2.0 / fan(op.getType()));
  rewriter.replaceOp(op,
                     emitNormal(b, streamOf(b, op), op.getType(), 0.0, stddev));
  return success();
}

template <typename InitializerOp, double (*fan)(RankedTensorType)>
static LogicalResult lowerToUniform(InitializerOp op,
                                    PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  double limit = std::sqrt(6.0 / fan(op.getType()));
  rewriter.replaceOp(
      op, emitUniform(b, streamOf(b, op), op.getType(), -limit, limit));
  return success();
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// `rate` if it is a probability, else NaN: a mistake must not look like a
/// rate.
static Value emitProbability(TensorBuilder &b, Value rate) {
  Type type = rate.getType();
  Value isLow = b.compare(ComparePredicate::ge, rate, b.splat(type, 0.0));
  Value isHigh = b.compare(ComparePredicate::le, rate, b.splat(type, 1.0));
  Value isValid = AndOp::create(b, isLow.getType(), isLow, isHigh);
  return b.select(isValid, rate,
                  b.splat(type, std::numeric_limits<double>::quiet_NaN()));
}

/// With rate 1 the divisor is 0 and every element is dropped: a divisor of 1
/// there keeps 0 / 0 out of the derivative. A rate of NaN drops nothing and
/// shows in the quotient.
static LogicalResult lowerDropout(DropoutOp op, PatternRewriter &rewriter) {
  TensorBuilder b(op.getLoc(), rewriter);
  RankedTensorType type = op.getType();
  Value rate = emitProbability(b, op.getRate());
  Value one = b.splat(rate.getType(), 1.0);
  Value isTotal = b.compare(ComparePredicate::eq, rate, one);
  Value kept = b.select(isTotal, one, b.sub(one, rate));
  Stream stream = {op.getSeed(), op.getStep(), op.getSiteAttr()};
  Value u = emitUnitUniform(b, stream, type);
  Value isDropped = b.compare(ComparePredicate::lt, u, b.spread(rate, type));
  Value scaled = b.div(op.getX(), b.spread(kept, type));
  rewriter.replaceOp(op, b.select(isDropped, b.splat(type, 0.0), scaled));
  return success();
}

void ensc::populateRandomPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerUniform);
  patterns.add(lowerNormal);
  patterns.add(lowerToNormal<HeNormalOp, fanIn>);
  patterns.add(lowerToUniform<HeUniformOp, fanIn>);
  patterns.add(lowerToNormal<GlorotNormalOp, inAndOut>);
  patterns.add(lowerToUniform<GlorotUniformOp, inAndOut>);
  patterns.add(lowerDropout);
}
