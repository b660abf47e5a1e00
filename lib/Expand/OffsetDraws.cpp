//===- OffsetDraws.cpp - Other numbers in each iteration ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawOffsets.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Expand/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ensc {
#define GEN_PASS_DEF_OFFSETDRAWS
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct OffsetDraws : ensc::impl::OffsetDrawsBase<OffsetDraws> {
  using OffsetDrawsBase::OffsetDrawsBase;

  void runOnOperation() override {
    if (failed(addDrawOffsets(getOperation(), *batchEntries)))
      signalPassFailure();
  }
};
} // namespace
