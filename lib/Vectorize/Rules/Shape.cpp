//===- Shape.cpp - Run rules of shape ops ---------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static void shiftBroadcast(BroadcastOp copy, int64_t) {
  copy.setDims(prependDim(0, shiftDims(copy.getDims())));
}

static void shiftTranspose(TransposeOp copy, int64_t) {
  copy.setPermutation(prependDim(0, shiftDims(copy.getPermutation())));
}

static void shiftReverse(ReverseOp copy, int64_t) {
  copy.setDims(shiftDims(copy.getDims()));
}

static void shiftSlice(SliceOp copy, int64_t runs) {
  copy.setStarts(prependDim(0, copy.getStarts()));
  copy.setLimits(prependDim(runs, copy.getLimits()));
  copy.setStrides(prependDim(1, copy.getStrides()));
}

static void shiftConcat(ConcatOp copy, int64_t) {
  copy.setDim(copy.getDim() + 1);
}

static void shiftPad(PadOp copy, int64_t) {
  copy.setLow(prependDim(0, copy.getLow()));
  copy.setHigh(prependDim(0, copy.getHigh()));
  copy.setInterior(prependDim(0, copy.getInterior()));
  copy.setBatchDims(copy.getBatchDims() + 1);
}

/// Each run has its own start.
template <typename OpTy> static void shiftBatchDims(OpTy copy, int64_t) {
  copy.setBatchDims(copy.getBatchDims() + 1);
}

void ensc::attachShapeRunRules(MLIRContext *context) {
  BroadcastOp::attachInterface<ShiftedRule<BroadcastOp, shiftBroadcast>>(
      *context);
  ReshapeOp::attachInterface<ShiftedRule<ReshapeOp, shiftNothing<ReshapeOp>>>(
      *context);
  TransposeOp::attachInterface<ShiftedRule<TransposeOp, shiftTranspose>>(
      *context);
  ReverseOp::attachInterface<ShiftedRule<ReverseOp, shiftReverse>>(*context);
  SliceOp::attachInterface<ShiftedRule<SliceOp, shiftSlice>>(*context);
  ConcatOp::attachInterface<ShiftedRule<ConcatOp, shiftConcat>>(*context);
  PadOp::attachInterface<ShiftedRule<PadOp, shiftPad>>(*context);
  DynamicSliceOp::attachInterface<
      ShiftedRule<DynamicSliceOp, shiftBatchDims<DynamicSliceOp>>>(*context);
  DynamicUpdateSliceOp::attachInterface<
      ShiftedRule<DynamicUpdateSliceOp, shiftBatchDims<DynamicUpdateSliceOp>>>(
      *context);
}
