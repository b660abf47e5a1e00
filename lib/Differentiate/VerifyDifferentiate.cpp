//===- VerifyDifferentiate.cpp - What holds after the phase Differentiate -===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Differentiate/Passes.h"
#include "ensc/Differentiate/Rules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYDIFFERENTIATE
#include "ensc/Differentiate/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

static LogicalResult verifyOp(Operation *op) {
  if (isa<func::CallOp>(op))
    return op->emitOpError("is left after differentiation: calls are inlined "
                           "by ens-differentiate-functions");
  if (op->getName().getDialectNamespace() == "ens" && !isCoreOp(op->getName()))
    return op->emitOpError("is not a core op, as every op is after "
                           "differentiation");
  return success();
}

namespace {
struct VerifyDifferentiate
    : ensc::impl::VerifyDifferentiateBase<VerifyDifferentiate> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      return failed(verifyOp(op)) ? WalkResult::interrupt()
                                  : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(ens::verifyLearners(getOperation())))
      signalPassFailure();
  }
};
} // namespace
