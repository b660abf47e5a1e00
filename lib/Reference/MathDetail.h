//===- MathDetail.h - Parts that the math functions share -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Argument reduction and evaluation steps named in docs/Numerics.md.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REFERENCE_MATHDETAIL_H
#define ENSC_LIB_REFERENCE_MATHDETAIL_H

#include "ensc/Numerics/ExpCoefficients.h"
#include "ensc/Numerics/LogCoefficients.h"
#include "ensc/Reference/Math.h"

#include <cmath>
#include <cstddef>

namespace ensc::reference::detail {

template <typename T> using Format = numerics::FloatFormat<T>;
template <typename T> using Bits = typename Format<T>::Bits;
template <typename T> using SignedBits = typename Format<T>::SignedBits;

template <typename T> constexpr T infinity = std::numeric_limits<T>::infinity();

/// |x|, by clearing the sign bit.
template <typename T> T magnitude(T x) {
  return fromBits<T>(bitsOf(x) & ~Format<T>::signMask);
}

/// `value`, which is not negative, with the sign bit of `sign`.
template <typename T> T withSignOf(T value, T sign) {
  return fromBits<T>(bitsOf(value) | (bitsOf(sign) & Format<T>::signMask));
}

/// The polynomial with the given coefficients, lowest power first.
template <typename T, size_t N> T horner(const T (&coefficients)[N], T x) {
  T value = coefficients[N - 1];
  for (size_t k = N - 1; k-- > 0;)
    value = std::fma(value, x, coefficients[k]);
  return value;
}

/// 2^n for -bias < n <= bias.
template <typename T> T powerOfTwo(SignedBits<T> n) {
  return fromBits<T>(static_cast<Bits<T>>(n + Format<T>::bias)
                     << Format<T>::mantissaBits);
}

/// x * 2^n, where x and the result are normal.
template <typename T> T shiftExponent(T x, SignedBits<T> n) {
  return fromBits<T>(bitsOf(x) +
                     (static_cast<Bits<T>>(n) << Format<T>::mantissaBits));
}

/// exp(x) = 2^n * (1 + q).
template <typename T> struct ReducedExp {
  T q;
  SignedBits<T> n;
};

template <typename T> ReducedExp<T> reduceExp(T x) {
  using Table = numerics::ExpCoefficients<T>;
  constexpr T magic = Format<T>::roundingMagic;
  T shifted = std::fma(x, Table::log2E, magic);
  T n = shifted - magic;
  T r = std::fma(n, -Table::ln2High, x);
  r = std::fma(n, -Table::ln2Low, r);
  T q = std::fma(r * r, horner(Table::tail, r), r);
  return {q, static_cast<SignedBits<T>>(bitsOf(shifted) - bitsOf(magic))};
}

/// 2^n * (1 + q) in two steps, so that only the last one may overflow or round
/// to a subnormal.
template <typename T> T scaleExp(ReducedExp<T> reduced) {
  SignedBits<T> half = reduced.n >> 1;
  T p = shiftExponent(T(1) + reduced.q, half);
  return p * powerOfTwo<T>(reduced.n - half);
}

/// exp(x) where x and the result are in the normal range.
template <typename T> T expNormal(T x) {
  ReducedExp<T> reduced = reduceExp(x);
  return shiftExponent(T(1) + reduced.q, reduced.n);
}

/// x = 2^e * m with m in [lowest, 2 * lowest), for a positive normal x.
template <typename T> struct SplitFloat {
  T m;
  SignedBits<T> e;
};

template <typename T> SplitFloat<T> splitFloat(T x, T lowest) {
  auto distance = static_cast<SignedBits<T>>(bitsOf(x) - bitsOf(lowest));
  SignedBits<T> e = distance >> Format<T>::mantissaBits;
  return {shiftExponent(x, static_cast<SignedBits<T>>(-e)), e};
}

/// log(2^e * (1 + f)) for |f| <= 1/3.
template <typename T> T combineLog(T f, T e) {
  using Table = numerics::LogCoefficients<T>;
  T tail = std::fma(f * f, horner(Table::tail, f), e * Table::ln2Low);
  return std::fma(e, Table::ln2High, f + tail);
}

/// log(x) for a positive normal x.
template <typename T> T logNormal(T x) {
  SplitFloat<T> split = splitFloat(x, numerics::LogCoefficients<T>::lowest);
  return combineLog(split.m - T(1), static_cast<T>(split.e));
}

} // namespace ensc::reference::detail

#endif // ENSC_LIB_REFERENCE_MATHDETAIL_H
