//===- IndexMath.cpp - Linear indices of vectors of points ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace ensc::cpu;

//===----------------------------------------------------------------------===//
// Constants and atoms
//===----------------------------------------------------------------------===//

Value IndexMath::constantOf(TypedAttr value) {
  Value &cached = constants_[value];
  if (!cached) {
    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToStart(entry_);
    cached = arith::ConstantOp::create(builder_, value);
  }
  return cached;
}

Value IndexMath::constantInt(int64_t value) {
  return constantOf(builder_.getI64IntegerAttr(value));
}

Index IndexMath::constant(int64_t value) const {
  Index index;
  index.constant = value;
  return index;
}

Index IndexMath::atom(Value value, AtomRange range) {
  IntegerAttr known;
  if (auto op = value.getDefiningOp<arith::ConstantOp>())
    known = dyn_cast<IntegerAttr>(op.getValue());
  if (known)
    return constant(known.getInt());
  auto [position, isNew] = numbers_.try_emplace(value, atoms_.size());
  if (isNew)
    atoms_.push_back({value, range});
  Index index;
  index.terms.push_back({position->second, 1});
  return index;
}

Index IndexMath::lane() const {
  Index index;
  index.stride = 1;
  return index;
}

Index IndexMath::perLane(Value vector) const {
  Index index;
  index.perLane = vector;
  return index;
}

//===----------------------------------------------------------------------===//
// Linear arithmetic
//===----------------------------------------------------------------------===//

// As that of a program, it wraps.
static int64_t plus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
static int64_t times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

Index IndexMath::add(const Index &a, const Index &b) {
  Index sum;
  sum.constant = plus(a.constant, b.constant);
  sum.stride = plus(a.stride, b.stride);
  const auto *i = a.terms.begin(), *j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    bool takeA =
        j == b.terms.end() || (i != a.terms.end() && i->first <= j->first);
    bool takeB =
        i == a.terms.end() || (j != b.terms.end() && j->first <= i->first);
    unsigned number = takeA ? i->first : j->first;
    int64_t coefficient = plus(takeA ? i->second : 0, takeB ? j->second : 0);
    if (coefficient != 0)
      sum.terms.push_back({number, coefficient});
    i += takeA;
    j += takeB;
  }
  sum.perLane = a.perLane ? a.perLane : b.perLane;
  if (a.perLane && b.perLane)
    sum.perLane = arith::AddIOp::create(builder_, a.perLane, b.perLane);
  return sum;
}

Index IndexMath::subtract(const Index &a, const Index &b) {
  return add(a, scale(b, -1));
}

