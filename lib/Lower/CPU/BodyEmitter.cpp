//===- BodyEmitter.cpp - Bodies of phases at a vector of points -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyEmitter.h"
#include "Elementwise.h"
#include "IndexDivision.h"
#include "ensc/Lower/CPU/MathEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

const Binding &BodyEmitter::lookup(Value value) {
  for (BodyEmitter *emitter = this; emitter; emitter = emitter->outer_) {
    auto found = emitter->bindings_.find(value);
    if (found != emitter->bindings_.end())
      return found->second;
  }
  llvm_unreachable("a value is used that no emitted op defines");
}

Index BodyEmitter::positionOf(Value memref, ValueRange indices) {
  SmallVector<Index> list;
  for (Value index : indices)
    list.push_back(lookup(index).index);
  return kernel_.position(kernel_.buffers.lookup(memref), list);
}

/// Operands of one shape: if one is a vector, all become vectors.
SmallVector<Value> BodyEmitter::unify(ValueRange operands) {
  SmallVector<Value> values;
  for (Value operand : operands)
    values.push_back(value(operand));
  if (llvm::any_of(values,
                   [](Value v) { return isa<VectorType>(v.getType()); }))
    for (Value &value : values)
      value = kernel_.splat(value, width_);
  return values;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static bool isIndexOp(Operation *op) {
  return op->getNumResults() == 1 && op->getResult(0).getType().isIndex();
}

/// Whether a division may undo a flattening, which gives a linear form.
bool BodyEmitter::mayUndoFlattening(Operation *op) {
  if (!isa<arith::DivUIOp, arith::RemUIOp>(op))
    return false;
  std::optional<int64_t> divisor = lookup(op->getOperand(1)).index.asConstant();
  return divisor && *divisor > 0;
}

/// Divides as the program says, by zero and into negative numbers, too.
void BodyEmitter::emitDivision(Operation *op) {
  IndexMath &math = kernel_.math;
  const Index &a = lookup(op->getOperand(0)).index;
  const Index &b = lookup(op->getOperand(1)).index;
  if (a.isUniform() && b.isUniform())
    bind(op->getResult(0),
         math.atom(emitIndexDivision(kernel_.builder, op, math.scalar(a),
                                     math.scalar(b))));
  else
    bind(op->getResult(0), math.perLane(emitIndexDivision(
                               kernel_.builder, op, math.vector(a, width_),
                               math.vector(b, width_))));
}

bool BodyEmitter::emitIndexOp(Operation *op) {
  if (!isIndexOp(op))
    return false;
  IndexMath &math = kernel_.math;
  auto operand = [&](unsigned i) { return lookup(op->getOperand(i)).index; };
  auto result = op->getResult(0);
  auto applied = [&](IndexOp kind) {
    return math.apply(kind, operand(0), operand(1), width_);
  };
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    bind(result,
         math.constant(cast<IntegerAttr>(constant.getValue()).getInt()));
  else if (isa<arith::AddIOp>(op))
    bind(result, math.add(operand(0), operand(1)));
  else if (isa<arith::SubIOp>(op))
    bind(result, math.subtract(operand(0), operand(1)));
  else if (isa<arith::MulIOp>(op))
    bind(result, applied(IndexOp::Multiply));
  else if (mayUndoFlattening(op))
    bind(result, applied(isa<arith::DivUIOp>(op) ? IndexOp::Divide
                                                 : IndexOp::Remainder));
  else if (isIndexDivision(op))
    emitDivision(op);
  else if (isa<arith::MinSIOp>(op))
    bind(result, applied(IndexOp::Minimum));
  else if (isa<arith::MaxSIOp>(op))
    bind(result, applied(IndexOp::Maximum));
  else
    return false;
  return true;
}

/// Comparisons of indices, and selects between them.
bool BodyEmitter::emitCompareOrSelect(Operation *op) {
  IndexMath &math = kernel_.math;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (!compare.getLhs().getType().isIndex()) {
      SmallVector<Value> values = unify(op->getOperands());
      bind(compare.getResult(),
           arith::CmpIOp::create(kernel_.builder, compare.getPredicate(),
                                 values[0], values[1]));
      return true;
    }
    Index a = lookup(compare.getLhs()).index;
    Index b = lookup(compare.getRhs()).index;
    bool isScalar = a.isUniform() && b.isUniform();
    Value left = isScalar ? math.scalar(a) : math.vector(a, width_);
    Value right = isScalar ? math.scalar(b) : math.vector(b, width_);
    bind(compare.getResult(),
         arith::CmpIOp::create(kernel_.builder, compare.getPredicate(), left,
                               right));
    return true;
  }
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || !select.getType().isIndex())
    return false;
  Value condition = value(select.getCondition());
  Index a = lookup(select.getTrueValue()).index;
  Index b = lookup(select.getFalseValue()).index;
  if (!isa<VectorType>(condition.getType()) && a.isUniform() && b.isUniform()) {
    bind(select.getResult(),
         math.atom(arith::SelectOp::create(kernel_.builder, condition,
                                           math.scalar(a), math.scalar(b))));
    return true;
  }
  bind(select.getResult(),
       math.perLane(arith::SelectOp::create(
           kernel_.builder, kernel_.splat(condition, width_),
           math.vector(a, width_), math.vector(b, width_))));
  return true;
}

