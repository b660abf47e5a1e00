//===- FoldEmitter.cpp - Sums and extremes inside a body ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of a float sum is fixed: 16 partial sums, then a tree. At a vector
// of points each partial sum is a vector. At one point the 16 partial sums are
// one vector, if that makes the loads contiguous.
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "BodyEmitter.h"
#include "Elementwise.h"
#include "FlatDomain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

namespace {

/// Partial results of one fold, as Numerics.md fixes them for sums.
constexpr int64_t numPartials = 16;

class FoldEmitter {
public:
  FoldEmitter(BodyEmitter &outer, ens::FoldOp fold)
      : outer_(outer), kernel_(outer.kernel()), builder_(kernel_.builder),
        fold_(fold), block_(fold.getBody().front()), extents_(fold.getOver()),
        element_(block_.getTerminator()->getOperand(0).getType()),
        count_(ShapedType::getNumElements(extents_)) {
    isFlat_ = isFlatDomain(block_, 0, extents_);
  }

  /// Null after an error was reported.
  Value emit() {
    if (isArgument())
      return emitArgument();
    if (outer_.width() == 1 && hasContiguousLoads())
      return emitAsVector();
    if (weightOf(block_) * std::min(count_, 2 * numPartials) > mostUnrolled)
      return emitInLoops();
    return emitAsPartials();
  }

private:
  bool isArgument() {
    return fold_.getKind() == ens::FoldKind::argmax ||
           fold_.getKind() == ens::FoldKind::argmin;
  }
  bool isSum() { return fold_.getKind() == ens::FoldKind::sum; }
  bool isGreatest() {
    return fold_.getKind() == ens::FoldKind::max ||
           fold_.getKind() == ens::FoldKind::argmax;
  }
  bool isFloatSum() { return isSum() && isa<FloatType>(element_); }

  bool hasContiguousLoads();
  Value elementAt(const Index &position, int64_t width);
  Value identity(int64_t width);
  Value combine(Value a, Value b);
  Value firstOf(Value element, int64_t width);
  Value emitAsPartials();
  Value emitInLoops();
  Value combineTree(SmallVector<Value> partials);
  Value emitAsVector();
  Value insertPiece(Value piece, Value vector, int64_t begin, int64_t width);
  Value remainderVector(int64_t begin);
  Value reduceTree(Value vector);
  Value emitArgument();
  Value beats(Value candidate, Value best);