Index IndexMath::scale(const Index &a, int64_t factor) {
  if (factor == 1)
    return a;
  if (factor == 0)
    return constant(0);
  Index result = a;
  for (auto &[number, coefficient] : result.terms)
    coefficient = times(coefficient, factor);
  result.constant = times(result.constant, factor);
  result.stride = times(result.stride, factor);
  if (a.perLane) {
    auto type = cast<VectorType>(a.perLane.getType());
    Value splat = constantOf(DenseElementsAttr::get(type, factor));
    result.perLane = arith::MulIOp::create(builder_, a.perLane, splat);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

/// Adds coefficient * number to an end of a range, unless that overflows.
static bool moveEnd(int64_t &end, int64_t number, int64_t coefficient) {
  int64_t by;
  return !llvm::MulOverflow(coefficient, number, by) &&
         !llvm::AddOverflow(end, by, end);
}

/// The least and the greatest value at any lane. Nothing is known of a sum that
/// may wrap; so both ends are known, or the sum is one atom.
AtomRange IndexMath::rangeOf(const Index &index, int64_t width) const {
  if (index.perLane)
    return {};
  bool isAtom = index.terms.size() == 1 && index.terms[0].second == 1 &&
                index.constant == 0 && index.stride == 0;
  if (isAtom)
    return atoms_[index.terms[0].first].second;
  AtomRange range{index.constant, index.constant};
  auto widen = [&](int64_t coefficient, int64_t least, int64_t most) {
    if (coefficient < 0)
      std::swap(least, most);
    return moveEnd(range.least, least, coefficient) &&
           moveEnd(range.most, most, coefficient);
  };
  bool isKnown = widen(index.stride, 0, width - 1);
  for (auto [number, coefficient] : index.terms) {
    const AtomRange &atom = atoms_[number].second;
    isKnown = isKnown && atom.isBounded() &&
              widen(coefficient, atom.least, atom.most);
  }
  return isKnown ? range : AtomRange();
}

/// A number that divides the index at lane 0.
int64_t IndexMath::multipleOf(const Index &index) const {
  auto product = [&](unsigned number, int64_t coefficient) {
    int64_t result;
    bool wraps =
        llvm::MulOverflow(coefficient, atoms_[number].second.multiple, result);
    return wraps || result == INT64_MIN ? int64_t(1) : result;
  };
  int64_t multiple = index.constant == INT64_MIN ? 1 : index.constant;
  for (auto [number, coefficient] : index.terms)
    multiple = std::gcd(multiple, product(number, coefficient));
  return multiple;
}

/// Quotient and remainder by a constant, if both are linear. Multiples of the
/// divisor leave the dividend where it does not wrap and what is left of it, as
/// all of it, is not negative: a quotient that is rounded has no other sum.
std::optional<std::pair<Index, Index>>
IndexMath::divideLinear(const Index &a, int64_t divisor, int64_t width) {
  AtomRange whole = rangeOf(a, width);
  if (whole.least < 0 || !whole.isBounded())
    return std::nullopt;
  Index quotient, rest;
  for (auto [number, coefficient] : a.terms) {
    if (coefficient % divisor == 0)
      quotient.terms.push_back({number, coefficient / divisor});
    else
      rest.terms.push_back({number, coefficient});
  }
  bool isBelow = a.constant % divisor < 0;
  rest.constant = a.constant % divisor + (isBelow ? divisor : 0);
  quotient.constant = a.constant / divisor - isBelow;
  (a.stride % divisor == 0 ? quotient : rest).stride =
      a.stride % divisor == 0 ? a.stride / divisor : a.stride;
  AtomRange left = rangeOf(rest, width);
  bool isPositive = left.least >= 0 && left.isBounded();
  if (isPositive && left.most < divisor)
    return std::pair(quotient, rest);
  // Lanes that never cross a multiple of the divisor divide as one scalar.
  int64_t multiple = std::gcd(multipleOf(rest), divisor);
  int64_t lastLane;
  if (rest.stride < 0 || llvm::MulOverflow(rest.stride, width - 1, lastLane) ||
      lastLane >= multiple)
    return std::nullopt;
  Index lanes = scale(lane(), rest.stride);
  if (!isPositive) {
    quotient = scale(lane(), quotient.stride);
    rest = a;
    left = whole;
  }
  Value start = scalar(rest);
  Value by = constantInt(divisor);
  Index carried = atom(arith::DivUIOp::create(builder_, start, by),
                       {left.least / divisor, left.most / divisor});
  Index over = atom(arith::RemUIOp::create(builder_, start, by),
                    {0, divisor - multiple, multiple});
  return std::pair(add(quotient, carried), add(over, lanes));
}

Value IndexMath::emit(IndexOp op, Value a, Value b) {
  switch (op) {
  case IndexOp::Multiply:
    return arith::MulIOp::create(builder_, a, b);
  case IndexOp::Divide:
    return arith::DivUIOp::create(builder_, a, b);
  case IndexOp::Remainder:
    return arith::RemUIOp::create(builder_, a, b);
  case IndexOp::Minimum:
    return arith::MinSIOp::create(builder_, a, b);
  case IndexOp::Maximum:
    return arith::MaxSIOp::create(builder_, a, b);
  }
  llvm_unreachable("unknown index operation");
}

static std::optional<int64_t> fold(IndexOp op, std::optional<int64_t> a,
                                   std::optional<int64_t> b) {
  if (!a || !b)
    return std::nullopt;
  switch (op) {
  case IndexOp::Multiply:
    return times(*a, *b);
  case IndexOp::Divide:
  case IndexOp::Remainder:
    if (*a < 0 || *b <= 0)
      return std::nullopt;
    return op == IndexOp::Divide ? *a / *b : *a % *b;
  case IndexOp::Minimum:
    return std::min(*a, *b);
  case IndexOp::Maximum:
    return std::max(*a, *b);
  }
  llvm_unreachable("unknown index operation");
}

/// What is known of a result of numbers in these ranges.
static AtomRange rangeAfter(IndexOp op, const AtomRange &a,
                            const AtomRange &b) {
  if (op == IndexOp::Minimum)
    return {std::min(a.least, b.least), std::min(a.most, b.most)};
  if (op == IndexOp::Maximum)
    return {std::max(a.least, b.least), std::max(a.most, b.most)};
  return {};
}

Index IndexMath::apply(IndexOp op, const Index &a, const Index &b,
                       int64_t width) {
  std::optional<int64_t> left = a.asConstant(), right = b.asConstant();
  if (std::optional<int64_t> known = fold(op, left, right))
    return constant(*known);
  if (op == IndexOp::Multiply && (left || right))
    return left ? scale(b, *left) : scale(a, *right);
  bool divides = op == IndexOp::Divide || op == IndexOp::Remainder;
  if (divides && right && *right > 0)
    if (auto parts = divideLinear(a, *right, width))
      return op == IndexOp::Divide ? parts->first : parts->second;
  if (a.isUniform() && b.isUniform())
    return atom(emit(op, scalar(a), scalar(b)),
                rangeAfter(op, rangeOf(a, 1), rangeOf(b, 1)));
  return perLane(emit(op, vector(a, width), vector(b, width)));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value IndexMath::scalar(const Index &index, bool withConstant) {
  Value sum;
  for (auto [number, coefficient] : index.terms) {
    Value term = atoms_[number].first;
    if (coefficient != 1)
      term = arith::MulIOp::create(builder_, term, constantInt(coefficient));
    sum = sum ? arith::AddIOp::create(builder_, sum, term).getResult() : term;
  }
  if (!sum)
    return constantInt(withConstant ? index.constant : 0);
  if (withConstant && index.constant != 0)
    sum = arith::AddIOp::create(builder_, sum, constantInt(index.constant));
  return sum;
}

Value IndexMath::broadcast(Value scalar, int64_t width) {
  auto type = VectorType::get({width}, scalar.getType());
  Value any = LLVM::PoisonOp::create(builder_, type);
  Value first =
      LLVM::InsertElementOp::create(builder_, any, scalar, constantInt(0));
  SmallVector<int32_t> lanes(width, 0);
  return LLVM::ShuffleVectorOp::create(builder_, first, any, lanes);
}

Value IndexMath::vector(const Index &index, int64_t width) {
  auto type = VectorType::get({width}, builder_.getI64Type());
  Value sum = index.perLane;
  if (index.stride != 0) {
    SmallVector<int64_t> steps;
    for (int64_t lane = 0; lane < width; ++lane)
      steps.push_back(index.constant + lane * index.stride);
    Value lanes =
        constantOf(DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
    sum = sum ? arith::AddIOp::create(builder_, sum, lanes).getResult() : lanes;
  }
  bool constantDone = index.stride != 0;
  if (sum && index.terms.empty() && (constantDone || index.constant == 0))
    return sum;
  Value splat = broadcast(scalar(index, !constantDone), width);
  return sum ? arith::AddIOp::create(builder_, sum, splat).getResult() : splat;
}
