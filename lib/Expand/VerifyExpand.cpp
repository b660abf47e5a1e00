//===- VerifyExpand.cpp - What holds after the phase Expand ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Expand/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYEXPAND
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static bool isComposite(Operation *op) {
  return isa<ReluOp, GeluOp, SoftplusOp, MeanOp, LogSumExpOp, SoftmaxOp,
             LogSoftmaxOp, SoftmaxCrossEntropyOp, MseOp, DropoutOp, UniformOp,
             NormalOp, HeNormalOp, HeUniformOp, GlorotNormalOp,
             GlorotUniformOp>(op);
}

static LogicalResult verify(Operation *op) {
  if (isComposite(op))
    return op->emitOpError(
        "is a composite, which has to be gone after the phase expand");
  if (isa<LearnerOp>(op))
    return op->emitOpError("has to be gone after the phase expand");
  if (auto bits = dyn_cast<RngBitsOp>(op); bits && !bits.getSiteAttr())
    return op->emitOpError(
        "has no site, which it has to have after the phase expand");
  return success();
}

namespace {
struct VerifyExpand : ensc::impl::VerifyExpandBase<VerifyExpand> {
  void runOnOperation() override {
    bool failed = mlir::failed(verifyLearners(getOperation()));
    getOperation().walk(
        [&](Operation *op) { failed |= mlir::failed(verify(op)); });
    if (failed)
      signalPassFailure();
  }
};
} // namespace
