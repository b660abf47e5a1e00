//===- VerifyLowerCPU.cpp - What holds after the phase Lower/CPU ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYLOWERCPU
#include "ensc/Lower/CPU/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct VerifyLowerCPU : ensc::impl::VerifyLowerCPUBase<VerifyLowerCPU> {
  void runOnOperation() override {}
};
} // namespace
