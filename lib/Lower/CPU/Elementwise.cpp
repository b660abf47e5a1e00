//===- Elementwise.cpp - Elementwise ops on scalars and vectors -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Lower/CPU/MathEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

using LocBuilder = ImplicitLocOpBuilder;

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

Type cpu::signlessOf(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

Type cpu::typeOfWidth(Type element, int64_t width) {
  return width == 1 ? element : Type(VectorType::get({width}, element));
}

Value cpu::emitSplat(LocBuilder &builder, Type type, TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(builder, value);
}

static Value emitInt(LocBuilder &b, Type type, const APInt &value) {
  return emitSplat(b, type,
                   b.getIntegerAttr(getElementTypeOrSelf(type), value));
}

static Value emitInt(LocBuilder &b, Type type, int64_t value) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return emitInt(b, type,
                 APInt(width, value, /*isSigned=*/true,
                       /*implicitTrunc=*/true));
}

static Value emitFloat(LocBuilder &b, Type type, double value) {
  return emitSplat(b, type, b.getFloatAttr(getElementTypeOrSelf(type), value));
}

static Type like(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

static Value emitNeg(LocBuilder &b, Type element, Value x) {
  if (isa<FloatType>(element))
    return arith::NegFOp::create(b, x);
  return arith::SubIOp::create(b, emitInt(b, x.getType(), 0), x);
}

static Value emitAbs(LocBuilder &b, Type element, Value x) {
  if (isa<FloatType>(element))
    return math::AbsFOp::create(b, x);
  if (element.isUnsignedInteger())
    return x;
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x,
                                           emitInt(b, x.getType(), 0));
  return arith::SelectOp::create(b, isNegative, emitNeg(b, element, x), x);
}

static Value emitSign(LocBuilder &b, Type element, Value x) {
  Type type = x.getType();
  if (isa<FloatType>(element)) {
    Value zero = emitFloat(b, type, 0);
    Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, zero);
    Value below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, zero);
    Value rest = arith::SelectOp::create(b, below, emitFloat(b, type, -1), x);
    return arith::SelectOp::create(b, above, emitFloat(b, type, 1), rest);
  }
  Value zero = emitInt(b, type, 0);
  auto greater = element.isUnsignedInteger() ? arith::CmpIPredicate::ugt
                                             : arith::CmpIPredicate::sgt;
  Value above = arith::CmpIOp::create(b, greater, x, zero);
  Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, zero);
  Value rest = arith::SelectOp::create(b, isZero, zero, emitInt(b, type, -1));
  return arith::SelectOp::create(b, above, emitInt(b, type, 1), rest);
}

static Value emitBitcast(LocBuilder &b, Value x, Type to) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    x = emitCanonicalNaN(b, x);
  Value cast = arith::BitcastOp::create(b, like(x.getType(), to), x);
  return isa<FloatType>(to) ? emitCanonicalNaN(b, cast) : cast;
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

template <typename FloatOp, typename IntOp>
static Value emitArithmetic(LocBuilder &b, Type element, Value x, Value y) {
  if (isa<FloatType>(element))
    return FloatOp::create(b, x, y);
  return IntOp::create(b, x, y);
}

static Value emitMulHigh(LocBuilder &b, Type element, Value x, Value y) {
  Type wide = like(x.getType(), b.getI64Type());
  auto extend = [&](Value value) -> Value {
    if (element.isUnsignedInteger())
      return arith::ExtUIOp::create(b, wide, value);
    return arith::ExtSIOp::create(b, wide, value);
  };
  Value product = arith::MulIOp::create(b, extend(x), extend(y));
  Value high = arith::ShRUIOp::create(b, product, emitInt(b, wide, 32));
  return arith::TruncIOp::create(b, x.getType(), high);
}

