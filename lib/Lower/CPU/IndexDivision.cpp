//===- IndexDivision.cpp - Quotients that a program asks for --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexDivision.h"
#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

bool cpu::isIndexDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp,
             arith::CeilDivUIOp, arith::CeilDivSIOp, arith::RemUIOp,
             arith::RemSIOp>(op);
}

namespace {
/// Emits one division.
class DivisionEmitter {
public:
  DivisionEmitter(ImplicitLocOpBuilder &builder, Value dividend, Value divisor)
      : b(builder), dividend(dividend), divisor(divisor), zero(constant(0)),
        byZero(equals(divisor, zero)) {}

  Value emit(Operation *op);

private:
  Value constant(int64_t value) {
    return emitSplat(b, dividend.getType(), b.getI64IntegerAttr(value));
  }
  Value equals(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  }
  Value truncated(bool isUnsigned);
  Value roundedQuotient(Operation *op, Value quotient, Value remainder);

  ImplicitLocOpBuilder &b;
  Value dividend, divisor, zero, byZero;
};
} // namespace

/// The CPU traps where the quotient does not exist, so such a divisor
/// becomes 1.
Value DivisionEmitter::truncated(bool isUnsigned) {
  Value trap = byZero;
  if (!isUnsigned) {
    Value overflow =
        arith::AndIOp::create(b, equals(dividend, constant(INT64_MIN)),
                              equals(divisor, constant(-1)));
    trap = arith::OrIOp::create(b, trap, overflow);
  }
  Value safe = arith::SelectOp::create(b, trap, constant(1), divisor);
  Value quotient = isUnsigned
                       ? arith::DivUIOp::create(b, dividend, safe).getResult()
                       : arith::DivSIOp::create(b, dividend, safe).getResult();
  return arith::SelectOp::create(b, byZero, zero, quotient);
}

/// One less, or one more, than the truncated quotient where that is inexact on
/// the other side.
Value DivisionEmitter::roundedQuotient(Operation *op, Value quotient,
                                       Value remainder) {
  Value isInexact =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, remainder, zero);
  Value moves = isInexact;
  if (!isa<arith::CeilDivUIOp>(op)) {
    auto side = isa<arith::FloorDivSIOp>(op) ? arith::CmpIPredicate::slt
                                             : arith::CmpIPredicate::sge;
    Value signs = arith::XOrIOp::create(b, dividend, divisor);
    moves = arith::AndIOp::create(b, isInexact,
                                  arith::CmpIOp::create(b, side, signs, zero));
  }
  Value step = constant(isa<arith::FloorDivSIOp>(op) ? -1 : 1);
  Value moved = arith::AddIOp::create(b, quotient, step);
  Value rounded = arith::SelectOp::create(b, moves, moved, quotient);
  return arith::SelectOp::create(b, byZero, zero, rounded);
}

Value DivisionEmitter::emit(Operation *op) {
  Value quotient =
      truncated(isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op));
  if (isa<arith::DivUIOp, arith::DivSIOp>(op))
    return quotient;
  Value product = arith::MulIOp::create(b, quotient, divisor);
  Value remainder = arith::SubIOp::create(b, dividend, product);
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return remainder;
  return roundedQuotient(op, quotient, remainder);
}

Value cpu::emitIndexDivision(ImplicitLocOpBuilder &builder, Operation *op,
                             Value dividend, Value divisor) {
  return DivisionEmitter(builder, dividend, divisor).emit(op);
}
