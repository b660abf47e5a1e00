//===- Unary.cpp - Unary elementwise ops of the interpreter ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "ensc/Reference/Elementwise.h"

#include <cmath>

using namespace ensc;
using namespace ensc::reference;

namespace {
template <typename T> T floatUnary(UnaryKind kind, T x) {
  switch (kind) {
  case UnaryKind::Neg:
    return canonicalize(-x);
  case UnaryKind::Abs:
    return canonicalize(std::fabs(x));
  case UnaryKind::Sign:
    if (x > 0)
      return 1;
    return x < 0 ? T(-1) : canonicalize(x);
  case UnaryKind::Exp:
    return reference::exp(x);
  case UnaryKind::Log:
    return reference::log(x);
  case UnaryKind::Log1p:
    return reference::log1p(x);
  case UnaryKind::Expm1:
    return reference::expm1(x);
  case UnaryKind::Sqrt:
    return reference::sqrt(x);
  case UnaryKind::Rsqrt:
    return reference::rsqrt(x);
  case UnaryKind::Tanh:
    return reference::tanh(x);
  case UnaryKind::Logistic:
    return reference::logistic(x);
  case UnaryKind::Erf:
    return reference::erf(x);
  case UnaryKind::ErfInv:
    return reference::erfInv(x);
  case UnaryKind::Sin:
    return reference::sin(x);
  case UnaryKind::Cos:
    return reference::cos(x);
  case UnaryKind::Floor:
    return reference::floor(x);
  case UnaryKind::Not:
    break;
  }
  rejectOperand();
}

template <typename T> T integerUnary(UnaryKind kind, T x) {
  T negated = static_cast<T>(Wrapping<T>(0) - Wrapping<T>(x));
  switch (kind) {
  case UnaryKind::Neg:
    return negated;
  case UnaryKind::Abs:
    return std::is_signed_v<T> && x < 0 ? negated : x;
  case UnaryKind::Sign:
    if (x > 0)
      return 1;
    return x == 0 ? 0 : static_cast<T>(-1);
  case UnaryKind::Not:
    return ~x;
  default:
    rejectOperand();
  }
}

bool booleanUnary(UnaryKind kind, bool x) {
  if (kind != UnaryKind::Not)
    rejectOperand();
  return !x;
}
} // namespace

Tensor ensc::reference::unary(UnaryKind kind, const Tensor &operand) {
  Tensor result = Tensor::zeros(operand.dtype(), operand.shape());
  dispatch(operand.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *x = operand.data<T>();
    T *y = result.data<T>();
    for (int64_t i = 0, count = result.size(); i < count; ++i) {
      if constexpr (std::is_floating_point_v<T>)
        y[i] = floatUnary<T>(kind, x[i]);
      else if constexpr (std::is_same_v<T, bool>)
        y[i] = booleanUnary(kind, x[i]);
      else
        y[i] = integerUnary<T>(kind, x[i]);
    }
  });
  return result;
}
