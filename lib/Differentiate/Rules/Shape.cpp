//===- Shape.cpp - Derivatives of ops that rearrange elements -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of these are linear: forward mode applies the op to the tangents, reverse
// mode applies its transpose to the cotangent.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// The op itself on other operands of the same types.
static Value applyTo(RuleBuilder &b, Operation *op, ValueRange operands) {
  IRMapping mapping;
  Operation *clone = b.clone(*op, mapping);
  clone->setOperands(operands);
  return clone->getResult(0);
}

namespace {
/// Forward mode of an op that is linear in the first `count` operands together:
/// zeros take the place of tangents that are zero.
template <typename OpTy> struct LinearRule {
  using Op = OpTy;

  static void linear(RuleBuilder &b, OpTy op, ArrayRef<Value> tangents,
                     unsigned count, Values &results) {
    if (llvm::none_of(tangents.take_front(count),
                      [](Value tangent) { return bool(tangent); }))
      return results.push_back(Value());
    SmallVector<Value> operands(op->getOperands());
    for (unsigned index = 0; index < count; ++index)
      operands[index] = b.orZero(tangents[index], operands[index].getType());
    results.push_back(applyTo(b, op, operands));
  }

  static void jvp(RuleBuilder &b, OpTy op, ArrayRef<Value> tangents,
                  Values &results) {
    linear(b, op, tangents, 1, results);
  }
};

struct BroadcastRule : LinearRule<BroadcastOp> {
  static void vjp(RuleBuilder &b, BroadcastOp op, Value cotangent,
                  const BitVector &, Values &results) {
    results.push_back(b.sum(
        cotangent, otherDims(tensorType(cotangent).getRank(), op.getDims())));
  }
};

struct ReshapeRule : LinearRule<ReshapeOp> {
  static void vjp(RuleBuilder &b, ReshapeOp op, Value cotangent,
                  const BitVector &, Values &results) {
    results.push_back(ReshapeOp::create(b, op.getX().getType(), cotangent));
  }
};

struct TransposeRule : LinearRule<TransposeOp> {
  static void vjp(RuleBuilder &b, TransposeOp op, Value cotangent,
                  const BitVector &, Values &results) {
    SmallVector<int64_t> inverse(op.getPermutation().size());
    for (auto [index, dim] : llvm::enumerate(op.getPermutation()))
      inverse[dim] = index;
    results.push_back(b.transpose(cotangent, inverse));
  }
};

struct ReverseRule : LinearRule<ReverseOp> {
  static void vjp(RuleBuilder &b, ReverseOp op, Value cotangent,
                  const BitVector &, Values &results) {
    results.push_back(ReverseOp::create(b, cotangent, op.getDims()));
  }
};

struct SliceRule : LinearRule<SliceOp> {
  static void vjp(RuleBuilder &b, SliceOp op, Value cotangent,
                  const BitVector &, Values &results) {
    ArrayRef<int64_t> extents = tensorType(op.getX()).getShape();
    SmallVector<int64_t> low(op.getStarts()), high, interior;
    for (auto [dim, taken] :
         llvm::enumerate(tensorType(cotangent).getShape())) {
      int64_t stride = op.getStrides()[dim];
      int64_t spread = taken == 0 ? 0 : (taken - 1) * stride + 1;
      interior.push_back(stride - 1);
      high.push_back(extents[dim] - low[dim] - spread);
    }
    Value zero = b.zero(tensorType(cotangent).clone(ArrayRef<int64_t>()));
    results.push_back(PadOp::create(b, cotangent, zero, low, high, interior,
                                    /*batch_dims=*/0));
  }
};

struct DynamicSliceRule : LinearRule<DynamicSliceOp> {
  static void vjp(RuleBuilder &b, DynamicSliceOp op, Value cotangent,
                  const BitVector &, Values &results) {
    // The window is as large as the slice, so that both clamp alike.
    results.push_back(
        DynamicUpdateSliceOp::create(b, b.zero(op.getX().getType()), cotangent,
                                     op.getStarts(), op.getBatchDims()));
    results.append(op.getStarts().size(), Value());
  }
};

struct DynamicUpdateSliceRule : LinearRule<DynamicUpdateSliceOp> {
  static void jvp(RuleBuilder &b, DynamicUpdateSliceOp op,
                  ArrayRef<Value> tangents, Values &results) {
    linear(b, op, tangents, 2, results);
  }

