//===- EpilogueStages.cpp - An epilogue in two stages ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueStages.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

bool ensc::cpu::isSlow(Operation *op) {
  return isa<ens::DivOp, ens::SqrtOp, ens::RsqrtOp>(op);
}

/// Whether two buffers are the same memory. Those of one phase that are stored
/// are so where they begin at the same place, or have no bytes in common.
static bool isSameMemory(Value a, Value b) {
  auto first = a.getDefiningOp<memref::ViewOp>();
  auto second = b.getDefiningOp<memref::ViewOp>();
  return a == b || (first && second &&
                    isEqualConstantIntOrValue(first.getByteShift(),
                                              second.getByteShift()));
}

namespace {
/// The memory that an epilogue stores.
class StoredMemory {
public:
  bool isEmpty() const { return memory.empty(); }
  bool contains(Value memref) const {
    return llvm::any_of(
        memory, [&](Value stored) { return isSameMemory(stored, memref); });
  }
  void insert(Value memref) { memory.push_back(memref); }

private:
  llvm::SmallVector<Value, 4> memory;
};
} // namespace

/// Whether an epilogue may access what it has stored, or has ops within ops.
static bool hasToStayWhole(Block &epilogue) {
  StoredMemory stored;
  for (Operation &op : epilogue) {
    bool loadsAfterStore = isa<memref::LoadOp>(op) && !stored.isEmpty();
    auto store = dyn_cast<memref::StoreOp>(op);
    if (op.getNumRegions() > 0 || loadsAfterStore ||
        (store && stored.contains(store.getMemRef())))
      return true;
    if (store)
      stored.insert(store.getMemRef());
  }
  return false;
}

namespace {
/// What the tail of a point can form anew.
class Recomputable {
public:
  Recomputable(Block &epilogue, bool hasLanes) : epilogue(epilogue) {
    // The arguments are indices, the last one that of the lane, and the sum.
    if (hasLanes)
      lane = epilogue.getArgument(epilogue.getNumArguments() - 2);
    for (auto store : epilogue.getOps<memref::StoreOp>())
      stored.insert(store.getMemRef());
  }

  /// Whether a value comes of nothing but indices, constants, and memory that
  /// is the same at all points, and stays so.
  bool contains(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value.getType().isIndex();
    if (op->getBlock() != &epilogue || isa<arith::ConstantOp>(op))
      return true;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return isUniform(value) && !stored.contains(load.getMemRef());
    return value.getType().isIndex() &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return contains(operand); });
  }

private:
  /// Whether a value is the same at all points.
  bool isUniform(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &epilogue)
      return value == lane || value.getParentBlock() != &epilogue;
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isUniform(operand); });
  }

  Block &epilogue;
  StoredMemory stored;
  Value lane;
};
} // namespace

static EpilogueStages keepWhole(Block &epilogue) {
  EpilogueStages stages;
  for (Operation &op : epilogue)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      stages.head.push_back(&op);
  return stages;
}

EpilogueStages ensc::cpu::cutIntoStages(Block &epilogue, bool hasLanes) {
  if (hasToStayWhole(epilogue))
    return keepWhole(epilogue);
  EpilogueStages stages;
  Recomputable recomputable(epilogue, hasLanes);
  llvm::SmallPtrSet<Value, 8> late;
  llvm::SmallSetVector<Value, 4> handedOn;
  llvm::SmallPtrSet<Operation *, 8> inTail;
  for (Operation &op : epilogue) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    bool waits = llvm::any_of(op.getOperands(), [&](Value operand) {
      return late.contains(operand);
    });
    if (waits || isSlow(&op))
      late.insert(op.result_begin(), op.result_end());
    if (!waits) {
      stages.head.push_back(&op);
      continue;
    }
    stages.tail.push_back(&op);
    inTail.insert(&op);
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() == &epilogue &&
          !inTail.contains(operand.getDefiningOp()) &&
          !recomputable.contains(operand))
        handedOn.insert(operand);
  }
  // Loops carry numbers; indices that come from memory are none.
  if (llvm::any_of(handedOn,
                   [](Value value) { return value.getType().isIndex(); }))
    return keepWhole(epilogue);
  stages.handedOn = handedOn.takeVector();
  return stages;
}
