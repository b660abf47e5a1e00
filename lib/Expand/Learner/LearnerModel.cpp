//===- LearnerModel.cpp - What a learner op says, resolved ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LearnerModel.h"

#include "ensc/Dialect/Ens/IR/HyperRange.h"
#include "ensc/Runtime/Names.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

std::string LearnerModel::symbol(StringRef suffix) const {
  return (LearnerOp(op).getSymName() + "." + suffix).str();
}

namespace {
/// Fills a LearnerModel from an op that verifies.
class ModelBuilder {
public:
  ModelBuilder(LearnerOp op, OwnRowCounts ownRows, WantedFunctions wanted)
      : op(op) {
    model.op = op;
    model.ownRows = ownRows;
    model.wanted = wanted;
  }

  FailureOr<LearnerModel> build();

private:
  func::FuncOp lookup(FlatSymbolRefAttr symbol);
  Ports extrasOf(func::FuncOp function, unsigned first);
  LearnerFunction resolve(StringRef name, FlatSymbolRefAttr symbol);
  void collectFunctions();
  void collectPorts();
  void collectRules();
  LogicalResult verifyNames();
  LogicalResult chooseSizes();
  LogicalResult verifyCounts(const Ports &data, int64_t rows);
  LogicalResult verifyOwnRows();
  LogicalResult chooseMonitor();

  LearnerOp op;
  LearnerModel model;
};
} // namespace

func::FuncOp ModelBuilder::lookup(FlatSymbolRefAttr symbol) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
}

/// The arguments of `function` from `first` on, with what they say.
Ports ModelBuilder::extrasOf(func::FuncOp function, unsigned first) {
  Ports ports;
  for (unsigned i = first; i < function.getNumArguments(); ++i)
    ports.push_back({function.getArgAttrOfType<StringAttr>(i, nameAttr),
                     function.getArgumentTypes()[i],
                     function.getArgAttrOfType<StringAttr>(i, roleAttr),
                     function.getArgAttrOfType<FloatAttr>(i, defaultAttr),
                     /*direction=*/"",
                     function.getArgAttrOfType<IntegerAttr>(i, classesAttr),
                     function.getArgAttrOfType<DictionaryAttr>(i, rangeAttr)});
  return ports;
}

LearnerFunction ModelBuilder::resolve(StringRef name,
                                      FlatSymbolRefAttr symbol) {
  func::FuncOp function = lookup(symbol);
  auto result = cast<RankedTensorType>(function.getResultTypes().front());
  auto direction = function->getAttrOfType<StringAttr>(directionAttr);
  StringRef better = direction        ? direction.getValue()
                     : name == "loss" ? "min"
                                      : "max";
  return {function, name.str(), result.getRank() == 1, better,
          extrasOf(function, model.params.size())};
}

void ModelBuilder::collectFunctions() {
  model.init = lookup(op.getInitAttr());
  for (auto [index, type] : llvm::enumerate(model.init.getResultTypes()))
    model.params.push_back(
        {model.init.getResultAttrOfType<StringAttr>(index, nameAttr), type,
         "param"});
  model.initHypers =
      llvm::filter_to_vector(extrasOf(model.init, 0), [](const Port &port) {
        return port.role == "hyper";
      });
  model.loss = resolve("loss", op.getLossAttr());
  model.scalar = cast<FloatType>(
      elementTypeOf(model.loss.function.getResultTypes().front()));
  for (NamedAttribute metric :
       op.getMetrics().value_or(DictionaryAttr::get(op.getContext())))
    model.metrics.push_back(resolve(
        metric.getName().strref(), cast<FlatSymbolRefAttr>(metric.getValue())));
  if (op.getPredictAttr())
    model.predict = lookup(op.getPredictAttr());
}

