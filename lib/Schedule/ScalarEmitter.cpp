//===- ScalarEmitter.cpp - Elements of tensors as scalar ops --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

ScalarEmitter::ScalarEmitter(Location loc, const Storage &storage,
                             ArrayRef<int64_t> domain, bool lanes, Block *body)
    : storage(storage), indexSpace(domain), builder(loc, loc.getContext()) {
  scopes.push_back({body, nullptr, 0});
  ArrayRef<IndexId> point = indexSpace.point();
  for (auto [index, argument] :
       llvm::zip(inMemoryOrder(point, lanes), body->getArguments()))
    if (indexSpace[index].kind == IndexSpace::Kind::Loop)
      bind(index, argument);
}

void ScalarEmitter::bind(Value tensor, ArrayRef<IndexId> at, Value scalar) {
  scalars[{tensor.getAsOpaquePointer(), std::vector<int>(at)}] = scalar;
}

/// Ops go to the innermost fold whose loops they depend on.
void ScalarEmitter::enterScopeOf(uint64_t loops) {
  const Scope *scope = &scopes.front();
  for (const Scope &inner : llvm::drop_begin(scopes))
    if (inner.loops & loops)
      scope = &inner;
  if (scope->before)
    builder.setInsertionPoint(scope->before);
  else
    builder.setInsertionPointToEnd(scope->block);
}

ImplicitLocOpBuilder &ScalarEmitter::atEnd() {
  builder.setInsertionPointToEnd(scopes.front().block);
  return builder;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value ScalarEmitter::index(IndexId id) {
  if (Value known = indexValues.lookup(id))
    return known;
  Value value = computeIndex(id);
  indexValues[id] = value;
  return value;
}

Value ScalarEmitter::computeIndex(IndexId id) {
  using Kind = IndexSpace::Kind;
  // A copy: emitting an element may add nodes.
  IndexSpace::Node node = indexSpace[id];
  if (node.kind == Kind::Read) {
    Value element = emit(node.tensor, node.operands);
    enterScopeOf(node.loops);
    return arith::IndexCastOp::create(builder, builder.getIndexType(), element);
  }
  SmallVector<Value, 2> operands;
  for (IndexId operand : node.operands)
    operands.push_back(index(operand));
  enterScopeOf(node.loops);
  auto number = [&] {
    return arith::ConstantIndexOp::create(builder, node.number);
  };
  switch (node.kind) {
  case Kind::Constant:
    return number();
  case Kind::Add:
    return arith::AddIOp::create(builder, operands[0], operands[1]);
  case Kind::Scale:
    return arith::MulIOp::create(builder, operands[0], number());
  case Kind::Quotient:
    return arith::DivUIOp::create(builder, operands[0], number());
  case Kind::Remainder:
    return arith::RemUIOp::create(builder, operands[0], number());
  default: {
    Value zero = arith::ConstantIndexOp::create(builder, 0);
    Value above = arith::MaxSIOp::create(builder, operands[0], zero);
    return arith::MinSIOp::create(builder, above, number());
  }
  }
}

/// An index as an element of a tensor. Extents fit 31 bits, or nothing would
/// fit the memory.
Value ScalarEmitter::indexAs(IndexId id, Type element) {
  Value value = index(id);
  enterScopeOf(indexSpace[id].loops);
  bool isSignless = element.isSignlessInteger();
  Type number = isSignless ? element : builder.getI64Type();
  Value cast = arith::IndexCastOp::create(builder, number, value);
  return isSignless ? cast : ConvertOp::create(builder, element, cast);
}

/// Whether low <= index < high.
Value ScalarEmitter::isWithin(IndexId id, int64_t low, int64_t high) {
  Value value = index(id);
  enterScopeOf(indexSpace[id].loops);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) {
    Value limit = arith::ConstantIndexOp::create(builder, bound);
    return arith::CmpIOp::create(builder, predicate, value, limit);
  };
  Value above = compare(arith::CmpIPredicate::sge, low);
  Value below = compare(arith::CmpIPredicate::slt, high);
  return AndOp::create(builder, above, below);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value ScalarEmitter::emit(Value tensor, ArrayRef<IndexId> at) {
  auto key =
      std::make_pair(static_cast<const void *>(tensor.getAsOpaquePointer()),
                     std::vector<int>(at));
  auto known = scalars.find(key);
  if (known != scalars.end())
    return known->second;
  auto memory = storage.tensors.find(tensor);
  Value scalar = memory != storage.tensors.end() && !owned.contains(tensor)
                     ? load(memory->second, at)
                     : compute(tensor, at);
  scalars[key] = scalar;
  return scalar;
}

Value ScalarEmitter::load(const Memory &memory, ArrayRef<IndexId> at) {
  SmallVector<Value> indices = llvm::map_to_vector(
      inMemoryOrder(at, memory.lanes), [&](IndexId id) { return index(id); });
  enterScopeOf(indexSpace.loopsOf(at));
  return memref::LoadOp::create(builder, memory.memref, indices);
}

void ScalarEmitter::store(Value scalar, const Memory &memory,
                          ArrayRef<IndexId> at) {
  SmallVector<Value> indices = llvm::map_to_vector(
      inMemoryOrder(at, memory.lanes), [&](IndexId id) { return index(id); });
  memref::StoreOp::create(atEnd(), scalar, memory.memref, indices);
}

Value ScalarEmitter::operand(OpOperand &operand, ArrayRef<IndexId> at) {
  return emit(operand.get(), operandIndices(indexSpace, operand, at));
}

Value ScalarEmitter::compute(Value tensor, ArrayRef<IndexId> at) {
  Operation *op = tensor.getDefiningOp();
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](ConstantOp constant) { return emitConstant(constant); })
      .Case([&](IotaOp iota) { return indexAs(at[iota.getDim()], element); })
      .Case([&](FromIndexOp fromIndex) -> Value {
        enterScopeOf(0);
        return arith::IndexCastOp::create(
            builder, element, storage.indices.lookup(fromIndex.getX()));
      })
      .Case([&](RunIdOp) {
        Indices lane(at.empty() ? ArrayRef<IndexId>(indexSpace.constant(0))
                                : at);
        return load({storage.runIds, false}, lane);
      })
      .Case<BroadcastOp, TransposeOp, ReshapeOp, ReverseOp, SliceOp,
            StopGradientOp, DynamicSliceOp>(
          [&](auto) { return operand(op->getOpOperand(0), at); })
      .Case([&](PadOp pad) { return emitPad(pad, at); })
      .Case([&](ConcatOp concat) { return emitConcat(concat, at); })
      .Case([&](GatherOp gather) { return emitGather(gather, at); })
      .Case([&](RngBitsOp bits) { return emitRngBits(bits, at); })
      .Case<ReduceOp, ArgReduceOp>([&](auto) { return emitFold(op, at); })
      .Default([&](Operation *) { return emitElementwise(op, at); });
}

