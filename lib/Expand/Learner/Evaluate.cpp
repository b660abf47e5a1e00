//===- Evaluate.cpp - Metrics of the validation data ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DrawOffsets.h"
#include "Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// Emits `evaluate`, on the validation data or on rows of the training data
/// that the run has for itself. Functions with one value per row see every row:
/// the last batch is filled by repeating row 0, whose values are then left out.
/// Functions with one value per batch see the full batches.
class EvaluateEmitter {
public:
  EvaluateEmitter(const LearnerModel &model, OpBuilder &module)
      : model(model), rows(model.validationRows), batchSize(model.batchSize),
        whole(withRows(model.validationData, model.evaluatedDataRows(),
                       model.ownRows.validation ? "" : "_val")),
        emitter(module, model.loc(), model.symbol("evaluate"),
                arguments(module.getContext())) {
    functions.push_back(&model.loss);
    for (const LearnerFunction &metric : model.metrics)
      functions.push_back(&metric);
  }

  func::FuncOp emit();

private:
  Ports arguments(MLIRContext *context) const;
  bool takes(StringRef role) const;
  void emitLoop(bool isRowWise);
  Bindings emitBatch(TensorBuilder &b, Value first);
  Value emitRowNumbers(TensorBuilder &b, Value first);

  RankedTensorType accumulatorType(const LearnerFunction &function) const;
  Value accumulate(TensorBuilder &b, const LearnerFunction &function,
                   Value accumulator, Value value, Value first);
  Value emitMean(const LearnerFunction &function, Value accumulator);

  /// Batches that cover all rows.
  int64_t batches() const { return (rows + batchSize - 1) / batchSize; }

  const LearnerModel &model;
  int64_t rows, batchSize;
  SmallVector<const LearnerFunction *> functions;
  Ports whole; ///< the data sets
  FunctionEmitter emitter;
  llvm::StringMap<Value> means;
};
} // namespace

bool EvaluateEmitter::takes(StringRef role) const {
  auto takesRole = [&](const LearnerFunction &function) {
    return llvm::any_of(function.extras,
                        [&](const Port &port) { return port.role == role; });
  };
  return takesRole(model.loss) || llvm::any_of(model.metrics, takesRole);
}

Ports EvaluateEmitter::arguments(MLIRContext *context) const {
  Ports ports = concat({&model.params, &whole, &model.functionHypers});
  if (takes("seed"))
    ports.push_back(seedPort(context));
  if (takes("step"))
    ports.push_back(stepPort(context));
  if (model.ownRows.validation)
    ports.push_back(rowNumbersPort(context, "row_numbers_val",
                                   model.ownRows.validation, model.rows));
  return ports;
}

func::FuncOp EvaluateEmitter::emit() {
  emitLoop(/*isRowWise=*/true);
  emitLoop(/*isRowWise=*/false);
  SmallVector<Value> results;
  Ports ports;
  for (const LearnerFunction *function : functions) {
    results.push_back(means.lookup(function->name));
    ports.push_back(
        {StringAttr::get(results.back().getContext(), "val_" + function->name),
         results.back().getType(),
         "",
         {},
         function->direction});
  }
  return emitter.finish(results, ports);
}

/// Evaluates all functions of one kind, batch by batch.
void EvaluateEmitter::emitLoop(bool isRowWise) {
  auto some = llvm::filter_to_vector(functions, [&](const auto *function) {
    return function->isRowWise == isRowWise;
  });
  if (some.empty())
    return;
  TensorBuilder &b = emitter.builder();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value count = arith::ConstantIndexOp::create(b, isRowWise ? batches()
                                                            : rows / batchSize);
  SmallVector<Value> init;
  for (const LearnerFunction *function : some)
    init.push_back(b.splat(accumulatorType(*function), 0.0));

  auto emitBody = [&](OpBuilder &nested, Location loc, Value index,
                      ValueRange carried) {
    TensorBuilder inner(loc, nested);
    Value size = arith::ConstantIndexOp::create(inner, batchSize);
    Value first = inner.fromIndex(arith::MulIOp::create(inner, index, size));
    Bindings batch = emitBatch(inner, first);
    SmallVector<Value> next;
    for (auto [function, accumulator] : llvm::zip_equal(some, carried)) {
      Value value =
          emitCall(inner, *function, emitter.arguments(model.params), batch);
      // All batches have the same step.
      value.getDefiningOp()->setAttr(drawsAnewAttr, inner.getUnitAttr());
      next.push_back(accumulate(inner, *function, accumulator, value, first));
    }
    scf::YieldOp::create(inner, next);
  };
  auto loop = scf::ForOp::create(b, zero, count, one, init, emitBody);
  for (auto [function, accumulator] : llvm::zip_equal(some, loop.getResults()))
    means[function->name] = emitMean(*function, accumulator);
}

/// The inputs of a function for the batch that begins at row `first`.
Bindings EvaluateEmitter::emitBatch(TensorBuilder &b, Value first) {
  Bindings bindings = emitter.bindings();
  Value numbers = emitRowNumbers(b, first);
  if (model.ownRows.validation)
    numbers = GatherOp::create(b, GatherMode::clamp,
                               emitter.argument("row_numbers_val"), numbers,
                               /*axis=*/0);
  for (auto [batch, data] :
       llvm::zip_equal(model.validationData, emitter.arguments(whole)))
    bindings[batch.name.getValue()] =
        GatherOp::create(b, GatherMode::clamp, data, numbers, /*axis=*/0);
  return bindings;
}

/// The numbers of the rows of a batch, 0 behind the last row.
Value EvaluateEmitter::emitRowNumbers(TensorBuilder &b, Value first) {
  auto type = RankedTensorType::get({batchSize}, b.getI64Type());
  Value numbers =
      b.add(b.spread(first, type), IotaOp::create(b, type, /*dim=*/0));
  if (rows % batchSize == 0)
    return numbers;
  Value isRow =
      b.compare(ComparePredicate::lt, numbers, b.splatInteger(type, rows));
  return b.select(isRow, numbers, b.splatInteger(type, 0));
}

RankedTensorType
EvaluateEmitter::accumulatorType(const LearnerFunction &function) const {
  Type element =
      elementTypeOf(func::FuncOp(function.function).getResultTypes().front());
  if (!function.isRowWise)
    return RankedTensorType::get({}, element);
  return RankedTensorType::get({batches() * batchSize}, element);
}

Value EvaluateEmitter::accumulate(TensorBuilder &b,
                                  const LearnerFunction &function,
                                  Value accumulator, Value value, Value first) {
  if (!function.isRowWise)
    return b.add(accumulator, value);
  return DynamicUpdateSliceOp::create(b, accumulator, value, first);
}

/// All rows are summed in one reduction, so that the order of summation does
/// not depend on the batch size.
Value EvaluateEmitter::emitMean(const LearnerFunction &function,
                                Value accumulator) {
  TensorBuilder &b = emitter.builder();
  if (!function.isRowWise)
    return b.div(accumulator, b.splat(accumulator.getType(),
                                      static_cast<double>(rows / batchSize)));
  Value real = SliceOp::create(b, accumulator, ArrayRef<int64_t>(0),
                               ArrayRef<int64_t>(rows), ArrayRef<int64_t>(1));
  return b.mean(real, {0});
}

func::FuncOp ensc::emitEvaluate(const LearnerModel &model, OpBuilder &module) {
  return EvaluateEmitter(model, module).emit();
}
