//===- NumberSites.cpp - One site for each random op ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawOffsets.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/InlineBudget.h"
#include "ensc/Expand/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ensc {
#define GEN_PASS_DEF_NUMBERSITES
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

//===----------------------------------------------------------------------===//
// Calls of functions that draw
//===----------------------------------------------------------------------===//

namespace {
/// Inlines calls until every unnumbered random op, and every op that applies a
/// function that has one, stands where it is executed.
class DrawInliner {
public:
  explicit DrawInliner(ModuleOp module) : tables(), module(module) {}

  LogicalResult run() {
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(visit(function)))
        return failure();
    eraseInlined();
    return success();
  }

private:
  enum class State { Open, Plain, Draws };

  LogicalResult visit(func::FuncOp function);
  LogicalResult visitCall(func::CallOp call, bool &draws);
  LogicalResult visitApplication(Operation *op, bool &draws);
  void inlineCall(func::CallOp call, func::FuncOp callee);
  void eraseInlined();

  SymbolTableCollection tables;
  ModuleOp module;
  llvm::DenseMap<func::FuncOp, State> states;
  llvm::SetVector<func::FuncOp> inlined;
  InlineBudget budget;
};
} // namespace

LogicalResult DrawInliner::visit(func::FuncOp function) {
  if (!states.try_emplace(function, State::Open).second)
    return success();
  bool draws = false;
  SmallVector<func::CallOp> calls;
  SmallVector<Operation *> applications;
  function.walk([&](Operation *op) {
    if (auto bits = dyn_cast<RngBitsOp>(op))
      draws |= !bits.getSiteAttr();
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.push_back(call);
    if (appliedFunction(op))
      applications.push_back(op);
  });
  for (func::CallOp call : calls)
    if (failed(visitCall(call, draws)))
      return failure();
  for (Operation *op : applications)
    if (failed(visitApplication(op, draws)))
      return failure();
  states[function] = draws ? State::Draws : State::Plain;
  return success();
}

LogicalResult DrawInliner::visitCall(func::CallOp call, bool &draws) {
  auto callee =
      tables.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return success();
  if (failed(visit(callee)))
    return failure();
  if (states[callee] == State::Open)
    return call.emitError("the call of @")
           << callee.getName()
           << " is recursive; write a loop with scf.for instead";
  if (states[callee] == State::Draws) {
    if (failed(budget.spend(call, callee)))
      return failure();
    inlineCall(call, callee);
    draws = true;
  }
  return success();
}

/// A function that is applied is not inlined, but draws where it is applied.
LogicalResult DrawInliner::visitApplication(Operation *op, bool &draws) {
  auto callee =
      tables.lookupNearestSymbolFrom<func::FuncOp>(op, appliedFunction(op));
  if (!callee || callee.isExternal())
    return success();
  if (failed(visit(callee)))
    return failure();
  draws |= states[callee] == State::Draws;
  return success();
}

void DrawInliner::inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  call.erase();
  inlined.insert(callee);
}

/// Private functions that are inlined everywhere must not use up sites.
void DrawInliner::eraseInlined() {
  for (func::FuncOp function : llvm::reverse(inlined))
    if (function.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(function.getNameAttr(), module))
      function.erase();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static void numberSites(ModuleOp module) {
  llvm::DenseSet<int64_t> taken;
  SmallVector<RngBitsOp> draws;
  module.walk([&](RngBitsOp bits) {
    if (bits.getSiteAttr())
      taken.insert(*bits.getSite());
    draws.push_back(bits);
  });
  int64_t next = 0;
  for (RngBitsOp bits : draws) {
    if (bits.getSiteAttr())
      continue;
    while (taken.contains(next))
      ++next;
    bits.setSite(next++);
  }
}

namespace {
struct NumberSites : ensc::impl::NumberSitesBase<NumberSites> {
  void runOnOperation() override {
    if (failed(DrawInliner(getOperation()).run()))
      return signalPassFailure();
    numberSites(getOperation());
  }
};
} // namespace
