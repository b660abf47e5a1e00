//===- Elementwise.cpp - Derivatives of ops on corresponding elements -----===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Jacobian of an elementwise op by one operand is diagonal, hence its own
// transpose: one function per operand, which applies that diagonal to a value,
// is the rule of both modes. The table at the end lists them.
//
// Where a derivative is 0 by decision, it is selected, never multiplied: 0
// times infinity is NaN. The arm that is not selected is made finite as well,
// so that the derivative of the derivative is 0 there, too.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

#include <cmath>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using Predicate = ComparePredicate;

//===----------------------------------------------------------------------===//
// Diagonals: `v` times the partial derivative of `op` by one operand
//===----------------------------------------------------------------------===//

/// Applies the partial derivative of the op by one operand to `v`.
using Diagonal = Value (*)(RuleBuilder &b, Operation *op, Value v);

/// The partial derivative is 0: no value at all.
static constexpr Diagonal zero = nullptr;

static Value operand(Operation *op, unsigned index) {
  return op->getOperand(index);
}

static Value identity(RuleBuilder &, Operation *, Value v) { return v; }

static Value negate(RuleBuilder &b, Operation *, Value v) { return b.neg(v); }

static Value ofAbs(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  Value sign = SignOp::create(b, x.getType(), x);
  return b.drop(b.compare(Predicate::eq, x, 0), b.mul(v, sign));
}

static Value ofExp(RuleBuilder &b, Operation *op, Value v) {
  return b.mul(v, op->getResult(0));
}

static Value ofExpm1(RuleBuilder &b, Operation *op, Value v) {
  Value y = op->getResult(0);
  return b.mul(v, b.add(y, b.constant(y.getType(), 1)));
}

static Value ofLog(RuleBuilder &b, Operation *op, Value v) {
  return b.div(v, operand(op, 0));
}

static Value ofLog1p(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  return b.div(v, b.add(b.constant(x.getType(), 1), x));
}

/// v / (2 sqrt(x)), and 0 at 0.
static Value ofSqrt(RuleBuilder &b, Operation *op, Value v) {
  Value y = op->getResult(0);
  Value atZero = b.compare(Predicate::eq, operand(op, 0), 0);
  Value divisor = b.select(atZero, b.constant(y.getType(), 1), y);
  return b.drop(atZero, b.div(b.mul(0.5, v), divisor));
}

/// -v y / (2 x), and 0 at 0.
static Value ofRsqrt(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  Value atZero = b.compare(Predicate::eq, x, 0);
  Value one = b.constant(x.getType(), 1);
  Value root = b.select(atZero, one, op->getResult(0));
  Value divisor = b.select(atZero, one, x);
  return b.drop(atZero, b.mul(b.mul(-0.5, v), b.div(root, divisor)));
}

/// v (1 - y) (1 + y): 1 - y * y would round to 0 long before 1 - y does.
static Value ofTanh(RuleBuilder &b, Operation *op, Value v) {
  Value y = op->getResult(0);
  Value one = b.constant(y.getType(), 1);
  return b.mul(v, b.mul(b.sub(one, y), b.add(one, y)));
}

/// v s(x) s(-x): 1 - s(x) would round to 0 for large x.
static Value ofLogistic(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  Value mirrored = LogisticOp::create(b, x.getType(), b.neg(x));
  return b.mul(v, b.mul(op->getResult(0), mirrored));
}

static Value ofErf(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  Value bell = ExpOp::create(b, x.getType(), b.neg(b.mul(x, x)));
  return b.mul(v, b.mul(2 / std::sqrt(M_PI), bell));
}

static Value ofErfInv(RuleBuilder &b, Operation *op, Value v) {
  Value y = op->getResult(0);
  Value bell = ExpOp::create(b, y.getType(), b.mul(y, y));
  return b.mul(v, b.mul(std::sqrt(M_PI) / 2, bell));
}

