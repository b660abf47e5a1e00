//===- PlanArena.cpp - Buffers at fixed offsets of the arena --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ensc {
#define GEN_PASS_DEF_PLANARENA
#include "ensc/Schedule/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

namespace {
struct PlanArena : ensc::impl::PlanArenaBase<PlanArena> {
  void runOnOperation() override;
};
} // namespace

/// Makes the arena as large as it has to be, in the type and the description of
/// the entry.
static void resizeArena(func::FuncOp entry, int64_t bytes) {
  Builder builder(entry.getContext());
  BlockArgument arena = entry.getArgument(0);
  arena.setType(MemRefType::get({bytes}, builder.getIntegerType(8)));
  entry.setFunctionType(builder.getFunctionType(
      entry.getBody().front().getArgumentTypes(), entry.getResultTypes()));
  NamedAttrList description(entry->getAttrOfType<DictionaryAttr>(entryAttr));
  description.set("arena_bytes", builder.getI64IntegerAttr(bytes));
  entry->setAttr(entryAttr, description.getDictionary(entry.getContext()));
}

void PlanArena::runOnOperation() {
  func::FuncOp entry = getOperation();
  if (!entry->hasAttr(entryAttr))
    return;
  Liveness liveness = findLiveness(entry);
  ArenaPlan plan = planArena(liveness.buffers);
  resizeArena(entry, plan.bytes);
  // All views go to the start; what they replace may be there, too.
  Operation *first = &entry.getBody().front().front();
  OpBuilder builder(first);
  for (auto [alloc, offset] :
       llvm::zip_equal(liveness.allocations, plan.offsets)) {
    Location loc = alloc.getLoc();
    Value at = arith::ConstantIndexOp::create(builder, loc, offset);
    Value view = memref::ViewOp::create(builder, loc, alloc.getType(),
                                        entry.getArgument(0), at, ValueRange());
    alloc.replaceAllUsesWith(view);
  }
  for (memref::AllocOp alloc : liveness.allocations)
    alloc.erase();
}
