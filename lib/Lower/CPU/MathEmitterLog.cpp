//===- MathEmitterLog.cpp - Logarithms as MLIR ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathSteps.h"

#include "ensc/Lower/CPU/MathEmitter.h"

using namespace mlir;
using namespace ensc;

template <typename T> static Value log1pOf(MathBuilder<T> &math, Value x) {
  using Format = typename MathBuilder<T>::Format;
  Value one = math.constant(T(1)), zero = math.constant(T(0));
  Value u = math.add(one, x);
  Value b = math.sub(u, one);
  Value c = math.add(math.sub(one, math.sub(u, b)), math.sub(x, b));
  SplitFloat split = splitFloat(math, u, numerics::LogCoefficients<T>::lowest);
  Value exponent = math.subBits(math.integer(Format::bias), split.e);
  exponent =
      arith::MaxSIOp::create(math.getBuilder(), exponent, math.integer(0));
  Value scale = math.fromBits(math.shiftLeft(exponent, Format::mantissaBits));
  Value f = math.fma(c, scale, math.sub(split.m, one));
  Value result = combineLog(math, f, math.smallToFloat(split.e));
  result = atLogEnds(math, x, T(-1), result);
  return math.select(math.equal(x, zero), x, result);
}

Value ensc::emitLog(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return logOf(math, x); });
}

Value ensc::emitLog1p(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return log1pOf(math, x); });
}
