//===- EnsTransform.cpp - Ops that transform functions --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeInference.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsTransform.cpp.inc"

void EnsDialect::addTransformOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsTransform.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

static bool isFloat(Type type) { return isa<FloatType>(elementTypeOf(type)); }

/// The constraint that a symbol is a function of the module.
static func::FuncOp lookup(Operation *op, SymbolTableCollection &tables,
                           FlatSymbolRefAttr symbol) {
  auto function = tables.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!function)
    op->emitOpError("expects ") << symbol << " to be a function of the module";
  return function;
}

/// The constraint on `wrt` of all derivatives.
static LogicalResult verifyWrt(Operation *op, func::FuncOp function,
                               ArrayRef<int64_t> wrt) {
  if (wrt.empty() || !areIncreasingDims(wrt, function.getNumArguments()))
    return op->emitOpError("expects wrt to name arguments of @")
           << function.getName() << ", strictly increasing, got "
           << shapeString(wrt) << " for " << function.getNumArguments()
           << " arguments";
  for (int64_t argument : wrt) {
    Type type = function.getArgumentTypes()[argument];
    if (!isFloat(type))
      return op->emitOpError("cannot differentiate with respect to argument ")
             << argument << " of @" << function.getName() << ", which is "
             << type << ": only float arguments have a derivative";
  }
  return success();
}

static LogicalResult verifyTypes(Operation *op, StringRef what,
                                 TypeRange expected, TypeRange actual) {
  if (expected == actual)
    return success();
  return op->emitOpError("expects ")
         << what << " of types (" << expected << "), got (" << actual << ")";
}

/// The types of the float values among `types`.
static SmallVector<Type> floatsOf(TypeRange types) {
  return llvm::filter_to_vector(types, isFloat);
}

static SmallVector<Type> typesAt(TypeRange types, ArrayRef<int64_t> which) {
  return llvm::map_to_vector(which,
                             [&](int64_t index) { return types[index]; });
}

/// The constraints of grad and value_and_grad.
template <typename GradientOp>
static LogicalResult
verifyGradient(GradientOp op, SymbolTableCollection &tables, bool withValue) {
  // grad_c1, value_and_grad_c1
  func::FuncOp function = lookup(op, tables, op.getCalleeAttr());
  if (!function ||
      failed(verifyTypes(op, "operands", function.getArgumentTypes(),
                         op.getOperandTypes())))
    return failure();
  // grad_c2, value_and_grad_c2
  TypeRange values = function.getResultTypes();
  if (values.empty() || !isFloat(values.front()) ||
      cast<RankedTensorType>(values.front()).getRank() != 0)
    return op.emitOpError("expects the first result of @")
           << function.getName() << " to be a float of rank 0, got " << values;
  // grad_c3, value_and_grad_c3
  if (failed(verifyWrt(op, function, op.getWrt())))
    return failure();
  // grad_c4, value_and_grad_c4
  SmallVector<Type> expected;
  if (withValue)
    llvm::append_range(expected, values);
  llvm::append_range(expected,
                     typesAt(function.getArgumentTypes(), op.getWrt()));
  return verifyTypes(op, "results", expected, op.getResultTypes());
}

LogicalResult GradOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyGradient(*this, tables, /*withValue=*/false);
}

LogicalResult ValueAndGradOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyGradient(*this, tables, /*withValue=*/true);
}

LogicalResult JvpOp::verifySymbolUses(SymbolTableCollection &tables) {
  // jvp_c1
  func::FuncOp function = lookup(*this, tables, getCalleeAttr());
  // jvp_c2
  if (!function || failed(verifyWrt(*this, function, getWrt())))
    return failure();
  // jvp_c3
  SmallVector<Type> operands(function.getArgumentTypes());
  llvm::append_range(operands, typesAt(function.getArgumentTypes(), getWrt()));
  SmallVector<Type> results(function.getResultTypes());
  llvm::append_range(results, floatsOf(function.getResultTypes()));
  return success(
      succeeded(verifyTypes(*this, "operands", operands, getOperandTypes())) &&
      succeeded(verifyTypes(*this, "results", results, getResultTypes())));
}

