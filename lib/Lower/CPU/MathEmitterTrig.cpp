//===- MathEmitterTrig.cpp - Sine and cosine as MLIR ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"

#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Numerics/TrigCoefficients.h"

using namespace mlir;
using namespace ensc;

namespace {

/// The sine and cosine of what is left of |x| after quadrant * pi / 2.
struct ReducedTrig {
  Value sine;
  Value cosine;
  Value quadrant;
};

template <typename T> ReducedTrig reduceTrig(MathBuilder<T> &math, Value x) {
  using Table = numerics::TrigCoefficients<T>;
  Value magic = math.constant(MathBuilder<T>::Format::roundingMagic);
  Value a = math.magnitude(x);
  a = math.select(math.lessOrEqual(a, math.constant(Table::most)), a,
                  math.constant(T(0)));
  Value shifted = math.fma(a, math.constant(Table::twoOverPi), magic);
  Value n = math.sub(shifted, magic);
  Value r = math.fma(n, math.constant(-Table::piHalfHigh), a);
  r = math.fma(n, math.constant(-Table::piHalfMiddle), r);
  Value z = math.mul(r, r);
  Value low = math.mul(n, math.constant(-Table::piHalfLow));
  Value rest = math.fma(math.mul(r, z), math.horner(Table::sinTail, z), low);
  Value cosine = math.fma(z, math.constant(T(-0.5)), math.constant(T(1)));
  cosine = math.fma(math.mul(z, z), math.horner(Table::cosTail, z), cosine);
  return {math.add(r, rest), cosine, math.toBits(shifted)};
}

/// even where bit 0 of quadrant is clear, else odd.
template <typename T>
Value chooseByParity(MathBuilder<T> &math, Value quadrant, Value even,
                     Value odd) {
  // As a sign: a select on the sign bit is one instruction.
  Value sign = math.shiftLeft(quadrant, MathBuilder<T>::Format::width - 1);
  Value isOdd = arith::CmpIOp::create(
      math.getBuilder(), arith::CmpIPredicate::slt, sign, math.integer(0));
  return math.select(isOdd, odd, even);
}

/// value, negated where bit 1 of quadrant is set; NaN where x is not finite.
template <typename T>
Value finishTrig(MathBuilder<T> &math, Value x, Value value, Value quadrant) {
  Value sign = math.andBits(quadrant, math.integer(2));
  sign = math.shiftLeft(sign, MathBuilder<T>::Format::width - 2);
  Value result = math.fromBits(math.xorBits(math.toBits(value), sign));
  Value finite = math.less(math.magnitude(x), math.infinity());
  return math.select(finite, result, math.nan());
}

template <typename T> Value sinOf(MathBuilder<T> &math, Value x) {
  ReducedTrig reduced = reduceTrig(math, x);
  Value value =
      chooseByParity(math, reduced.quadrant, reduced.sine, reduced.cosine);
  value = math.fromBits(math.xorBits(math.toBits(value), math.signBit(x)));
  return finishTrig(math, x, value, reduced.quadrant);
}

template <typename T> Value cosOf(MathBuilder<T> &math, Value x) {
  ReducedTrig reduced = reduceTrig(math, x);
  Value value =
      chooseByParity(math, reduced.quadrant, reduced.cosine, reduced.sine);
  Value next = math.addBits(reduced.quadrant, math.integer(1));
  return finishTrig(math, x, value, next);
}

} // namespace

Value ensc::emitSin(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return sinOf(math, x); });
}

Value ensc::emitCos(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return cosOf(math, x); });
}
