//===- FillLearners.cpp - Sizes that a learner leaves open ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Parse/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_FILLLEARNERS
#include "ensc/Parse/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct FillLearners : ensc::impl::FillLearnersBase<FillLearners> {
  using FillLearnersBase::FillLearnersBase;

  void runOnOperation() override {
    for (auto learner : getOperation().getOps<LearnerOp>())
      if (failed(fill(learner)))
        return signalPassFailure();
  }

private:
  LogicalResult fill(LearnerOp learner) {
    int64_t batchSize = learner.findBatchSize();
    learner.setBatchSize(batchSize);
    if (!learner.getRowsAttr() && rows >= 0) {
      if (rows < batchSize)
        return learner.emitOpError("has a batch_size of ")
               << batchSize << ", but there are only " << rows.getValue()
               << " rows of training data";
      learner.setRows(rows);
    }
    if (!learner.getValidationRowsAttr() && validationRows >= 0)
      learner.setValidationRows(validationRows);
    if (shuffle.empty())
      return success();
    if (learner.getShuffle().value_or(shuffle.getValue()) != shuffle)
      return learner.emitOpError("says shuffle = \"")
             << *learner.getShuffle()
             << "\", but is compiled with --shuffle=" << shuffle.getValue()
             << "; leave out one of them";
    learner.setShuffle(StringRef(shuffle));
    return success();
  }
};
} // namespace
