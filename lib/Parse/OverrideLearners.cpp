//===- OverrideLearners.cpp - Parts of a learner chosen outside it --------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserErrors.h"
#include "ResizeBatches.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Parse/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

namespace ensc {
#define GEN_PASS_DEF_OVERRIDELEARNERS
#include "ensc/Parse/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// The learning rate of an optimizer as text that reads back to the same bits.
static std::string learningRateOf(Attribute optimizer) {
  APFloat rate = llvm::TypeSwitch<Attribute, APFloat>(optimizer)
                     .Case<SgdAttr, MomentumAttr, AdamAttr, AdamWAttr>(
                         [](auto rule) { return rule.getLr(); });
  std::string text;
  llvm::raw_string_ostream os(text);
  FloatAttr::get(Float64Type::get(optimizer.getContext()), rate)
      .print(os, /*elideType=*/true);
  return text;
}

/// Parses what stands behind "#ens.", or says at the learner what is wrong.
static Attribute parseOptimizer(LearnerOp learner, StringRef text) {
  std::string full = "#ens." + text.str();
  // An optimizer alone keeps the learning rate.
  if (!text.contains('<'))
    full += "<lr = " + learningRateOf(learner.getOptimizer()) + ">";
  std::string problem;
  Attribute optimizer;
  {
    ScopedDiagnosticHandler handler(
        learner.getContext(), [&](Diagnostic &diagnostic) {
          if (problem.empty())
            problem =
                explainParserErrors(diagnostic.str(), *learner.getContext());
          return success();
        });
    optimizer = parseAttribute(full, learner.getContext());
  }
  if (!optimizer)
    learner.emitOpError("cannot be trained by the optimizer '")
        << text << "': " << problem
        << "; write it as in \"adam\" or \"sgd<lr = 0.1>\"";
  return optimizer;
}

namespace {
struct OverrideLearners : ensc::impl::OverrideLearnersBase<OverrideLearners> {
  using OverrideLearnersBase::OverrideLearnersBase;

  void runOnOperation() override {
    for (auto learner : getOperation().getOps<LearnerOp>())
      if (failed(apply(learner)))
        return signalPassFailure();
  }

private:
  LogicalResult apply(LearnerOp learner) {
    if (!optimizer.empty()) {
      Attribute parsed = parseOptimizer(learner, optimizer);
      if (!parsed)
        return failure();
      learner.setOptimizerAttr(parsed);
    }
    if (batchSize == 0)
      return success();
    if (batchSize < 0)
      return learner.emitOpError("expects a positive batch_size, got ")
             << batchSize.getValue();
    return resizeBatches(learner, batchSize);
  }
};
} // namespace
