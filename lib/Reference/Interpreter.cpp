//===- Interpreter.cpp - Control flow of the interpreter ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Interpreter.h"
#include "EvaluateOp.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Reference/Ops.h"
#include "ensc/Reference/TensorConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <unordered_map>

using namespace ensc;
using namespace ensc::reference;

namespace {
using Tensors = std::vector<Tensor>;

/// Calls deeper than this are taken for an endless recursion.
constexpr unsigned maxDepth = 256;

/// For each op of a block, the values of that block which nothing after it
/// uses.
using LastUses =
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>>;

/// Evaluates the body of one call; values live in its frame until their last
/// use, so a loop needs no more memory than one iteration.
class Frame {
public:
  Frame(const RunContext &context, unsigned depth)
      : context_(context), depth_(depth) {}

  /// Evaluates the ops of `block` with `arguments` for its arguments and
  /// returns the operands of its terminator.
  Expected<Tensors> evaluateBlock(mlir::Block &block, Tensors arguments);

private:
  Expected<Tensors> evaluate(mlir::Operation *op);
  Expected<Tensors> evaluateFor(mlir::scf::ForOp loop);
  Expected<Tensors> evaluateWhile(mlir::scf::WhileOp loop);
  Expected<Tensors> evaluateIf(mlir::scf::IfOp branch);
  Expected<Tensors> evaluateCall(mlir::func::CallOp op);
  Expected<Tensors> evaluateEnsemble(ens::EnsembleOp op);
  Expected<Tensors> call(mlir::Operation *op, mlir::FlatSymbolRefAttr callee,
                         Tensors arguments, const RunContext &context);

  Tensors valuesOf(mlir::ValueRange values) const;
  const LastUses &lastUsesIn(mlir::Block &block);

  const RunContext &context_;
  unsigned depth_;
  llvm::DenseMap<mlir::Value, Tensor> values_;
  // Nodes stay where they are while nested blocks add theirs.
  std::unordered_map<mlir::Block *, LastUses> lastUses_;
};

std::string locationText(mlir::Location location) {
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>())
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
  std::string text;
  llvm::raw_string_ostream stream(text);
  location.print(stream);
  return text;
}

Tensors Frame::valuesOf(mlir::ValueRange values) const {
  Tensors tensors;
  for (mlir::Value value : values) {
    auto found = values_.find(value);
    assert(found != values_.end() && "a value was freed before its last use");
    tensors.push_back(found->second);
  }
  return tensors;
}

const LastUses &Frame::lastUsesIn(mlir::Block &block) {
  auto [entry, isNew] = lastUses_.try_emplace(&block);
  LastUses &lastUses = entry->second;
  if (!isNew)
    return lastUses;

  auto lastUserOf = [&](mlir::Value value) {
    mlir::Operation *last = value.getDefiningOp();
    for (mlir::Operation *user : value.getUsers()) {
      mlir::Operation *inBlock = block.findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(inBlock))
        last = inBlock;
    }
    return last;
  };
  auto record = [&](mlir::Value value) {
    // An argument without any use dies with the first op.
    mlir::Operation *last = lastUserOf(value);
    lastUses[last ? last : &block.front()].push_back(value);
  };
  llvm::for_each(block.getArguments(), record);
  for (mlir::Operation &op : block)
    llvm::for_each(op.getResults(), record);
  return lastUses;
}

Expected<Tensors> Frame::evaluateBlock(mlir::Block &block, Tensors arguments) {
  for (auto [argument, tensor] : llvm::zip(block.getArguments(), arguments))
    values_[argument] = tensor;
  arguments.clear();

  const LastUses &lastUses = lastUsesIn(block);
  auto freeAfter = [&](mlir::Operation *op) {
    auto dead = lastUses.find(op);
    if (dead == lastUses.end())
      return;
    for (mlir::Value value : dead->second)
      values_.erase(value);
  };
  for (mlir::Operation &op : block.without_terminator()) {
    Expected<Tensors> results = evaluate(&op);
    if (!results)
      return results.error();
    for (auto [result, tensor] : llvm::zip(op.getResults(), *results))
      values_[result] = std::move(tensor);
    freeAfter(&op);
  }
  mlir::Operation *terminator = block.getTerminator();
  Tensors results = valuesOf(terminator->getOperands());
  freeAfter(terminator);
  return results;
}

