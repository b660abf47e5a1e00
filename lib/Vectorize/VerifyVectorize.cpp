//===- VerifyVectorize.cpp - What holds after the phase Vectorize ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunIsolation.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Vectorize/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYVECTORIZE
#include "ensc/Vectorize/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct VerifyVectorize : ensc::impl::VerifyVectorizeBase<VerifyVectorize> {
  void runOnOperation() override;
};
} // namespace

/// What flows to a loop's body, out of it, out of a branch or to the caller
/// leads with the lanes if what it flows to does.
static LogicalResult verifyFlow(Operation *op, ValueRange from, ValueRange to,
                                const RunVarianceAnalysis &variance) {
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (variance.isVarying(source) != variance.isVarying(target))
      return op->emitOpError("passes a shared value of type ")
             << source.getType()
             << " on to one that differs between lanes; broadcast it";
  return success();
}

static LogicalResult verifyControl(Operation *op,
                                   const RunVarianceAnalysis &variance) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return success(succeeded(verifyFlow(op, loop.getInitArgs(),
                                        loop.getResults(), variance)) &&
                   succeeded(verifyFlow(op, loop.getYieldedValues(),
                                        loop.getResults(), variance)));
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && op->getNumResults() > 0)
    return success(succeeded(verifyFlow(op, branch.thenYield().getOperands(),
                                        branch.getResults(), variance)) &&
                   succeeded(verifyFlow(op, branch.elseYield().getOperands(),
                                        branch.getResults(), variance)));
  return success();
}

/// In both instances: no call, no ensemble, and nothing but one block.
static LogicalResult verifyBody(func::FuncOp function) {
  return failure(function
                     .walk([](Operation *op) {
                       if (!isa<EnsembleOp, CallOpInterface>(op))
                         return WalkResult::advance();
                       op->emitOpError(
                           "must be gone after the phase Vectorize");
                       return WalkResult::interrupt();
                     })
                     .wasInterrupted());
}

static LogicalResult verifyLanes(func::FuncOp function) {
  auto lanes = function->getAttrOfType<IntegerAttr>(lanesAttr);
  if (!lanes || (lanes.getInt() != 8 && lanes.getInt() != 16))
    return function.emitOpError("expects ens.lanes of a lanes instance to be 8 "
                                "or 16");
  RunVarianceAnalysis variance(function);
  for (BlockArgument argument : function.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType());
        variance.isVarying(argument) &&
        (!type || type.getRank() == 0 || type.getDimSize(0) != lanes.getInt()))
      return function.emitOpError("expects per-run argument ")
             << argument.getArgNumber() << " to lead with " << lanes.getInt()
             << ", got " << argument.getType();
  WalkResult walk = function.getBody().walk([&](Operation *op) {
    return WalkResult(
        failed(verifyRunIsolation(op, variance, lanes.getInt())) ||
                failed(verifyControl(op, variance))
            ? failure()
            : success());
  });
  if (walk.wasInterrupted())
    return failure();
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    if (variance.isVarying(value) ==
        static_cast<bool>(function.getResultAttr(index, uniformAttr)))
      return function.emitOpError("expects ens.uniform on result ")
             << index << " if and only if it is equal in all lanes";
  return success();
}

void VerifyVectorize::runOnOperation() {
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    auto instance = function->getAttrOfType<StringAttr>(instanceAttr);
    if (!instance ||
        (instance.getValue() != "solo" && instance.getValue() != "lanes")) {
      function.emitOpError("is neither a solo nor a lanes instance; run "
                           "ens-make-instances");
      return signalPassFailure();
    }
    if (failed(verifyBody(function)) ||
        (instance.getValue() == "lanes" && failed(verifyLanes(function))))
      return signalPassFailure();
  }
  if (failed(verifyLearners(getOperation())))
    signalPassFailure();
}
