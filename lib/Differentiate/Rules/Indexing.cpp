//===- Indexing.cpp - Derivatives of access by index ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gather and scatter with the same indices are each other's transpose: what one
// clamps the other clamps, what one drops the other fills with 0.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct GatherRule {
  using Op = GatherOp;

  static void jvp(RuleBuilder &b, GatherOp op, ArrayRef<Value> tangents,
                  Values &results) {
    if (!tangents[0])
      return results.push_back(Value());
    results.push_back(GatherOp::create(b, op.getMode(), tangents[0],
                                       op.getIndices(), op.getAxis(),
                                       op.getBatchDims()));
  }

  static void vjp(RuleBuilder &b, GatherOp op, Value cotangent,
                  const BitVector &, Values &results) {
    ScatterMode mode = op.getMode() == GatherMode::clamp ? ScatterMode::clamp
                                                         : ScatterMode::drop;
    results.push_back(ScatterOp::create(
        b, ScatterKind::add, mode, b.zero(op.getX().getType()), op.getIndices(),
        cotangent, op.getAxis(), op.getBatchDims()));
    results.push_back(Value());
  }
};

struct ScatterRule {
  using Op = ScatterOp;

  static Value scatter(RuleBuilder &b, ScatterOp op, Value x, Value updates) {
    return ScatterOp::create(b, op.getKind(), op.getMode(), x, op.getIndices(),
                             updates, op.getAxis(), op.getBatchDims());
  }

  static Value gather(RuleBuilder &b, ScatterOp op, Value x) {
    GatherMode mode = op.getMode() == ScatterMode::clamp ? GatherMode::clamp
                                                         : GatherMode::fill;
    return GatherOp::create(b, mode, x, op.getIndices(), op.getAxis(),
                            op.getBatchDims());
  }

  /// Which updates of a `set` are still there at the end: those whose number is
  /// read back from where the numbers of all updates are written.
  static Value isLastWriter(RuleBuilder &b, ScatterOp op) {
    Type i32 = b.getI32Type();
    auto type =
        cast<RankedTensorType>(withElementType(op.getUpdates().getType(), i32));
    Value flat = IotaOp::create(b, type.clone(type.getNumElements()), 0);
    Value numbers = ReshapeOp::create(b, type, flat);
    Value nobody = b.constant(withElementType(op.getX().getType(), i32), -1);
    return b.compare(ComparePredicate::eq, numbers,
                     gather(b, op, scatter(b, op, nobody, numbers)));
  }

  static void jvp(RuleBuilder &b, ScatterOp op, ArrayRef<Value> tangents,
                  Values &results) {
    if (!tangents[0] && !tangents[2])
      return results.push_back(Value());
    if (op.getKind() == ScatterKind::add && !tangents[2])
      return results.push_back(tangents[0]);
    results.push_back(
        scatter(b, op, b.orZero(tangents[0], op.getX().getType()),
                b.orZero(tangents[2], op.getUpdates().getType())));
  }

  static void vjp(RuleBuilder &b, ScatterOp op, Value cotangent,
                  const BitVector &active, Values &results) {
    bool overwrites = op.getKind() == ScatterKind::set;
    Value byX, byUpdates;
    if (active[0])
      byX = overwrites
                ? scatter(b, op, cotangent, b.zero(op.getUpdates().getType()))
                : cotangent;
    if (active[2])
      byUpdates = gather(b, op, cotangent);
    if (byUpdates && overwrites)
      byUpdates = b.keep(isLastWriter(b, op), byUpdates);
    results.append({byX, Value(), byUpdates});
  }
};
} // namespace

void ensc::attachIndexingRules(MLIRContext *context) {
  attachRules<GatherRule, ScatterRule>(context);
}
