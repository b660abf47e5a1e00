//===- Pipeline.cpp - The order of the phase Differentiate ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Differentiate/Passes.h"
#include "ensc/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ensc;

/// A branch that only chooses stays a branch: as a select on tensors with a
/// predicate outside of them it would be no op of the later phases.
static std::unique_ptr<Pass> createSimplification() {
  return createCanonicalizerPass(
      GreedyRewriteConfig(), /*disabledPatterns=*/
      {"(anonymous namespace)::ConvertTrivialIfToSelect"});
}

void ensc::buildDifferentiatePipeline(OpPassManager &passes,
                                      const PipelineOptions &options) {
  passes.addPass(createDifferentiateFunctions());
  // Reverse mode emits what might be needed, such as the value beside the
  // gradient: what nobody uses goes, and what two rules share becomes one.
  passes.addPass(createSimplification());
  passes.addPass(createCSEPass());
  passes.addPass(createSimplification());
  // Private functions have been inlined into those that used them.
  passes.addPass(createSymbolDCEPass());
  passes.addPass(createVerifyDifferentiate());
}
