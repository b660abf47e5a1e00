//===- Binary.cpp - Binary elementwise ops of the interpreter -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "ensc/Reference/Elementwise.h"

#include <limits>

using namespace ensc;
using namespace ensc::reference;

namespace {
template <typename T> T floatBinary(BinaryKind kind, T a, T b) {
  switch (kind) {
  case BinaryKind::Add:
    return addElements(a, b);
  case BinaryKind::Sub:
    return canonicalize(a - b);
  case BinaryKind::Mul:
    return canonicalize(a * b);
  case BinaryKind::Div:
    return canonicalize(a / b);
  case BinaryKind::Pow:
    return reference::pow(a, b);
  case BinaryKind::Max:
    return maxElements(a, b);
  case BinaryKind::Min:
    return minElements(a, b);
  default:
    rejectOperand();
  }
}

template <typename T> T divide(T a, T b) {
  if (b == 0)
    return 0;
  // The one quotient that does not fit wraps around to the dividend.
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a));
  return a / b;
}

/// The upper half of the double-width product.
template <typename T> T mulHigh(T a, T b) {
  if constexpr (sizeof(T) != 4)
    rejectOperand();
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>((int64_t(a) * int64_t(b)) >> 32);
  else
    return static_cast<T>((uint64_t(a) * uint64_t(b)) >> 32);
}

template <typename T> T shift(BinaryKind kind, T a, T b) {
  constexpr unsigned width = std::numeric_limits<Wrapping<T>>::digits;
  auto amount = static_cast<Wrapping<T>>(b);
  if (amount >= width)
    return 0;
  if (kind == BinaryKind::ShiftLeft)
    return static_cast<T>(Wrapping<T>(a) << amount);
  if (kind == BinaryKind::ShiftRightLogical)
    return static_cast<T>(Wrapping<T>(a) >> amount);
  return static_cast<T>(std::make_signed_t<T>(a) >> amount);
}

template <typename T> T integerBinary(BinaryKind kind, T a, T b) {
  switch (kind) {
  case BinaryKind::Add:
    return addElements(a, b);
  case BinaryKind::Sub:
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  case BinaryKind::Mul:
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  case BinaryKind::MulHigh:
    return mulHigh(a, b);
  case BinaryKind::Div:
    return divide(a, b);
  case BinaryKind::Max:
    return maxElements(a, b);
  case BinaryKind::Min:
    return minElements(a, b);
  case BinaryKind::And:
    return a & b;
  case BinaryKind::Or:
    return a | b;
  case BinaryKind::Xor:
    return a ^ b;
  case BinaryKind::ShiftLeft:
  case BinaryKind::ShiftRightLogical:
  case BinaryKind::ShiftRightArithmetic:
    return shift(kind, a, b);
  case BinaryKind::Pow:
    break;
  }
  rejectOperand();
}

bool booleanBinary(BinaryKind kind, bool a, bool b) {
  switch (kind) {
  case BinaryKind::And:
    return a && b;
  case BinaryKind::Or:
    return a || b;
  case BinaryKind::Xor:
    return a != b;
  default:
    rejectOperand();
  }
}
} // namespace

Tensor ensc::reference::binary(BinaryKind kind, const Tensor &lhs,
                               const Tensor &rhs) {
  assert(lhs.shape() == rhs.shape() && "elementwise op on unequal shapes");
  Tensor result = Tensor::zeros(lhs.dtype(), lhs.shape());
  dispatch(lhs.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *a = lhs.data<T>();
    const T *b = rhs.data<T>();
    T *y = result.data<T>();
    for (int64_t i = 0, count = result.size(); i < count; ++i) {
      if constexpr (std::is_floating_point_v<T>)
        y[i] = floatBinary<T>(kind, a[i], b[i]);
      else if constexpr (std::is_same_v<T, bool>)
        y[i] = booleanBinary(kind, a[i], b[i]);
      else
        y[i] = integerBinary<T>(kind, a[i], b[i]);
    }
  });
  return result;
}
