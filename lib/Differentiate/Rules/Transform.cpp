//===- Transform.cpp - Derivatives of ops that transform functions --------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These rules emit calls, which the pass that asked for them inlines.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// One value per float type of `types`: those given, or zeros.
static void appendFloats(RuleBuilder &b, TypeRange types,
                         ArrayRef<Value> values,
                         SmallVectorImpl<Value> &floats) {
  for (auto [type, value] : llvm::zip_equal(types, values))
    if (hasTangent(type))
      floats.push_back(b.orZero(value, type));
}

/// `floats`, one per float type of `types`, with nulls between them for the
/// other types.
static void spreadFloats(TypeRange types, ValueRange floats, Values &results) {
  auto next = floats.begin();
  for (Type type : types)
    results.push_back(hasTangent(type) ? *next++ : Value());
}

//===----------------------------------------------------------------------===//
// custom_grad
//===----------------------------------------------------------------------===//

namespace {
struct CustomGradModel
    : DifferentiableOpInterface::ExternalModel<CustomGradModel, CustomGradOp> {
  /// Calls a rule of the user with the op's operands and what belongs to
  /// `types`; its results belong to `resultTypes`.
  static LogicalResult callRule(Operation *op, OpBuilder &builder,
                                FlatSymbolRefAttr rule, StringRef mode,
                                TypeRange types, ArrayRef<Value> values,
                                TypeRange resultTypes, Values &results) {
    auto custom = cast<CustomGradOp>(op);
    if (!rule)
      return op->emitOpError("brings no ")
             << mode << " function for @" << custom.getCallee()
             << ", which this derivative needs: add " << mode << " = @...";
    RuleBuilder b(op, builder);
    SmallVector<Value> arguments(op->getOperands());
    appendFloats(b, types, values, arguments);
    SmallVector<Type> floats = llvm::filter_to_vector(resultTypes, hasTangent);
    auto call = func::CallOp::create(b, rule, floats, arguments);
    spreadFloats(resultTypes, call.getResults(), results);
    return success();
  }

  LogicalResult emitJvp(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> operandTangents,
                        Values &resultTangents) const {
    return callRule(op, builder, cast<CustomGradOp>(op).getJvpAttr(), "jvp",
                    op->getOperandTypes(), operandTangents,
                    op->getResultTypes(), resultTangents);
  }

  LogicalResult emitVjp(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> resultCotangents,
                        const BitVector &active,
                        Values &operandCotangents) const {
    if (failed(callRule(op, builder, cast<CustomGradOp>(op).getVjpAttr(), "vjp",
                        op->getResultTypes(), resultCotangents,
                        op->getOperandTypes(), operandCotangents)))
      return failure();
    for (auto [index, cotangent] : llvm::enumerate(operandCotangents))
      if (!active[index])
        cotangent = Value();
    return success();
  }
};

//===----------------------------------------------------------------------===//
// ensemble
//===----------------------------------------------------------------------===//

/// The derivative of an ensemble is the ensemble of the derivatives. What all
/// runs share collects cotangents from all of them.
struct EnsembleModel
    : DifferentiableOpInterface::ExternalModel<EnsembleModel, EnsembleOp> {
  /// A private function around a derivative of the callee, of which only the
  /// results from `firstResult` on are returned.
  static func::FuncOp
  wrap(EnsembleOp op, StringRef suffix, TypeRange inputs,
       function_ref<Operation *(OpBuilder &, ValueRange)> emitDerivative,
       unsigned firstResult) {
    auto module = op->getParentOfType<ModuleOp>();
    OpBuilder builder(op.getContext());
    auto function =
        func::FuncOp::create(op.getLoc(), (op.getCallee() + suffix).str(),
                             builder.getFunctionType(inputs, {}));
    function.setPrivate();
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    Operation *derivative = emitDerivative(builder, body->getArguments());
    auto results = derivative->getResults().drop_front(firstResult);
    func::ReturnOp::create(builder, op.getLoc(), results);
    function.setType(
        builder.getFunctionType(inputs, ValueRange(results).getTypes()));
    SymbolTable(module).insert(function);
    return function;
  }

  static func::FuncOp lookup(EnsembleOp op) {
    return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, op.getCalleeAttr());
  }

