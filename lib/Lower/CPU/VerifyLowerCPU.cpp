//===- VerifyLowerCPU.cpp - What holds after the phase Lower/CPU ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYLOWERCPU
#include "ensc/Lower/CPU/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

/// Whether the op is one that a kernel may consist of.
static LogicalResult checkOp(Operation *op) {
  if (isa<ModuleOp>(op))
    return success();
  if (!isa<LLVM::LLVMDialect>(op->getDialect()))
    return op->emitOpError("is left after lowering: only the LLVM dialect may "
                           "be");
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
      function && function.isExternal())
    return op->emitOpError("is external: a kernel calls no library");
  return success();
}

namespace {
struct VerifyLowerCPU : ensc::impl::VerifyLowerCPUBase<VerifyLowerCPU> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      return failed(checkOp(op)) ? WalkResult::interrupt()
                                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
