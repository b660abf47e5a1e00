//===- StepCost.cpp - About how long a step takes -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

/// More than any program runs for; what takes longer counts as much.
static constexpr double mostCycles = 1e18;

namespace {

/// Cycles of the units that some instructions keep busy.
struct Usage {
  double multipliers = 0; ///< Multiply-adds, comparisons, roots, quotients.
  double divider = 0;     ///< Roots and quotients.
  double memory = 0;      ///< Loads and stores.
  double total = 0;       ///< All instructions, as many as start in a cycle.

  void add(const Usage &other, double times = 1) {
    multipliers += times * other.multipliers;
    divider += times * other.divider;
    memory += times * other.memory;
    total += times * other.total;
  }
  double cycles() const {
    return std::max({multipliers, divider, memory, total});
  }
};

class StepCounter {
public:
  explicit StepCounter(const Target &target) : target_(target) {}

  /// The cycles of the ops of a block, loops of constant length included; what
  /// loops of other lengths hold goes to `step`, the innermost one last.
  double cyclesOf(Block &block, unsigned depth);

  double step = 0;

private:
  Usage usageOf(Operation *op);
  double instructionsFor(Type type);
  double cyclesOf(scf::ForOp loop, unsigned depth);
  double cyclesOfLoopsIn(Block &block, unsigned depth, Usage &usage);

  const Target &target_;
  unsigned deepest_ = 0;
};

} // namespace

/// How many registers of 32 bytes a value fills, or the halves of wider ones,
/// which go through a unit one after the other.
static double halvesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  int64_t bytes = std::max<int64_t>(vector.getElementTypeBitWidth() / 8, 1) *
                  vector.getNumElements();
  return static_cast<double>((bytes + 31) / 32);
}

/// How many instructions an op on values of a type becomes.
double StepCounter::instructionsFor(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  int64_t bytes = std::max<int64_t>(vector.getElementTypeBitWidth() / 8, 1);
  return target_.registersFor(vector.getNumElements(), bytes);
}

Usage StepCounter::usageOf(Operation *op) {
  constexpr double startedPerCycle = 5;
  auto ofType = [&](Type type, double multipliers, double memory) {
    double halves = halvesOf(type);
    return Usage{multipliers * halves, 0, memory * halves,
                 instructionsFor(type) / startedPerCycle};
  };
  auto ofDivider = [&](Type type, double cycles) {
    Usage usage = ofType(type, 1, 0);
    usage.divider = cycles * halvesOf(type);
    return usage;
  };
  return llvm::TypeSwitch<Operation *, Usage>(op)
      .Case<math::FmaOp, arith::MulFOp>([&](Operation *op) {
        return ofType(op->getResult(0).getType(), 0.5, 0);
      })
      .Case([&](arith::CmpFOp compare) {
        return ofType(compare.getLhs().getType(), 0.5, 0);
      })
      .Case([&](arith::DivFOp div) { return ofDivider(div.getType(), 3); })
      .Case([&](math::SqrtOp root) { return ofDivider(root.getType(), 5); })
      .Case([&](LLVM::LoadOp load) { return ofType(load.getType(), 0, 0.5); })
      .Case([&](LLVM::StoreOp store) {
        return ofType(store.getValue().getType(), 0.3, 1);
      })
      .Case([&](LLVM::ShuffleVectorOp shuffle) {
        // A broadcast is part of the load it follows.
        bool isBroadcast = llvm::all_of(shuffle.getMask(),
                                        [](int32_t lane) { return lane == 0; });
        return isBroadcast ? Usage() : ofType(shuffle.getType(), 0, 0.5);
      })
      .Case([&](LLVM::InsertElementOp insert) {
        bool isBroadcast = insert.getVector().getDefiningOp<LLVM::PoisonOp>();
        return isBroadcast ? Usage() : Usage{0, 0, 0.5, 1 / startedPerCycle};
      })
      .Case([&](LLVM::ExtractElementOp) {
        return Usage{0, 0, 0.5, 1 / startedPerCycle};
      })
      .Case([](LLVM::CallOp call) {
        auto cycles = call->getAttrOfType<IntegerAttr>(cyclesAttr);
        return Usage{0, 0, 0,
                     cycles ? static_cast<double>(cycles.getInt()) : 1};
      })
      .Case<LLVM::GEPOp, arith::ConstantOp, LLVM::ConstantOp, scf::YieldOp>(
          [](Operation *) { return Usage(); })
      .Default([&](Operation *other) {
        if (other->getNumResults() == 0)
          return Usage{0, 0, 0, 1 / startedPerCycle};
        Type type = other->getResult(0).getType();
        // Address arithmetic mostly folds into what it is for.
        double weight = isa<VectorType>(type) ? 1 : 0.25;
        return Usage{0, 0, 0, weight * instructionsFor(type) / startedPerCycle};
      });
}

/// How often a loop runs, if that is known.
static std::optional<double> tripsOf(scf::ForOp loop) {
  if (auto trips = loop->getAttrOfType<IntegerAttr>(tripsAttr))
    return static_cast<double>(trips.getInt());
  APInt begin, end, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&begin)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  // The distance of two integers may be none.
  double distance = static_cast<double>(end.getSExtValue()) -
                    static_cast<double>(begin.getSExtValue());
  return std::ceil(distance / static_cast<double>(step.getSExtValue()));
}

double StepCounter::cyclesOf(scf::ForOp loop, unsigned depth) {
  constexpr double perIteration = 0.5, latency = 4, perConflict = 8;
  std::optional<double> known = tripsOf(loop);
  if (!known) {
    double cycles = cyclesOf(*loop.getBody(), depth + 1);
    if (depth + 1 > deepest_)
      step = 0;
    if (depth + 1 >= deepest_)
      step += cycles;
    deepest_ = std::max(deepest_, depth + 1);
    return 0;
  }
  double trips = *known;
  if (trips <= 0)
    return 0;
  double cycles = cyclesOf(*loop.getBody(), depth) + perIteration;
  if (auto conflicts = loop->getAttrOfType<IntegerAttr>(conflictsAttr))
    cycles += perConflict * static_cast<double>(conflicts.getInt());
  // One step of a sum waits for the one before it.
  if (loop.getNumResults() > 0)
    cycles = std::max(cycles, latency);
  return std::min(trips * cycles, mostCycles);
}

double StepCounter::cyclesOf(Block &block, unsigned depth) {
  Usage usage;
  double inner = cyclesOfLoopsIn(block, depth, usage);
  return inner + usage.cycles();
}

/// Adds what the ops outside of loops use to `usage`. A branch shares the units
/// with what surrounds it, and counts as always taken.
double StepCounter::cyclesOfLoopsIn(Block &block, unsigned depth,
                                    Usage &usage) {
  double cycles = 0;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      cycles += cyclesOf(loop, depth);
      continue;
    }
    usage.add(usageOf(&op));
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        cycles += cyclesOfLoopsIn(nested, depth, usage);
  }
  return cycles;
}

int64_t ensc::cpu::estimateStepCycles(LLVM::LLVMFuncOp kernel,
                                      const Target &target) {
  StepCounter counter(target);
  double all = counter.cyclesOf(kernel.getBody().front(), 0);
  double cycles = counter.step > 0 ? counter.step : all;
  return static_cast<int64_t>(std::min(cycles, mostCycles));
}