/// Between an index and an i32 or i64, in either direction.
void BodyEmitter::emitIndexCast(Operation *op) {
  ImplicitLocOpBuilder &builder = kernel_.builder;
  IndexMath &math = kernel_.math;
  Type to = op->getResult(0).getType();
  if (!to.isIndex()) {
    const Index &index = lookup(op->getOperand(0)).index;
    int64_t width = index.isUniform() ? 1 : width_;
    Value wide = width == 1 ? math.scalar(index) : math.vector(index, width);
    if (to.getIntOrFloatBitWidth() < 64)
      wide = arith::TruncIOp::create(builder, typeOfWidth(to, width), wide);
    bind(op->getResult(0), wide);
    return;
  }
  Value narrow = value(op->getOperand(0));
  auto vector = dyn_cast<VectorType>(narrow.getType());
  Type wideType = typeOfWidth(builder.getI64Type(), vector ? width_ : 1);
  Value wide = narrow;
  if (narrow.getType() != wideType)
    wide = isa<arith::IndexCastUIOp>(op)
               ? arith::ExtUIOp::create(builder, wideType, narrow).getResult()
               : arith::ExtSIOp::create(builder, wideType, narrow).getResult();
  bind(op->getResult(0), vector ? math.perLane(wide) : math.atom(wide));
}

//===----------------------------------------------------------------------===//
// The ops of a body
//===----------------------------------------------------------------------===//

void BodyEmitter::emitPhilox(ens::PhiloxOp philox) {
  SmallVector<Value> v = unify(philox->getOperands());
  std::array<Value, 4> words =
      ensc::emitPhilox(kernel_.builder, {v[0], v[1], v[2], v[3]}, {v[4], v[5]});
  for (auto [result, word] : llvm::zip(philox->getResults(), words))
    bind(result, word);
}

LogicalResult BodyEmitter::emitAccess(Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  auto store = dyn_cast<memref::StoreOp>(op);
  Value memref = load ? load.getMemRef() : store.getMemRef();
  auto known = kernel_.buffers.find(memref);
  if (known == kernel_.buffers.end())
    return op->emitOpError("accesses memory that is neither a view of the "
                           "arena nor shared by the runs");
  const Buffer &buffer = known->second;
  Index position =
      positionOf(memref, load ? load.getIndices() : store.getIndices());
  if (load)
    bind(load.getResult(), kernel_.load(buffer, position, width_));
  else
    kernel_.store(value(store.getValue()), buffer, position, width_);
  return success();
}

LogicalResult BodyEmitter::emit(Operation *op) {
  kernel_.builder.setLoc(op->getLoc());
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return emitAccess(op);
  if (auto philox = dyn_cast<ens::PhiloxOp>(op))
    return emitPhilox(philox), success();
  if (auto fold = dyn_cast<ens::FoldOp>(op))
    return emitFold(fold);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return emitIndexCast(op), success();
  if (emitCompareOrSelect(op) || emitIndexOp(op))
    return success();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    bind(constant.getResult(), kernel_.math.constantOf(constant.getValue()));
    return success();
  }
  if (!isIndexOp(op) && op->getNumRegions() == 0)
    if (Value result =
            emitElementwise(kernel_.builder, op, unify(op->getOperands()))) {
      bind(op->getResult(0), result);
      return success();
    }
  return op->emitOpError("has no place in the body of a phase on a CPU");
}

LogicalResult BodyEmitter::emitDefinition(Value value) {
  Operation *op = value.getDefiningOp();
  for (BodyEmitter *emitter = this; emitter; emitter = emitter->outer_)
    if (emitter->isBound(value))
      return success();
  assert(op && "an argument that nobody bound");
  return emitWithOperands(op);
}

LogicalResult BodyEmitter::emitWithOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (!isa<MemRefType>(operand.getType()) && failed(emitDefinition(operand)))
      return failure();
  return emit(op);
}

FailureOr<Index> BodyEmitter::emitPosition(memref::LoadOp load) {
  for (Value index : load.getIndices())
    if (failed(emitDefinition(index)))
      return failure();
  return positionOf(load.getMemRef(), load.getIndices());
}

LogicalResult BodyEmitter::emit(Block &block) {
  for (Operation &op : block) {
    bool isDone = op.getNumResults() > 0 && isBound(op.getResult(0));
    if (isDone || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (failed(emit(&op)))
      return failure();
  }
  return success();
}
