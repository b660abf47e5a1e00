//===- MathBuilder.h - Arithmetic on floats and their bits ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary in which the math functions are emitted: the operations of
// docs/Numerics.md, section 5.1, for scalars and vectors of one float type.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_MATHBUILDER_H
#define ENSC_LIB_LOWER_CPU_MATHBUILDER_H

#include "ensc/Numerics/FloatFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace ensc {

/// `element`, or a vector of it shaped as `like`.
inline mlir::Type typeLike(mlir::Type like, mlir::Type element) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(like))
    return vector.clone(element);
  return element;
}

/// A constant of a scalar or vector type; a vector holds it in each lane.
inline mlir::Value emitConstant(mlir::ImplicitLocOpBuilder &builder,
                                mlir::Type type, mlir::TypedAttr value) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
    value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
  return mlir::arith::ConstantOp::create(builder, value);
}

/// Emits operations on the float type T (float for f32, double for f64), in the
/// shape of a given type: a scalar or a 1-D vector. Integers have its width.
template <typename T> class MathBuilder {
public:
  using Format = numerics::FloatFormat<T>;
  using Bits = typename Format::Bits;
  using Value = mlir::Value;
  using Builder = mlir::ImplicitLocOpBuilder;

  MathBuilder(Builder &builder, mlir::Type like)
      : builder(builder), floatType(typeLike(like, elementType(builder))),
        intType(typeLike(like, builder.getIntegerType(Format::width))) {}

  Builder &getBuilder() { return builder; }

  Value constant(T value) {
    auto attribute = builder.getFloatAttr(elementType(builder), value);
    return emitConstant(builder, floatType, attribute);
  }
  Value integer(Bits value) {
    auto type = builder.getIntegerType(Format::width);
    llvm::APInt bits(Format::width, value);
    return emitConstant(builder, intType, builder.getIntegerAttr(type, bits));
  }
  Value infinity() { return constant(std::numeric_limits<T>::infinity()); }
  Value nan() { return fromBits(integer(Format::canonicalNaN)); }

  Value add(Value a, Value b) { return make<mlir::arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<mlir::arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<mlir::arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return make<mlir::arith::DivFOp>(a, b); }
  Value neg(Value a) { return make<mlir::arith::NegFOp>(a); }
  Value sqrt(Value a) { return make<mlir::math::SqrtOp>(a); }
  Value floor(Value a) { return make<mlir::math::FloorOp>(a); }
  Value fma(Value a, Value b, Value c) {
    return make<mlir::math::FmaOp>(a, b, c);
  }

  Value addBits(Value a, Value b) { return make<mlir::arith::AddIOp>(a, b); }
  Value subBits(Value a, Value b) { return make<mlir::arith::SubIOp>(a, b); }
  Value andBits(Value a, Value b) { return make<mlir::arith::AndIOp>(a, b); }
  Value orBits(Value a, Value b) { return make<mlir::arith::OrIOp>(a, b); }
  Value xorBits(Value a, Value b) { return make<mlir::arith::XOrIOp>(a, b); }
  Value shiftLeft(Value a, int places) {
    return make<mlir::arith::ShLIOp>(a, integer(places));
  }
  Value shiftRight(Value a, int places) {
    return make<mlir::arith::ShRSIOp>(a, integer(places));
  }

  /// Comparisons; false where an operand is NaN.
  Value less(Value a, Value b) {
    return compare(mlir::arith::CmpFPredicate::OLT, a, b);
  }
  Value greater(Value a, Value b) {
    return compare(mlir::arith::CmpFPredicate::OGT, a, b);
  }
  Value lessOrEqual(Value a, Value b) {
    return compare(mlir::arith::CmpFPredicate::OLE, a, b);
  }
  Value equal(Value a, Value b) {
    return compare(mlir::arith::CmpFPredicate::OEQ, a, b);
  }
  /// True where an operand is NaN.
  Value unordered(Value a, Value b) {
    return compare(mlir::arith::CmpFPredicate::UNO, a, b);
  }
  /// Of bits as signed integers.
  Value greaterBits(Value a, Value b) {
    return mlir::arith::CmpIOp::create(builder, mlir::arith::CmpIPredicate::sgt,
                                       a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return make<mlir::arith::SelectOp>(condition, a, b);
  }

  Value toBits(Value a) {
    return mlir::arith::BitcastOp::create(builder, intType, a);
  }
  Value fromBits(Value a) {
    return mlir::arith::BitcastOp::create(builder, floatType, a);
  }

  /// |x|, by clearing the sign bit.
  Value magnitude(Value x) {
    return fromBits(andBits(toBits(x), integer(Format::signMask - 1)));
  }
  /// The sign bit of x, in place.
  Value signBit(Value x) {
    return andBits(toBits(x), integer(Format::signMask));
  }
  /// `value`, whose sign bit is clear, with the sign of `sign`.
  Value withSignOf(Value value, Value sign) {
    return fromBits(orBits(toBits(value), signBit(sign)));
  }
  /// The canonical NaN where x is NaN, else `value`.
  Value nanWhereNaN(Value x, Value value) {
    return select(unordered(x, x), nan(), value);
  }

  /// The polynomial with the given coefficients, lowest power first.
  template <size_t N> Value horner(const T (&coefficients)[N], Value x) {
    Value value = constant(coefficients[N - 1]);
    for (size_t k = N - 1; k-- > 0;)
      value = fma(value, x, constant(coefficients[k]));
    return value;
  }

  /// 2^n for -bias < n <= bias.
  Value powerOfTwo(Value n) {
    Value biased = addBits(n, integer(Format::bias));
    return fromBits(shiftLeft(biased, Format::mantissaBits));
  }
  /// x * 2^n, where x and the result are normal.
  Value shiftExponent(Value x, Value n) {
    Value places = shiftLeft(n, Format::mantissaBits);
    return fromBits(addBits(toBits(x), places));
  }
  /// A small integer as a float. Vectors of i64 convert one by one before
  /// AVX-512, hence the detour over the bits of a float.
  Value smallToFloat(Value n) {
    if constexpr (Format::width == 32)
      return mlir::arith::SIToFPOp::create(builder, floatType, n);
    Value magic = constant(Format::roundingMagic);
    return sub(fromBits(addBits(toBits(magic), n)), magic);
  }

private:
  static mlir::FloatType elementType(Builder &builder) {
    if constexpr (Format::width == 32)
      return builder.getF32Type();
    else
      return builder.getF64Type();
  }
  template <typename Op, typename... Args> Value make(Args... operands) {
    return Op::create(builder, operands...);
  }
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b) {
    return mlir::arith::CmpFOp::create(builder, predicate, a, b);
  }

  Builder &builder;
  mlir::Type floatType;
  mlir::Type intType;
};

/// Calls emit(MathBuilder<T>) for the T of x.
template <typename Emit>
mlir::Value emitInFormat(mlir::ImplicitLocOpBuilder &builder, mlir::Value x,
                         Emit emit) {
  if (mlir::getElementTypeOrSelf(x).isF32()) {
    MathBuilder<float> math(builder, x.getType());
    return emit(math);
  }
  assert(mlir::getElementTypeOrSelf(x).isF64() && "math is for f32 and f64");
  MathBuilder<double> math(builder, x.getType());
  return emit(math);
}

} // namespace ensc

#endif // ENSC_LIB_LOWER_CPU_MATHBUILDER_H
