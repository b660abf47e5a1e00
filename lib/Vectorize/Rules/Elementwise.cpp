//===- Elementwise.cpp - Run rules of elementwise ops ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

template <typename... Ops> static void attachTo(MLIRContext *context) {
  (Ops::template attachInterface<ShiftedRule<Ops, shiftNothing<Ops>>>(*context),
   ...);
}

void ensc::attachElementwiseRunRules(MLIRContext *context) {
  // Runs are one more dimension of corresponding elements: no op of the file
  // needs a rule of its own.
  attachTo<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsElementwise.cpp.inc"
      >(context);
}
