//===- MathLog.cpp - Logarithms -------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathDetail.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::reference::detail;

namespace {

/// The value at the ends of the domain (`pole` is where log is -infinity), or
/// `inside`.
template <typename T> T atLogEnds(T x, T pole, T inside) {
  T result = x < infinity<T> ? inside : x;
  T below = x == pole ? -infinity<T> : canonicalNaN<T>();
  return x > pole ? result : below;
}

template <typename T> T logOf(T x) {
  bool subnormal = x < Format<T>::smallestNormal;
  T normal = subnormal ? x * Format<T>::subnormalScale : x;
  SplitFloat<T> split =
      splitFloat(normal, numerics::LogCoefficients<T>::lowest);
  T e =
      static_cast<T>(split.e) - (subnormal ? T(Format<T>::mantissaBits) : T(0));
  return atLogEnds(x, T(0), combineLog(split.m - T(1), e));
}

template <typename T> T log1pOf(T x) {
  // 1 + x = u + c exactly.
  T u = T(1) + x;
  T b = u - T(1);
  T c = (T(1) - (u - b)) + (x - b);
  SplitFloat<T> split = splitFloat(u, numerics::LogCoefficients<T>::lowest);
  // 2^-e; for the largest u, c does not matter and 0 will do.
  SignedBits<T> exponent = Format<T>::bias - split.e;
  T scale = fromBits<T>(static_cast<Bits<T>>(exponent < 0 ? 0 : exponent)
                        << Format<T>::mantissaBits);
  T f = std::fma(c, scale, split.m - T(1));
  T result = combineLog(f, static_cast<T>(split.e));
  result = atLogEnds(x, T(-1), result);
  return x == T(0) ? x : result;
}

} // namespace

float reference::log(float x) { return logOf(x); }
double reference::log(double x) { return logOf(x); }
float reference::log1p(float x) { return log1pOf(x); }
double reference::log1p(double x) { return log1pOf(x); }
