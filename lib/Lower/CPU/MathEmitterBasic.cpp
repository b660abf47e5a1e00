//===- MathEmitterBasic.cpp - Roots, maxima, conversions, Philox ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"

#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Numerics/Philox.h"

using namespace mlir;
using namespace ensc;

//===----------------------------------------------------------------------===//
// Roots, rounding, maxima
//===----------------------------------------------------------------------===//

// On bits: LLVM takes one NaN for as good as another, and drops a select that
// replaces the NaN of a root by the canonical one.
Value ensc::emitCanonicalNaN(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) {
    Value magnitude = math.toBits(math.magnitude(x));
    Value isNaN = math.greaterBits(magnitude, math.toBits(math.infinity()));
    return math.fromBits(
        math.select(isNaN, math.toBits(math.nan()), math.toBits(x)));
  });
}

// The NaN of a negative operand need not be the canonical one: Numerics.md,
// section 1.
Value ensc::emitSqrt(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) { return math.sqrt(x); });
}

Value ensc::emitRsqrt(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) {
    return math.div(math.constant(1), math.sqrt(x));
  });
}

Value ensc::emitFloor(ImplicitLocOpBuilder &builder, Value x) {
  return emitInFormat(builder, x, [&](auto &math) {
    return math.nanWhereNaN(x, math.floor(x));
  });
}

// Each select is one instruction on x86 and gives its last operand where the
// comparison fails, so the two differ in bits for zeros of both signs only.
Value ensc::emitMaximum(ImplicitLocOpBuilder &builder, Value a, Value b) {
  return emitInFormat(builder, a, [&](auto &math) {
    Value first = math.select(math.greater(a, b), a, b);
    Value second = math.select(math.greater(b, a), b, a);
    Value bits = math.andBits(math.toBits(first), math.toBits(second));
    return math.select(math.unordered(a, b), math.nan(), math.fromBits(bits));
  });
}

