//===- EnsContraction.cpp - Contractions and reductions -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeInference.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/OpImplementation.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsContraction.cpp.inc"

void EnsDialect::addContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsContraction.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

/// dot_c2: the lists name dimensions of one side, none twice.
static LogicalResult verifyDotDims(std::optional<Location> loc, StringRef side,
                                   int64_t rank, ArrayRef<int64_t> batch,
                                   ArrayRef<int64_t> contract) {
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t dim : llvm::concat<const int64_t>(batch, contract))
    if (dim < 0 || dim >= rank || !seen.insert(dim).second)
      return emitOptionalError(loc,
                               "'ens.dot' op expects distinct dimensions "
                               "of the ",
                               side, " side of rank ", rank, ", got batch ",
                               shapeString(batch), " and contract ",
                               shapeString(contract));
  return success();
}

/// dot_c3 and dot_c4: the lists of both sides are equally long and the extents
/// that meet are equal.
static LogicalResult verifyDotPairs(std::optional<Location> loc, StringRef kind,
                                    ArrayRef<int64_t> lhsShape,
                                    ArrayRef<int64_t> rhsShape,
                                    ArrayRef<int64_t> lhs,
                                    ArrayRef<int64_t> rhs) {
  if (lhs.size() != rhs.size())
    return emitOptionalError(loc, "'ens.dot' op expects as many ", kind,
                             " dimensions on both sides, got ", lhs.size(),
                             " and ", rhs.size());
  for (auto [l, r] : llvm::zip_equal(lhs, rhs))
    if (lhsShape[l] != rhsShape[r])
      return emitOptionalError(loc, "'ens.dot' op expects equal extents of ",
                               kind, " dimensions ", l, " and ", r, ", got ",
                               lhsShape[l], " and ", rhsShape[r]);
  return success();
}

LogicalResult DotOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &results) {
  RankedTensorType lhs = tensorType(adaptor.getLhs());
  RankedTensorType rhs = tensorType(adaptor.getRhs());
  ArrayRef<int64_t> lhsBatch = adaptor.getLhsBatch();
  ArrayRef<int64_t> rhsBatch = adaptor.getRhsBatch();
  ArrayRef<int64_t> lhsContract = adaptor.getLhsContract();
  ArrayRef<int64_t> rhsContract = adaptor.getRhsContract();
  // dot_c1
  if (lhs.getElementType() != rhs.getElementType())
    return emitOptionalError(loc, "'ens.dot' op expects one element type, got ",
                             lhs.getElementType(), " and ",
                             rhs.getElementType());
  if (failed(
          verifyDotDims(loc, "left", lhs.getRank(), lhsBatch, lhsContract)) ||
      failed(
          verifyDotDims(loc, "right", rhs.getRank(), rhsBatch, rhsContract)) ||
      failed(verifyDotPairs(loc, "batch", lhs.getShape(), rhs.getShape(),
                            lhsBatch, rhsBatch)) ||
      failed(verifyDotPairs(loc, "contracted", lhs.getShape(), rhs.getShape(),
                            lhsContract, rhsContract)))
    return failure();

  SmallVector<int64_t> shape;
  for (int64_t dim : lhsBatch)
    shape.push_back(lhs.getDimSize(dim));
  auto appendFree = [&](RankedTensorType type, ArrayRef<int64_t> batch,
                        ArrayRef<int64_t> contract) {
    SmallVector<int64_t> bound(batch);
    llvm::append_range(bound, contract);
    llvm::append_range(shape, dropDims(type.getShape(), bound));
  };
  appendFree(lhs, lhsBatch, lhsContract);
  appendFree(rhs, rhsBatch, rhsContract);
  results.push_back(lhs.clone(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  // reduce_c1
  if (failed(verifyIncreasingDims(loc, getOperationName(), adaptor.getDims(),
                                  type.getRank())))
    return failure();
  results.push_back(type.clone(dropDims(type.getShape(), adaptor.getDims())));
  return success();
}

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  int64_t dim = adaptor.getDim();
  // arg_reduce_c1
  if (dim < 0 || dim >= type.getRank())
    return emitOptionalError(loc, "'ens.arg_reduce' op expects dim in [0, ",
                             type.getRank(), "), got ", dim);
  // arg_reduce_c2
  if (type.getDimSize(dim) < 1)
    return emitOptionalError(
        loc,
        "'ens.arg_reduce' op expects an extent of at least 1 in dimension ",
        dim, ", got ", type.getDimSize(dim));
  results.push_back(RankedTensorType::get(dropDims(type.getShape(), dim),
                                          IntegerType::get(context, 32)));
  return success();
}
