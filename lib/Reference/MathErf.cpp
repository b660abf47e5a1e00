//===- MathErf.cpp - The error function and its inverse -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathDetail.h"

#include "ensc/Numerics/ErfCoefficients.h"
#include "ensc/Numerics/ErfInvCoefficients.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::reference::detail;

namespace {

template <typename T> T erfOf(T x) {
  using Table = numerics::ErfCoefficients<T>;
  T a = magnitude(x);
  T inner = std::fma(horner(Table::inner, a * a), a, a);
  T bounded = a < Table::outerEnd ? a : Table::outerEnd;
  T g = horner(Table::outer, bounded - Table::outerCentre);
  T outer = T(1) - expNormal(-g);
  T result = withSignOf(a < T(1) ? inner : outer, x);
  return x != x ? canonicalNaN<T>() : result;
}

double erfInvOf(double y) {
  using Table = numerics::ErfInvCoefficients<double>;
  double a = magnitude(y);
  double t = std::fma(-a, a, Table::splitSquare);
  double ratio = horner(Table::innerTop, t) / horner(Table::innerBottom, t);
  double inner = std::fma(a, ratio, a);
  double r = std::sqrt(-logNormal(1.0 - a));
  double outer = r + horner(Table::outerTop, r) / horner(Table::outerBottom, r);
  double result = a <= Table::split ? inner : outer;
  result = a < 1.0 ? result : infinity<double>;
  result = withSignOf(result, y);
  return a <= 1.0 ? result : canonicalNaN<double>();
}

} // namespace

float reference::erf(float x) { return erfOf(x); }
double reference::erf(double x) { return erfOf(x); }
float reference::erfInv(float y) { return convert<float>(erfInvOf(y)); }
double reference::erfInv(double y) { return erfInvOf(y); }
