//===- Math.h - The scalar math of the interpreter --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of docs/Numerics.md, step by step as written there, for the
// reference interpreter. They use std::fma, + - * /, std::sqrt, std::floor and
// integer operations only, so that every machine gives the same bits; callers
// must be compiled with -ffp-contract=off and without fast-math, too. Free of
// LLVM. All functions are pure and thread-safe.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_MATH_H
#define ENSC_REFERENCE_MATH_H

#include "ensc/Numerics/FloatFormat.h"

#include <cstring>
#include <limits>
#include <type_traits>

namespace ensc::reference {

/// The bits of a float or double.
template <typename T> typename numerics::FloatFormat<T>::Bits bitsOf(T value) {
  typename numerics::FloatFormat<T>::Bits bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// The float or double with the given bits.
template <typename T> T fromBits(typename numerics::FloatFormat<T>::Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The NaN that stands for every NaN outside of a program.
template <typename T> T canonicalNaN() {
  return fromBits<T>(numerics::FloatFormat<T>::canonicalNaN);
}

/// The value, or the canonical NaN in place of any NaN.
template <typename T> T canonicalize(T value) {
  return value != value ? canonicalNaN<T>() : value;
}

float exp(float x);
double exp(double x);
float expm1(float x);
double expm1(double x);
float log(float x);
double log(double x);
float log1p(float x);
double log1p(double x);
float sqrt(float x);
double sqrt(double x);
/// 1 / sqrt(x), rounded twice.
float rsqrt(float x);
double rsqrt(double x);
float tanh(float x);
double tanh(double x);
/// 1 / (1 + exp(-x)).
float logistic(float x);
double logistic(double x);
float erf(float x);
double erf(double x);
/// The x with erf(x) = y.
float erfInv(float y);
double erfInv(double y);
float sin(float x);
double sin(double x);
float cos(float x);
double cos(double x);
float floor(float x);
double floor(double x);
float pow(float x, float y);
double pow(double x, double y);

/// IEEE 754-2019 maximum and minimum: a NaN wins, and -0 < +0.
float maximum(float a, float b);
double maximum(double a, double b);
float minimum(float a, float b);
double minimum(double a, double b);

/// The element conversion of `ens.convert`: floats truncate towards zero and
/// saturate on their way to integers (NaN gives 0), integers round to the
/// nearest even float and wrap among each other, bool is x != 0.
template <typename To, typename From> To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_floating_point_v<From>)
      return canonicalize(static_cast<To>(value));
    else
      return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    // The least and the largest value of an integer type are a power of two and
    // one less than a power of two: both bounds below are exact.
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From high =
        static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From(2);
    if (value != value)
      return To(0);
    if (value >= high)
      return std::numeric_limits<To>::max();
    return value < low ? std::numeric_limits<To>::min()
                       : static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

} // namespace ensc::reference

#endif // ENSC_REFERENCE_MATH_H