/// Appends the ports of `role` that are not in `ports` yet. Labels have to suit
/// all functions that take them.
static void appendNew(Ports &ports, const Ports &extras, StringRef role) {
  for (const Port &port : extras) {
    if (port.role != role)
      continue;
    auto known = llvm::find_if(
        ports, [&](const Port &other) { return other.name == port.name; });
    if (known == ports.end())
      ports.push_back(port);
    else if (port.classes && (!known->classes ||
                              port.classes.getInt() < known->classes.getInt()))
      known->classes = port.classes;
  }
}

void ModelBuilder::collectPorts() {
  appendNew(model.data, model.loss.extras, "data");
  appendNew(model.lossHypers, model.loss.extras, "hyper");
  model.validationData = model.data;
  model.functionHypers = model.lossHypers;
  for (const LearnerFunction &metric : model.metrics) {
    appendNew(model.validationData, metric.extras, "data");
    appendNew(model.functionHypers, metric.extras, "hyper");
  }
}

void ModelBuilder::collectRules() {
  MLIRContext *context = op.getContext();
  model.optimizer = createOptimizerRule(op.getOptimizer());
  for (StringRef leaf : model.optimizer->leaves())
    for (const Port &param : model.params)
      model.states.push_back(
          {StringAttr::get(context, leaf + "." + param.name.getValue()),
           param.type, "state"});

  SmallVector<RuleScalar> scalars = model.optimizer->scalars();
  llvm::append_range(scalars, scheduleScalars(op.getScheduleAttr()));
  if (op.getClipNorm())
    scalars.push_back({"clip_norm", op.getClipNorm()->convertToDouble()});
  for (const RuleScalar &scalar : scalars)
    model.ruleHypers.push_back(
        {StringAttr::get(context, scalar.name),
         RankedTensorType::get({}, model.scalar), "hyper",
         FloatAttr::get(Float64Type::get(context), scalar.value),
         /*direction=*/"", /*classes=*/{},
         writeRange(context, rangeOfScalar(scalar.name)), scalar.limit});
}

/// The generated functions have one name space for all their arguments, and the
/// columns of a table of runs have one for hyper-parameters and what else there
/// is to say of a run; so have the keys of a file with states.
LogicalResult ModelBuilder::verifyNames() {
  llvm::StringSet<> taken = {"seed",  "order_seed", "step",
                             "begin", "end",        "loss_sum"};
  if (model.ownRows.training)
    taken.insert("row_numbers");
  if (model.ownRows.validation)
    taken.insert("row_numbers_val");
  for (const Ports *ports : {&model.ruleHypers, &model.params, &model.states,
                             &model.validationData, &model.functionHypers})
    for (const Port &port : *ports)
      if (!taken.insert(port.name.getValue()).second)
        return op.emitOpError("cannot use the name '")
               << port.name.getValue() << "' for a " << port.role
               << ", since the learner has another input of that name; rename "
                  "it in the functions of the learner";
  for (const Ports *ports : {&model.functionHypers, &model.initHypers})
    for (const Port &port : *ports)
      if (isColumnOfRuns(port.name.getValue()))
        return op.emitOpError("cannot use the name '")
               << port.name.getValue()
               << "' for a hyper, since tables of runs have a column of that "
                  "name; rename it in the functions of the learner";
  for (const Port &port : llvm::concat<Port>(model.params, model.states))
    if (port.name == stackedRunsName)
      return op.emitOpError("cannot use the name '")
             << port.name.getValue() << "' for a " << port.role
             << ", since files with the states of several runs have their "
                "numbers under that name; rename it in the functions of the "
                "learner";
  return success();
}

/// A data set is a tensor of all its rows.
LogicalResult ModelBuilder::verifyCounts(const Ports &data, int64_t rows) {
  for (const Port &port : data) {
    auto batch = cast<RankedTensorType>(port.type);
    SmallVector<int64_t> shape(batch.getShape());
    shape[0] = rows;
    if (isCountable(batch.clone(shape)))
      continue;
    int64_t rowSize = batch.getNumElements() / model.batchSize;
    return op.emitOpError("has ")
           << rows << " rows of the data '" << port.name.getValue()
           << "', which has " << rowSize << " elements per row; at most "
           << (int64_t{1} << 40) / rowSize << " rows are supported";
  }
  return success();
}

