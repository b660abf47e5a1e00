//===- EnsIndexing.cpp - Access by index ----------------------------------===//
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
#include "ensc/Dialect/Ens/IR/EnsIndexing.cpp.inc"

void EnsDialect::addIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsIndexing.cpp.inc"
      >();
}

FailureOr<SmallVector<int64_t>>
ens::inferGatherShape(std::optional<Location> loc, Value x, Value indices,
                      int64_t axis, int64_t batchDims, bool clamps) {
  ArrayRef<int64_t> from = shapeOf(x), at = shapeOf(indices);
  int64_t rank = from.size(), indexRank = at.size();
  // gather_c1, scatter_c1
  if (batchDims < 0 || batchDims > axis || axis >= rank ||
      batchDims > indexRank)
    return emitOptionalError(loc, "expects 0 <= batch_dims <= axis < ", rank,
                             " and batch_dims <= ", indexRank,
                             ", got batch_dims ", batchDims, " and axis ",
                             axis);
  // gather_c2, scatter_c2
  if (from.take_front(batchDims) != at.take_front(batchDims))
    return emitOptionalError(
        loc, "expects equal batch dimensions of operand and indices, got ",
        shapeString(from.take_front(batchDims)), " and ",
        shapeString(at.take_front(batchDims)));
  // gather_c3, scatter_c5
  if (clamps && from[axis] == 0 && tensorType(indices).getNumElements() > 0)
    return emitOptionalError(
        loc, "expects at least one element to clamp indices to in dimension ",
        axis);
  SmallVector<int64_t> shape(from.take_front(axis));
  llvm::append_range(shape, at.drop_front(batchDims));
  llvm::append_range(shape, from.drop_front(axis + 1));
  return shape;
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  FailureOr<SmallVector<int64_t>> shape = inferGatherShape(
      loc, adaptor.getX(), adaptor.getIndices(), adaptor.getAxis(),
      adaptor.getBatchDims(), adaptor.getMode() == GatherMode::clamp);
  if (failed(shape))
    return failure();
  results.push_back(tensorType(adaptor.getX()).clone(*shape));
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &results) {
  FailureOr<SmallVector<int64_t>> shape = inferGatherShape(
      loc, adaptor.getX(), adaptor.getIndices(), adaptor.getAxis(),
      adaptor.getBatchDims(), adaptor.getMode() == ScatterMode::clamp);
  if (failed(shape))
    return failure();
  RankedTensorType type = tensorType(adaptor.getX());
  // scatter_c3
  if (tensorType(adaptor.getUpdates()) != type.clone(*shape))
    return emitOptionalError(loc, "'ens.scatter' op expects updates of type ",
                             type.clone(*shape), ", got ",
                             tensorType(adaptor.getUpdates()));
  // scatter_c4
  if (type.getElementType().isInteger(1) &&
      adaptor.getKind() == ScatterKind::add)
    return emitOptionalError(
        loc, "'ens.scatter' op expects numbers to add, got i1; use set");
  results.push_back(type);
  return success();
}