Value ensc::emitMinimum(ImplicitLocOpBuilder &builder, Value a, Value b) {
  return emitInFormat(builder, a, [&](auto &math) {
    Value first = math.select(math.less(a, b), a, b);
    Value second = math.select(math.less(b, a), b, a);
    Value bits = math.orBits(math.toBits(first), math.toBits(second));
    return math.select(math.unordered(a, b), math.nan(), math.fromBits(bits));
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {

/// What `ens.convert` does between two element types.
class Conversion {
public:
  Conversion(ImplicitLocOpBuilder &builder, Value x, Type from, Type to)
      : builder(builder), x(x), from(from), to(to),
        isUnsigned(to.isUnsignedInteger()),
        signless(to.isInteger()
                     ? builder.getIntegerType(to.getIntOrFloatBitWidth())
                     : to),
        type(typeLike(x.getType(), signless)) {}

  Value emit() {
    if (from == to)
      return x;
    if (to.isInteger(1))
      return emitNotZero();
    if (isa<FloatType>(from))
      return isa<FloatType>(to) ? emitFloatToFloat() : emitFloatToInt();
    return isa<FloatType>(to) ? emitIntToFloat() : emitIntToInt();
  }

private:
  Value emitNotZero() {
    Value zero = emitConstant(builder, x.getType(),
                              builder.getZeroAttr(getElementTypeOrSelf(x)));
    if (isa<FloatType>(from))
      return arith::CmpFOp::create(builder, arith::CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, x, zero);
  }

  Value emitFloatToFloat() {
    Value result = to.isF64()
                       ? arith::ExtFOp::create(builder, type, x).getResult()
                       : arith::TruncFOp::create(builder, type, x).getResult();
    return emitCanonicalNaN(builder, result);
  }

  bool isFromUnsigned() {
    return from.isUnsignedInteger() || from.isInteger(1);
  }

  Value emitIntToFloat() {
    if (isFromUnsigned())
      return arith::UIToFPOp::create(builder, type, x);
    return arith::SIToFPOp::create(builder, type, x);
  }

  Value emitIntToInt() {
    unsigned oldWidth = from.getIntOrFloatBitWidth();
    unsigned newWidth = to.getIntOrFloatBitWidth();
    if (oldWidth == newWidth)
      return x;
    if (oldWidth > newWidth)
      return arith::TruncIOp::create(builder, type, x);
    if (isFromUnsigned())
      return arith::ExtUIOp::create(builder, type, x);
    return arith::ExtSIOp::create(builder, type, x);
  }

  /// Outside of the integer's range the instruction's result is undefined: it
  /// sees 0 there, and the bound is chosen afterwards.
  Value emitFloatToInt() {
    unsigned width = to.getIntOrFloatBitWidth();
    APInt least = isUnsigned ? APInt::getMinValue(width)
                             : APInt::getSignedMinValue(width);
    APInt most = isUnsigned ? APInt::getMaxValue(width)
                            : APInt::getSignedMaxValue(width);
    double high = isUnsigned ? 4294967296.0 : std::ldexp(1.0, width - 1);
    double low = isUnsigned ? 0.0 : -high;
    Value lowBound = floatConstant(low), highBound = floatConstant(high);
    Value notBelow = compare(arith::CmpFPredicate::OGE, lowBound);
    Value notAbove = compare(arith::CmpFPredicate::OLT, highBound);
    Value inside = arith::AndIOp::create(builder, notBelow, notAbove);
    Value safe = select(inside, x, floatConstant(0.0));
    Value result =
        isUnsigned ? arith::FPToUIOp::create(builder, type, safe).getResult()
                   : arith::FPToSIOp::create(builder, type, safe).getResult();
    Value above = compare(arith::CmpFPredicate::OGE, highBound);
    result = select(above, intConstant(most), result);
    if (isUnsigned)
      return result;
    Value below = compare(arith::CmpFPredicate::OLT, lowBound);
    return select(below, intConstant(least), result);
  }

  Value floatConstant(double value) {
    return emitConstant(builder, x.getType(),
                        builder.getFloatAttr(from, value));
  }
  Value intConstant(const APInt &value) {
    return emitConstant(builder, type, builder.getIntegerAttr(signless, value));
  }
  Value compare(arith::CmpFPredicate predicate, Value bound) {
    return arith::CmpFOp::create(builder, predicate, x, bound);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, condition, a, b);
  }

  ImplicitLocOpBuilder &builder;
  Value x;
  Type from;
  Type to;
  bool isUnsigned;
  Type signless;
  Type type;
};

} // namespace

Value ensc::emitConvert(ImplicitLocOpBuilder &builder, Value x, Type from,
                        Type to) {
  return Conversion(builder, x, from, to).emit();
}

//===----------------------------------------------------------------------===//
// Philox
//===----------------------------------------------------------------------===//

std::array<Value, 4> ensc::emitPhilox(ImplicitLocOpBuilder &builder,
                                      std::array<Value, 4> counter,
                                      std::array<Value, 2> key) {
  using Constants = numerics::PhiloxConstants;
  Type type = counter[0].getType();
  auto word = [&](uint32_t value) {
    return emitConstant(builder, type,
                        builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  auto exclusive = [&](Value a, Value b, Value c) -> Value {
    Value both = arith::XOrIOp::create(builder, a, b);
    return arith::XOrIOp::create(builder, both, c);
  };
  // The high and the low word of a product. LLVM takes both from a product of
  // 64 bits in twice the instructions.
  auto multiply = [&](Value a, Value b) {
    auto product = arith::MulUIExtendedOp::create(builder, a, b);
    Value low = arith::MulIOp::create(builder, a, b);
    return std::pair<Value, Value>(product.getHigh(), low);
  };
  for (int round = 0; round < Constants::rounds; ++round) {
    auto [high0, low0] = multiply(counter[0], word(Constants::multiplier[0]));
    auto [high2, low2] = multiply(counter[2], word(Constants::multiplier[1]));
    counter = {exclusive(high2, counter[1], key[0]), low2,
               exclusive(high0, counter[3], key[1]), low0};
    key[0] = arith::AddIOp::create(builder, key[0], word(Constants::weyl[0]));
    key[1] = arith::AddIOp::create(builder, key[1], word(Constants::weyl[1]));
  }
  return counter;
}
