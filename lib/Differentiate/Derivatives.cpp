//===- Derivatives.cpp - Replaces derivative ops in a module --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivatives.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Differentiate/Modes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static bool isFloat(Type type) { return isa<FloatType>(elementTypeOf(type)); }

/// The positions of the float types among `types`.
static SmallVector<int64_t> floatPositions(TypeRange types) {
  SmallVector<int64_t> positions;
  for (auto [index, type] : llvm::enumerate(types))
    if (isFloat(type))
      positions.push_back(index);
  return positions;
}

/// Copies the body of `function` to where `builder` is and returns what its
/// results have become.
static SmallVector<Value> inlineBody(OpBuilder &builder, func::FuncOp function,
                                     ValueRange arguments) {
  IRMapping mapping;
  Block &body = function.getBody().front();
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value result) { return mapping.lookupOrDefault(result); });
}

//===----------------------------------------------------------------------===//
// Functions made by the modes
//===----------------------------------------------------------------------===//

static std::string nameOf(func::FuncOp function, StringRef mode,
                          ArrayRef<int64_t> wrt, ArrayRef<int64_t> seeded) {
  std::string name;
  llvm::raw_string_ostream out(name);
  out << function.getName() << '.' << mode;
  for (int64_t index : wrt)
    out << '.' << index;
  if (!seeded.empty())
    out << ".of";
  for (int64_t index : seeded)
    out << '.' << index;
  return name;
}

func::FuncOp Derivatives::copy(func::FuncOp function, StringRef name) {
  func::FuncOp clone = function.clone();
  clone.setName(name);
  clone.setPrivate();
  clone.removeArgAttrsAttr();
  clone.removeResAttrsAttr();
  SymbolTable(module).insert(clone);
  return clone;
}

/// Lets `function` return `results` behind its results, and gives it the type
/// that follows from this and from its block's arguments.
static void extendFunction(func::FuncOp function, ArrayRef<Value> results) {
  Block &body = function.getBody().front();
  Operation *terminator = body.getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), results);
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     terminator->getOperandTypes()));
}

FailureOr<func::FuncOp> Derivatives::forward(func::FuncOp function,
                                             ArrayRef<int64_t> wrt) {
  std::string name = nameOf(function, "forward", wrt, {});
  if (func::FuncOp known = made.lookup(name))
    return known;
  func::FuncOp derivative = copy(function, name);
  Block &body = derivative.getBody().front();
  SmallVector<Value> sources;
  for (int64_t index : wrt)
    sources.push_back(body.getArgument(index));
  ActivityAnalysis activity(sources, body.getTerminator()->getOperands());
  ForwardMode mode(activity);
  for (Value source : sources)
    mode.setTangent(source,
                    body.addArgument(source.getType(), source.getLoc()));
  if (failed(mode.visitBlock(body)))
    return failure();
  OpBuilder builder(body.getTerminator());
  SmallVector<Value> tangents;
  for (Value result : body.getTerminator()->getOperands()) {
    if (!isFloat(result.getType()))
      continue;
    Value tangent = mode.tangentOf(result);
    tangents.push_back(
        tangent ? tangent
                : createZero(builder, derivative.getLoc(), result.getType()));
  }
  extendFunction(derivative, tangents);
  made[name] = derivative;
  if (failed(resolve(derivative)))
    return failure();
  return derivative;
}

FailureOr<func::FuncOp> Derivatives::reverse(func::FuncOp function,
                                             ArrayRef<int64_t> wrt,
                                             ArrayRef<int64_t> seeded) {
  std::string name = nameOf(function, "reverse", wrt, seeded);
  if (func::FuncOp known = made.lookup(name))
    return known;
  func::FuncOp derivative = copy(function, name);
  Block &body = derivative.getBody().front();
  SmallVector<Value> sources, targets;
  for (int64_t index : wrt)
    sources.push_back(body.getArgument(index));
  for (int64_t index : seeded)
    targets.push_back(body.getTerminator()->getOperand(index));
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  OpBuilder builder(body.getTerminator());
  ActivityAnalysis activity(sources, targets);
  ReverseMode mode(activity);
  for (Value target : targets)
    mode.accumulate(builder, target,
                    body.addArgument(target.getType(), target.getLoc()));
  if (failed(mode.visitOps(ops, builder)))
    return failure();
  SmallVector<Value> cotangents;
  for (Value source : sources) {
    Value cotangent = mode.cotangentOf(source);
    cotangents.push_back(
        cotangent ? cotangent
                  : createZero(builder, derivative.getLoc(), source.getType()));
  }
  extendFunction(derivative, cotangents);
  made[name] = derivative;
  if (failed(resolve(derivative)))
    return failure();
  return derivative;
}

