//===- InlineBudget.cpp - How far inlining may grow functions -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/InlineBudget.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

int64_t &InlineBudget::sizeOf(func::FuncOp function) {
  auto [entry, isNew] = sizes.try_emplace(function, 0);
  if (isNew)
    function.walk([&](Operation *) { ++entry->second; });
  return entry->second;
}

LogicalResult InlineBudget::spend(Operation *user, func::FuncOp callee) {
  auto function = user->getParentOfType<func::FuncOp>();
  int64_t added = sizeOf(callee);
  int64_t &size = sizeOf(function);
  if (size + added <= mostOps) {
    size += added;
    return success();
  }
  // The callee may be a derivative of what the op names.
  return user->emitError("'")
         << user->getName() << "' of "
         << user->getAttrOfType<FlatSymbolRefAttr>("callee") << " stands for "
         << added << " ops, with which @" << function.getName()
         << " would have " << size + added << "; at most " << mostOps
         << " are supported, so write what is repeated as a loop of scf.for";
}
