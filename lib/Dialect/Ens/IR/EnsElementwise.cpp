//===- EnsElementwise.cpp - Ops on corresponding elements -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsElementwise.cpp.inc"

void EnsDialect::addElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsElementwise.cpp.inc"
      >();
}

LogicalResult MulHighOp::verify() {
  // mul_high_c1
  if (elementTypeOf(getType()).getIntOrFloatBitWidth() == 64)
    return emitOpError("expects i32 or ui32 elements, got ")
           << elementTypeOf(getType());
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &results) {
  results.push_back(withElementType(operands.front().getType(),
                                    IntegerType::get(context, 1)));
  return success();
}

LogicalResult CompareOp::verify() {
  // compare_c1
  bool ordered = getPredicate() != ComparePredicate::eq &&
                 getPredicate() != ComparePredicate::ne;
  if (ordered && elementTypeOf(getLhs().getType()).isInteger(1))
    return emitOpError("expects eq or ne for i1 operands, got ")
           << stringifyComparePredicate(getPredicate());
  return success();
}

LogicalResult BitcastOp::verify() {
  // bitcast_c1
  unsigned from = elementTypeOf(getX().getType()).getIntOrFloatBitWidth();
  unsigned to = elementTypeOf(getType()).getIntOrFloatBitWidth();
  if (from != to || from == 1)
    return emitOpError("expects element types of equal width above 1, got ")
           << elementTypeOf(getX().getType()) << " and "
           << elementTypeOf(getType());
  return success();
}
