//===- MathEmitterExp.cpp - Exponentials and sigmoids as MLIR -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathSteps.h"

#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Numerics/TanhCoefficients.h"

using namespace mlir;
using namespace ensc;

namespace {

template <typename T> Value expm1Of(MathBuilder<T> &math, Value x) {
  using Table = numerics::ExpCoefficients<T>;
  Value bounded = boundExp(math, x, Table::leastExpm1, Table::most);
  ReducedExp reduced = reduceExp(math, bounded);
  Value scale = math.powerOfTwo(math.subBits(reduced.n, math.integer(1)));
  Value less = math.sub(scale, math.constant(T(0.5)));
  Value half = math.fma(scale, reduced.q, less);
  Value tiny = math.less(math.magnitude(x), math.constant(Table::tiny));
  Value result = math.select(tiny, x, math.add(half, half));
  return math.nanWhereNaN(x, result);
}

template <typename T> Value tanhOf(MathBuilder<T> &math, Value x) {
  Value one = math.constant(T(1));
  Value most = math.constant(numerics::TanhCoefficients<T>::most);
  Value a = math.magnitude(x);
  // A NaN passes, and stays a NaN on every path.
  Value bounded = math.select(math.less(most, a), most, a);
  ReducedExp reduced = reduceExp(math, math.neg(math.add(bounded, bounded)));
  Value scale = math.powerOfTwo(reduced.n);
  Value numerator = math.fma(math.neg(scale), reduced.q, math.sub(one, scale));
  Value denominator = math.fma(scale, reduced.q, math.add(one, scale));
  return math.withSignOf(math.div(numerator, denominator), x);
}

template <typename T> Value logisticOf(MathBuilder<T> &math, Value x) {
  Value one = math.constant(T(1));
  Value least = math.constant(numerics::ExpCoefficients<T>::least);
  Value a = math.fromBits(math.orBits(
      math.toBits(x), math.integer(MathBuilder<T>::Format::signMask)));
  a = math.select(math.less(a, least), least, a);
  Value power = scaleExp(math, reduceExp(math, a));
  Value negative = math.less(x, math.constant(T(0)));
  Value quotient =
      math.div(math.select(negative, power, one), math.add(one, power));
  Value refined = math.fma(math.neg(power), quotient, power);
  Value small = math.less(x, math.constant(T(-1)));
  return math.nanWhereNaN(x, math.select(small, refined, quotient));
}

} // namespace

Value ensc::emitExp(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) {
    return math.nanWhereNaN(x, expOf(math, x));
  });
}

Value ensc::emitExpm1(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return expm1Of(math, x); });
}

Value ensc::emitTanh(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return tanhOf(math, x); });
}

Value ensc::emitLogistic(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x,
                      [&](auto &math) { return logisticOf(math, x); });
}
