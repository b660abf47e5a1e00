//===- EnsRandom.cpp - Sources of randomness and of difference ------------===//
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
#include "ensc/Dialect/Ens/IR/EnsRandom.cpp.inc"

void EnsDialect::addRandomOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsRandom.cpp.inc"
      >();
}

LogicalResult RngBitsOp::verify() {
  ArrayRef<int64_t> seedShape = getSeed().getType().getShape();
  // rng_bits_c1
  if (getStep().getType() != getSeed().getType() ||
      (getOffset() && getOffset().getType() != getSeed().getType()))
    return emitOpError("expects step and offset of the seed's type ")
           << getSeed().getType() << ", got " << getStep().getType();
  // rng_bits_c2
  if (getType().getRank() < getSeed().getType().getRank() ||
      getType().getShape().take_front(seedShape.size()) != seedShape)
    return emitOpError("expects the result's shape to begin with the seed's, ")
           << shapeString(seedShape) << ", got "
           << shapeString(getType().getShape());
  // rng_bits_c3
  if (getSite() && (*getSite() < 0 || *getSite() >= 0xFFFFFFFFll))
    return emitOpError("expects site in [0, 4294967295), got ") << *getSite();
  return success();
}

LogicalResult PermutationOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &results) {
  RankedTensorType seed = tensorType(adaptor.getSeed());
  // permutation_c1
  if (tensorType(adaptor.getEpoch()) != seed)
    return emitOptionalError(loc,
                             "'ens.permutation' op expects an epoch of the "
                             "seed's type ",
                             seed, ", got ", tensorType(adaptor.getEpoch()));
  // permutation_c2
  int64_t size = adaptor.getSize();
  if (size < 0 || size >= (int64_t{1} << 31))
    return emitOptionalError(
        loc, "'ens.permutation' op expects size in [0, 2^31), got ", size);
  SmallVector<int64_t> shape(seed.getShape());
  shape.push_back(size);
  results.push_back(
      RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}

LogicalResult RunIdOp::verify() {
  // run_id_c1
  if (getType().getRank() > 1)
    return emitOpError("expects a result of rank 0 or 1, got ") << getType();
  return success();
}
