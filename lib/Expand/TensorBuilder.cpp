//===- TensorBuilder.cpp - Emits core ops in few words --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

Value TensorBuilder::splat(Type type, double value) {
  auto tensor = cast<RankedTensorType>(type);
  if (!isa<FloatType>(tensor.getElementType()))
    return splatInteger(type, static_cast<int64_t>(value));
  Attribute element = getFloatAttr(tensor.getElementType(), value);
  return ConstantOp::create(*this, tensor,
                            DenseElementsAttr::get(tensor, element));
}

Value TensorBuilder::splatInteger(Type type, int64_t value) {
  auto tensor = cast<RankedTensorType>(type);
  unsigned width = tensor.getElementType().getIntOrFloatBitWidth();
  APInt bits(64, static_cast<uint64_t>(value), /*isSigned=*/true);
  return ConstantOp::create(*this, tensor,
                            DenseElementsAttr::get(tensor, bits.trunc(width)));
}

Value TensorBuilder::spread(Value value, RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return BroadcastOp::create(*this, type, value, ArrayRef<int64_t>());
}

Value TensorBuilder::spreadRows(Value rows, RankedTensorType type) {
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(0, tensorTypeOf(rows).getRank()));
  return BroadcastOp::create(
      *this, type.clone(tensorTypeOf(rows).getElementType()), rows, dims);
}

Value TensorBuilder::add(Value lhs, Value rhs) {
  return AddOp::create(*this, lhs.getType(), lhs, rhs);
}

Value TensorBuilder::sub(Value lhs, Value rhs) {
  return SubOp::create(*this, lhs.getType(), lhs, rhs);
}

Value TensorBuilder::mul(Value lhs, Value rhs) {
  return MulOp::create(*this, lhs.getType(), lhs, rhs);
}

Value TensorBuilder::div(Value lhs, Value rhs) {
  return DivOp::create(*this, lhs.getType(), lhs, rhs);
}

Value TensorBuilder::compare(ComparePredicate predicate, Value lhs, Value rhs) {
  return CompareOp::create(*this, predicate, lhs, rhs);
}

Value TensorBuilder::select(Value predicate, Value onTrue, Value onFalse) {
  return SelectOp::create(*this, onTrue.getType(), predicate, onTrue, onFalse);
}

Value TensorBuilder::convert(Value x, Type element) {
  RankedTensorType type = tensorTypeOf(x);
  if (type.getElementType() == element)
    return x;
  return ConvertOp::create(*this, type.clone(element), x);
}

Value TensorBuilder::reduce(ReduceKind kind, Value x, int64_t firstDim) {
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(firstDim, tensorTypeOf(x).getRank()));
  return ReduceOp::create(*this, kind, x, dims);
}

Value TensorBuilder::mean(Value x, ArrayRef<int64_t> dims) {
  Value sum = ReduceOp::create(*this, ReduceKind::sum, x, dims);
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= tensorTypeOf(x).getDimSize(dim);
  return div(sum, splat(sum.getType(), static_cast<double>(count)));
}

Value TensorBuilder::fromIndex(Value index) {
  return FromIndexOp::create(*this, RankedTensorType::get({}, getI64Type()),
                             index);
}
