//===- Random.cpp - Run rules of randomness -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

void ensc::attachRandomRunRules(MLIRContext *context) {
  // The numbers of a run are a function of its own seed, step and offset, which
  // lead with the runs afterwards: each run draws what it would draw alone.
  RngBitsOp::attachInterface<ShiftedRule<RngBitsOp, shiftNothing<RngBitsOp>>>(
      *context);
  PermutationOp::attachInterface<
      ShiftedRule<PermutationOp, shiftNothing<PermutationOp>>>(*context);
  RunIdOp::attachInterface<ShiftedRule<RunIdOp, shiftNothing<RunIdOp>>>(
      *context);
}
