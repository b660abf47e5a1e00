//===- AnnotateClasses.cpp - The range of labels in data ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Expand/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ensc {
#define GEN_PASS_DEF_ANNOTATECLASSES
#include "ensc/Expand/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// Finds out in which range [0, n) a value must lie for every op that it
/// reaches unchanged to take it as it is; 0 where no op cares. Ops without
/// effect do not, nor do those of branches, which may be taken only where the
/// value is in the range.
class ClassFinder {
public:
  explicit ClassFinder(ModuleOp module) : module(module) {
    for (auto function : module.getOps<func::FuncOp>())
      findLiveOps(function);
  }

  int64_t classesOf(Value value);

private:
  void findLiveOps(func::FuncOp function);
  int64_t classesOfUse(OpOperand &use);
  int64_t classesInCallee(OpOperand &use, FlatSymbolRefAttr callee);

  ModuleOp module;
  /// An argument that is being looked at has none so far, so that a custom
  /// gradient may call the function it belongs to.
  llvm::DenseMap<Value, int64_t> known;
  /// Ops on the way to what their function returns.
  llvm::DenseSet<Operation *> live;
};
} // namespace

/// All ops are free of side effects, so an op counts if a user of it does.
void ClassFinder::findLiveOps(func::FuncOp function) {
  live.insert(function);
  auto isLive = [&](Operation *op) { return live.contains(op); };
  // Users come before what they use, and ops before those in their regions.
  function->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
    bool isUsed = op->hasTrait<OpTrait::IsTerminator>() ||
                  llvm::any_of(op->getUsers(), isLive);
    if (isUsed && isLive(op->getParentOp()))
      live.insert(op);
  });
}

static bool isInBranch(Operation *op) {
  return op->getParentOfType<scf::IfOp>() ||
         op->getParentOfType<scf::WhileOp>();
}

/// Of two ranges the smaller one.
static int64_t fewest(int64_t a, int64_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

static int64_t extentOf(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

int64_t ClassFinder::classesOf(Value value) {
  if (!known.try_emplace(value, 0).second)
    return known.lookup(value);
  int64_t classes = 0;
  for (OpOperand &use : value.getUses())
    classes = fewest(classes, classesOfUse(use));
  return known[value] = classes;
}

int64_t ClassFinder::classesOfUse(OpOperand &use) {
  Value value = use.get();
  if (!live.contains(use.getOwner()) || isInBranch(use.getOwner()))
    return 0;
  return llvm::TypeSwitch<Operation *, int64_t>(use.getOwner())
      .Case([&](SoftmaxCrossEntropyOp op) {
        RankedTensorType logits = op.getLogits().getType();
        return extentOf(op.getLogits(), logits.getRank() - 1);
      })
      .Case([&](GatherOp op) {
        bool isIndex = value == op.getIndices();
        return isIndex && op.getMode() == GatherMode::clamp
                   ? extentOf(op.getX(), op.getAxis())
                   : 0;
      })
      .Case([&](ScatterOp op) {
        bool isIndex = value == op.getIndices();
        return isIndex && op.getMode() == ScatterMode::clamp
                   ? extentOf(op.getX(), op.getAxis())
                   : 0;
      })
      .Case<ReshapeOp, BroadcastOp, TransposeOp>(
          [&](Operation *op) { return classesOf(op->getResult(0)); })
      .Case([&](ConvertOp op) {
        // A float may become an index only by being rounded, i1 always is one.
        bool isWhole = elementTypeOf(value.getType()).isInteger(32) &&
                       elementTypeOf(op.getType()).isInteger(64);
        return isWhole ? classesOf(op.getResult()) : 0;
      })
      .Case<func::CallOp, GradOp, ValueAndGradOp, JvpOp, VjpOp, CustomGradOp,
            EnsembleOp>(
          [&](auto op) { return classesInCallee(use, op.getCalleeAttr()); })
      .Default([](Operation *) { return 0; });
}

/// The callee's arguments come first among the operands of all these ops.
int64_t ClassFinder::classesInCallee(OpOperand &use, FlatSymbolRefAttr callee) {
  auto function = module.lookupSymbol<func::FuncOp>(callee.getValue());
  if (!function || function.isExternal() ||
      use.getOperandNumber() >= function.getNumArguments())
    return 0;
  return classesOf(function.getArgument(use.getOperandNumber()));
}

namespace {
struct AnnotateClasses : ensc::impl::AnnotateClassesBase<AnnotateClasses> {
  void runOnOperation() override {
    ClassFinder finder(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (BlockArgument argument : function.getArguments())
        annotate(function, argument, finder);
  }

private:
  void annotate(func::FuncOp function, BlockArgument argument,
                ClassFinder &finder) {
    unsigned index = argument.getArgNumber();
    auto role = function.getArgAttrOfType<StringAttr>(index, roleAttr);
    if (!role || role.getValue() != "data" ||
        !isa<IntegerType>(elementTypeOf(argument.getType())))
      return;
    auto given = function.getArgAttrOfType<IntegerAttr>(index, classesAttr);
    int64_t classes =
        fewest(given ? given.getInt() : 0, finder.classesOf(argument));
    if (classes > 0)
      function.setArgAttr(index, classesAttr,
                          Builder(&getContext()).getI64IntegerAttr(classes));
  }
};
} // namespace
