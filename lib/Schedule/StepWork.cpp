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

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static int64_t loopDepth(Operation *op) {
  int64_t depth = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++depth;
  return depth;
}

/// Programs may describe more work than a number holds.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max()
                                          : product;
}

static int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product = multiply(product, extent);
  return product;
}

static int64_t pointsOf(Operation *phase) {
  if (auto map = dyn_cast<MapOp>(phase))
    return productOf(map.getDomain());
  auto contract = cast<ContractOp>(phase);
  return multiply(productOf(contract.getDomain()),
                  productOf(contract.getOver()));
}

static int64_t flopsOf(ContractOp contract, int64_t lanes) {
  return multiply(2, pointsOf(contract) / (contract.getLanes() ? lanes : 1));
}

namespace {
/// Adds up what phases move between the arena and the registers.
class Traffic {
public:
  void add(Operation *phase) {
    Bytes read, written;
    phase->walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        reach(read, load.getMemRef(), op, phase);
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        reach(written, store.getMemRef(), op, phase);
    });
    for (const Bytes &bytes : {read, written})
      for (auto [buffer, most] : bytes) {
        moved += most;
        int64_t &touched = touched_[buffer];
        touched = std::max(touched, most);
      }
  }

  int64_t touched() const {
    int64_t bytes = 0;
    for (auto [buffer, most] : touched_)
      bytes += most;
    return bytes;
  }

  int64_t moved = 0;

private:
  using Bytes = llvm::DenseMap<Value, int64_t>;

  /// The bytes of a buffer that an access in a phase reaches at most.
  static void reach(Bytes &bytes, Value buffer, Operation *access,
                    Operation *phase) {
    if (isa_and_present<SharedOp, TableOp>(buffer.getDefiningOp()))
      return;
    int64_t points = pointsOf(phase);
    for (auto fold = access->getParentOfType<FoldOp>(); fold;
         fold = fold->getParentOfType<FoldOp>())
      points = multiply(points, productOf(fold.getOver()));
    auto type = cast<MemRefType>(buffer.getType());
    int64_t &most = bytes[buffer];
    most = std::max(most, std::min(type.getNumElements(), points) *
                              ((type.getElementTypeBitWidth() + 7) / 8));
  }

  Bytes touched_;
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
      llvm::AddOverflow(work.flops, flopsOf(contract, lanes), work.flops);
    traffic.add(op);
  });
  work.bytesMoved = traffic.moved;
  work.bytesTouched = traffic.touched();
  return work;
}