static Value ofSin(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  return b.mul(v, CosOp::create(b, x.getType(), x));
}

static Value ofCos(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  return b.neg(b.mul(v, SinOp::create(b, x.getType(), x)));
}

static Value timesRhs(RuleBuilder &b, Operation *op, Value v) {
  return b.mul(v, operand(op, 1));
}

static Value timesLhs(RuleBuilder &b, Operation *op, Value v) {
  return b.mul(v, operand(op, 0));
}

static Value overRhs(RuleBuilder &b, Operation *op, Value v) {
  return b.div(v, operand(op, 1));
}

/// -(v / y) z: y * y would overflow. It shares v / y with the other operand.
static Value ofDivByRhs(RuleBuilder &b, Operation *op, Value v) {
  return b.neg(b.mul(b.div(v, operand(op, 1)), op->getResult(0)));
}

/// v y x^(y - 1), and 0 where x is 0 and y < 1.
static Value ofPowByLhs(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0), y = operand(op, 1);
  Value one = b.constant(y.getType(), 1);
  Value singular = AndOp::create(b, b.compare(Predicate::eq, x, 0),
                                 b.compare(Predicate::lt, y, one));
  Value base = b.select(singular, one, x);
  Value power = PowOp::create(b, x.getType(), base, b.sub(y, one));
  return b.drop(singular, b.mul(v, b.mul(y, power)));
}

/// v z log(x), and 0 where x is 0.
static Value ofPowByRhs(RuleBuilder &b, Operation *op, Value v) {
  Value x = operand(op, 0);
  Value atZero = b.compare(Predicate::eq, x, 0);
  Value base = b.select(atZero, b.constant(x.getType(), 1), x);
  Value log = LogOp::create(b, x.getType(), base);
  return b.drop(atZero, b.mul(v, b.mul(op->getResult(0), log)));
}

/// Of max and min: v for the operand that wins, v / 2 where both are equal.
template <unsigned index>
static Value ofExtremum(RuleBuilder &b, Operation *op, Value v) {
  Value wins = b.compare(Predicate::eq, operand(op, index), op->getResult(0));
  Value tie = b.compare(Predicate::eq, operand(op, 0), operand(op, 1));
  return b.keep(wins, b.select(tie, b.mul(0.5, v), v));
}

static Value ofClampByLow(RuleBuilder &b, Operation *op, Value v) {
  return b.keep(b.compare(Predicate::lt, operand(op, 1), operand(op, 0)), v);
}

static Value ofClampByX(RuleBuilder &b, Operation *op, Value v) {
  Value below = b.compare(Predicate::lt, operand(op, 1), operand(op, 0));
  Value above = b.compare(Predicate::gt, operand(op, 1), operand(op, 2));
  return b.drop(OrOp::create(b, below, above), v);
}

static Value ofClampByHigh(RuleBuilder &b, Operation *op, Value v) {
  Value below = b.compare(Predicate::lt, operand(op, 1), operand(op, 0));
  Value above = b.compare(Predicate::gt, operand(op, 1), operand(op, 2));
  return b.drop(below, b.keep(above, v));
}

//===----------------------------------------------------------------------===//
// Both modes from the diagonals
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy, Diagonal... diagonals>
struct ElementwiseModel : DifferentiableOpInterface::ExternalModel<
                              ElementwiseModel<OpTy, diagonals...>, OpTy> {
  static constexpr Diagonal table[] = {diagonals...};

  bool carriesDerivative(Operation *, unsigned operand) const {
    return table[operand] != zero;
  }

  LogicalResult emitJvp(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> operandTangents,
                        Values &resultTangents) const {
    RuleBuilder b(op, builder);
    Value sum;
    for (auto [diagonal, tangent] : llvm::zip_equal(table, operandTangents))
      if (diagonal && tangent)
        sum = b.accumulate(sum, diagonal(b, op, tangent));
    resultTangents.push_back(sum);
    return success();
  }

  LogicalResult emitVjp(Operation *op, OpBuilder &builder,
                        ArrayRef<Value> resultCotangents,
                        const BitVector &active,
                        Values &operandCotangents) const {
    RuleBuilder b(op, builder);
    Value cotangent = resultCotangents.front();
    for (auto [index, diagonal] : llvm::enumerate(table))
      operandCotangents.push_back(
          diagonal && active[index] ? diagonal(b, op, cotangent) : Value());
    return success();
  }
};