  static EnsembleOp create(RuleBuilder &b, EnsembleOp op, func::FuncOp function,
                           ArrayRef<Value> operands) {
    SmallVector<bool> perRun(op.getPerRun());
    // Tangents are per run as their primals are, cotangents all are.
    for (Value operand : operands.drop_front(perRun.size()))
      perRun.push_back(
          tensorType(operand).getRank() >
          cast<RankedTensorType>(function.getArgumentTypes()[perRun.size()])
              .getRank());
    SmallVector<Type> results;
    for (Type type : function.getResultTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      SmallVector<int64_t> shape = {static_cast<int64_t>(op.getRuns())};
      llvm::append_range(shape, tensor.getShape());
      results.push_back(tensor.clone(shape));
    }
    return EnsembleOp::create(b, results, function.getName(), operands,
                              op.getRuns(), perRun);
  }

  LogicalResult emitJvp(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> operandTangents,
                        Values &resultTangents) const {
    auto ensemble = cast<EnsembleOp>(op);
    func::FuncOp callee = lookup(ensemble);
    RuleBuilder b(op, builder);
    SmallVector<Value> operands(op->getOperands());
    SmallVector<Type> inputs(callee.getArgumentTypes());
    SmallVector<int64_t> wrt;
    for (auto [index, tangent] : llvm::enumerate(operandTangents))
      if (tangent) {
        wrt.push_back(index);
        operands.push_back(tangent);
        inputs.push_back(callee.getArgumentTypes()[index]);
      }
    SmallVector<Type> results(callee.getResultTypes());
    llvm::append_range(
        results, llvm::make_filter_range(callee.getResultTypes(), hasTangent));
    func::FuncOp function = wrap(
        ensemble, ".jvp", inputs,
        [&](OpBuilder &inner, ValueRange arguments) -> Operation * {
          return JvpOp::create(inner, op->getLoc(), results, callee.getName(),
                               arguments, wrt);
        },
        callee.getNumResults());
    EnsembleOp tangents = create(b, ensemble, function, operands);
    spreadFloats(op->getResultTypes(), tangents.getResults(), resultTangents);
    return success();
  }

  LogicalResult emitVjp(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> resultCotangents,
                        const BitVector &active,
                        Values &operandCotangents) const {
    auto ensemble = cast<EnsembleOp>(op);
    func::FuncOp callee = lookup(ensemble);
    RuleBuilder b(op, builder);
    SmallVector<Value> operands(op->getOperands());
    appendFloats(b, op->getResultTypes(), resultCotangents, operands);
    SmallVector<Type> inputs(callee.getArgumentTypes());
    llvm::append_range(
        inputs, llvm::make_filter_range(callee.getResultTypes(), hasTangent));
    SmallVector<int64_t> wrt;
    SmallVector<Type> results(callee.getResultTypes());
    for (int64_t index : active.set_bits()) {
      wrt.push_back(index);
      results.push_back(callee.getArgumentTypes()[index]);
    }
    func::FuncOp function = wrap(
        ensemble, ".vjp", inputs,
        [&](OpBuilder &inner, ValueRange arguments) -> Operation * {
          return VjpOp::create(inner, op->getLoc(), results, callee.getName(),
                               arguments, wrt);
        },
        callee.getNumResults());
    EnsembleOp cotangents = create(b, ensemble, function, operands);
    operandCotangents.resize(op->getNumOperands());
    for (auto [position, index] : llvm::enumerate(wrt)) {
      Value perRun = cotangents.getResult(position);
      operandCotangents[index] =
          ensemble.getPerRun()[index] ? perRun : b.sum(perRun, {0});
    }
    return success();
  }
};
} // namespace

void ensc::attachTransformRules(MLIRContext *context) {
  CustomGradOp::attachInterface<CustomGradModel>(*context);
  EnsembleOp::attachInterface<EnsembleModel>(*context);
}
