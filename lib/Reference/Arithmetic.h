//===- Arithmetic.h - Addition and extremes of all types --------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the evaluators.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REFERENCE_ARITHMETIC_H
#define ENSC_LIB_REFERENCE_ARITHMETIC_H

#include "Dispatch.h"
#include "ensc/Reference/Math.h"

#include <type_traits>

namespace ensc::reference {

/// The unsigned type of equal width, in which signed arithmetic wraps.
template <typename T> using Wrapping = std::make_unsigned_t<T>;

/// a + b, rounded once or wrapping.
template <typename T> T addElements(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    rejectOperand();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  else
    return canonicalize(a + b);
}

/// The greater one; among floats NaN wins and -0 < +0.
template <typename T> T maxElements(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return maximum(a, b);
  else
    return a > b ? a : b;
}

/// The lesser one; among floats NaN wins and -0 < +0.
template <typename T> T minElements(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return minimum(a, b);
  else
    return a < b ? a : b;
}

} // namespace ensc::reference

#endif // ENSC_LIB_REFERENCE_ARITHMETIC_H
