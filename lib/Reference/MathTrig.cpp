//===- MathTrig.cpp - Sine and cosine -------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathDetail.h"

#include "ensc/Numerics/TrigCoefficients.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::reference::detail;

namespace {

/// The sine and the cosine of r, where |x| = quadrant * pi / 2 + r.
template <typename T> struct ReducedTrig {
  T sine;
  T cosine;
  Bits<T> quadrant;
};

template <typename T> ReducedTrig<T> reduceTrig(T x) {
  using Table = numerics::TrigCoefficients<T>;
  constexpr T magic = Format<T>::roundingMagic;
  T a = magnitude(x);
  a = a <= Table::most ? a : T(0);
  T shifted = std::fma(a, Table::twoOverPi, magic);
  T n = shifted - magic;
  T r = std::fma(n, -Table::piHalfHigh, a);
  r = std::fma(n, -Table::piHalfMiddle, r);
  T z = r * r;
  T rest = std::fma(r * z, horner(Table::sinTail, z), n * -Table::piHalfLow);
  T cosine = std::fma(z, T(-0.5), T(1));
  cosine = std::fma(z * z, horner(Table::cosTail, z), cosine);
  return {r + rest, cosine, bitsOf(shifted)};
}

/// `value`, negated when bit 1 of `quadrant` is set; NaN where x is not finite.
template <typename T> T finishTrig(T x, T value, Bits<T> quadrant) {
  Bits<T> sign = (quadrant & 2) << (Format<T>::width - 2);
  T result = fromBits<T>(bitsOf(value) ^ sign);
  return magnitude(x) < infinity<T> ? result : canonicalNaN<T>();
}

template <typename T> T sinOf(T x) {
  ReducedTrig<T> reduced = reduceTrig(x);
  T value = reduced.quadrant & 1 ? reduced.cosine : reduced.sine;
  value = fromBits<T>(bitsOf(value) ^ (bitsOf(x) & Format<T>::signMask));
  return finishTrig(x, value, reduced.quadrant);
}

template <typename T> T cosOf(T x) {
  ReducedTrig<T> reduced = reduceTrig(x);
  T value = reduced.quadrant & 1 ? reduced.sine : reduced.cosine;
  return finishTrig<T>(x, value, reduced.quadrant + 1);
}

} // namespace

float reference::sin(float x) { return sinOf(x); }
double reference::sin(double x) { return sinOf(x); }
float reference::cos(float x) { return cosOf(x); }
double reference::cos(double x) { return cosOf(x); }