LogicalResult VjpOp::verifySymbolUses(SymbolTableCollection &tables) {
  // vjp_c1
  func::FuncOp function = lookup(*this, tables, getCalleeAttr());
  // vjp_c2
  if (!function || failed(verifyWrt(*this, function, getWrt())))
    return failure();
  // vjp_c3
  SmallVector<Type> operands(function.getArgumentTypes());
  llvm::append_range(operands, floatsOf(function.getResultTypes()));
  SmallVector<Type> results(function.getResultTypes());
  llvm::append_range(results, typesAt(function.getArgumentTypes(), getWrt()));
  return success(
      succeeded(verifyTypes(*this, "operands", operands, getOperandTypes())) &&
      succeeded(verifyTypes(*this, "results", results, getResultTypes())));
}

LogicalResult CustomGradOp::verifySymbolUses(SymbolTableCollection &tables) {
  // custom_grad_c4
  if (!getVjp() && !getJvp())
    return emitOpError("expects a vjp or a jvp function");
  // custom_grad_c1
  func::FuncOp function = lookup(*this, tables, getCalleeAttr());
  if (!function)
    return failure();
  // custom_grad_c2
  TypeRange arguments = function.getArgumentTypes();
  TypeRange values = function.getResultTypes();
  if (failed(verifyTypes(*this, "operands", arguments, getOperandTypes())) ||
      failed(verifyTypes(*this, "results", values, getResultTypes())))
    return failure();
  // custom_grad_c3
  auto verifyRule = [&](FlatSymbolRefAttr symbol, TypeRange extra,
                        TypeRange results) -> LogicalResult {
    if (!symbol)
      return success();
    func::FuncOp rule = lookup(*this, tables, symbol);
    if (!rule)
      return failure();
    SmallVector<Type> expected(arguments);
    llvm::append_range(expected, floatsOf(extra));
    return success(
        succeeded(verifyTypes(*this, "a rule with arguments", expected,
                              rule.getArgumentTypes())) &&
        succeeded(verifyTypes(*this, "a rule with results", floatsOf(results),
                              rule.getResultTypes())));
  };
  return success(succeeded(verifyRule(getVjpAttr(), values, arguments)) &&
                 succeeded(verifyRule(getJvpAttr(), arguments, values)));
}

//===----------------------------------------------------------------------===//
// Ensemble
//===----------------------------------------------------------------------===//

/// Lists how many runs each operand that should lead with them has.
static void noteRuns(InFlightDiagnostic &error, EnsembleOp op) {
  error << "; of " << op.getRuns() << " runs";
  StringRef separator = " ";
  for (auto [index, perRun] : llvm::enumerate(op.getPerRun())) {
    if (!perRun || index >= op.getNumOperands())
      continue;
    auto type = cast<RankedTensorType>(op.getOperand(index).getType());
    error << separator << "operand " << index << " has ";
    if (type.getRank() == 0)
      error << "none";
    else
      error << type.getDimSize(0);
    separator = ", ";
  }
}

LogicalResult EnsembleOp::verifySymbolUses(SymbolTableCollection &tables) {
  // ensemble_c1
  func::FuncOp function = lookup(*this, tables, getCalleeAttr());
  if (!function)
    return failure();
  if (getPerRun().size() != function.getNumArguments())
    return emitOpError("expects per_run to have one entry for each of the ")
           << function.getNumArguments() << " arguments of @"
           << function.getName() << ", got " << getPerRun().size();
  // ensemble_c2
  int64_t runs = getRuns();
  if (runs < 1)
    return emitOpError("expects runs to be positive, got ") << runs;
  // ensemble_c3
  auto leading = [&](Type type) -> Type {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape = {runs};
    llvm::append_range(shape, tensor.getShape());
    return tensor.clone(shape);
  };
  SmallVector<Type> operands;
  for (auto [type, perRun] :
       llvm::zip_equal(function.getArgumentTypes(), getPerRun()))
    operands.push_back(perRun ? leading(type) : type);
  SmallVector<Type> results =
      llvm::map_to_vector(function.getResultTypes(), leading);
  if (getOperandTypes() != TypeRange(operands)) {
    InFlightDiagnostic error = emitOpError("expects operands of types (")
                               << TypeRange(operands) << "), got ("
                               << getOperandTypes() << ")";
    noteRuns(error, *this);
    return error;
  }
  return verifyTypes(*this, "results", results, getResultTypes());
}
