//===- RunIsolation.cpp - No op mixes runs --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunIsolation.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static bool leadsWith(Value value, int64_t lanes) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 0 && type.getDimSize(0) == lanes;
}

static bool startsWithZero(ArrayRef<int64_t> dims) {
  return !dims.empty() && dims.front() == 0;
}

/// Whether an op all of whose operands lead with the lanes keeps lanes apart.
static bool keepsLanesApart(Operation *op, int64_t lanes) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](BroadcastOp op) { return startsWithZero(op.getDims()); })
      .Case([](TransposeOp op) { return startsWithZero(op.getPermutation()); })
      .Case([](ReverseOp op) { return !startsWithZero(op.getDims()); })
      .Case([&](SliceOp op) {
        return op.getStarts().front() == 0 && op.getLimits().front() == lanes &&
               op.getStrides().front() == 1;
      })
      .Case([](ConcatOp op) { return op.getDim() != 0; })
      .Case([](ReduceOp op) { return !startsWithZero(op.getDims()); })
      .Case([](ArgReduceOp op) { return op.getDim() != 0; })
      .Case([](DotOp op) {
        return startsWithZero(op.getLhsBatch()) &&
               startsWithZero(op.getRhsBatch());
      })
      .Case<PadOp, DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp>(
          [](auto op) { return op.getBatchDims() > 0; })
      .Default([](Operation *) { return true; });
}

/// Whether `op` takes uniform and varying operands as they come.
static bool mayMixOperands(Operation *op) {
  // Rows of a shared tensor at indices of each lane.
  if (auto gather = dyn_cast<GatherOp>(op))
    return gather.getAxis() == 0;
  return op->getNumRegions() > 0;
}

LogicalResult ensc::verifyRunIsolation(Operation *op,
                                       const RunVarianceAnalysis &variance,
                                       int64_t lanes) {
  auto varies = [&](Value value) { return variance.isVarying(value); };
  for (Value result : op->getResults())
    if (varies(result) && !leadsWith(result, lanes))
      return op->emitOpError("gives a value that differs between lanes, but ")
             << result.getType() << " does not lead with " << lanes;
  if (llvm::none_of(op->getOperands(), varies) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return success();

  bool all = llvm::all_of(op->getOperands(), varies);
  if (!all && mayMixOperands(op))
    return success();
  if (!all)
    return op->emitOpError("mixes values that differ between lanes with shared "
                           "ones; broadcast those to the lanes");
  if (!keepsLanesApart(op, lanes))
    return op->emitOpError(
        "mixes lanes: the first dimension of its operands is "
        "not that of its result");
  return success();
}
