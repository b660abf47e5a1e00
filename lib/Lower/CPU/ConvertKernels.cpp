//===- ConvertKernels.cpp - Loops and arithmetic to the LLVM dialect ------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace ensc {
#define GEN_PASS_DEF_CONVERTKERNELS
#include "ensc/Lower/CPU/Passes.h.inc"
} // namespace ensc

using namespace mlir;

namespace {
struct ConvertKernels : ensc::impl::ConvertKernelsBase<ConvertKernels> {
  void runOnOperation() override;
};
} // namespace

/// Puts the predecessors of each block in the order that reading the function
/// from text gives, which translation to LLVM IR follows.
static void orderPredecessors(LLVM::LLVMFuncOp kernel) {
  for (Block &block : kernel.getBody())
    for (BlockOperand &successor : block.getTerminator()->getBlockOperands())
      successor.set(successor.get());
}

void ConvertKernels::runOnOperation() {
  LLVMTypeConverter types(&getContext());
  RewritePatternSet patterns(&getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  // Of a loop's number of iterations.
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  ConversionTarget target(getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  // A conversion for each dialect, each of which could be undone, takes three
  // times as long.
  ConversionConfig config;
  config.allowPatternRollback = false;
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyFullConversion(getOperation(), target, std::move(patterns),
                                 config)))
    return signalPassFailure();
  orderPredecessors(getOperation());
}
