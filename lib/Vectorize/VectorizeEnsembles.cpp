//===- VectorizeEnsembles.cpp - Ensembles of a user's program -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/InlineBudget.h"
#include "ensc/Vectorize/Passes.h"
#include "ensc/Vectorize/RunRules.h"
#include "ensc/Vectorize/RunVectorizer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace ensc {
#define GEN_PASS_DEF_VECTORIZEENSEMBLES
#include "ensc/Vectorize/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct VectorizeEnsembles
    : ensc::impl::VectorizeEnsemblesBase<VectorizeEnsembles> {
  void runOnOperation() override;
};

/// Remembers the ops whose meaning depends on which runs are meant.
struct RunOpCollector : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto runId = dyn_cast<RunIdOp>(op))
      runIds.push_back(runId);
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      broadcasts.push_back(broadcast);
  }

  SmallVector<RunIdOp> runIds;
  SmallVector<BroadcastOp> broadcasts;
};
} // namespace

/// The function called, if it holds no ensemble itself.
static func::FuncOp findReadyCallee(EnsembleOp ensemble) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      ensemble, ensemble.getCalleeAttr());
  bool nested = callee.walk([](EnsembleOp) { return WalkResult::interrupt(); })
                    .wasInterrupted();
  return nested ? nullptr : callee;
}

/// To the rest of the program the runs of an ensemble are a dimension like any
/// other, and their numbers are known.
static void forgetRuns(RunOpCollector &collector) {
  for (BroadcastOp broadcast : collector.broadcasts)
    broadcast.setRuns(false);
  for (RunIdOp runId : collector.runIds) {
    OpBuilder builder(runId);
    runId.replaceAllUsesWith(
        IotaOp::create(builder, runId.getLoc(), runId.getType(), /*dim=*/0)
            .getResult());
    runId.erase();
  }
}

static LogicalResult vectorizeEnsemble(EnsembleOp ensemble,
                                       func::FuncOp callee) {
  if (callee.isDeclaration())
    return ensemble.emitOpError("calls @")
           << callee.getName() << ", which has no body";
  llvm::BitVector perRun(callee.getNumArguments());
  for (auto [argument, varies] : llvm::enumerate(ensemble.getPerRun()))
    perRun[argument] = varies;
  RunVarianceAnalysis variance(callee, perRun);
  RunVectorizer vectorizer(variance, ensemble.getRuns());

  RunOpCollector collector;
  OpBuilder builder(ensemble, &collector);
  IRMapping mapping;
  mapping.map(callee.getArguments(), ensemble.getOperands());
  Block &body = callee.getBody().front();
  if (failed(vectorizer.vectorizeBlock(builder, body, mapping)))
    return failure();
  SmallVector<Value> results;
  for (Value returned : body.getTerminator()->getOperands())
    results.push_back(vectorizer.lookupVarying(builder, ensemble.getLoc(),
                                               returned, mapping));
  ensemble.replaceAllUsesWith(results);
  ensemble.erase();
  forgetRuns(collector);
  return success();
}

void VectorizeEnsembles::runOnOperation() {
  // Innermost first: an ensemble is ready once its function holds none.
  SmallVector<EnsembleOp> waiting;
  InlineBudget budget;
  getOperation().walk([&](EnsembleOp op) { waiting.push_back(op); });
  while (!waiting.empty()) {
    auto ready = llvm::find_if(waiting, [](EnsembleOp ensemble) {
      return findReadyCallee(ensemble) != nullptr;
    });
    if (ready == waiting.end()) {
      waiting.front().emitOpError("calls @")
          << waiting.front().getCallee()
          << ", which comes back to this ensemble; a function cannot contain "
             "an "
             "ensemble of itself";
      return signalPassFailure();
    }
    func::FuncOp callee = findReadyCallee(*ready);
    if (failed(budget.spend(*ready, callee)) ||
        failed(vectorizeEnsemble(*ready, callee)))
      return signalPassFailure();
    waiting.erase(ready);
  }
}
