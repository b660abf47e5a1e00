//===- RuleBuilder.cpp - What rules are written in ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

Value RuleBuilder::constant(Type type, double number) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  if (isa<FloatType>(element)) {
    auto value = DenseElementsAttr::get(tensor, getFloatAttr(element, number));
    return ConstantOp::create(*this, tensor, value);
  }
  auto value = DenseElementsAttr::get(
      tensor, APInt(element.getIntOrFloatBitWidth(),
                    static_cast<uint64_t>(static_cast<int64_t>(number)),
                    /*isSigned=*/true, /*implicitTrunc=*/true));
  return ConstantOp::create(*this, tensor, value);
}

Value RuleBuilder::neg(Value x) { return NegOp::create(*this, x.getType(), x); }

Value RuleBuilder::add(Value a, Value b) {
  return AddOp::create(*this, a.getType(), a, b);
}

Value RuleBuilder::sub(Value a, Value b) {
  return SubOp::create(*this, a.getType(), a, b);
}

Value RuleBuilder::mul(Value a, Value b) {
  return MulOp::create(*this, a.getType(), a, b);
}

Value RuleBuilder::div(Value a, Value b) {
  return DivOp::create(*this, a.getType(), a, b);
}

Value RuleBuilder::mul(double a, Value b) {
  return mul(constant(b.getType(), a), b);
}

Value RuleBuilder::compare(ComparePredicate predicate, Value a, Value b) {
  return CompareOp::create(*this, withElementType(a.getType(), getI1Type()),
                           predicate, a, b);
}

Value RuleBuilder::compare(ComparePredicate predicate, Value a, double b) {
  return compare(predicate, a, constant(a.getType(), b));
}

Value RuleBuilder::select(Value predicate, Value a, Value b) {
  return SelectOp::create(*this, a.getType(), predicate, a, b);
}

Value RuleBuilder::keep(Value predicate, Value a) {
  return select(predicate, a, zero(a.getType()));
}

Value RuleBuilder::drop(Value predicate, Value a) {
  return select(predicate, zero(a.getType()), a);
}

Value RuleBuilder::broadcast(Value x, Type type, ArrayRef<int64_t> dims) {
  if (x.getType() == type)
    return x;
  return BroadcastOp::create(*this, type, x, dims);
}

Value RuleBuilder::sum(Value x, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return x;
  return ReduceOp::create(*this, ReduceKind::sum, x, dims);
}

Value RuleBuilder::transpose(Value x, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return x;
  return TransposeOp::create(*this, x, permutation);
}

Value RuleBuilder::accumulate(Value sum, Value term) {
  if (!sum || !term)
    return sum ? sum : term;
  return add(sum, term);
}

SmallVector<int64_t> ensc::dimRange(int64_t begin, int64_t end) {
  return llvm::to_vector(llvm::seq(begin, end));
}

SmallVector<int64_t> ensc::otherDims(int64_t rank, ArrayRef<int64_t> dims) {
  return llvm::to_vector(
      llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
        return !llvm::is_contained(dims, dim);
      }));
}
