//===- MathSteps.h - Steps that emitted functions share ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Argument reduction as docs/Numerics.md, sections 5.2 and 5.3, defines it.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_MATHSTEPS_H
#define ENSC_LIB_LOWER_CPU_MATHSTEPS_H

#include "MathBuilder.h"

#include "ensc/Numerics/ExpCoefficients.h"
#include "ensc/Numerics/LogCoefficients.h"

namespace ensc {

/// exp(x) = 2^n * (1 + q).
struct ReducedExp {
  mlir::Value q;
  mlir::Value n;
};

/// Reduces x + low; `low` is a small correction and may be absent.
template <typename T>
ReducedExp reduceExp(MathBuilder<T> &math, mlir::Value x,
                     mlir::Value low = nullptr) {
  using Table = numerics::ExpCoefficients<T>;
  mlir::Value magic = math.constant(MathBuilder<T>::Format::roundingMagic);
  mlir::Value shifted = math.fma(x, math.constant(Table::log2E), magic);
  mlir::Value n = math.sub(shifted, magic);
  mlir::Value r = math.fma(n, math.constant(-Table::ln2High), x);
  r = math.fma(n, math.constant(-Table::ln2Low), r);
  if (low)
    r = math.add(r, low);
  mlir::Value q = math.fma(math.mul(r, r), math.horner(Table::tail, r), r);
  return {q, math.subBits(math.toBits(shifted), math.toBits(magic))};
}

/// 2^n * (1 + q), where only the last step may overflow or become subnormal.
template <typename T>
mlir::Value scaleExp(MathBuilder<T> &math, ReducedExp reduced) {
  mlir::Value half = math.shiftRight(reduced.n, 1);
  mlir::Value p = math.add(math.constant(T(1)), reduced.q);
  p = math.shiftExponent(p, half);
  return math.mul(p, math.powerOfTwo(math.subBits(reduced.n, half)));
}

/// exp(x) where x and the result are in the normal range.
template <typename T>
mlir::Value expNormal(MathBuilder<T> &math, mlir::Value x) {
  ReducedExp reduced = reduceExp(math, x);
  mlir::Value p = math.add(math.constant(T(1)), reduced.q);
  return math.shiftExponent(p, reduced.n);
}

/// x < least ? least : (x > most ? most : x).
template <typename T>
mlir::Value boundExp(MathBuilder<T> &math, mlir::Value x, T least, T most) {
  mlir::Value low = math.constant(least), high = math.constant(most);
  mlir::Value bounded = math.select(math.less(x, low), low, x);
  return math.select(math.greater(bounded, high), high, bounded);
}

/// exp(x) for any x but NaN.
template <typename T> mlir::Value expOf(MathBuilder<T> &math, mlir::Value x) {
  using Table = numerics::ExpCoefficients<T>;
  mlir::Value bounded = boundExp(math, x, Table::least, Table::most);
  return scaleExp(math, reduceExp(math, bounded));
}

/// x = 2^e * m with m in [lowest, 2 * lowest), for a positive normal x.
struct SplitFloat {
  mlir::Value m;
  mlir::Value e; ///< An integer.
};

template <typename T>
SplitFloat splitFloat(MathBuilder<T> &math, mlir::Value x, T lowest) {
  mlir::Value low = math.toBits(math.constant(lowest));
  mlir::Value distance = math.subBits(math.toBits(x), low);
  mlir::Value e =
      math.shiftRight(distance, MathBuilder<T>::Format::mantissaBits);
  mlir::Value back = math.subBits(math.integer(0), e);
  return {math.shiftExponent(x, back), e};
}

/// splitFloat for a positive x, subnormal or not; e is a float.
template <typename T>
SplitFloat splitAny(MathBuilder<T> &math, mlir::Value x, T lowest) {
  using Format = typename MathBuilder<T>::Format;
  mlir::Value subnormal = math.less(x, math.constant(Format::smallestNormal));
  mlir::Value scaled = math.mul(x, math.constant(Format::subnormalScale));
  SplitFloat split =
      splitFloat(math, math.select(subnormal, scaled, x), lowest);
  mlir::Value places = math.select(
      subnormal, math.constant(T(Format::mantissaBits)), math.constant(T(0)));
  return {split.m, math.sub(math.smallToFloat(split.e), places)};
}

/// log(2^e * (1 + f)) for |f| <= 1/3 and a float e.
template <typename T>
mlir::Value combineLog(MathBuilder<T> &math, mlir::Value f, mlir::Value e) {
  using Table = numerics::LogCoefficients<T>;
  mlir::Value low = math.mul(e, math.constant(Table::ln2Low));
  mlir::Value tail = math.fma(math.mul(f, f), math.horner(Table::tail, f), low);
  return math.fma(e, math.constant(Table::ln2High), math.add(f, tail));
}

/// log(x) for a positive normal x.
template <typename T>
mlir::Value logNormal(MathBuilder<T> &math, mlir::Value x) {
  SplitFloat split = splitFloat(math, x, numerics::LogCoefficients<T>::lowest);
  mlir::Value f = math.sub(split.m, math.constant(T(1)));
  return combineLog(math, f, math.smallToFloat(split.e));
}

/// `inside`, corrected where x is infinite, NaN or not above `pole`.
template <typename T>
mlir::Value atLogEnds(MathBuilder<T> &math, mlir::Value x, T pole,
                      mlir::Value inside) {
  mlir::Value least = math.constant(pole), infinity = math.infinity();
  mlir::Value result = math.select(math.less(x, infinity), inside, x);
  mlir::Value below = math.select(
      math.equal(x, least), math.constant(-std::numeric_limits<T>::infinity()),
      math.nan());
  return math.select(math.greater(x, least), result, below);
}

/// log(x) for any x.
template <typename T> mlir::Value logOf(MathBuilder<T> &math, mlir::Value x) {
  SplitFloat split = splitAny(math, x, numerics::LogCoefficients<T>::lowest);
  mlir::Value f = math.sub(split.m, math.constant(T(1)));
  return atLogEnds(math, x, T(0), combineLog(math, f, split.e));
}

} // namespace ensc

#endif // ENSC_LIB_LOWER_CPU_MATHSTEPS_H