  BodyEmitter &outer_;
  Kernel &kernel_;
  ImplicitLocOpBuilder &builder_;
  ens::FoldOp fold_;
  Block &block_;
  ArrayRef<int64_t> extents_;
  Type element_;
  int64_t count_;
  bool isFlat_;
  bool failed_ = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Whether 16 elements in a row load as vectors.
bool FoldEmitter::hasContiguousLoads() {
  if (!isFlat_ || count_ < 8)
    return false;
  AccessAnalysis analysis(block_);
  int64_t contiguous = 0;
  for (const Access &access : accessesIn(block_)) {
    std::optional<int64_t> stride =
        analysis.strideOf(access.type, access.indices, extents_.size() - 1);
    contiguous += stride == 1 ? 1 : stride == 0 ? 0 : -1;
  }
  return contiguous > 0;
}

/// The elements at `width` points of the enclosing body, or in a fold that is
/// emitted as a vector the `width` elements from `position` on.
Value FoldEmitter::elementAt(const Index &position, int64_t width) {
  BodyEmitter inner(kernel_, width, &outer_);
  SmallVector<Index> indices =
      delinearize(kernel_, position, extents_, isFlat_, width);
  for (auto [argument, index] : llvm::zip(block_.getArguments(), indices))
    inner.bind(argument, index);
  if (mlir::failed(inner.emit(block_))) {
    failed_ = true;
    return identity(width);
  }
  return inner.vector(block_.getTerminator()->getOperand(0));
}

Value FoldEmitter::identity(int64_t width) {
  Type element = signlessOf(element_);
  TypedAttr value = builder_.getZeroAttr(element);
  bool greatest = isGreatest();
  if (auto type = dyn_cast<FloatType>(element); type && !isSum())
    value = builder_.getFloatAttr(
        type, APFloat::getInf(type.getFloatSemantics(), greatest));
  else if (!type && !isSum()) {
    unsigned bits = element.getIntOrFloatBitWidth();
    bool isUnsigned = element_.isUnsignedInteger();
    APInt least =
        isUnsigned ? APInt::getMinValue(bits) : APInt::getSignedMinValue(bits);
    value = builder_.getIntegerAttr(element, greatest ? least : ~least);
  }
  Type type = typeOfWidth(element, width);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return kernel_.math.constantOf(value);
}

Value FoldEmitter::combine(Value a, Value b) {
  if (!isSum())
    return emitExtreme(builder_, element_, isGreatest(), a, b);
  if (isFloatSum())
    return arith::AddFOp::create(builder_, a, b);
  return arith::AddIOp::create(builder_, a, b);
}

/// A partial result of one element. A sum starts from +0, which makes a -0
/// positive; elsewhere the identity changes nothing.
Value FoldEmitter::firstOf(Value element, int64_t width) {
  return isFloatSum() ? combine(identity(width), element) : element;
}

//===----------------------------------------------------------------------===//
// Partial results as values
//===----------------------------------------------------------------------===//

Value FoldEmitter::emitAsPartials() {
  int64_t width = outer_.width();
  SmallVector<Value> partials(numPartials);
  int64_t whole = count_ / numPartials * numPartials;
  auto accumulate = [&](const Index &begin, int64_t number) {
    for (int64_t j = 0; j < number; ++j) {
      Value element =
          elementAt(kernel_.math.add(begin, kernel_.math.constant(j)), width);
      partials[j] =
          partials[j] ? combine(partials[j], element) : firstOf(element, width);
    }
  };
  if (whole > numPartials) {
    SmallVector<Value> initial(numPartials, identity(width));
    SmallVector<Value> results = kernel_.emitLoop(
        0, whole, numPartials, initial, [&](const Index &begin, ValueRange p) {
          partials.assign(p.begin(), p.end());
          accumulate(begin, numPartials);
          return SmallVector<Value>(partials);
        });
    partials.assign(results.begin(), results.end());
  } else if (whole == numPartials) {
    accumulate(kernel_.math.constant(0), numPartials);
  }
  accumulate(kernel_.math.constant(whole), count_ - whole);
  return combineTree(std::move(partials));
}

/// Partial results that no element entered are null.
Value FoldEmitter::combineTree(SmallVector<Value> partials) {
  for (int64_t half = numPartials / 2; half > 0; half /= 2)
    for (int64_t j = 0; j < half; ++j)
      if (partials[j + half])
        partials[j] = combine(partials[j], partials[j + half]);
  Value result = partials[0] ? partials[0] : identity(outer_.width());
  return failed_ ? Value() : result;
}

/// Elements that are too long to calculate for 16 copies: partial results in
/// memory, one element at a time.
Value FoldEmitter::emitInLoops() {
  IndexMath &math = kernel_.math;
  int64_t width = outer_.width();
  int64_t used = std::min(count_, numPartials);
  auto scratch = kernel_.scratch(used * width, element_);
  const Buffer &buffer = scratch.first;
  Index lane = width > 1 ? math.lane() : math.constant(0);
  auto positionOf = [&](const Index &partial) {
    return math.add(math.scale(partial, width), lane);
  };
  auto enter = [&](int64_t begin, int64_t number) {
    kernel_.emitLoop(0, number, 1, {}, [&](const Index &j, ValueRange) {
      Value element = elementAt(math.add(math.constant(begin), j), width);
      kernel_.store(firstOf(element, width), buffer, positionOf(j), width);
      return SmallVector<Value>();
    });
  };
  auto accumulate = [&](const Index &begin, int64_t number) {
    return kernel_.emitLoop(0, number, 1, {}, [&](const Index &j, ValueRange) {
      Value partial = kernel_.load(buffer, positionOf(j), width);
      Value element = elementAt(math.add(begin, j), width);
      kernel_.store(combine(partial, element), buffer, positionOf(j), width);
      return SmallVector<Value>();
    });
  };
  enter(0, used);
  int64_t whole = count_ / numPartials * numPartials;
  kernel_.emitLoop(numPartials, whole, numPartials, {},
                   [&](const Index &begin, ValueRange) {
                     return accumulate(begin, numPartials);
                   });
  if (whole > 0)
    accumulate(math.constant(whole), count_ - whole);
  SmallVector<Value> partials(numPartials);
  for (int64_t j = 0; j < used; ++j)
    partials[j] = kernel_.load(buffer, positionOf(math.constant(j)), width);
  return combineTree(std::move(partials));
}

//===----------------------------------------------------------------------===//
// Partial results as one vector
//===----------------------------------------------------------------------===//

/// The vector of partial results with `piece` from a lane on.
Value FoldEmitter::insertPiece(Value piece, Value vector, int64_t begin,
                               int64_t width) {
  SmallVector<int32_t> widened(numPartials, 0), lanes;
  for (int32_t lane = 0; lane < numPartials; ++lane) {
    bool inPiece = lane >= begin && lane < begin + width;
    if (lane < width)
      widened[lane] = lane;
    lanes.push_back(inPiece ? numPartials + lane - begin : lane);
  }
  return kernel_.shuffle(vector, kernel_.shuffle(piece, piece, widened), lanes);
}

/// The elements from `begin` on, fewer than 16, followed by the identity.
Value FoldEmitter::remainderVector(int64_t begin) {
  Value vector = identity(numPartials);
  int64_t done = 0;
  for (int64_t width = numPartials / 2; width > 0; width /= 2) {
    if (begin + done + width > count_)
      continue;
    Value piece =
        elementAt(kernel_.math.add(kernel_.math.constant(begin + done),
                                   width == 1 ? kernel_.math.constant(0)
                                              : kernel_.math.lane()),
                  width);
    if (width == 1)
      vector = kernel_.insert(piece, vector, done);
    else
      vector = insertPiece(piece, vector, done, width);
    done += width;
  }
  return vector;
}

Value FoldEmitter::reduceTree(Value vector) {
  for (int64_t half = numPartials / 2; half > 1; half /= 2) {
    auto slice = [&](int64_t offset) {
      auto lanes = llvm::to_vector(llvm::seq<int32_t>(offset, offset + half));
      return kernel_.shuffle(vector, vector, lanes);
    };
    vector = combine(slice(0), slice(half));
  }
  return combine(kernel_.extract(vector, 0), kernel_.extract(vector, 1));
}

Value FoldEmitter::emitAsVector() {
  int64_t whole = count_ / numPartials * numPartials;
  SmallVector<Value> partials = kernel_.emitLoop(
      0, whole, numPartials, identity(numPartials),
      [&](const Index &begin, ValueRange partial) {
        Index position = kernel_.math.add(begin, kernel_.math.lane());
        return SmallVector<Value>{
            combine(partial.front(), elementAt(position, numPartials))};
      });
  if (whole < count_)
    partials[0] = combine(partials[0], remainderVector(whole));
  Value result = reduceTree(partials[0]);
  return failed_ ? Value() : result;
}

//===----------------------------------------------------------------------===//
// Positions of extremes
//===----------------------------------------------------------------------===//

/// Whether a later element takes the place of the best so far.
Value FoldEmitter::beats(Value candidate, Value best) {
  bool greatest = isGreatest();
  if (isa<FloatType>(element_)) {
    auto predicate =
        greatest ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
    // Unordered, so that a NaN wins, unless there is one already.
    Value isBetter =
        arith::CmpFOp::create(builder_, predicate, candidate, best);
    Value isNumber =
        arith::CmpFOp::create(builder_, arith::CmpFPredicate::ORD, best, best);
    return arith::AndIOp::create(builder_, isBetter, isNumber);
  }
  bool isUnsigned = element_.isUnsignedInteger();
  auto predicate = greatest ? (isUnsigned ? arith::CmpIPredicate::ugt
                                          : arith::CmpIPredicate::sgt)
                            : (isUnsigned ? arith::CmpIPredicate::ult
                                          : arith::CmpIPredicate::slt);
  return arith::CmpIOp::create(builder_, predicate, candidate, best);
}

Value FoldEmitter::emitArgument() {
  int64_t width = outer_.width();
  Type positionType = typeOfWidth(builder_.getI32Type(), width);
  if (count_ == 0) {
    fold_.emitOpError("has no elements to choose from");
    return Value();
  }
  Value zero = emitSplat(builder_, positionType, builder_.getI32IntegerAttr(0));
  Value first = elementAt(kernel_.math.constant(0), width);
  SmallVector<Value> best = kernel_.emitLoop(
      1, count_, 1, {first, zero}, [&](const Index &position, ValueRange b) {
        Value candidate = elementAt(position, width);
        Value takes = beats(candidate, b[0]);
        Value number = arith::TruncIOp::create(builder_, builder_.getI32Type(),
                                               kernel_.math.scalar(position));
        return SmallVector<Value>{
            arith::SelectOp::create(builder_, takes, candidate, b[0]),
            arith::SelectOp::create(builder_, takes,
                                    kernel_.splat(number, width), b[1])};
      });
  return failed_ ? Value() : best[1];
}

LogicalResult BodyEmitter::emitFold(ens::FoldOp fold) {
  Value result = FoldEmitter(*this, fold).emit();
  if (!result)
    return failure();
  bind(fold.getResult(), result);
  return success();
}
