//===- DifferentiateFunctions.cpp - Derivative ops to ordinary ops --------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivatives.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Differentiate/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ensc {
#define GEN_PASS_DEF_DIFFERENTIATEFUNCTIONS
#include "ensc/Differentiate/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;

namespace {
struct DifferentiateFunctions
    : ensc::impl::DifferentiateFunctionsBase<DifferentiateFunctions> {
  void runOnOperation() override {
    if (failed(Derivatives(getOperation()).resolveModule()))
      signalPassFailure();
  }
};
} // namespace
