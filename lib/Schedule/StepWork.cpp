//===- StepWork.cpp - What a step calculates and moves --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepWork.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static int64_t loopDepth(Operation *op) {
  int64_t depth = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++depth;
  return depth;
}

static int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

static int64_t flopsOf(ContractOp contract, int64_t lanes) {
  int64_t products =
      productOf(contract.getDomain()) * productOf(contract.getOver());
  return 2 * products / (contract.getLanes() ? lanes : 1);
}

namespace {
/// Adds up what phases move between the arena and the registers.
class Traffic {
public:
  void add(Operation *phase) {
    int64_t points = 1;
    if (auto contract = dyn_cast<ContractOp>(phase))
      points = productOf(contract.getDomain()) * productOf(contract.getOver());
    else
      points = productOf(cast<MapOp>(phase).getDomain());
    phase->walk([&](FoldOp fold) { points *= productOf(fold.getOver()); });
    llvm::SetVector<Value> read, written;
    phase->walk([&](memref::LoadOp load) { read.insert(load.getMemRef()); });
    phase->walk(
        [&](memref::StoreOp store) { written.insert(store.getMemRef()); });
    for (Value buffer : read)
      moved += touch(buffer, points);
    for (Value buffer : written)
      moved += touch(buffer, points);
  }

  int64_t distinct() const {
    int64_t bytes = 0;
    for (auto [buffer, most] : touched_)
      bytes += most;
    return bytes;
  }

  int64_t moved = 0;

private:
  /// The bytes of a buffer that `points` accesses reach at most.
  int64_t touch(Value buffer, int64_t points) {
    if (isa_and_present<SharedOp, TableOp>(buffer.getDefiningOp()))
      return 0;
    auto type = cast<MemRefType>(buffer.getType());
    int64_t bytes = std::min(type.getNumElements(), points) *
                    ((type.getElementTypeBitWidth() + 7) / 8);
    int64_t &most = touched_[buffer];
    most = std::max(most, bytes);
    return bytes;
  }

  llvm::DenseMap<Value, int64_t> touched_;
};
} // namespace

schedule::StepWork schedule::countStepWork(func::FuncOp entry, int64_t lanes) {
  // A step is what the innermost loops with contractions hold.
  int64_t deepest = 0;
  entry.walk([&](ContractOp contract) {
    deepest = std::max(deepest, loopDepth(contract));
  });
  StepWork work;
  Traffic traffic;
  entry.walk([&](Operation *op) {
    if (!isa<MapOp, ContractOp>(op) || loopDepth(op) != deepest)
      return;
    if (auto contract = dyn_cast<ContractOp>(op))
      work.flops += flopsOf(contract, lanes);
    traffic.add(op);
  });
  work.bytesMoved = traffic.moved;
  work.bytesTouched = traffic.distinct();
  return work;
}