Expected<Tensors> Frame::evaluateFor(mlir::scf::ForOp loop) {
  Tensors bounds =
      valuesOf({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  for (Tensor &bound : bounds)
    bound = convert(bound, DType::I64);
  int64_t begin = bounds[0].data<int64_t>()[0];
  int64_t end = bounds[1].data<int64_t>()[0];
  int64_t step = bounds[2].data<int64_t>()[0];
  if (step <= 0)
    return errorAt(loop, ErrorKind::InvalidModel,
                   "has the step " + std::to_string(step) +
                       "; expected a positive one");

  DType inductionType = *toDType(loop.getInductionVar().getType());
  Tensors carried = valuesOf(loop.getInitArgs());
  // The counter must not pass the greatest integer.
  uint64_t distance = begin < end ? uint64_t(end) - uint64_t(begin) : 0;
  uint64_t trips = distance / step + (distance % step != 0);
  for (uint64_t trip = 0; trip < trips; ++trip) {
    int64_t i = int64_t(uint64_t(begin) + trip * step);
    Tensors arguments = {convert(Tensor::scalar(i), inductionType)};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    carried.clear();
    Expected<Tensors> yielded =
        evaluateBlock(*loop.getBody(), std::move(arguments));
    if (!yielded)
      return yielded.error();
    carried = std::move(*yielded);
  }
  return carried;
}

Expected<Tensors> Frame::evaluateWhile(mlir::scf::WhileOp loop) {
  Tensors carried = valuesOf(loop.getInits());
  while (true) {
    Expected<Tensors> condition =
        evaluateBlock(*loop.getBeforeBody(), std::move(carried));
    if (!condition)
      return condition.error();
    bool goesOn = condition->front().data<bool>()[0];
    Tensors forwarded(condition->begin() + 1, condition->end());
    if (!goesOn)
      return forwarded;
    Expected<Tensors> yielded =
        evaluateBlock(*loop.getAfterBody(), std::move(forwarded));
    if (!yielded)
      return yielded.error();
    carried = std::move(*yielded);
  }
}

Expected<Tensors> Frame::evaluateIf(mlir::scf::IfOp branch) {
  bool condition = valuesOf(branch.getCondition())[0].data<bool>()[0];
  mlir::Region &region =
      condition ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return Tensors();
  return evaluateBlock(region.front(), {});
}

Expected<Tensors> Frame::call(mlir::Operation *op,
                              mlir::FlatSymbolRefAttr callee, Tensors arguments,
                              const RunContext &context) {
  auto function =
      mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(op,
                                                                     callee);
  if (!function || function.isExternal())
    return errorAt(op, ErrorKind::InvalidModel,
                   "calls '" + callee.getValue().str() +
                       "', which is not a function with a body");
  if (depth_ + 1 == maxDepth)
    return errorAt(op, ErrorKind::Unsupported,
                   "calls more than " + std::to_string(maxDepth) +
                       " functions deep; recursion is not supported");
  return Frame(context, depth_ + 1)
      .evaluateBlock(function.front(), std::move(arguments));
}

Expected<Tensors> Frame::evaluateCall(mlir::func::CallOp op) {
  return call(op, op.getCalleeAttr(), valuesOf(op.getOperands()), context_);
}

/// Element `row` along the first dimension.
Tensor rowOf(const Tensor &tensor, int64_t row) {
  Shape limits = tensor.shape();
  Shape starts(limits.size(), 0);
  starts[0] = row;
  limits[0] = row + 1;
  Tensor slab = slice(tensor, starts, limits, Shape(limits.size(), 1));
  return slab.reshaped(Shape(limits.begin() + 1, limits.end()));
}

/// The tensors, all of one type, along a new first dimension.
Tensor stack(Tensors tensors) {
  Shape shape = tensors.front().shape();
  shape.insert(shape.begin(), 1);
  for (Tensor &tensor : tensors)
    tensor = tensor.reshaped(shape);
  return concat(tensors, 0);
}

Expected<Tensors> Frame::evaluateEnsemble(ens::EnsembleOp op) {
  Tensors operands = valuesOf(op.getOperands());
  std::vector<Tensors> rows(op.getNumResults());
  for (int64_t run = 0; run < static_cast<int64_t>(op.getRuns()); ++run) {
    Tensors arguments;
    for (auto [operand, isPerRun] : llvm::zip(operands, op.getPerRun()))
      arguments.push_back(isPerRun ? rowOf(operand, run) : operand);
    Expected<Tensors> results =
        call(op, op.getCalleeAttr(), std::move(arguments), {{run}});
    if (!results)
      return results.error();
    for (auto [row, result] : llvm::zip(rows, *results))
      row.push_back(result);
  }
  Tensors stacked;
  for (Tensors &row : rows)
    stacked.push_back(stack(std::move(row)));
  return stacked;
}

Expected<Tensors> Frame::evaluate(mlir::Operation *op) {
  using Result = Expected<Tensors>;
  auto single = [](Expected<Tensor> tensor) -> Result {
    if (!tensor)
      return tensor.error();
    return Tensors{*tensor};
  };
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case([&](mlir::scf::ForOp loop) { return evaluateFor(loop); })
      .Case([&](mlir::scf::WhileOp loop) { return evaluateWhile(loop); })
      .Case([&](mlir::scf::IfOp branch) { return evaluateIf(branch); })
      .Case([&](mlir::func::CallOp call) { return evaluateCall(call); })
      .Case([&](ens::EnsembleOp runs) { return evaluateEnsemble(runs); })
      .Default([&](mlir::Operation *) -> Result {
        if (op->getNumRegions() != 0 || op->getNumResults() != 1)
          return unknownOp(op);
        Tensors operands = valuesOf(op->getOperands());
        if (llvm::isa<ens::EnsDialect>(op->getDialect()))
          return single(evaluateEnsOp(op, operands, context_));
        return single(evaluateScalarOp(op, operands));
      });
}

std::string describeType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

Status checkArguments(mlir::func::FuncOp function,
                      llvm::ArrayRef<Tensor> arguments) {
  auto fail = [&](const std::string &message) {
    return errorAt(function, ErrorKind::InvalidArgument,
                   "@" + function.getName().str() + " " + message);
  };
  if (function.isExternal())
    return fail("has no body to evaluate");
  if (arguments.size() != function.getNumArguments())
    return fail("takes " + std::to_string(function.getNumArguments()) +
                " arguments, but " + std::to_string(arguments.size()) +
                " are given");
  for (size_t i = 0; i < arguments.size(); ++i) {
    mlir::Type type = function.getArgumentTypes()[i];
    if (!hasType(arguments[i], type))
      return fail("takes a " + describeType(type) + " as argument " +
                  std::to_string(i) + ", but a tensor<" +
                  typeString(arguments[i].dtype(), arguments[i].shape()) +
                  "> is given");
  }
  return Status::success();
}
} // namespace

Error ensc::reference::errorAt(mlir::Operation *op, ErrorKind kind,
                               const std::string &message) {
  return Error(kind, locationText(op->getLoc()) + ": '" +
                         op->getName().getStringRef().str() + "' " + message);
}

Error ensc::reference::unknownOp(mlir::Operation *op) {
  return errorAt(op, ErrorKind::Unsupported,
                 "is no op that the interpreter evaluates; it takes programs "
                 "after Differentiate or Vectorize");
}

Expected<Tensors> ensc::reference::interpret(mlir::func::FuncOp function,
                                             llvm::ArrayRef<Tensor> arguments,
                                             const RunContext &context) {
  if (Status status = checkArguments(function, arguments); !status)
    return status.error();
  Expected<Tensors> results =
      Frame(context, 0).evaluateBlock(function.front(), arguments.vec());
  if (!results)
    return results.error();
  for (Tensor &result : *results)
    result = withCanonicalNaNs(result);
  return results;
}
