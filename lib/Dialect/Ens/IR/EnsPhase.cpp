//===- EnsPhase.cpp - The phase program that Schedule makes ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeInference.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsPhase.cpp.inc"

void EnsDialect::addPhaseOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsPhase.cpp.inc"
      >();
}

/// Whether a region takes `indices` indices and then values of `rest`.
static bool takesIndices(Region &region, size_t indices, TypeRange rest = {}) {
  TypeRange types = region.front().getArgumentTypes();
  return types.size() == indices + rest.size() &&
         llvm::all_of(types.take_front(indices),
                      [](Type type) { return type.isIndex(); }) &&
         types.drop_front(indices) == rest;
}

LogicalResult MapOp::verify() {
  // map_c1
  if (!takesIndices(getBody(), getDomain().size()))
    return emitOpError("expects a body that takes ")
           << getDomain().size() << " indices, got "
           << getBody().getArgumentTypes();
  // map_c2
  if (llvm::any_of(getDomain(), [](int64_t extent) { return extent < 0; }))
    return emitOpError("expects extents of at least 0, got ")
           << shapeString(getDomain());
  // map_c3
  if (getLanes() && getDomain().empty())
    return emitOpError("expects an extent that counts the lanes");
  return success();
}

LogicalResult FoldOp::verify() {
  // fold_c1
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (!takesIndices(getBody(), getOver().size()) || !yield ||
      yield.getValues().size() != 1)
    return emitOpError("expects a body that takes ")
           << getOver().size() << " indices and yields one number";
  // fold_c2
  bool argument =
      getKind() == FoldKind::argmax || getKind() == FoldKind::argmin;
  Type yielded = yield.getValues().front().getType();
  Type expected = argument ? IntegerType::get(getContext(), 32) : yielded;
  if (getType() != expected)
    return emitOpError("expects a result of type ")
           << expected << ", got " << getType();
  return success();
}

LogicalResult ContractOp::verify() {
  size_t points = getDomain().size(), steps = getOver().size();
  // contract_c1
  if (!takesIndices(getFactors(), points + steps))
    return emitOpError("expects factors of ")
           << points + steps << " indices, got "
           << getFactors().getArgumentTypes();
  if (!takesIndices(getEpilogue(), points, getType()))
    return emitOpError("expects an epilogue that takes ")
           << points << " indices and the sum, got "
           << getEpilogue().getArgumentTypes();
  // contract_c2
  auto yield = dyn_cast<YieldOp>(getFactors().front().back());
  if (!yield || yield.getValues().size() != 2 ||
      llvm::any_of(yield.getValues().getTypes(),
                   [&](Type type) { return type != getType(); }))
    return emitOpError("expects factors that yield two values of type ")
           << getType();
  return success();
}

LogicalResult TableOp::verify() {
  // table_c1
  auto type = cast<ShapedType>(getValue().getType());
  auto memory = cast<MemRefType>(getType());
  if (memory.getShape() != type.getShape() ||
      memory.getElementType() != type.getElementType() ||
      !memory.getLayout().isIdentity())
    return emitOpError("expects memory of the shape and element type of ")
           << type << ", got " << memory;
  return success();
}
