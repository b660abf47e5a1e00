//===- Indexing.cpp - Run rules of access by index ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

template <typename OpTy> static void shiftAxis(OpTy copy, int64_t) {
  copy.setAxis(copy.getAxis() + 1);
  copy.setBatchDims(copy.getBatchDims() + 1);
}

namespace {
/// Rows of one shared tensor at indices of each run are what a training step
/// reads of its data: the tensor must not be repeated per run. The result leads
/// with what the indices lead with, provided that nothing precedes it.
struct GatherRule
    : RunVectorizableOpInterface::ExternalModel<GatherRule, GatherOp> {
  LogicalResult vectorizeOverRuns(Operation *op, OpBuilder &builder,
                                  ArrayRef<Value> operands,
                                  const llvm::BitVector &varying, int64_t runs,
                                  SmallVectorImpl<Value> &results) const {
    auto gather = cast<GatherOp>(op);
    bool sharedRows = !varying[0] && gather.getAxis() == 0;
    if (!sharedRows)
      return ShiftedRule<GatherOp, shiftAxis<GatherOp>>().vectorizeOverRuns(
          op, builder, operands, varying, runs, results);
    IRMapping mapping;
    mapping.map(op->getOperands(), operands);
    OpResult rows = builder.clone(*op, mapping)->getResult(0);
    rows.setType(typeForRuns(rows.getType(), runs));
    results.push_back(rows);
    return success();
  }
};
} // namespace

void ensc::attachIndexingRunRules(MLIRContext *context) {
  GatherOp::attachInterface<GatherRule>(*context);
  ScatterOp::attachInterface<ShiftedRule<ScatterOp, shiftAxis<ScatterOp>>>(
      *context);
}