/// Runs that train on rows of their own need data, and a batch of them.
LogicalResult ModelBuilder::verifyOwnRows() {
  if (!model.ownRows.training)
    return success();
  if (model.data.empty())
    return op.emitOpError("has no data of which a run could train on rows of "
                          "its own");
  if (model.ownRows.training < model.batchSize)
    return op.emitOpError("has a batch_size of ")
           << model.batchSize << ", but each run trains on only "
           << model.ownRows.training << " rows of its own";
  return success();
}

LogicalResult ModelBuilder::chooseSizes() {
  model.batchSize = op.findBatchSize();
  if (failed(verifyOwnRows()))
    return failure();
  std::optional<int64_t> rows;
  if (op.getRowsAttr())
    rows = op.getRowsAttr().getInt();
  // What reads none of the training data needs no number of their rows.
  bool isRead = (model.wanted.fit && !model.data.empty()) ||
                (model.wanted.evaluate && model.ownRows.validation);
  if (!rows && !isRead)
    rows = model.batchSize;
  if (!rows)
    return op.emitOpError("does not say how many rows the training data have; "
                          "add rows = N : i64, or compile with --rows=N");
  model.rows = *rows;
  model.validationRows =
      op.getValidationRowsAttr() ? op.getValidationRowsAttr().getInt() : 0;
  // Rows of the training data take the place of the validation data.
  if (model.ownRows.validation)
    model.validationRows = model.ownRows.validation;
  model.shuffle = op.getShuffle().value_or("per_run");
  if (failed(verifyCounts(model.data, model.rows)) ||
      failed(verifyCounts(model.validationData, model.evaluatedDataRows())))
    return failure();
  if (model.validationRows == 0 || model.validationRows >= model.batchSize)
    return success();
  auto needsBatches = [](const LearnerFunction &f) { return !f.isRowWise; };
  if (needsBatches(model.loss) || llvm::any_of(model.metrics, needsBatches))
    return op.emitOpError("has functions that return one scalar per batch of ")
           << model.batchSize << ", but only " << model.validationRows
           << " rows of validation data";
  return success();
}

/// By default the first metric of the validation data is watched, else the loss
/// on them, else that of the training.
LogicalResult ModelBuilder::chooseMonitor() {
  bool isValidated = model.validationRows > 0;
  std::string name = !isValidated            ? "loss"
                     : model.metrics.empty() ? "val_loss"
                                             : model.metrics.front().name;
  if (op.getMonitor())
    name = op.getMonitor()->str();
  model.monitor = name;
  StringRef base = name;
  if (name != "loss") {
    base.consume_front("val_");
    model.monitor = ("val_" + base).str();
  }
  if (model.monitor != "loss" && !isValidated)
    return op.emitOpError("watches ")
           << model.monitor << ", but there are no validation data; add "
           << "validation_rows = N : i64, or watch the loss";
  LearnerFunction *watched = &model.loss;
  for (LearnerFunction &metric : model.metrics)
    if (metric.name == base)
      watched = &metric;
  // A direction without a monitor is that of the metric watched by default.
  if (op.getDirection() && (op.getMonitor() || isValidated))
    watched->direction = *op.getDirection();
  model.direction = watched->direction;
  return success();
}

FailureOr<LearnerModel> ModelBuilder::build() {
  collectFunctions();
  collectPorts();
  collectRules();
  if (failed(verifyNames()) || failed(chooseSizes()) ||
      (model.wanted.fit && failed(chooseMonitor())))
    return failure();
  return std::move(model);
}

FailureOr<LearnerModel> ensc::buildLearnerModel(LearnerOp op,
                                                OwnRowCounts ownRows,
                                                WantedFunctions wanted) {
  return ModelBuilder(op, ownRows, wanted).build();
}
