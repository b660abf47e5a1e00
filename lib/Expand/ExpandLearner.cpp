//===- ExpandLearner.cpp - Learners to the functions that train them ------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Learner/Emitters.h"
#include "ensc/Expand/Passes.h"
#include "ensc/Runtime/Suggest.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/SetVector.h"

namespace ensc {
#define GEN_PASS_DEF_EXPANDLEARNER
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// What the runtime has to know about a learner beside its functions.
static DictionaryAttr describe(const LearnerModel &model) {
  Builder b(model.loc().getContext());
  auto names = [&](const Ports &ports) -> Attribute {
    return b.getArrayAttr(llvm::map_to_vector(
        ports, [](const Port &port) -> Attribute { return port.name; }));
  };
  auto metric = [&](const LearnerFunction &function) -> Attribute {
    return b.getDictionaryAttr(
        {b.getNamedAttr("name", b.getStringAttr("val_" + function.name)),
         b.getNamedAttr("direction", b.getStringAttr(function.direction))});
  };
  SmallVector<Attribute> metrics;
  if (model.validationRows > 0) {
    metrics.push_back(metric(model.loss));
    llvm::append_range(metrics, llvm::map_range(model.metrics, metric));
  }
  return b.getDictionaryAttr(
      {b.getNamedAttr("name", LearnerOp(model.op).getSymNameAttr()),
       b.getNamedAttr("batch_size", b.getI64IntegerAttr(model.batchSize)),
       b.getNamedAttr("rows", b.getI64IntegerAttr(model.rows)),
       b.getNamedAttr("steps_per_epoch",
                      b.getI64IntegerAttr(model.stepsPerEpoch())),
       b.getNamedAttr("validation_rows",
                      b.getI64IntegerAttr(model.validationRows)),
       b.getNamedAttr("metrics", b.getArrayAttr(metrics)),
       b.getNamedAttr("monitor", b.getStringAttr(model.monitor)),
       b.getNamedAttr("direction", b.getStringAttr(model.direction)),
       b.getNamedAttr("shuffle", b.getStringAttr(model.shuffle)),
       b.getNamedAttr("params", names(model.params)),
       b.getNamedAttr("states", names(model.states))});
}

/// The functions that the learner names and those that they use in turn.
static llvm::SetVector<func::FuncOp> functionsOf(const LearnerModel &model) {
  llvm::SetVector<func::FuncOp> functions;
  functions.insert(model.init);
  functions.insert(model.loss.function);
  for (const LearnerFunction &metric : model.metrics)
    functions.insert(metric.function);
  if (model.predict)
    functions.insert(model.predict);
  auto module = ens::LearnerOp(model.op)->getParentOfType<ModuleOp>();
  for (size_t next = 0; next < functions.size(); ++next) {
    func::FuncOp function = functions[next];
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(function.getOperation());
    for (const SymbolTable::SymbolUse &use : *uses)
      if (auto used = module.lookupSymbol<func::FuncOp>(
              use.getSymbolRef().getLeafReference()))
        functions.insert(used);
  }
  return functions;
}

/// Emits the functions of a learner that are wanted where the op stands.
static void emitFunctions(const LearnerModel &model) {
  OpBuilder module(model.op);
  emitInit(model, module);
  if (model.wanted.fit) {
    func::FuncOp objective = emitObjective(model, module);
    emitFit(model, module, emitStep(model, module, objective));
  }
  if (model.wanted.evaluate && model.validationRows > 0)
    emitEvaluate(model, module);
  if (model.predict)
    emitPredict(model, module);
}

namespace {
struct ExpandLearner : ensc::impl::ExpandLearnerBase<ExpandLearner> {
  using ExpandLearnerBase::ExpandLearnerBase;

  void runOnOperation() override {
    SmallVector<Attribute> descriptions;
    if (failed(verifyEntries()))
      return signalPassFailure();
    for (auto op :
         llvm::make_early_inc_range(getOperation().getOps<LearnerOp>()))
      if (failed(expand(op, descriptions)))
        return signalPassFailure();
    if (!descriptions.empty())
      getOperation()->setAttr(learnersAttr,
                              ArrayAttr::get(&getContext(), descriptions));
  }

private:
  LogicalResult expand(LearnerOp op, SmallVectorImpl<Attribute> &descriptions) {
    if (!isUsed(op)) {
      op.erase();
      return success();
    }
    FailureOr<LearnerModel> model =
        buildLearnerModel(op, {ownRows, ownValidationRows},
                          {isWanted(op, "fit"), isWanted(op, "evaluate")});
    if (failed(model))
      return failure();
    if (!entries.empty() && model->wanted.evaluate &&
        model->validationRows == 0)
      return op.emitOpError("has no validation data to evaluate; add "
                            "validation_rows = N : i64, or compile with "
                            "--validation-rows=N");
    emitFunctions(*model);
    if (model->wanted.fit)
      descriptions.push_back(describe(*model));
    // The parts of a learner are no programs of their own.
    for (func::FuncOp function : functionsOf(*model))
      if (!llvm::is_contained(entries, function.getName()))
        function.setPrivate();
    op.erase();
    return success();
  }

  /// The functions that can be entries: while those of learners are expanded,
  /// the parts of learners become private.
  std::vector<std::string> listFunctions() {
    std::vector<std::string> names;
    for (Operation &op : getOperation().getOps()) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        if (function.isPublic())
          names.push_back(function.getName().str());
      auto learner = dyn_cast<LearnerOp>(op);
      for (StringRef function : {"init", "fit", "evaluate", "predict"})
        if (learner && (function != "predict" || learner.getPredictAttr()))
          names.push_back((learner.getSymName() + "." + function).str());
    }
    return names;
  }

  LogicalResult verifyEntries() {
    std::vector<std::string> names = listFunctions();
    for (const std::string &entry : entries)
      if (!llvm::is_contained(names, entry))
        return getOperation().emitError("the program has no public function '")
               << entry << "' to compile" << suggest(entry, names);
    return success();
  }

  /// Whether one of the entries belongs to a learner.
  bool isUsed(LearnerOp op) const {
    std::string prefix = (op.getSymName() + ".").str();
    return entries.empty() || llvm::any_of(entries, [&](StringRef entry) {
             return entry.starts_with(prefix);
           });
  }

  /// Whether one of the functions of a learner is to be compiled.
  bool isWanted(LearnerOp op, StringRef function) const {
    std::string name = (op.getSymName() + "." + function).str();
    return entries.empty() || llvm::is_contained(entries, name);
  }
};
} // namespace
