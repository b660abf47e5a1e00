//===- VerifySchedule.cpp - What holds after the phase Schedule -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Schedule/Arena.h"
#include "ensc/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYSCHEDULE
#include "ensc/Schedule/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct VerifySchedule : ensc::impl::VerifyScheduleBase<VerifySchedule> {
  void runOnOperation() override;
};
} // namespace

static bool isPhase(Operation *op) { return isa<MapOp, ContractOp>(op); }

/// Whether the op may stand in the body of a phase.
static bool isAllowedInside(Operation *op) {
  return isa<FoldOp, YieldOp, PhiloxOp, memref::LoadOp, memref::StoreOp>(op) ||
         isa<arith::ArithDialect>(op->getDialect()) ||
         op->hasTrait<OpTrait::Elementwise>();
}

/// Whether the op may stand outside of phases.
static bool isAllowedOutside(Operation *op) {
  return isPhase(op) ||
         isa<SharedOp, TableOp, ReadRunsOp, WriteRunsOp, ReadRunIdsOp,
             memref::ViewOp, memref::LoadOp, scf::ForOp, scf::IfOp,
             scf::YieldOp, func::ReturnOp>(op) ||
         isa<arith::ArithDialect>(op->getDialect());
}

/// The bytes of the arena that a view at a constant offset covers.
static std::pair<int64_t, int64_t> bytesOf(memref::ViewOp view) {
  IntegerAttr offset;
  matchPattern(view.getByteShift(), m_Constant(&offset));
  int64_t bits = view.getType().getElementType().getIntOrFloatBitWidth();
  return {offset.getInt(),
          offset.getInt() + view.getType().getNumElements() * ((bits + 7) / 8)};
}

static LogicalResult verifyView(memref::ViewOp view, int64_t arenaBytes) {
  IntegerAttr offset;
  if (!matchPattern(view.getByteShift(), m_Constant(&offset)) ||
      !view.getSizes().empty())
    return view.emitOpError("expects a constant offset and static sizes");
  auto [at, end] = bytesOf(view);
  if (at % arenaAlignment != 0 || at < 0 || end > arenaBytes)
    return view.emitOpError("expects an offset that is a multiple of ")
           << arenaAlignment << " and leaves the buffer within " << arenaBytes
           << " bytes, got " << at;
  return success();
}

/// Whether two buffers have bytes in common. What is no view of the arena is
/// memory of its own.
static bool overlap(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<memref::ViewOp>();
  auto second = b.getDefiningOp<memref::ViewOp>();
  if (!first || !second)
    return false;
  auto [begin, end] = bytesOf(first);
  auto [otherBegin, otherEnd] = bytesOf(second);
  return std::max(begin, otherBegin) < std::min(end, otherEnd);
}

namespace {
/// A load or a store of a phase.
struct Access {
  explicit Access(Operation *op) : op(op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      memory = load.getMemRef();
      indices = load.getIndices();
    } else {
      memory = cast<memref::StoreOp>(op).getMemRef();
      indices = cast<memref::StoreOp>(op).getIndices();
    }
  }

  Operation *op;
  Value memory;
  ValueRange indices;
};
} // namespace

static bool isSameView(Value a, Value b) {
  auto first = a.getDefiningOp<memref::ViewOp>();
  auto second = b.getDefiningOp<memref::ViewOp>();
  return a == b || (first && second && first.getType() == second.getType() &&
                    bytesOf(first) == bytesOf(second));
}

/// Whether the bytes of two accesses meet at the same point of a phase alone,
/// if at all.
static bool meetAtPointsOnly(const Access &a, const Access &b) {
  return !overlap(a.memory, b.memory) ||
         (isSameView(a.memory, b.memory) && a.indices == b.indices);
}

