//===- ReuseActivations.cpp - Masks from stored activations ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace ensc {
#define GEN_PASS_DEF_REUSEACTIVATIONS
#include "ensc/Schedule/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct ReuseActivations : ensc::impl::ReuseActivationsBase<ReuseActivations> {
  void runOnOperation() override;
};
} // namespace

/// Whether all elements are +0, however often they are repeated.
static bool isPositiveZero(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isPosZero();
}

/// Whether h = select(p <= 0, 0, p) or h = select(p > 0, p, 0): then the
/// predicate holds for h exactly where it holds for p, NaN and zeros included.
static bool decidesLikeItsPredicate(SelectOp h, CompareOp predicate) {
  Value p = predicate.getLhs();
  if (!isPositiveZero(predicate.getRhs()))
    return false;
  if (predicate.getPredicate() == ComparePredicate::le)
    return h.getOnFalse() == p && isPositiveZero(h.getOnTrue());
  return predicate.getPredicate() == ComparePredicate::gt &&
         h.getOnTrue() == p && isPositiveZero(h.getOnFalse());
}

/// Whether the value is stored whatever the plan: a contraction reads it.
static bool isStoredAnyway(Value value) {
  return llvm::any_of(value.getUsers(),
                      [](Operation *user) { return isa<DotOp>(user); });
}

void ReuseActivations::runOnOperation() {
  SmallVector<SelectOp> selects;
  getOperation().walk([&](SelectOp select) { selects.push_back(select); });
  for (SelectOp h : selects) {
    auto predicate = h.getPredicate().getDefiningOp<CompareOp>();
    if (!predicate || predicate->hasOneUse() || !isStoredAnyway(h) ||
        predicate->getBlock() != h->getBlock() ||
        !decidesLikeItsPredicate(h, predicate))
      continue;
    OpBuilder builder(h->getContext());
    builder.setInsertionPointAfter(h);
    Value again =
        CompareOp::create(builder, predicate.getLoc(), predicate.getPredicate(),
                          h, predicate.getRhs());
    predicate.getResult().replaceUsesWithIf(again, [&](OpOperand &use) {
      Operation *user = h->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user != again.getDefiningOp() && h->isBeforeInBlock(user);
    });
  }
}
