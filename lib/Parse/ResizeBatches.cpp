//===- ResizeBatches.cpp - Another batch size for a learner ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResizeBatches.h"

#include "DimensionClasses.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// Changes the functions of one learner.
class BatchResizer {
public:
  BatchResizer(LearnerOp learner, int64_t batchSize)
      : learner(learner), before(learner.findBatchSize()), after(batchSize) {}

  LogicalResult run();

private:
  func::FuncOp lookup(FlatSymbolRefAttr symbol);
  void collect(func::FuncOp function);
  LogicalResult findRows();
  LogicalResult checkArguments(func::FuncOp function);
  LogicalResult checkResult(func::FuncOp function);
  LogicalResult checkRows();
  StringRef dependence(Operation *op) const;
  LogicalResult checkOps();

  void resizeFunction(func::FuncOp function);
  LogicalResult resizeAttributes(Operation *op);
  LogicalResult verifyFunction(func::FuncOp function);

  bool countsRows(Value value, int64_t dim) const {
    return representative &&
           classes.areOne(value, dim, representative, /*dimB=*/0);
  }
  bool hasRows(Value value) const;

  InFlightDiagnostic emitError() {
    return learner.emitOpError("cannot have a batch size of ")
           << after << " instead of " << before << ": ";
  }

  LearnerOp learner;
  int64_t before, after;
  SmallVector<func::FuncOp> objectives; ///< The loss and the metrics.
  llvm::SetVector<Operation *> functions;
  DimensionClasses classes;
  Value representative; ///< Its first dimension counts the rows of a batch.
};
} // namespace

static bool isData(func::FuncOp function, unsigned index) {
  auto role = function.getArgAttrOfType<StringAttr>(index, roleAttr);
  return role && role.getValue() == "data";
}

bool BatchResizer::hasRows(Value value) const {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return false;
  return llvm::any_of(llvm::seq<int64_t>(0, tensor.getRank()),
                      [&](int64_t dim) { return countsRows(value, dim); });
}

//===----------------------------------------------------------------------===//
// What counts rows
//===----------------------------------------------------------------------===//

func::FuncOp BatchResizer::lookup(FlatSymbolRefAttr symbol) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(learner, symbol);
}

/// The function and those that it calls.
void BatchResizer::collect(func::FuncOp function) {
  if (!function || function.isExternal() || !functions.insert(function))
    return;
  function.walk([&](func::CallOp call) {
    collect(learner->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
        call.getCallee()));
  });
}

/// All batches have as many rows, whatever array they are taken from.
LogicalResult BatchResizer::findRows() {
  objectives.push_back(lookup(learner.getLossAttr()));
  if (DictionaryAttr metrics = learner.getMetricsAttr())
    for (NamedAttribute metric : metrics)
      objectives.push_back(lookup(cast<FlatSymbolRefAttr>(metric.getValue())));
  for (func::FuncOp function : objectives)
    collect(function);
  if (learner.getPredictAttr())
    collect(lookup(learner.getPredictAttr()));
  for (Operation *function : functions)
    classes.add(cast<func::FuncOp>(function));
  for (func::FuncOp function : objectives)
    for (BlockArgument argument : function.getArguments()) {
      if (!isData(function, argument.getArgNumber()))
        continue;
      if (!representative)
        representative = argument;
      classes.unite(representative, 0, argument, 0);
    }
  if (!representative)
    return emitError() << "it has no data";
  return success();
}

//===----------------------------------------------------------------------===//
// What cannot depend on the size
//===----------------------------------------------------------------------===//

/// Parameters and hyper-parameters stay as they are.
LogicalResult BatchResizer::checkArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (!isData(function, argument.getArgNumber()) && hasRows(argument))
      return emitError() << "the type of argument " << argument.getArgNumber()
                         << " of @" << function.getName() << " depends on it";
  return success();
}

/// A function that gives one number for a batch may count its rows in a
/// constant, which nobody could tell from another.
LogicalResult BatchResizer::checkResult(func::FuncOp function) {
  Value result = function.getBody().front().getTerminator()->getOperand(0);
  auto type = cast<RankedTensorType>(result.getType());
  if (type.getRank() == 1 && countsRows(result, 0))
    return success();
  return emitError() << "@" << function.getName()
                     << " does not give one value per row of the batch, so "
                        "that its meaning may depend on it; change the program";
}

LogicalResult BatchResizer::checkRows() {
  for (func::FuncOp function : objectives)
    if (failed(checkArguments(function)) || failed(checkResult(function)))
      return failure();
  return success();
}