/// The CPU traps where the quotient does not exist, so such a divisor
/// becomes 1.
static Value emitDiv(LocBuilder &b, Type element, Value x, Value y) {
  if (isa<FloatType>(element))
    return arith::DivFOp::create(b, x, y);
  Type type = x.getType();
  auto equals = [&](Value value, Value other) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, other)
        .getResult();
  };
  Value zero = emitInt(b, type, 0), one = emitInt(b, type, 1);
  Value byZero = equals(y, zero);
  Value trap = byZero;
  bool isUnsigned = element.isUnsignedInteger();
  if (!isUnsigned) {
    unsigned width = element.getIntOrFloatBitWidth();
    Value least = emitInt(b, type, APInt::getSignedMinValue(width));
    Value overflow = arith::AndIOp::create(b, equals(x, least),
                                           equals(y, emitInt(b, type, -1)));
    trap = arith::OrIOp::create(b, trap, overflow);
  }
  Value divisor = arith::SelectOp::create(b, trap, one, y);
  Value quotient = isUnsigned
                       ? arith::DivUIOp::create(b, x, divisor).getResult()
                       : arith::DivSIOp::create(b, x, divisor).getResult();
  return arith::SelectOp::create(b, byZero, zero, quotient);
}

template <typename ShiftOp>
static Value emitShift(LocBuilder &b, Value x, Value amount) {
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, amount,
                                     emitInt(b, type, width));
  Value zero = emitInt(b, type, 0);
  // A shift by the width or more is poison, even where it is not selected.
  Value safe = arith::SelectOp::create(b, fits, amount, zero);
  Value shifted = ShiftOp::create(b, x, safe);
  return arith::SelectOp::create(b, fits, shifted, zero);
}

Value cpu::emitExtreme(LocBuilder &b, Type element, bool greatest, Value x,
                       Value y) {
  if (isa<FloatType>(element))
    return greatest ? emitMaximum(b, x, y) : emitMinimum(b, x, y);
  if (element.isUnsignedInteger())
    return greatest ? arith::MaxUIOp::create(b, x, y).getResult()
                    : arith::MinUIOp::create(b, x, y).getResult();
  return greatest ? arith::MaxSIOp::create(b, x, y).getResult()
                  : arith::MinSIOp::create(b, x, y).getResult();
}

//===----------------------------------------------------------------------===//
// Comparing and choosing
//===----------------------------------------------------------------------===//

