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

InlineBudget::Size &InlineBudget::sizeOf(func::FuncOp function) {
  auto [entry, isNew] = sizes.try_emplace(function);
  Size &size = entry->second;
  if (isNew)
    function.walk([&](Operation *) { ++size.own; });
  return size;
}

LogicalResult InlineBudget::spend(Operation *user, func::FuncOp callee) {
  auto function = user->getParentOfType<func::FuncOp>();
  Size copied = sizeOf(callee);
  int64_t added = copied.own + copied.added;
  int64_t &growth = sizeOf(function).added;
  if (growth + added <= mostOps) {
    growth += added;
    return success();
  }
  // The callee may be a derivative of what the op names.
  return user->emitError("'")
         << user->getName() << "' of "
         << user->getAttrOfType<FlatSymbolRefAttr>("callee") << " stands for "
         << added << " ops, with which @" << function.getName()
         << " would grow by " << growth + added << "; at most " << mostOps
         << " are supported, so write what is repeated as a loop of scf.for";
}