/// How the meaning of an op may depend on the number of rows, which may be in a
/// constant that nobody could tell from another; empty: it does not.
StringRef BatchResizer::dependence(Operation *op) const {
  auto losesRows = [&](Value from, Value to) {
    for (int64_t dim : llvm::seq<int64_t>(
             0, cast<RankedTensorType>(from.getType()).getRank()))
      if (countsRows(from, dim) && !countsRows(to, dim))
        return true;
    return false;
  };
  bool picks = llvm::TypeSwitch<Operation *, bool>(op)
                   .Case<SliceOp, DynamicSliceOp, PadOp>([&](auto slice) {
                     return losesRows(slice.getX(), slice.getResult());
                   })
                   .Case([&](DynamicUpdateSliceOp update) {
                     return losesRows(update.getX(), update.getUpdate());
                   })
                   .Case<GatherOp, ScatterOp>([&](auto indexed) {
                     return countsRows(indexed.getX(), indexed.getAxis());
                   })
                   .Default(false);
  if (picks)
    return "an op picks some of the rows";
  bool sums = llvm::TypeSwitch<Operation *, bool>(op)
                  .Case([&](ReduceOp reduce) {
                    return reduce.getKind() == ReduceKind::sum &&
                           llvm::any_of(reduce.getDims(), [&](int64_t dim) {
                             return countsRows(reduce.getX(), dim);
                           });
                  })
                  .Case([&](DotOp dot) {
                    return llvm::any_of(dot.getLhsContract(), [&](int64_t dim) {
                      return countsRows(dot.getLhs(), dim);
                    });
                  })
                  .Default(false);
  return sums ? "an op sums over the rows" : "";
}

LogicalResult BatchResizer::checkOps() {
  for (Operation *function : functions) {
    WalkResult result = function->walk([&](Operation *op) {
      StringRef problem = dependence(op);
      if (problem.empty())
        return WalkResult::advance();
      InFlightDiagnostic error = emitError() << problem;
      error.attachNote(op->getLoc()) << "here";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Numbers in attributes that stand for the extents of operands or results.
LogicalResult BatchResizer::resizeAttributes(Operation *op) {
  auto resize = [&](Value value, ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> resized(sizes);
    for (int64_t dim = 0, end = resized.size(); dim < end; ++dim)
      if (countsRows(value, dim))
        resized[dim] = after;
    return resized;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConstantOp constant) -> LogicalResult {
        if (!hasRows(constant))
          return success();
        auto elements = dyn_cast<SplatElementsAttr>(constant.getValue());
        if (!elements)
          return emitError() << "a constant has different elements for the "
                                "rows of a batch";
        auto type = cast<RankedTensorType>(constant.getType());
        constant.setValueAttr(elements.resizeSplat(
            type.clone(resize(constant, type.getShape()))));
        return success();
      })
      .Case([&](SliceOp slice) -> LogicalResult {
        slice.setLimits(resize(slice.getResult(), slice.getLimits()));
        return success();
      })
      .Case([&](DynamicSliceOp slice) -> LogicalResult {
        slice.setSizes(resize(slice.getResult(), slice.getSizes()));
        return success();
      })
      .Default(success());
}

void BatchResizer::resizeFunction(func::FuncOp function) {
  auto resize = [&](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor)
      return;
    SmallVector<int64_t> shape(tensor.getShape());
    for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
      if (countsRows(value, dim))
        shape[dim] = after;
    value.setType(tensor.clone(shape));
  };
  function.walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      resize(argument);
    for (Operation &op : *block)
      for (Value result : op.getResults())
        resize(result);
  });
  Block &body = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}

/// What the classes did not see shows where types do not fit any more.
LogicalResult BatchResizer::verifyFunction(func::FuncOp function) {
  std::string problem;
  Location place = function.getLoc();
  {
    ScopedDiagnosticHandler handler(function.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (problem.empty()) {
                                        problem = diagnostic.str();
                                        place = diagnostic.getLocation();
                                      }
                                      return success();
                                    });
    if (succeeded(verify(function)))
      return success();
  }
  InFlightDiagnostic error = emitError() << "an op cannot take it";
  error.attachNote(place) << problem;
  return error;
}

LogicalResult BatchResizer::run() {
  if (failed(findRows()) || failed(checkRows()) || failed(checkOps()))
    return failure();
  for (Operation *function : functions) {
    WalkResult result = function->walk([&](Operation *op) {
      return failed(resizeAttributes(op)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  for (Operation *function : functions)
    resizeFunction(cast<func::FuncOp>(function));
  learner.setBatchSize(after);
  for (Operation *function : functions)
    if (failed(verifyFunction(cast<func::FuncOp>(function))))
      return failure();
  return success();
}

LogicalResult ensc::resizeBatches(LearnerOp learner, int64_t batchSize) {
  if (learner.findBatchSize() == batchSize)
    return success();
  return BatchResizer(learner, batchSize).run();
}
