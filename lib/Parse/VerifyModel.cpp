//===- VerifyModel.cpp - What holds after the phase Parse -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Parse/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYMODEL
#include "ensc/Parse/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct VerifyModel : ensc::impl::VerifyModelBase<VerifyModel> {
  void runOnOperation() override {}
};
} // namespace
