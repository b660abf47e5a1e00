//===- VerifyDifferentiate.cpp - What holds after the phase Differentiate -===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Differentiate/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYDIFFERENTIATE
#include "ensc/Differentiate/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct VerifyDifferentiate : ensc::impl::VerifyDifferentiateBase<VerifyDifferentiate> {
  void runOnOperation() override {}
};
} // namespace
