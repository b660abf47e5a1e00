//===- IndexRange.cpp - What an index can be ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace ensc;

using Bound = std::optional<int64_t>;

// Arithmetic on index wraps: a bound beyond 64 bits is none.
static Bound add(Bound a, Bound b) {
  int64_t sum;
  return a && b && !llvm::AddOverflow(*a, *b, sum) ? Bound(sum) : Bound();
}
static Bound subtract(Bound a, Bound b) {
  int64_t difference;
  return a && b && !llvm::SubOverflow(*a, *b, difference) ? Bound(difference)
                                                          : Bound();
}
static Bound multiply(Bound a, Bound b) {
  int64_t product;
  return a && b && !llvm::MulOverflow(*a, *b, product) ? Bound(product)
                                                       : Bound();
}

/// Both ends or none: where one may have wrapped, nothing is known.
static IndexRange closed(Bound least, Bound most) {
  return least && most ? IndexRange{least, most} : IndexRange();
}

/// Of two bounds that are both to hold for one of two values.
static Bound lower(Bound a, Bound b) {
  return a && b ? Bound(std::min(*a, *b)) : Bound();
}
static Bound upper(Bound a, Bound b) {
  return a && b ? Bound(std::max(*a, *b)) : Bound();
}

IndexRange IndexRanges::ofProduct(const IndexRange &lhs,
                                  const IndexRange &rhs) {
  IndexRange range;
  bool isFirst = true;
  for (Bound a : {lhs.least, lhs.most})
    for (Bound b : {rhs.least, rhs.most}) {
      Bound product = multiply(a, b);
      range.least = isFirst ? product : lower(range.least, product);
      range.most = isFirst ? product : upper(range.most, product);
      isFirst = false;
    }
  return closed(range.least, range.most);
}

/// A maximum is not below what it is a maximum of: so the trips of a loop are
/// not negative, whatever its bounds.
IndexRange IndexRanges::ofDifference(Operation *op) {
  Value minuend = op->getOperand(0), subtrahend = op->getOperand(1);
  IndexRange a = rangeOf(minuend), b = rangeOf(subtrahend);
  IndexRange range =
      closed(subtract(a.least, b.most), subtract(a.most, b.least));
  auto greater = minuend.getDefiningOp<arith::MaxSIOp>();
  if (range.least && greater &&
      llvm::is_contained(greater->getOperands(), subtrahend))
    range.least = std::max<int64_t>(*range.least, 0);
  return range;
}

/// Quotients and remainders of what is not negative by a positive constant: all
/// divisions agree there, but for the direction in which they round.
IndexRange IndexRanges::ofQuotient(Operation *op) {
  IndexRange value = rangeOf(op->getOperand(0));
  Bound divisor = getConstantIntValue(op->getOperand(1));
  if (!value.least || *value.least < 0 || !value.most || !divisor ||
      *divisor <= 0)
    return {};
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return {0, std::min(*value.most, *divisor - 1)};
  bool roundsUp = isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
  auto quotient = [&](int64_t dividend) {
    return dividend / *divisor + (roundsUp && dividend % *divisor != 0);
  };
  return {quotient(*value.least), quotient(*value.most)};
}

/// The loop that counts with an argument, or none.
static scf::ForOp loopOfCounter(BlockArgument argument) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument == loop.getInductionVar() ? loop : scf::ForOp();
}

/// The counter of a loop is below its upper bound in every iteration.
static IndexRange ofCounter(const IndexRange &begin, const IndexRange &end) {
  return {begin.least, subtract(end.most, 1)};
}

IndexRange IndexRanges::compute(Value value) {
  if (Bound constant = getConstantIntValue(value))
    return {constant, constant};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    scf::ForOp loop = loopOfCounter(argument);
    if (!loop)
      return {};
    return ofCounter(rangeOf(loop.getLowerBound()),
                     rangeOf(loop.getUpperBound()));
  }
  // Narrower integers wrap earlier.
  if (!value.getType().isIndex())
    return {};
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned index) { return rangeOf(op->getOperand(index)); };
  return llvm::TypeSwitch<Operation *, IndexRange>(op)
      .Case([&](arith::AddIOp) {
        IndexRange a = operand(0), b = operand(1);
        return closed(add(a.least, b.least), add(a.most, b.most));
      })
      .Case([&](arith::SubIOp op) { return ofDifference(op); })
      .Case([&](arith::IndexCastUIOp op) {
        bool isBit = op.getIn().getType().isInteger(1);
        return isBit ? IndexRange{0, 1} : IndexRange();
      })
      .Case([&](arith::MulIOp) { return ofProduct(operand(0), operand(1)); })
      .Case([&](arith::MinSIOp) {
        IndexRange a = operand(0), b = operand(1);
        Bound most = a.most && b.most ? lower(a.most, b.most)
                     : a.most         ? a.most
                                      : b.most;
        return IndexRange{lower(a.least, b.least), most};
      })
      .Case([&](arith::MaxSIOp) {
        IndexRange a = operand(0), b = operand(1);
        Bound least = a.least && b.least ? upper(a.least, b.least)
                      : a.least          ? a.least
                                         : b.least;
        return IndexRange{least, upper(a.most, b.most)};
      })
      .Case([&](arith::SelectOp) {
        IndexRange a = operand(1), b = operand(2);
        return IndexRange{lower(a.least, b.least), upper(a.most, b.most)};
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::RemSIOp,
            arith::RemUIOp>([&](Operation *) { return ofQuotient(op); })
      .Default([](Operation *) { return IndexRange(); });
}

/// The values that a range is computed from.
static SmallVector<Value, 4> sourcesOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    scf::ForOp loop = loopOfCounter(argument);
    if (!loop)
      return {};
    return {loop.getLowerBound(), loop.getUpperBound()};
  }
  Operation *op = value.getDefiningOp();
  if (!value.getType().isIndex() || !isa<arith::ArithDialect>(op->getDialect()))
    return {};
  return SmallVector<Value, 4>(op->getOperands());
}

/// Sums of any number of terms must not overflow the stack.
IndexRange IndexRanges::rangeOf(Value value) {
  SmallVector<Value> waiting = {value};
  while (!known.contains(value)) {
    Value next = waiting.back();
    size_t before = waiting.size();
    for (Value source : sourcesOf(next))
      if (!known.contains(source))
        waiting.push_back(source);
    if (waiting.size() > before)
      continue;
    IndexRange range = compute(next);
    known[next] = range;
    waiting.pop_back();
  }
  return known.lookup(value);
}