//===----------------------------------------------------------------------===//
// Replacing ops
//===----------------------------------------------------------------------===//

FailureOr<bool> Derivatives::enter(States &states, func::FuncOp function) {
  if (function.isExternal())
    return false;
  auto [entry, isNew] = states.try_emplace(function, State::Entered);
  if (!isNew && entry->second == State::Entered)
    return function.emitError("cannot differentiate or inline @")
           << function.getName() << ", which calls itself";
  if (!isNew)
    return false;
  if (!function.getBody().hasOneBlock())
    return function.emitError("expects @")
           << function.getName()
           << " to have one block: write its control flow with scf.if and "
              "scf.for";
  return true;
}

/// Resolves the functions that `op` uses.
LogicalResult Derivatives::resolveSymbols(Operation *op) {
  LogicalResult status = success();
  op->getAttrDictionary().walk([&](FlatSymbolRefAttr symbol) {
    auto function = module.lookupSymbol<func::FuncOp>(symbol.getValue());
    if (!function) {
      status = op->emitOpError("expects ")
               << symbol << " to be a function of the module";
      return;
    }
    if (succeeded(status))
      status = resolve(function);
  });
  return status;
}

LogicalResult Derivatives::resolve(func::FuncOp function) {
  FailureOr<bool> entered = enter(resolved, function);
  if (failed(entered) || !*entered)
    return entered;
  SmallVector<Operation *> users;
  function.walk([&](Operation *op) {
    if (isa<func::CallOp, GradOp, ValueAndGradOp, JvpOp, VjpOp, EnsembleOp>(op))
      users.push_back(op);
  });
  for (Operation *op : users)
    if (failed(resolveSymbols(op)) || failed(resolveOp(op)))
      return failure();
  resolved[function] = State::Done;
  return success();
}

LogicalResult Derivatives::resolveOp(Operation *op) {
  if (isa<EnsembleOp>(op))
    return success();
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("callee");
  auto callee = module.lookupSymbol<func::FuncOp>(symbol.getValue());
  if (callee.isExternal())
    return op->emitOpError("needs the body of @")
           << callee.getName() << ", which is only declared";
  FailureOr<func::FuncOp> function = callee;
  OpBuilder builder(op);
  SmallVector<Value> arguments(op->getOperands());
  unsigned firstResult = 0;
  if (isa<GradOp, ValueAndGradOp>(op)) {
    ArrayRef<int64_t> wrt =
        op->getAttrOfType<DenseI64ArrayAttr>("wrt").asArrayRef();
    function = reverse(callee, wrt, /*seeded=*/{0});
    auto type = cast<RankedTensorType>(callee.getResultTypes().front());
    auto one = DenseElementsAttr::get(
        type, builder.getFloatAttr(type.getElementType(), 1));
    arguments.push_back(ConstantOp::create(builder, op->getLoc(), type, one));
    firstResult = isa<GradOp>(op) ? callee.getNumResults() : 0;
  } else if (auto jvp = dyn_cast<JvpOp>(op)) {
    function = forward(callee, jvp.getWrt());
  } else if (auto vjp = dyn_cast<VjpOp>(op)) {
    function =
        reverse(callee, vjp.getWrt(), floatPositions(callee.getResultTypes()));
  }
  if (failed(function) || failed(budget.spend(op, *function)))
    return failure();
  SmallVector<Value> results = inlineBody(builder, *function, arguments);
  op->replaceAllUsesWith(ArrayRef(results).drop_front(firstResult));
  op->erase();
  return success();
}

LogicalResult Derivatives::dropCustomGrads(func::FuncOp function) {
  FailureOr<bool> entered = enter(dropped, function);
  if (failed(entered) || !*entered)
    return entered;
  SmallVector<CustomGradOp> users;
  function.walk([&](CustomGradOp op) { users.push_back(op); });
  for (CustomGradOp op : users) {
    auto callee = module.lookupSymbol<func::FuncOp>(op.getCallee());
    if (callee.isExternal())
      return op.emitOpError("needs the body of @")
             << callee.getName() << ", which is only declared";
    if (failed(dropCustomGrads(callee)) || failed(budget.spend(op, callee)))
      return failure();
    OpBuilder builder(op);
    op->replaceAllUsesWith(inlineBody(builder, callee, op.getOperands()));
    op->erase();
  }
  dropped[function] = State::Done;
  return success();
}

LogicalResult Derivatives::resolveModule() {
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (failed(resolve(function)))
      return failure();
  for (auto &entry : made) {
    resolved.erase(entry.second);
    entry.second.erase();
  }
  made.clear();
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (failed(dropCustomGrads(function)))
      return failure();
  return success();
}