/// The op itself, on scalars.
Value ScalarEmitter::emitElementwise(Operation *op, ArrayRef<IndexId> at) {
  IRMapping scalarsOf;
  for (OpOperand &use : op->getOpOperands())
    scalarsOf.map(use.get(), operand(use, at));
  enterScopeOf(indexSpace.loopsOf(at));
  Operation *copy = builder.clone(*op, scalarsOf);
  Value result = copy->getResult(0);
  result.setType(getElementTypeOrSelf(result.getType()));
  return result;
}

Value ScalarEmitter::emitFold(Operation *op, ArrayRef<IndexId> at) {
  uint64_t around = indexSpace.foldsAround(at);
  SmallVector<int64_t> extents = foldExtents(op);
  unsigned first = indexSpace.numLoops();
  Indices fold = indexSpace.addFold(extents, around);
  uint64_t loops = 0;
  for (unsigned loop = first; loop < indexSpace.numLoops(); ++loop)
    loops |= uint64_t(1) << loop;

  FoldKind kind;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    kind = reduce.getKind() == ReduceKind::sum   ? FoldKind::sum
           : reduce.getKind() == ReduceKind::max ? FoldKind::max
                                                 : FoldKind::min;
  else
    kind = cast<ArgReduceOp>(op).getKind() == ArgReduceKind::max
               ? FoldKind::argmax
               : FoldKind::argmin;

  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  enterScopeOf(around);
  auto foldOp = FoldOp::create(builder, element, kind, extents);
  Block *body = builder.createBlock(&foldOp.getBody());
  for (IndexId index : fold) {
    Value argument = body->addArgument(builder.getIndexType(), op->getLoc());
    if (indexSpace[index].kind == IndexSpace::Kind::Loop)
      bind(index, argument);
  }
  // What does not depend on the fold's loops goes before it, in the scope that
  // the fold itself is in.
  Operation *outerBefore = nullptr;
  Scope *outer = nullptr;
  for (Scope &scope : scopes)
    if (scope.block == foldOp->getBlock())
      outer = &scope;
  outerBefore = std::exchange(outer->before, foldOp);
  size_t outerIndex = outer - scopes.begin();
  scopes.push_back({body, nullptr, loops});
  Value yielded = emit(op->getOperand(0), foldOperandIndices(op, at, fold));
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, yielded);
  scopes.pop_back();
  scopes[outerIndex].before = outerBefore;
  return foldOp.getResult();
}
