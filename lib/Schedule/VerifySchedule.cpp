//===- VerifySchedule.cpp - What holds after the phase Schedule -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Schedule/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYSCHEDULE
#include "ensc/Schedule/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct VerifySchedule : ensc::impl::VerifyScheduleBase<VerifySchedule> {
  void runOnOperation() override {}
};
} // namespace
