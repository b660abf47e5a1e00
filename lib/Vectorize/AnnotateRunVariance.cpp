//===- AnnotateRunVariance.cpp - Shows what differs between runs ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Vectorize/Passes.h"
#include "ensc/Vectorize/RunVarianceAnalysis.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace ensc {
#define GEN_PASS_DEF_ANNOTATERUNVARIANCE
#include "ensc/Vectorize/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct AnnotateRunVariance
    : ensc::impl::AnnotateRunVarianceBase<AnnotateRunVariance> {
  void runOnOperation() override {
    RunVarianceAnalysis variance(getOperation());
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() == 0)
        return;
      SmallVector<bool> bits =
          llvm::map_to_vector(op->getResults(), [&](Value result) {
            return variance.isVarying(result);
          });
      op->setAttr("ens.varying", DenseBoolArrayAttr::get(&getContext(), bits));
    });
  }
};
} // namespace
