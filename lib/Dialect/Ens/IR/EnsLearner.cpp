//===- EnsLearner.cpp - Verification of the learner sugar -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

LogicalResult LearnerOp::verify() {
  // learner_c3
  if (!isa<SgdAttr, MomentumAttr, AdamAttr, AdamWAttr>(getOptimizer()))
    return emitOpError("expects #ens.sgd, #ens.momentum, #ens.adam or "
                       "#ens.adamw as optimizer, got ")
           << getOptimizer();
  if (getSchedule() &&
      !isa<ConstantScheduleAttr, CosineScheduleAttr, WarmupScheduleAttr>(
          *getSchedule()))
    return emitOpError("expects #ens.constant, #ens.cosine or #ens.warmup as "
                       "schedule, got ")
           << *getSchedule();
  // learner_c4
  if (getBatchSize() < 1)
    return emitOpError("expects a positive batch_size, got ") << getBatchSize();
  // learner_c6
  std::optional<StringRef> direction = getDirection();
  if (direction && *direction != "min" && *direction != "max")
    return emitOpError("expects direction to be min or max, got ")
           << *direction;
  if (std::optional<StringRef> shuffle = getShuffle();
      shuffle && *shuffle != "per_run" && *shuffle != "shared" &&
      *shuffle != "none")
    return emitOpError("expects shuffle to be per_run, shared or none, got ")
           << *shuffle;
  // learner_c7
  if (getClipNorm() && !(getClipNorm()->convertToDouble() > 0.0))
    return emitOpError("expects a positive clip_norm, got ")
           << getClipNorm()->convertToDouble();
  return success();
}

LogicalResult LearnerOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto verifyFunction = [&](FlatSymbolRefAttr symbol) -> LogicalResult {
    // learner_c1
    if (!tables.lookupNearestSymbolFrom<func::FuncOp>(*this, symbol))
      return emitOpError("expects ")
             << symbol << " to be a function of the module";
    return success();
  };
  if (failed(verifyFunction(getInitAttr())) ||
      failed(verifyFunction(getLossAttr())) ||
      (getPredictAttr() && failed(verifyFunction(getPredictAttr()))))
    return failure();
  if (!getMetrics())
    return success();
  DictionaryAttr metrics = *getMetrics();
  for (NamedAttribute metric : metrics) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(metric.getValue());
    if (!symbol)
      return emitOpError("expects metric '")
             << metric.getName().strref() << "' to name a function, got "
             << metric.getValue();
    if (failed(verifyFunction(symbol)))
      return failure();
  }
  return success();
}
