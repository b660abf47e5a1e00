//===- Flops.cpp - What the contractions of a step cost -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flops.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static int64_t loopDepth(Operation *op) {
  int64_t depth = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++depth;
  return depth;
}

static int64_t flopsOf(ContractOp contract, int64_t lanes) {
  int64_t products = 1;
  for (int64_t extent : contract.getDomain())
    products *= extent;
  for (int64_t extent : contract.getOver())
    products *= extent;
  return 2 * products / (contract.getLanes() ? lanes : 1);
}

int64_t schedule::countFlopsPerStep(func::FuncOp entry, int64_t lanes) {
  int64_t deepest = 0, flops = 0;
  entry.walk([&](ContractOp contract) {
    int64_t depth = loopDepth(contract);
    if (depth < deepest)
      return;
    // Only what the innermost loop holds is a step.
    flops = (depth == deepest ? flops : 0) + flopsOf(contract, lanes);
    deepest = depth;
  });
  return flops;
}
