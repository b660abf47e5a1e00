//===- MathEmitterPow.cpp - Powers as MLIR --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathSteps.h"

#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Numerics/PowCoefficients.h"

using namespace mlir;
using namespace ensc;
using PowTable = ensc::numerics::PowCoefficients<double>;

namespace {

/// An unevaluated sum: low is a correction of high.
struct DoubleDouble {
  Value high;
  Value low;
};

/// log(m) by the quotient (m - 1) / (m + 1).
DoubleDouble logOfMantissa(MathBuilder<double> &math, Value m) {
  Value one = math.constant(1.0), two = math.constant(2.0);
  Value thirds = math.constant(PowTable::twoThirdsHigh);
  Value f = math.sub(m, one);
  Value d = math.add(m, one);
  Value dLow = math.sub(m, math.sub(d, one));
  Value s = math.div(f, d);
  Value minus = math.neg(s);
  Value sLow = math.div(math.fma(minus, dLow, math.fma(minus, d, f)), d);
  Value z = math.mul(s, s);
  Value zLow = math.fma(math.add(s, s), sLow, math.fma(s, s, math.neg(z)));
  Value a = math.mul(z, thirds);
  Value aLow = math.fma(z, thirds, math.neg(a));
  aLow = math.fma(z, math.constant(PowTable::twoThirdsLow), aLow);
  aLow = math.fma(zLow, thirds, aLow);
  aLow = math.fma(math.mul(z, z), math.horner(PowTable::tail, z), aLow);
  Value b = math.add(two, a);
  Value bLow = math.add(math.sub(a, math.sub(b, two)), aLow);
  Value p = math.mul(s, b);
  Value pLow = math.fma(s, b, math.neg(p));
  pLow = math.fma(sLow, b, math.fma(s, bLow, pLow));
  return {p, pLow};
}

/// log(x) for x >= 0, with at least 64 right bits.
DoubleDouble logDouble(MathBuilder<double> &math, Value x) {
  Value zero = math.constant(0.0), infinity = math.infinity();
  SplitFloat split = splitAny(math, x, PowTable::lowest);
  DoubleDouble p = logOfMantissa(math, split.m);
  Value whole = math.mul(split.e, math.constant(PowTable::ln2High));
  Value high = math.add(whole, p.high);
  Value low =
      math.add(math.sub(p.high, math.sub(high, whole)),
               math.fma(split.e, math.constant(PowTable::ln2Low), p.low));
  Value sum = math.add(high, low);
  Value rest = math.sub(low, math.sub(sum, high));
  Value isZero = math.equal(x, zero), isFinite = math.less(x, infinity);
  sum = math.select(isFinite, sum, infinity);
  rest = math.select(isFinite, rest, zero);
  return {math.select(isZero, math.neg(infinity), sum),
          math.select(isZero, zero, rest)};
}

/// exp(y * log(x)) for x >= 0, but for the special cases of powOf.
Value magnitudeOfPow(MathBuilder<double> &math, Value x, Value y) {
  using Table = numerics::ExpCoefficients<double>;
  DoubleDouble l = logDouble(math, x);
  Value t = math.mul(y, l.high);
  Value low = math.fma(y, l.low, math.fma(y, l.high, math.neg(t)));
  Value bounded = math.less(math.magnitude(t), math.constant(1100.0));
  low = math.select(bounded, low, math.constant(0.0));
  t = boundExp(math, t, Table::least, Table::most);
  return scaleExp(math, reduceExp(math, t, low));
}

Value magnitudeOfPow(MathBuilder<float> &math, Value x, Value y) {
  ImplicitLocOpBuilder &builder = math.getBuilder();
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type();
  Value wide = emitConvert(builder, x, f32, f64);
  MathBuilder<double> wideMath(builder, wide.getType());
  Value product =
      wideMath.mul(emitConvert(builder, y, f32, f64), logOf(wideMath, wide));
  return emitConvert(builder, expOf(wideMath, product), f64, f32);
}

template <typename T> Value powOf(MathBuilder<T> &math, Value x, Value y) {
  ImplicitLocOpBuilder &builder = math.getBuilder();
  auto both = [&](Value a, Value b) -> Value {
    return arith::AndIOp::create(builder, a, b);
  };
  auto either = [&](Value a, Value b) -> Value {
    return arith::OrIOp::create(builder, a, b);
  };
  Value zero = math.constant(T(0)), one = math.constant(T(1));
  Value a = math.magnitude(x);
  Value half = math.mul(y, math.constant(T(0.5)));
  Value halfFloor = math.floor(half);
  Value whole = math.equal(math.floor(y), y);
  Value yIsZero = math.equal(y, zero);
  Value result = math.select(either(math.equal(a, one), yIsZero), one,
                             magnitudeOfPow(math, a, y));
  // floor(half) < half where half is not whole; both are never NaN then.
  Value odd = both(whole, math.less(halfFloor, half));
  Value sign = math.select(odd, math.signBit(x), math.integer(0));
  result = math.fromBits(math.xorBits(math.toBits(result), sign));
  Value finiteNegative =
      both(math.less(x, zero), math.less(math.neg(math.infinity()), x));
  Value notWhole = math.less(math.floor(y), y);
  Value invalid = either(both(finiteNegative, notWhole), math.unordered(x, y));
  Value certain = either(math.equal(x, one), yIsZero);
  result =
      math.select(invalid, math.select(certain, result, math.nan()), result);
  return result;
}

} // namespace

Value ensc::emitPow(ImplicitLocOpBuilder &builder, Value x, Value y) {
  return emitInFormat(builder, x,
                      [&](auto &math) { return powOf(math, x, y); });
}
