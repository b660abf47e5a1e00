//===- Fit.cpp - The loop over steps and epochs ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// Emits `fit`: the steps [begin, end), epoch by epoch, since an order of the
/// rows is made once per epoch and any step can be the first of a call.
class FitEmitter {
public:
  FitEmitter(const LearnerModel &model, OpBuilder &module, func::FuncOp step)
      : model(model), step(step), whole(withRows(model.data, model.rows, "")),
        emitter(module, model.loc(), model.symbol("fit"),
                arguments(module.getContext())) {}

  func::FuncOp emit();

private:
  Ports arguments(MLIRContext *context) const;
  Port lossSum(MLIRContext *context) const;
  SmallVector<Value> emitEpoch(TensorBuilder &b, Value epoch,
                               ValueRange carried);
  Value emitOrder(TensorBuilder &b, Value epoch);
  SmallVector<Value> emitOneStep(TensorBuilder &b, Value index, Value first,
                                 Value order, ValueRange carried);
  Value emitRowNumbers(TensorBuilder &b, Value row, Value order);
  SmallVector<Value> emitBatches(TensorBuilder &b, Value row, Value order);

  const LearnerModel &model;
  func::FuncOp step;
  Ports whole; ///< the data sets
  FunctionEmitter emitter;
  Value one, stepsPerEpoch, begin, end;
};
} // namespace

Ports FitEmitter::arguments(MLIRContext *context) const {
  Ports ports = concat({&model.params, &model.states, &whole, &model.ruleHypers,
                        &model.lossHypers});
  ports.push_back(seedPort(context));
  if (model.hasSharedOrder())
    ports.push_back(seedPort(context, "order_seed"));
  if (model.ownRows.training)
    ports.push_back(rowNumbersPort(context, "row_numbers",
                                   model.ownRows.training, model.rows));
  ports.push_back(lossSum(context));
  for (StringRef bound : {"begin", "end"})
    ports.push_back(
        {StringAttr::get(context, bound), IndexType::get(context), bound});
  return ports;
}

/// The sum of the losses so far: the caller divides it by the steps, since an
/// epoch may take several calls.
Port FitEmitter::lossSum(MLIRContext *context) const {
  return {StringAttr::get(context, "loss_sum"),
          RankedTensorType::get({}, model.scalar), "state"};
}

/// A loop from `lower` to `upper` that carries `init`.
static ValueRange emitLoop(
    TensorBuilder &b, Value lower, Value upper, Value step, ValueRange init,
    function_ref<SmallVector<Value>(TensorBuilder &, Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      b, lower, upper, step, init,
      [&](OpBuilder &nested, Location loc, Value index, ValueRange carried) {
        TensorBuilder inner(loc, nested);
        SmallVector<Value> next = body(inner, index, carried);
        scf::YieldOp::create(inner, next);
      });
  return loop.getResults();
}

func::FuncOp FitEmitter::emit() {
  TensorBuilder &b = emitter.builder();
  begin = emitter.argument("begin");
  end = emitter.argument("end");
  one = arith::ConstantIndexOp::create(b, 1);
  stepsPerEpoch = arith::ConstantIndexOp::create(b, model.stepsPerEpoch());
  Value last = arith::ConstantIndexOp::create(b, model.stepsPerEpoch() - 1);
  Value firstEpoch = arith::DivUIOp::create(b, begin, stepsPerEpoch);
  Value endEpoch = arith::DivUIOp::create(
      b, arith::AddIOp::create(b, end, last), stepsPerEpoch);

  Ports sum = {lossSum(b.getContext())};
  Ports carried = concat({&model.params, &model.states, &sum});
  ValueRange results =
      emitLoop(b, firstEpoch, endEpoch, one, emitter.arguments(carried),
               [&](TensorBuilder &inner, Value epoch, ValueRange values) {
                 return emitEpoch(inner, epoch, values);
               });
  return emitter.finish(results, carried);
}

/// The steps of an epoch that lie in [begin, end).
SmallVector<Value> FitEmitter::emitEpoch(TensorBuilder &b, Value epoch,
                                         ValueRange carried) {
  Value order = emitOrder(b, epoch);
  Value first = arith::MulIOp::create(b, epoch, stepsPerEpoch);
  Value next = arith::AddIOp::create(b, first, stepsPerEpoch);
  Value lower = arith::MaxSIOp::create(b, begin, first);
  Value upper = arith::MinSIOp::create(b, end, next);
  return SmallVector<Value>(
      emitLoop(b, lower, upper, one, carried,
               [&](TensorBuilder &inner, Value index, ValueRange values) {
                 return emitOneStep(inner, index, first, order, values);
               }));
}

/// The order of the rows in an epoch, or null where it is that of the data.
Value FitEmitter::emitOrder(TensorBuilder &b, Value epoch) {
  if (!model.isShuffled())
    return {};
  Value seed = emitter.argument(model.hasSharedOrder() ? "order_seed" : "seed");
  return PermutationOp::create(b, seed, b.fromIndex(epoch),
                               model.trainedRows());
}

SmallVector<Value> FitEmitter::emitOneStep(TensorBuilder &b, Value index,
                                           Value first, Value order,
                                           ValueRange carried) {
  SmallVector<Value> operands(carried.drop_back());
  if (!model.data.empty()) {
    Value batch = arith::ConstantIndexOp::create(b, model.batchSize);
    Value position = arith::SubIOp::create(b, index, first);
    Value row = b.fromIndex(arith::MulIOp::create(b, position, batch));
    llvm::append_range(operands, emitBatches(b, row, order));
  }
  llvm::append_range(operands, emitter.arguments(concat(
                                   {&model.ruleHypers, &model.lossHypers})));
  operands.push_back(emitter.argument("seed"));
  operands.push_back(b.fromIndex(index));
  auto call = func::CallOp::create(b, step, operands);
  SmallVector<Value> results(call.getResults());
  results.back() = b.add(carried.back(), results.back());
  return results;
}

/// The numbers of the rows of a batch, which begins at position `row` of the
/// order; null where they are consecutive.
Value FitEmitter::emitRowNumbers(TensorBuilder &b, Value row, Value order) {
  ArrayRef<int64_t> size(model.batchSize);
  Value numbers;
  if (order)
    numbers = DynamicSliceOp::create(b, order, row, size);
  if (!model.ownRows.training)
    return numbers;
  // The order is one of the run's own rows.
  Value own = emitter.argument("row_numbers");
  if (!order)
    return DynamicSliceOp::create(b, own, row, size);
  return GatherOp::create(b, GatherMode::clamp, own, numbers, /*axis=*/0);
}

/// One batch of each data set: batch_size rows from position `row` of the
/// order.
SmallVector<Value> FitEmitter::emitBatches(TensorBuilder &b, Value row,
                                           Value order) {
  SmallVector<Value> batches;
  Value rows = emitRowNumbers(b, row, order);
  for (Value data : emitter.arguments(whole)) {
    if (rows) {
      batches.push_back(
          GatherOp::create(b, GatherMode::clamp, data, rows, /*axis=*/0));
      continue;
    }
    SmallVector<int64_t> sizes(tensorTypeOf(data).getShape());
    sizes[0] = model.batchSize;
    SmallVector<Value> starts(sizes.size(), b.splatInteger(row.getType(), 0));
    starts[0] = row;
    batches.push_back(DynamicSliceOp::create(b, data, starts, sizes));
  }
  return batches;
}

func::FuncOp ensc::emitFit(const LearnerModel &model, OpBuilder &module,
                           func::FuncOp step) {
  return FitEmitter(model, module, step).emit();
}
