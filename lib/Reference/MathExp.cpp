//===- MathExp.cpp - Exponentials and sigmoids ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathDetail.h"

#include "ensc/Numerics/TanhCoefficients.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::reference::detail;

namespace {

/// exp(x) for x in [least, most].
template <typename T> T expBounded(T x) { return scaleExp(reduceExp(x)); }

template <typename T> T expOf(T x) {
  using Table = numerics::ExpCoefficients<T>;
  T bounded = x < Table::least ? Table::least : x;
  bounded = bounded > Table::most ? Table::most : bounded;
  T result = expBounded(bounded);
  return x != x ? canonicalNaN<T>() : result;
}

template <typename T> T expm1Of(T x) {
  using Table = numerics::ExpCoefficients<T>;
  T bounded = x < Table::leastExpm1 ? Table::leastExpm1 : x;
  bounded = bounded > Table::most ? Table::most : bounded;
  ReducedExp<T> reduced = reduceExp(bounded);
  // Half of the result, since 2^n itself may be too large.
  T scale = powerOfTwo<T>(reduced.n - 1);
  T half = std::fma(scale, reduced.q, scale - T(0.5));
  T result = magnitude(x) < Table::tiny ? x : half + half;
  return canonicalize(result);
}

template <typename T> T tanhOf(T x) {
  constexpr T most = numerics::TanhCoefficients<T>::most;
  T a = magnitude(x);
  T bounded = most < a ? most : a;
  // e = exp(-2 a) is scale * (1 + q); tanh(a) = (1 - e) / (1 + e).
  ReducedExp<T> reduced = reduceExp(-(bounded + bounded));
  T scale = powerOfTwo<T>(reduced.n);
  T numerator = std::fma(-scale, reduced.q, T(1) - scale);
  T denominator = std::fma(scale, reduced.q, T(1) + scale);
  T result = withSignOf(numerator / denominator, x);
  return x != x ? canonicalNaN<T>() : result;
}

template <typename T> T logisticOf(T x) {
  using Table = numerics::ExpCoefficients<T>;
  T a = -magnitude(x);
  T power = expBounded(a < Table::least ? Table::least : a);
  T quotient = (x < T(0) ? power : T(1)) / (T(1) + power);
  // E / (1 + E) = E - E * (E / (1 + E)) keeps the bits of a small E.
  T result = x < T(-1) ? std::fma(-power, quotient, power) : quotient;
  return x != x ? canonicalNaN<T>() : result;
}

} // namespace

float reference::exp(float x) { return expOf(x); }
double reference::exp(double x) { return expOf(x); }
float reference::expm1(float x) { return expm1Of(x); }
double reference::expm1(double x) { return expm1Of(x); }
float reference::tanh(float x) { return tanhOf(x); }
double reference::tanh(double x) { return tanhOf(x); }
float reference::logistic(float x) { return logisticOf(x); }
double reference::logistic(double x) { return logisticOf(x); }
