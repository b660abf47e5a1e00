//===- EnsComposite.cpp - Ops that Expand lowers to the others ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeInference.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"

#include <cmath>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsComposite.cpp.inc"

void EnsDialect::addCompositeOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsComposite.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Reductions and losses
//===----------------------------------------------------------------------===//

LogicalResult MeanOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  // mean_c1
  if (failed(verifyIncreasingDims(loc, getOperationName(), adaptor.getDims(),
                                  type.getRank())))
    return failure();
  results.push_back(type.clone(dropDims(type.getShape(), adaptor.getDims())));
  return success();
}

LogicalResult LogSumExpOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  // logsumexp_c1
  if (failed(verifyLastDim(loc, getOperationName(), type)))
    return failure();
  results.push_back(type.clone(type.getShape().drop_back()));
  return success();
}

LogicalResult SoftmaxOp::verify() {
  // softmax_c1
  return verifyLastDim(getLoc(), getOperationName(), getType());
}

LogicalResult LogSoftmaxOp::verify() {
  // log_softmax_c1
  return verifyLastDim(getLoc(), getOperationName(), getType());
}

LogicalResult SoftmaxCrossEntropyOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  RankedTensorType logits = tensorType(adaptor.getLogits());
  // softmax_cross_entropy_c1
  if (failed(verifyLastDim(loc, getOperationName(), logits)))
    return failure();
  // softmax_cross_entropy_c2
  ArrayRef<int64_t> rows = logits.getShape().drop_back();
  if (shapeOf(adaptor.getLabels()) != rows)
    return emitOptionalError(
        loc, "'ens.softmax_cross_entropy' op expects labels of shape ",
        shapeString(rows), ", got ", shapeString(shapeOf(adaptor.getLabels())));
  results.push_back(logits.clone(rows));
  return success();
}

LogicalResult MseOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &results) {
  RankedTensorType prediction = tensorType(adaptor.getPrediction());
  RankedTensorType target = tensorType(adaptor.getTarget());
  // mse_c1
  if (prediction != target || prediction.getRank() < 1)
    return emitOptionalError(
        loc, "'ens.mse' op expects two operands of one type with rows, got ",
        prediction, " and ", target);
  results.push_back(prediction.clone(prediction.getShape().take_front(1)));
  return success();
}

//===----------------------------------------------------------------------===//
// Randomness
//===----------------------------------------------------------------------===//

LogicalResult DropoutOp::verify() {
  // dropout_c1
  DenseFPElementsAttr value;
  if (!matchPattern(getRate(), m_Constant(&value)))
    return success();
  double known = value.getSplatValue<APFloat>().convertToDouble();
  if (!(known >= 0.0 && known <= 1.0))
    return emitOpError("expects a rate in [0, 1], got ") << known;
  return success();
}

LogicalResult UniformOp::verify() {
  // uniform_c1
  double low = getLow().convertToDouble(), high = getHigh().convertToDouble();
  if (!(std::isfinite(low) && std::isfinite(high) && low < high))
    return emitOpError("expects finite low < high, got ")
           << low << " and " << high;
  return success();
}

LogicalResult NormalOp::verify() {
  // normal_c1
  double mean = getMean().convertToDouble();
  double stddev = getStddev().convertToDouble();
  if (!(std::isfinite(mean) && std::isfinite(stddev) && stddev > 0.0))
    return emitOpError(
               "expects a finite mean and a finite stddev above 0, got ")
           << mean << " and " << stddev;
  return success();
}

/// he_normal_c1, he_uniform_c1, glorot_normal_c1, glorot_uniform_c1
template <typename InitializerOp>
static LogicalResult verifyInitializer(InitializerOp op) {
  RankedTensorType type = op.getType();
  if (type.getRank() < 2 || type.getNumElements() == 0)
    return op.emitOpError("expects a result of rank 2 or more without empty "
                          "dimensions, got ")
           << type;
  return success();
}

LogicalResult HeNormalOp::verify() { return verifyInitializer(*this); }
LogicalResult HeUniformOp::verify() { return verifyInitializer(*this); }
LogicalResult GlorotNormalOp::verify() { return verifyInitializer(*this); }
LogicalResult GlorotUniformOp::verify() { return verifyInitializer(*this); }