static Value emitCompare(LocBuilder &b, Type element,
                         ens::ComparePredicate predicate, Value x, Value y) {
  // In the order of ens::ComparePredicate.
  constexpr arith::CmpFPredicate floats[] = {
      arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
      arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
      arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
  constexpr arith::CmpIPredicate signedInts[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
      arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
  constexpr arith::CmpIPredicate unsignedInts[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
      arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  auto position = static_cast<size_t>(predicate);
  if (isa<FloatType>(element))
    return arith::CmpFOp::create(b, floats[position], x, y);
  return arith::CmpIOp::create(b,
                               element.isUnsignedInteger()
                                   ? unsignedInts[position]
                                   : signedInts[position],
                               x, y);
}

static Value emitClamp(LocBuilder &b, Type element, ValueRange operands) {
  Value low = operands[0], x = operands[1], high = operands[2];
  Value above = emitCompare(b, element, ens::ComparePredicate::gt, x, high);
  Value below = emitCompare(b, element, ens::ComparePredicate::lt, x, low);
  Value rest = arith::SelectOp::create(b, above, high, x);
  return arith::SelectOp::create(b, below, low, rest);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using FloatUnary = Value (*)(LocBuilder &, Value);

static FloatUnary floatUnaryOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, FloatUnary>(op)
      .Case([](ens::ExpOp) { return emitExp; })
      .Case([](ens::LogOp) { return emitLog; })
      .Case([](ens::Log1pOp) { return emitLog1p; })
      .Case([](ens::Expm1Op) { return emitExpm1; })
      .Case([](ens::SqrtOp) { return emitSqrt; })
      .Case([](ens::RsqrtOp) { return emitRsqrt; })
      .Case([](ens::TanhOp) { return emitTanh; })
      .Case([](ens::LogisticOp) { return emitLogistic; })
      .Case([](ens::ErfOp) { return emitErf; })
      .Case([](ens::ErfInvOp) { return emitErfInv; })
      .Case([](ens::SinOp) { return emitSin; })
      .Case([](ens::CosOp) { return emitCos; })
      .Case([](ens::FloorOp) { return emitFloor; })
      .Default([](Operation *) { return nullptr; });
}

static Value emitUnary(LocBuilder &b, Operation *op, Type element, Value x) {
  if (FloatUnary function = floatUnaryOf(op))
    return function(b, x);
  Type result = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ens::NegOp) { return emitNeg(b, element, x); })
      .Case([&](ens::AbsOp) { return emitAbs(b, element, x); })
      .Case([&](ens::SignOp) { return emitSign(b, element, x); })
      .Case([&](ens::NotOp) {
        return arith::XOrIOp::create(b, x, emitInt(b, x.getType(), -1));
      })
      .Case([&](ens::StopGradientOp) { return x; })
      .Case([&](ens::ConvertOp) {
        return element == result ? x : emitConvert(b, x, element, result);
      })
      .Case(
          [&](ens::BitcastOp) { return emitBitcast(b, x, signlessOf(result)); })
      .Default([](Operation *) { return Value(); });
}

static Value emitBinary(LocBuilder &b, Operation *op, Type t, Value x,
                        Value y) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ens::AddOp) {
        return emitArithmetic<arith::AddFOp, arith::AddIOp>(b, t, x, y);
      })
      .Case([&](ens::SubOp) {
        return emitArithmetic<arith::SubFOp, arith::SubIOp>(b, t, x, y);
      })
      .Case([&](ens::MulOp) {
        return emitArithmetic<arith::MulFOp, arith::MulIOp>(b, t, x, y);
      })
      .Case([&](ens::MulHighOp) { return emitMulHigh(b, t, x, y); })
      .Case([&](ens::DivOp) { return emitDiv(b, t, x, y); })
      .Case([&](ens::PowOp) { return emitPow(b, x, y); })
      .Case([&](ens::MaxOp) { return emitExtreme(b, t, true, x, y); })
      .Case([&](ens::MinOp) { return emitExtreme(b, t, false, x, y); })
      .Case<ens::AndOp, arith::AndIOp>(
          [&](auto) { return arith::AndIOp::create(b, x, y); })
      .Case<ens::OrOp, arith::OrIOp>(
          [&](auto) { return arith::OrIOp::create(b, x, y); })
      .Case<ens::XorOp, arith::XOrIOp>(
          [&](auto) { return arith::XOrIOp::create(b, x, y); })
      .Case([&](ens::ShiftLeftOp) { return emitShift<arith::ShLIOp>(b, x, y); })
      .Case([&](ens::ShiftRightLogicalOp) {
        return emitShift<arith::ShRUIOp>(b, x, y);
      })
      .Case([&](ens::ShiftRightArithmeticOp) {
        return emitShift<arith::ShRSIOp>(b, x, y);
      })
      .Case([&](ens::CompareOp compare) {
        return emitCompare(b, t, compare.getPredicate(), x, y);
      })
      .Default([](Operation *) { return Value(); });
}

Value cpu::emitElementwise(LocBuilder &b, Operation *op, ValueRange operands) {
  if (op->getNumResults() != 1 || operands.empty())
    return Value();
  Type element = op->getOperand(0).getType();
  if (operands.size() == 1)
    return emitUnary(b, op, element, operands[0]);
  if (operands.size() == 2)
    return emitBinary(b, op, element, operands[0], operands[1]);
  if (isa<ens::SelectOp, arith::SelectOp>(op))
    return arith::SelectOp::create(b, operands[0], operands[1], operands[2]);
  if (isa<ens::ClampOp>(op))
    return emitClamp(b, element, operands);
  return Value();
}
