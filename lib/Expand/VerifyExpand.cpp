//===- VerifyExpand.cpp - What holds after the phase Expand ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Expand/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYEXPAND
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct VerifyExpand : ensc::impl::VerifyExpandBase<VerifyExpand> {
  void runOnOperation() override {}
};
} // namespace