/// One select of both tangents is exact; a sum of two selects would turn a
/// tangent of -0 into +0.
struct SelectRule {
  using Op = SelectOp;

  static void jvp(RuleBuilder &b, SelectOp op, ArrayRef<Value> tangents,
                  Values &results) {
    if (!tangents[1] && !tangents[2])
      return results.push_back(Value());
    results.push_back(b.select(op.getPredicate(),
                               b.orZero(tangents[1], op.getType()),
                               b.orZero(tangents[2], op.getType())));
  }

  static void vjp(RuleBuilder &b, SelectOp op, Value cotangent,
                  const BitVector &active, Values &results) {
    Value predicate = op.getPredicate();
    results.push_back(Value());
    results.push_back(active[1] ? b.keep(predicate, cotangent) : Value());
    results.push_back(active[2] ? b.drop(predicate, cotangent) : Value());
  }
};

/// Tangents are converted as the number is, cotangents back.
struct ConvertRule {
  using Op = ConvertOp;

  static Value convert(RuleBuilder &b, Value v, Type type) {
    if (!v || v.getType() == type || !hasTangent(type))
      return hasTangent(type) ? v : Value();
    return ConvertOp::create(b, type, v);
  }

  static void jvp(RuleBuilder &b, ConvertOp op, ArrayRef<Value> tangents,
                  Values &results) {
    results.push_back(convert(b, tangents[0], op.getType()));
  }

  static void vjp(RuleBuilder &b, ConvertOp op, Value cotangent,
                  const BitVector &, Values &results) {
    results.push_back(convert(b, cotangent, op.getX().getType()));
  }
};
} // namespace

template <typename OpTy, Diagonal... diagonals>
static void attach(MLIRContext *context) {
  OpTy::template attachInterface<ElementwiseModel<OpTy, diagonals...>>(
      *context);
}

/// The table: an op, then the diagonal of each operand.
void ensc::attachElementwiseRules(MLIRContext *context) {
  attach<StopGradientOp, zero>(context);
  attach<SignOp, zero>(context);
  attach<FloorOp, zero>(context);

  attach<NegOp, negate>(context);
  attach<AbsOp, ofAbs>(context);
  attach<ExpOp, ofExp>(context);
  attach<Expm1Op, ofExpm1>(context);
  attach<LogOp, ofLog>(context);
  attach<Log1pOp, ofLog1p>(context);
  attach<SqrtOp, ofSqrt>(context);
  attach<RsqrtOp, ofRsqrt>(context);
  attach<TanhOp, ofTanh>(context);
  attach<LogisticOp, ofLogistic>(context);
  attach<ErfOp, ofErf>(context);
  attach<ErfInvOp, ofErfInv>(context);
  attach<SinOp, ofSin>(context);
  attach<CosOp, ofCos>(context);

  attach<AddOp, identity, identity>(context);
  attach<SubOp, identity, negate>(context);
  attach<MulOp, timesRhs, timesLhs>(context);
  attach<DivOp, overRhs, ofDivByRhs>(context);
  attach<PowOp, ofPowByLhs, ofPowByRhs>(context);
  attach<MaxOp, ofExtremum<0>, ofExtremum<1>>(context);
  attach<MinOp, ofExtremum<0>, ofExtremum<1>>(context);
  attach<ClampOp, ofClampByLow, ofClampByX, ofClampByHigh>(context);

  attachRules<SelectRule, ConvertRule>(context);
}