/// The points of a phase come in any order, so nothing at one point may access
/// what another one stores. `stores` is the region that stores, and `accesses`
/// what may reach there at all.
static LogicalResult verifyPoints(Region &stores, Region &accesses) {
  SmallVector<Access> stored;
  stores.walk([&](memref::StoreOp store) { stored.emplace_back(store); });
  bool isOther = &stores != &accesses;
  WalkResult result = accesses.walk([&](Operation *op) {
    if (!isa<memref::LoadOp, memref::StoreOp>(op))
      return WalkResult::advance();
    Access access(op);
    for (const Access &store : stored) {
      if (store.op == op || (isOther ? !overlap(access.memory, store.memory)
                                     : meetAtPointsOnly(access, store)))
        continue;
      auto diagnostic =
          op->emitOpError("accesses memory that other points of the phase "
                          "may store, but points come in any order; use the "
                          "same view and indices, or another buffer");
      diagnostic.attachNote(store.op->getLoc()) << "the store is here";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether the element that a store goes to depends on each dimension of the
/// domain, or points would store to the same one.
static LogicalResult verifyTarget(memref::StoreOp store,
                                  ArrayRef<int64_t> domain, Block &body) {
  llvm::SmallSetVector<Value, 8> reached(store.getIndices().begin(),
                                         store.getIndices().end());
  for (size_t i = 0; i < reached.size(); ++i)
    if (Operation *op = reached[i].getDefiningOp())
      reached.insert(op->operand_begin(), op->operand_end());
  for (auto [dim, extent] : llvm::enumerate(domain))
    if (extent > 1 && !reached.contains(body.getArgument(dim)))
      return store.emitOpError("goes to the same element at all ")
             << extent << " points of dimension " << dim
             << " of the domain, but points come in any order; let an index "
                "depend on it";
  return success();
}

static LogicalResult verifyTargets(ArrayRef<int64_t> domain, Region &body) {
  WalkResult result = body.walk([&](memref::StoreOp store) {
    return succeeded(verifyTarget(store, domain, body.front()))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whether the phase is defined in whatever order its points come. Those of a
/// contract's factors run before and after epilogues.
static LogicalResult verifyPhase(Operation *op) {
  if (auto map = dyn_cast<MapOp>(op)) {
    if (map.getSequential())
      return success();
    if (failed(verifyTargets(map.getDomain(), map.getBody())))
      return failure();
    return verifyPoints(map.getBody(), map.getBody());
  }
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return success();
  if (failed(verifyTargets(contract.getDomain(), contract.getEpilogue())) ||
      failed(verifyPoints(contract.getEpilogue(), contract.getFactors())))
    return failure();
  return verifyPoints(contract.getEpilogue(), contract.getEpilogue());
}

static LogicalResult verifyOp(Operation *op, int64_t arenaBytes) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isa<TensorType>(type))
      return op->emitOpError("is on tensors, but belongs to no phase");
  bool isInside = isPhase(op->getParentOp()) || isa<FoldOp>(op->getParentOp());
  if (!(isInside ? isAllowedInside(op) : isAllowedOutside(op)))
    return op->emitOpError("is not allowed ")
           << (isInside ? "inside" : "outside") << " a phase";
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return verifyView(view, arenaBytes);
  return verifyPhase(op);
}

static LogicalResult verifyProgram(func::FuncOp entry) {
  auto description = entry->getAttrOfType<DictionaryAttr>(entryAttr);
  if (!description)
    return entry.emitOpError("is no phase program: it has no '")
           << entryAttr << "'";
  auto bytes = description.getAs<IntegerAttr>("arena_bytes");
  FunctionType type = entry.getFunctionType();
  auto arena = type.getNumInputs() == 3 ? dyn_cast<MemRefType>(type.getInput(0))
                                        : MemRefType();
  if (!bytes || !arena || !arena.hasStaticShape() ||
      arena.getNumElements() != bytes.getInt())
    return entry.emitOpError("expects an arena of 'arena_bytes' bytes, and the "
                             "first and the last step");
  WalkResult result = entry.walk([&](Operation *op) {
    return op == entry || succeeded(verifyOp(op, bytes.getInt()))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void VerifySchedule::runOnOperation() {
  for (Operation &op : *getOperation().getBody()) {
    auto entry = dyn_cast<func::FuncOp>(op);
    if (!entry) {
      op.emitOpError("is no phase program");
      return signalPassFailure();
    }
    if (failed(verifyProgram(entry)) || failed(verifyEntry(entry)))
      return signalPassFailure();
  }
  if (failed(verifyLearners(getOperation())))
    signalPassFailure();
}