  static void vjp(RuleBuilder &b, DynamicUpdateSliceOp op, Value cotangent,
                  const BitVector &active, Values &results) {
    auto window = cast<RankedTensorType>(op.getUpdate().getType());
    results.push_back(active[0] ? DynamicUpdateSliceOp::create(
                                      b, cotangent, b.zero(window),
                                      op.getStarts(), op.getBatchDims())
                                : Value());
    results.push_back(active[1]
                          ? DynamicSliceOp::create(
                                b, cotangent, op.getStarts(),
                                window.getShape().drop_front(op.getBatchDims()),
                                op.getBatchDims())
                          : Value());
    results.append(op.getStarts().size(), Value());
  }
};

struct ConcatRule : LinearRule<ConcatOp> {
  static void jvp(RuleBuilder &b, ConcatOp op, ArrayRef<Value> tangents,
                  Values &results) {
    linear(b, op, tangents, tangents.size(), results);
  }

  static void vjp(RuleBuilder &b, ConcatOp op, Value cotangent,
                  const BitVector &active, Values &results) {
    auto type = tensorType(cotangent);
    SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape());
    SmallVector<int64_t> strides(type.getRank(), 1);
    int64_t offset = 0;
    for (auto [index, piece] : llvm::enumerate(op.getOperands())) {
      starts[op.getDim()] = offset;
      offset += tensorType(piece).getDimSize(op.getDim());
      limits[op.getDim()] = offset;
      results.push_back(
          active[index] ? SliceOp::create(b, cotangent, starts, limits, strides)
                        : Value());
    }
  }
};

struct PadRule : LinearRule<PadOp> {
  static void jvp(RuleBuilder &b, PadOp op, ArrayRef<Value> tangents,
                  Values &results) {
    linear(b, op, tangents, 2, results);
  }

  static void vjp(RuleBuilder &b, PadOp op, Value cotangent,
                  const BitVector &active, Values &results) {
    results.push_back(active[0] ? byX(b, op, cotangent) : Value());
    results.push_back(active[1] ? byValue(b, op, cotangent) : Value());
  }

  /// Undoes the edges, so that elements that were cut off get zeros, then picks
  /// the elements between the interior ones.
  static Value byX(RuleBuilder &b, PadOp op, Value cotangent) {
    auto negated = [](ArrayRef<int64_t> amounts) {
      return llvm::map_to_vector(amounts, [](int64_t n) { return -n; });
    };
    SmallVector<int64_t> none(op.getLow().size(), 0);
    Value zero = b.zero(op.getValue().getType());
    Value spread =
        PadOp::create(b, cotangent, zero, negated(op.getLow()),
                      negated(op.getHigh()), none, op.getBatchDims());
    if (llvm::all_of(op.getInterior(), [](int64_t n) { return n == 0; }))
      return spread;
    auto strides =
        llvm::map_to_vector(op.getInterior(), [](int64_t n) { return n + 1; });
    return SliceOp::create(b, spread, none, tensorType(spread).getShape(),
                           strides);
  }

  /// The sum over the places that `value` went to.
  static Value byValue(RuleBuilder &b, PadOp op, Value cotangent) {
    Type i1 = b.getI1Type();
    Value isElement = PadOp::create(
        b, b.constant(withElementType(op.getX().getType(), i1), 1),
        b.zero(withElementType(op.getValue().getType(), i1)), op.getLow(),
        op.getHigh(), op.getInterior(), op.getBatchDims());
    return b.sum(b.drop(isElement, cotangent),
                 dimRange(op.getBatchDims(), tensorType(cotangent).getRank()));
  }
};
} // namespace

void ensc::attachShapeRules(MLIRContext *context) {
  attachRules<BroadcastRule, ReshapeRule, TransposeRule, ReverseRule, SliceRule,
              DynamicSliceRule, DynamicUpdateSliceRule, ConcatRule, PadRule>(
      context);
}
