//===- VerifyVectorize.cpp - What holds after the phase Vectorize ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Vectorize/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYVECTORIZE
#include "ensc/Vectorize/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct VerifyVectorize : ensc::impl::VerifyVectorizeBase<VerifyVectorize> {
  void runOnOperation() override {}
};
} // namespace
