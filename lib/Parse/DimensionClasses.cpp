//===- DimensionClasses.cpp - Dimensions that are one ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimensionClasses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static int64_t rankOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getRank() : 0;
}

static int64_t extentOf(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

void DimensionClasses::uniteAll(Value a, Value b) {
  if (rankOf(a) != rankOf(b))
    return;
  for (int64_t dim = 0; dim < rankOf(a); ++dim)
    unite(a, dim, b, dim);
}

void DimensionClasses::uniteAll(ValueRange a, ValueRange b) {
  for (auto [left, right] : llvm::zip(a, b))
    uniteAll(left, right);
}

void DimensionClasses::uniteRest(Value x, ArrayRef<int64_t> dims,
                                 Value result) {
  int64_t next = 0;
  for (int64_t dim = 0; dim < rankOf(x); ++dim)
    if (!llvm::is_contained(dims, dim) && next < rankOf(result))
      unite(x, dim, result, next++);
}

//===----------------------------------------------------------------------===//
// Ops of tensors
//===----------------------------------------------------------------------===//

void DimensionClasses::addDot(DotOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs(), result = op.getResult();
  for (auto [l, r] : llvm::zip(op.getLhsContract(), op.getRhsContract()))
    unite(lhs, l, rhs, r);
  int64_t next = 0;
  for (auto [l, r] : llvm::zip(op.getLhsBatch(), op.getRhsBatch())) {
    unite(lhs, l, rhs, r);
    unite(lhs, l, result, next++);
  }
  auto addFree = [&](Value side, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contract) {
    for (int64_t dim = 0; dim < rankOf(side); ++dim)
      if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contract, dim))
        unite(side, dim, result, next++);
  };
  addFree(lhs, op.getLhsBatch(), op.getLhsContract());
  addFree(rhs, op.getRhsBatch(), op.getRhsContract());
}

/// A dimension stays one where those in front of it hold as many elements on
/// both sides, and it does.
void DimensionClasses::addReshape(ReshapeOp op) {
  Value x = op.getX(), result = op.getResult();
  int64_t i = 0, j = 0, before = 1, beforeResult = 1;
  while (i < rankOf(x) && j < rankOf(result)) {
    if (before == beforeResult && extentOf(x, i) == extentOf(result, j)) {
      unite(x, i, result, j);
      before *= extentOf(x, i++);
      beforeResult *= extentOf(result, j++);
    } else if (before <= beforeResult) {
      before *= extentOf(x, i++);
    } else {
      beforeResult *= extentOf(result, j++);
    }
  }
}

/// x is B ++ M ++ [n] ++ R, indices are B ++ I, rows are B ++ M ++ I ++ R.
void DimensionClasses::addGather(Value x, Value indices, int64_t axis,
                                 int64_t batchDims, Value rows) {
  int64_t chosen = rankOf(indices) - batchDims;
  for (int64_t dim = 0; dim < axis; ++dim)
    unite(x, dim, rows, dim);
  for (int64_t dim = 0; dim < batchDims; ++dim)
    unite(indices, dim, rows, dim);
  for (int64_t i = 0; i < chosen; ++i)
    unite(indices, batchDims + i, rows, axis + i);
  for (int64_t dim = axis + 1; dim < rankOf(x); ++dim)
    unite(x, dim, rows, dim - 1 + chosen);
}

bool DimensionClasses::addIndexingOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](GatherOp gather) {
        addGather(gather.getX(), gather.getIndices(), gather.getAxis(),
                  gather.getBatchDims(), gather.getResult());
        return true;
      })
      .Case([&](ScatterOp scatter) {
        addGather(scatter.getX(), scatter.getIndices(), scatter.getAxis(),
                  scatter.getBatchDims(), scatter.getUpdates());
        uniteAll(scatter.getX(), scatter.getResult());
        return true;
      })
      .Case([&](SoftmaxCrossEntropyOp loss) {
        uniteRest(loss.getLogits(), {rankOf(loss.getLogits()) - 1},
                  loss.getResult());
        uniteAll(loss.getLabels(), loss.getResult());
        return true;
      })
      .Case([&](MseOp loss) {
        uniteAll(loss.getPrediction(), loss.getTarget());
        unite(loss.getPrediction(), 0, loss.getResult(), 0);
        return true;
      })
      .Default(false);
}

