//===- NumberSites.cpp - One site for each random op ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"
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
/// Inlines calls until every unnumbered random op stands where it is executed.
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
  void inlineCall(func::CallOp call, func::FuncOp callee);
  void eraseInlined();

  SymbolTableCollection tables;
  ModuleOp module;
  llvm::DenseMap<func::FuncOp, State> states;
  llvm::SetVector<func::FuncOp> inlined;
};
} // namespace

LogicalResult DrawInliner::visit(func::FuncOp function) {
  if (!states.try_emplace(function, State::Open).second)
    return success();
  bool draws = false;
  SmallVector<func::CallOp> calls;
  function.walk([&](Operation *op) {
    if (auto bits = dyn_cast<RngBitsOp>(op))
      draws |= !bits.getSiteAttr();
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.push_back(call);
  });
  for (func::CallOp call : calls)
    if (failed(visitCall(call, draws)))
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
    inlineCall(call, callee);
    draws = true;
  }
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
// Iterations
//===----------------------------------------------------------------------===//

/// The loops around `op`, outermost first.
static SmallVector<scf::ForOp> loopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.insert(loops.begin(), loop);
  return loops;
}

/// ceil((upper - lower) / step), at least 0.
static Value emitTrips(TensorBuilder &b, scf::ForOp loop) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value extent =
      arith::SubIOp::create(b, loop.getUpperBound(), loop.getLowerBound());
  Value positive = arith::MaxSIOp::create(b, extent, zero);
  Value rounding = arith::SubIOp::create(b, loop.getStep(), one);
  return arith::DivUIOp::create(b, arith::AddIOp::create(b, positive, rounding),
                                loop.getStep());
}

/// Gives a draw inside loops the number of its iteration. The trips of an inner
/// loop have to be the same whenever it is entered, or numbers would repeat.
static LogicalResult addOffset(RngBitsOp bits) {
  if (bits.getOffset())
    return success();
  if (auto loop = bits->getParentOfType<scf::WhileOp>())
    return loop.emitError("the iterations of '")
           << loop->getName() << "' have no number, so the random op at "
           << bits.getLoc()
           << " would repeat its numbers; write a loop with scf.for, or draw "
              "in advance and slice";
  SmallVector<scf::ForOp> loops = loopsAround(bits);
  if (loops.empty())
    return success();
  TensorBuilder b(bits.getLoc(), bits);
  Value count;
  for (scf::ForOp loop : loops) {
    Type counter = loop.getInductionVar().getType();
    if (!counter.isIndex())
      return loop.emitError("expected an index as the counter of a loop with "
                            "random ops, got ")
             << counter;
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (!loops.front().isDefinedOutsideOfLoop(bound))
        return loop.emitError("the number of iterations of this loop changes "
                              "with a loop around it, so the random op at ")
               << bits.getLoc()
               << " cannot be numbered; compute the bounds outside of all "
                  "loops, or draw in advance and slice";
    Value distance =
        arith::SubIOp::create(b, loop.getInductionVar(), loop.getLowerBound());
    Value iteration = arith::DivUIOp::create(b, distance, loop.getStep());
    if (count)
      iteration = arith::AddIOp::create(
          b, arith::MulIOp::create(b, count, emitTrips(b, loop)), iteration);
    count = iteration;
  }
  auto seedType = tensorTypeOf(bits.getSeed());
  bits.getOffsetMutable().assign(b.spread(b.fromIndex(count), seedType));
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static LogicalResult numberSites(ModuleOp module) {
  llvm::DenseSet<int64_t> taken;
  SmallVector<RngBitsOp> draws;
  module.walk([&](RngBitsOp bits) {
    if (bits.getSiteAttr())
      taken.insert(*bits.getSite());
    draws.push_back(bits);
  });
  int64_t next = 0;
  for (RngBitsOp bits : draws) {
    if (failed(addOffset(bits)))
      return failure();
    if (bits.getSiteAttr())
      continue;
    while (taken.contains(next))
      ++next;
    bits.setSite(next++);
  }
  return success();
}

namespace {
struct NumberSites : ensc::impl::NumberSitesBase<NumberSites> {
  void runOnOperation() override {
    if (failed(DrawInliner(getOperation()).run()) ||
        failed(numberSites(getOperation())))
      signalPassFailure();
  }
};
} // namespace
