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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Rewrite/PatternApplicator.h"
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

/// Loops and branches become blocks, the last ones first: what follows an op in
/// its block moves to a new one, and so moves once only. A conversion would
/// move it once for each loop before it, op by op.
static LogicalResult convertLoops(LLVM::LLVMFuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  SmallVector<Operation *> structured;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op))
      structured.push_back(op);
  });
  PatternRewriter rewriter(kernel.getContext());
  for (Operation *op : llvm::reverse(structured)) {
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return failure();
  }
  return success();
}

void ConvertKernels::runOnOperation() {
  if (failed(convertLoops(getOperation())))
    return signalPassFailure();
  LLVMTypeConverter types(&getContext());
  RewritePatternSet patterns(&getContext());
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
