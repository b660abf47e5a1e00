//===- MathPow.cpp - Powers -----------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathDetail.h"

#include "ensc/Numerics/PowCoefficients.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::reference::detail;
using PowTable = ensc::numerics::PowCoefficients<double>;

namespace {

/// An unevaluated sum: low is a correction of high.
struct DoubleDouble {
  double high;
  double low;
};

/// log(m) = s * (2 + s^2 * (2/3 + s^2 * T(s^2))) with s = (m - 1) / (m + 1).
DoubleDouble logOfMantissa(double m) {
  double f = m - 1.0;
  double d = m + 1.0;
  double dLow = m - (d - 1.0);
  double s = f / d;
  double sLow = std::fma(-s, dLow, std::fma(-s, d, f)) / d;
  double z = s * s;
  double zLow = std::fma(s + s, sLow, std::fma(s, s, -z));
  double a = z * PowTable::twoThirdsHigh;
  double aLow = std::fma(z, PowTable::twoThirdsHigh, -a);
  aLow = std::fma(z, PowTable::twoThirdsLow, aLow);
  aLow = std::fma(zLow, PowTable::twoThirdsHigh, aLow);
  aLow = std::fma(z * z, horner(PowTable::tail, z), aLow);
  double b = 2.0 + a;
  double bLow = (a - (b - 2.0)) + aLow;
  double p = s * b;
  double pLow = std::fma(s, b, -p);
  pLow = std::fma(sLow, b, std::fma(s, bLow, pLow));
  return {p, pLow};
}

/// log(x) for x >= 0, with at least 64 right bits.
DoubleDouble logDouble(double x) {
  bool subnormal = x < Format<double>::smallestNormal;
  double normal = subnormal ? x * Format<double>::subnormalScale : x;
  SplitFloat<double> split = splitFloat(normal, PowTable::lowest);
  double e = static_cast<double>(split.e) -
             (subnormal ? double(Format<double>::mantissaBits) : 0.0);
  DoubleDouble p = logOfMantissa(split.m);
  double whole = e * PowTable::ln2High;
  double high = whole + p.high;
  double low = (p.high - (high - whole)) + std::fma(e, PowTable::ln2Low, p.low);
  DoubleDouble sum = {high + low, 0.0};
  sum.low = low - (sum.high - high);
  if (x == 0.0)
    return {-infinity<double>, 0.0};
  return x < infinity<double> ? sum : DoubleDouble{infinity<double>, 0.0};
}

/// exp(y * log(x)) for x >= 0; where a special case of powOf applies the value
/// does not matter.
double magnitudeOfPow(double x, double y) {
  using Table = numerics::ExpCoefficients<double>;
  constexpr double magic = Format<double>::roundingMagic;
  DoubleDouble l = logDouble(x);
  double t = y * l.high;
  double tLow = std::fma(y, l.low, std::fma(y, l.high, -t));
  tLow = magnitude(t) < 1100.0 ? tLow : 0.0;
  t = t < Table::least ? Table::least : t;
  t = t > Table::most ? Table::most : t;
  double shifted = std::fma(t, Table::log2E, magic);
  double n = shifted - magic;
  double r = std::fma(n, -Table::ln2High, t);
  r = std::fma(n, -Table::ln2Low, r) + tLow;
  double q = std::fma(r * r, horner(Table::tail, r), r);
  return scaleExp<double>(
      {q, static_cast<int64_t>(bitsOf(shifted) - bitsOf(magic))});
}

float magnitudeOfPow(float x, float y) {
  return static_cast<float>(
      reference::exp(double(y) * reference::log(double(x))));
}

template <typename T> T powOf(T x, T y) {
  T a = magnitude(x);
  T half = y * T(0.5);
  bool whole = std::floor(y) == y;
  bool odd = whole && std::floor(half) != half;
  bool one = a == T(1) || y == T(0);
  T result = one ? T(1) : magnitudeOfPow(a, y);
  bool negative = (bitsOf(x) & Format<T>::signMask) != 0;
  result = negative && odd ? -result : result;
  bool invalid = x < T(0) && x > -infinity<T> && !whole;
  invalid = invalid || x != x || y != y;
  bool certain = x == T(1) || y == T(0);
  return invalid && !certain ? canonicalNaN<T>() : result;
}

} // namespace

float reference::pow(float x, float y) { return powOf(x, y); }
double reference::pow(double x, double y) { return powOf(x, y); }
