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

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

bool ensc::cpu::isSlow(Operation *op) {
  return isa<ens::DivOp, ens::SqrtOp, ens::RsqrtOp>(op);
}

/// Whether an epilogue stores to some memory and accesses it again later, or
/// has ops within ops.
static bool hasToStayWhole(Block &epilogue) {
  llvm::SmallPtrSet<Value, 4> stored;
  for (Operation &op : epilogue) {
    auto load = dyn_cast<memref::LoadOp>(op);
    auto store = dyn_cast<memref::StoreOp>(op);
    if (op.getNumRegions() > 0 || (load && stored.contains(load.getMemRef())) ||
        (store && !stored.insert(store.getMemRef()).second))
      return true;
  }
  return false;
}

/// Whether a value of the epilogue comes of nothing but its indices.
static bool isRecomputable(Value value, Block &epilogue) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getType().isIndex();
  if (op->getBlock() != &epilogue || isa<arith::ConstantOp>(op))
    return true;
  return value.getType().isIndex() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isRecomputable(operand, epilogue);
         });
}

EpilogueStages ensc::cpu::cutIntoStages(Block &epilogue) {
  EpilogueStages stages;
  llvm::SmallPtrSet<Value, 8> late;
  llvm::SmallSetVector<Value, 4> handedOn;
  llvm::SmallPtrSet<Operation *, 8> inTail;
  bool isWhole = hasToStayWhole(epilogue);
  for (Operation &op : epilogue) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    bool waits = !isWhole && llvm::any_of(op.getOperands(), [&](Value operand) {
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
          !isRecomputable(operand, epilogue))
        handedOn.insert(operand);
  }
  stages.handedOn = handedOn.takeVector();
  return stages;
}
