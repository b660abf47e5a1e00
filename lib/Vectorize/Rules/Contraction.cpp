//===- Contraction.cpp - Run rules of contractions ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// The runs are a batch dimension. The order of summation follows from the
/// contracted dimensions alone, so it is that of one run.
static void shiftDot(DotOp copy, int64_t) {
  copy.setLhsBatch(prependDim(0, shiftDims(copy.getLhsBatch())));
  copy.setRhsBatch(prependDim(0, shiftDims(copy.getRhsBatch())));
  copy.setLhsContract(shiftDims(copy.getLhsContract()));
  copy.setRhsContract(shiftDims(copy.getRhsContract()));
}

static void shiftReduce(ReduceOp copy, int64_t) {
  copy.setDims(shiftDims(copy.getDims()));
}

static void shiftArgReduce(ArgReduceOp copy, int64_t) {
  copy.setDim(copy.getDim() + 1);
}

void ensc::attachContractionRunRules(MLIRContext *context) {
  DotOp::attachInterface<ShiftedRule<DotOp, shiftDot>>(*context);
  ReduceOp::attachInterface<ShiftedRule<ReduceOp, shiftReduce>>(*context);
  ArgReduceOp::attachInterface<ShiftedRule<ArgReduceOp, shiftArgReduce>>(
      *context);
}
