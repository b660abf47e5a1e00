//===- LowerComposites.cpp - Composites to core ops -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composites/Composites.h"
#include "ensc/Expand/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ensc {
#define GEN_PASS_DEF_LOWERCOMPOSITES
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct LowerComposites : ensc::impl::LowerCompositesBase<LowerComposites> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateActivationPatterns(patterns);
    populateReductionPatterns(patterns);
    populateLossPatterns(patterns);
    populateRandomPatterns(patterns);
    // One walk is enough, since no pattern emits a composite; folding would
    // only blur what a composite stands for.
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
