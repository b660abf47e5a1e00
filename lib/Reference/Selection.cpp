//===- Selection.cpp - Comparing and choosing ops of the interpreter ------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"
#include "Index.h"
#include "ensc/Reference/Elementwise.h"

using namespace ensc;
using namespace ensc::reference;

namespace {
template <typename T> bool holds(ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case ComparePredicate::Eq:
    return a == b;
  case ComparePredicate::Ne:
    return a != b;
  case ComparePredicate::Lt:
    return a < b;
  case ComparePredicate::Le:
    return a <= b;
  case ComparePredicate::Gt:
    return a > b;
  case ComparePredicate::Ge:
    return a >= b;
  }
  rejectOperand();
}
} // namespace

Tensor ensc::reference::compare(ComparePredicate predicate, const Tensor &lhs,
                                const Tensor &rhs) {
  assert(lhs.shape() == rhs.shape() && "elementwise op on unequal shapes");
  Tensor result = Tensor::zeros(DType::I1, lhs.shape());
  dispatch(lhs.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0, count = result.size(); i < count; ++i)
      result.data<bool>()[i] =
          holds<T>(predicate, lhs.data<T>()[i], rhs.data<T>()[i]);
  });
  return result;
}

Tensor ensc::reference::select(const Tensor &condition, const Tensor &ifTrue,
                               const Tensor &ifFalse) {
  assert(condition.shape() == ifTrue.shape() &&
         ifTrue.shape() == ifFalse.shape() &&
         "elementwise op on unequal shapes");
  Tensor result = Tensor::zeros(ifTrue.dtype(), ifTrue.shape());
  for (int64_t i = 0, count = result.size(); i < count; ++i)
    copyElement(result, i, condition.data<bool>()[i] ? ifTrue : ifFalse, i);
  return result;
}

Tensor ensc::reference::clamp(const Tensor &low, const Tensor &x,
                              const Tensor &high) {
  Tensor belowLow = compare(ComparePredicate::Lt, x, low);
  Tensor aboveHigh = compare(ComparePredicate::Gt, x, high);
  return select(belowLow, low, select(aboveHigh, high, x));
}
