//===- MathEmitterErf.cpp - The error function as MLIR --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathSteps.h"

#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Numerics/ErfCoefficients.h"
#include "ensc/Numerics/ErfInvCoefficients.h"

using namespace mlir;
using namespace ensc;

namespace {

template <typename T> Value erfOf(MathBuilder<T> &math, Value x) {
  using Table = numerics::ErfCoefficients<T>;
  Value one = math.constant(T(1)), end = math.constant(Table::outerEnd);
  Value a = math.magnitude(x);
  Value inner = math.fma(math.horner(Table::inner, math.mul(a, a)), a, a);
  Value bounded = math.select(math.less(a, end), a, end);
  Value u = math.sub(bounded, math.constant(Table::outerCentre));
  Value power = expNormal(math, math.neg(math.horner(Table::outer, u)));
  Value outer = math.sub(one, power);
  Value chosen = math.select(math.less(a, one), inner, outer);
  return math.nanWhereNaN(x, math.withSignOf(chosen, x));
}

Value erfInvOf(MathBuilder<double> &math, Value y) {
  using Table = numerics::ErfInvCoefficients<double>;
  Value one = math.constant(1.0);
  Value a = math.magnitude(y);
  Value t = math.fma(math.neg(a), a, math.constant(Table::splitSquare));
  Value ratio = math.div(math.horner(Table::innerTop, t),
                         math.horner(Table::innerBottom, t));
  Value inner = math.fma(a, ratio, a);
  Value r = math.sqrt(math.neg(logNormal(math, math.sub(one, a))));
  Value outer = math.add(r, math.div(math.horner(Table::outerTop, r),
                                     math.horner(Table::outerBottom, r)));
  Value central = math.lessOrEqual(a, math.constant(Table::split));
  Value result = math.select(central, inner, outer);
  result = math.select(math.less(a, one), result, math.infinity());
  result = math.withSignOf(result, y);
  return math.select(math.lessOrEqual(a, one), result, math.nan());
}

} // namespace

Value ensc::emitErf(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return erfOf(math, x); });
}

Value ensc::emitErfInv(ImplicitLocOpBuilder &builder, Value y) {
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type();
  Type type = getElementTypeOrSelf(y);
  Value wide = emitConvert(builder, y, type, f64);
  MathBuilder<double> math(builder, wide.getType());
  Value result = erfInvOf(math, wide);
  return type == f32 ? emitConvert(builder, result, f64, f32) : result;
}
