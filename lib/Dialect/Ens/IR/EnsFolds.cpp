//===- EnsFolds.cpp - What is known without running -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeInference.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

// Only folds that keep every bit: x + 0 is not x where x is -0, and x * 1 is
// not x where x is a NaN with a payload, so floats are left to the
// interpreter's rules and only structure is folded here.

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// The op of type OpTy that defines `value`, if there is one.
template <typename OpTy> static OpTy definedBy(Value value) {
  return value.getDefiningOp<OpTy>();
}

/// The element-by-element results of `compute`, where both operands are
/// constants. Scalars, which stand in phases, are left to Lower.
template <typename Compute>
static Attribute foldIntegers(Type type, ArrayRef<Attribute> operands,
                              Compute compute) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isa<IntegerType>(tensor.getElementType()))
    return {};
  return constFoldBinaryOp<IntegerAttr, APInt, void>(operands, tensor, compute);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = definedBy<NegOp>(getX()))
    return inner.getX();
  if (isa<FloatType>(getElementTypeOrSelf(getType())) &&
      isa<RankedTensorType>(getType()))
    return constFoldUnaryOp<FloatAttr, APFloat, void>(
        adaptor.getOperands(),
        [](const APFloat &x) -> APFloat { return llvm::neg(x); });
  return {};
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (definedBy<AbsOp>(getX()))
    return getX();
  if (isa<FloatType>(getElementTypeOrSelf(getType())) &&
      isa<RankedTensorType>(getType()))
    return constFoldUnaryOp<FloatAttr, APFloat, void>(
        adaptor.getOperands(),
        [](const APFloat &x) -> APFloat { return llvm::abs(x); });
  return {};
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = definedBy<NotOp>(getX()))
    return inner.getX();
  return {};
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(getType(), adaptor.getOperands(),
                      [](APInt a, const APInt &b) { return std::move(a) + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(getType(), adaptor.getOperands(),
                      [](APInt a, const APInt &b) { return std::move(a) - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(getType(), adaptor.getOperands(),
                      [](const APInt &a, const APInt &b) { return a * b; });
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(getType(), adaptor.getOperands(),
                      [](APInt a, const APInt &b) { return std::move(a) & b; });
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(getType(), adaptor.getOperands(),
                      [](APInt a, const APInt &b) { return std::move(a) | b; });
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(getType(), adaptor.getOperands(),
                      [](APInt a, const APInt &b) { return std::move(a) ^ b; });
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  bool isTrue = false;
  if (auto scalar = dyn_cast_or_null<IntegerAttr>(adaptor.getPredicate()))
    isTrue = scalar.getValue().getBoolValue();
  else if (auto splat =
               dyn_cast_or_null<SplatElementsAttr>(adaptor.getPredicate()))
    isTrue = splat.getSplatValue<bool>();
  else
    return {};
  return isTrue ? getOnTrue() : getOnFalse();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  return {};
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  // A bitcast to a float canonicalizes NaNs, so only integers come back as they
  // were.
  bool toInteger = isa<IntegerType>(getElementTypeOrSelf(getType()));
  if (toInteger && getX().getType() == getType())
    return getX();
  auto inner = definedBy<BitcastOp>(getX());
  bool throughInteger =
      inner && isa<IntegerType>(getElementTypeOrSelf(inner.getType()));
  if (toInteger && throughInteger && inner.getX().getType() == getType())
    return inner.getX();
  return {};
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

// The broadcast of a constant stays: it costs nothing and keeps the constant
// small.
OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = definedBy<BroadcastOp>(getX())) {
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(getDims()[dim]);
    // The runs stay the first dimension, and the operand stays without.
    bool runs = getRuns() || inner.getRuns();
    setDims(dims);
    setRuns(runs);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = definedBy<ReshapeOp>(getX())) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX()))
    return constant.reshape(getType());
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::is_sorted(getPermutation()))
    return getX();
  if (auto inner = definedBy<TransposeOp>(getX())) {
    SmallVector<int64_t> permutation;
    for (int64_t dim : getPermutation())
      permutation.push_back(inner.getPermutation()[dim]);
    setPermutation(permutation);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  if (getDims().empty())
    return getX();
  auto inner = definedBy<ReverseOp>(getX());
  if (inner && inner.getDims() == getDims())
    return inner.getX();
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  return {};
}

OpFoldResult DynamicSliceOp::fold(FoldAdaptor) {
  // A start is clamped, so a window of the whole can only start at 0.
  if (getX().getType() == getType())
    return getX();
  return {};
}

OpFoldResult DynamicUpdateSliceOp::fold(FoldAdaptor) {
  if (getUpdate().getType() == getType())
    return getUpdate();
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getOperands().size() == 1)
    return getOperands().front();
  return {};
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero) &&
      llvm::all_of(getInterior(), isZero))
    return getX();
  return {};
}
