//===- VerifyLowerCPU.cpp - What holds after the phase Lower/CPU ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Lower/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Value.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYLOWERCPU
#include "ensc/Lower/CPU/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

/// A kernel is complete, and the headers of libraries can declare it.
static LogicalResult checkFunction(LLVM::LLVMFuncOp function) {
  if (function.isExternal())
    return function.emitOpError("is external: a kernel calls no library");
  StringRef name = function.getSymName();
  bool isIdentifier =
      !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return function.emitOpError("has a name that is no identifier of C");
  return function->hasAttr(ens::entryAttr) ? ens::verifyEntry(function)
                                           : success();
}

/// The dialect takes any number, LLVM does not.
static LogicalResult checkAlignment(Operation *op) {
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  if (!alignment)
    return success();
  constexpr uint64_t most = llvm::Value::MaximumAlignment;
  uint64_t bytes = alignment.getInt();
  if (llvm::isPowerOf2_64(bytes) && bytes <= most)
    return success();
  return op->emitOpError("expects a power of 2 that is at most ")
         << most << " as alignment, got " << alignment.getInt();
}

/// Whether the op is one that a kernel may consist of.
static LogicalResult checkOp(Operation *op) {
  if (isa<ModuleOp>(op))
    return success();
  if (!isa<LLVM::LLVMDialect>(op->getDialect()))
    return op->emitOpError("is left after lowering: only the LLVM dialect may "
                           "be");
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return checkFunction(function);
  return checkAlignment(op);
}

namespace {
struct VerifyLowerCPU : ensc::impl::VerifyLowerCPUBase<VerifyLowerCPU> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      return failed(checkOp(op)) ? WalkResult::interrupt()
                                 : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(ens::verifyLearners(getOperation())))
      signalPassFailure();
  }
};
} // namespace