bool DimensionClasses::addShapeOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](BroadcastOp broadcast) {
        for (auto [dim, to] : llvm::enumerate(broadcast.getDims()))
          unite(broadcast.getX(), dim, broadcast.getResult(), to);
        return true;
      })
      .Case([&](TransposeOp transpose) {
        for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
          unite(transpose.getX(), from, transpose.getResult(), dim);
        return true;
      })
      .Case([&](ReshapeOp reshape) { return addReshape(reshape), true; })
      .Case([&](ConcatOp concat) {
        for (Value operand : concat.getOperands())
          for (int64_t dim = 0; dim < rankOf(operand); ++dim)
            if (dim != static_cast<int64_t>(concat.getDim()))
              unite(operand, dim, concat.getResult(), dim);
        return true;
      })
      .Case<SliceOp, DynamicSliceOp, PadOp>([&](auto sliced) {
        for (int64_t dim = 0; dim < rankOf(sliced.getX()); ++dim)
          if (extentOf(sliced.getX(), dim) == extentOf(sliced.getResult(), dim))
            unite(sliced.getX(), dim, sliced.getResult(), dim);
        return true;
      })
      .Case([&](DynamicUpdateSliceOp update) {
        uniteAll(update.getX(), update.getResult());
        for (int64_t dim = 0; dim < rankOf(update.getX()); ++dim)
          if (extentOf(update.getX(), dim) == extentOf(update.getUpdate(), dim))
            unite(update.getX(), dim, update.getUpdate(), dim);
        return true;
      })
      .Case<ReduceOp, MeanOp>([&](auto reduce) {
        uniteRest(reduce.getX(), reduce.getDims(), reduce.getResult());
        return true;
      })
      .Case([&](ArgReduceOp reduce) {
        uniteRest(reduce.getX(), {static_cast<int64_t>(reduce.getDim())},
                  reduce.getResult());
        return true;
      })
      .Case([&](LogSumExpOp reduce) {
        uniteRest(reduce.getX(), {rankOf(reduce.getX()) - 1},
                  reduce.getResult());
        return true;
      })
      .Case([&](DotOp dot) { return addDot(dot), true; })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Control flow and calls
//===----------------------------------------------------------------------===//

bool DimensionClasses::addControlOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](func::CallOp call) {
        auto callee =
            call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
                call.getCallee());
        if (!callee || callee.isExternal())
          return true;
        uniteAll(call.getOperands(), callee.getArguments());
        uniteAll(call.getResults(),
                 callee.getBody().front().getTerminator()->getOperands());
        return true;
      })
      .Case([&](scf::ForOp loop) {
        uniteAll(loop.getInitArgs(), loop.getRegionIterArgs());
        uniteAll(loop.getInitArgs(), loop.getYieldedValues());
        uniteAll(loop.getInitArgs(), loop.getResults());
        return true;
      })
      .Case([&](scf::IfOp branch) {
        if (branch.getNumResults() == 0)
          return true;
        uniteAll(branch.thenYield().getOperands(), branch.getResults());
        uniteAll(branch.elseYield().getOperands(), branch.getResults());
        return true;
      })
      .Case([&](scf::WhileOp loop) {
        uniteAll(loop.getInits(), loop.getBeforeArguments());
        uniteAll(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
        uniteAll(loop.getConditionOp().getArgs(), loop.getAfterArguments());
        uniteAll(loop.getConditionOp().getArgs(), loop.getResults());
        return true;
      })
      .Default(false);
}

/// Ops whose results have the shape of their operands.
static bool keepsShape(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<ReluOp, GeluOp, SoftplusOp, SoftmaxOp, LogSoftmaxOp, ConvertOp,
             BitcastOp, DropoutOp, ReverseOp>(op);
}

void DimensionClasses::addOp(Operation *op) {
  if (addShapeOp(op) || addIndexingOp(op) || addControlOp(op) ||
      !keepsShape(op))
    return;
  // Operands of another rank, such as the bounds of a clamp, are scalars.
  Value first = op->getOperand(0);
  for (Value operand : op->getOperands().drop_front())
    uniteAll(first, operand);
  for (Value result : op->getResults())
    uniteAll(first, result);
}

void DimensionClasses::add(func::FuncOp function) {
  function.walk([&](Operation *op) {
    if (op != function)
      addOp(op);
  });
}
