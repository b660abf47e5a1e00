//===- DrawOffsets.cpp - Numbers of their own for each iteration ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawOffsets.h"

#include "TensorBuilder.h"

#include "ensc/Dialect/Ens/IR/TripCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

FlatSymbolRefAttr ensc::appliedFunction(Operation *op) {
  if (!isa<GradOp, ValueAndGradOp, JvpOp, VjpOp, CustomGradOp, EnsembleOp>(op))
    return {};
  return op->getAttrOfType<FlatSymbolRefAttr>("callee");
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

namespace {
/// The number of an iteration of all loops around an op, within its function.
struct IterationCount {
  Value number; ///< An index; null outside of loops.
  Value trips;  ///< How many there are; null outside of loops, or if not asked.
};

/// Counts the iterations of the loops around one op. For diagnostics, `what`
/// says of which random op, and `entrance` what enters the function.
class IterationCounter {
public:
  IterationCounter(Operation *op, std::string what, StringRef entrance)
      : op(op), what(std::move(what)), entrance(entrance), b(op->getLoc(), op) {
  }

  /// With `entered`, the function is entered several times, and the iterations
  /// of all of them are counted: the trips must be the same each time.
  FailureOr<IterationCount> count(bool entered);

private:
  LogicalResult verifyLoop(scf::ForOp loop, scf::ForOp outermost, bool entered);
  Value emitNumber(scf::ForOp loop);
  Value emitTrips(scf::ForOp loop) {
    return emitTripCount(b, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep());
  }
  Value multiply(Value lhs, Value rhs) {
    return arith::MulIOp::create(b, lhs, rhs);
  }

  Operation *op;
  std::string what;
  StringRef entrance;
  TensorBuilder b;
};
} // namespace

/// The loops around `op`, outermost first.
static SmallVector<scf::ForOp> loopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.insert(loops.begin(), loop);
  return loops;
}

/// Whether a value is computed from constants alone.
static bool isFixed(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *op = needed[i].getDefiningOp();
    if (!op || !isa<arith::ArithDialect>(op->getDialect()))
      return false;
    needed.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

LogicalResult IterationCounter::verifyLoop(scf::ForOp loop,
                                           scf::ForOp outermost, bool entered) {
  Type counter = loop.getInductionVar().getType();
  if (!counter.isIndex())
    return loop.emitError("expected an index as the counter of a loop with "
                          "random ops, got ")
           << counter;
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    if (!outermost.isDefinedOutsideOfLoop(bound))
      return loop.emitError("the number of iterations of this loop changes "
                            "with a loop around it, so ")
             << what
             << " cannot be numbered; compute the bounds outside of all loops, "
                "or draw in advance and slice";
    if (entered && !isFixed(bound))
      return loop.emitError("the number of iterations of this loop may change "
                            "with ")
             << entrance << ", so " << what
             << " cannot be numbered; use constant bounds, or draw in advance "
                "and slice";
  }
  return success();
}

/// The number of the iteration of one loop. A call may begin at any step: those
/// of a loop that starts at `begin` are counted from step 0.
Value IterationCounter::emitNumber(scf::ForOp loop) {
  Value distance = loop.getInductionVar();
  auto argument = dyn_cast<BlockArgument>(loop.getLowerBound());
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  auto role = function ? function.getArgAttrOfType<StringAttr>(
                             argument.getArgNumber(), roleAttr)
                       : StringAttr();
  if (!role || role.getValue() != "begin")
    distance = arith::SubIOp::create(b, distance, loop.getLowerBound());
  return arith::DivUIOp::create(b, distance, loop.getStep());
}

FailureOr<IterationCount> IterationCounter::count(bool entered) {
  if (auto loop = op->getParentOfType<scf::WhileOp>())
    return loop.emitError("the iterations of '")
           << loop->getName() << "' have no number, so " << what
           << " would repeat its numbers; write a loop with scf.for, or draw "
              "in advance and slice";
  IterationCount result;
  SmallVector<scf::ForOp> loops = loopsAround(op);
  for (scf::ForOp loop : loops) {
    if (failed(verifyLoop(loop, loops.front(), entered)))
      return failure();
    Value number = emitNumber(loop);
    // The trips of the outermost loop count only if it is entered again.
    Value trips = result.number || entered ? emitTrips(loop) : Value();
    if (result.number)
      number = arith::AddIOp::create(b, multiply(result.number, trips), number);
    result.number = number;
    if (entered)
      result.trips = result.trips ? multiply(result.trips, trips) : trips;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// Offsets the draws of all functions of a module.
class OffsetEmitter {
public:
  explicit OffsetEmitter(ModuleOp module) : module(module), table(module) {}
  ~OffsetEmitter();

  LogicalResult run(ArrayRef<std::string> batchEntries);

private:
  bool draws(FlatSymbolRefAttr symbol);
  bool drawsByRules(CustomGradOp op);
  LogicalResult visit(func::FuncOp function, Value before);
  LogicalResult offsetDraw(RngBitsOp bits, Value before);
  LogicalResult offsetApplication(Operation *op, FlatSymbolRefAttr callee,
                                  Value before);
  FailureOr<Value> emitOffset(Operation *op, std::string what, Value before);
  LogicalResult takeOffset(Operation *op, StringRef attribute,
                           unsigned position);
  FailureOr<func::FuncOp> copyTakingOffset(StringRef name, unsigned position);
  FailureOr<func::FuncOp> copyTakingBatch(func::FuncOp function);
  LogicalResult takeBatches(ArrayRef<std::string> names);

  ModuleOp module;
  SymbolTable table;
  llvm::StringMap<bool> known;
  /// What enters the functions that are being copied, time and again.
  StringRef entrance;
  /// Functions that draw, as they were before draws had offsets.
  llvm::StringMap<func::FuncOp> originals;
  /// The copies that take an offset, by function and position of the offset.
  std::map<std::pair<std::string, unsigned>, func::FuncOp> copies;
};
} // namespace

OffsetEmitter::~OffsetEmitter() {
  for (auto &original : originals)
    original.second->erase();
}

/// The function that `op` applies or calls to draw anew in each iteration,
/// within a function that `isEntered` with an offset or not.
static FlatSymbolRefAttr drawnFrom(Operation *op, bool isEntered) {
  auto call = dyn_cast<func::CallOp>(op);
  if (call && (isEntered || call->hasAttr(drawsAnewAttr)))
    return call.getCalleeAttr();
  return appliedFunction(op);
}

/// Whether a function has draws that need an offset in loops, itself or where
/// it applies others.
bool OffsetEmitter::draws(FlatSymbolRefAttr symbol) {
  if (!symbol || !known.try_emplace(symbol.getValue(), false).second)
    return symbol && known.lookup(symbol.getValue());
  auto function = table.lookup<func::FuncOp>(symbol.getValue());
  bool result = false;
  if (function)
    function.walk([&](Operation *op) {
      if (auto bits = dyn_cast<RngBitsOp>(op))
        result |= !bits.getOffset();
      else
        result |= draws(drawnFrom(op, /*isEntered=*/true));
      if (auto custom = dyn_cast<CustomGradOp>(op))
        result |= drawsByRules(custom);
    });
  return known[symbol.getValue()] = result;
}

bool OffsetEmitter::drawsByRules(CustomGradOp op) {
  return draws(op.getVjpAttr()) || draws(op.getJvpAttr());
}

/// The offset of a draw in `op`, of tensor<i64>: `before`, the offset that the
/// function was entered with, or null, counts the iterations outside of the
/// function. Null without loops.
FailureOr<Value> OffsetEmitter::emitOffset(Operation *op, std::string what,
                                           Value before) {
  FailureOr<IterationCount> count =
      IterationCounter(op, std::move(what), entrance).count(before != nullptr);
  if (failed(count))
    return failure();
  if (!count->number)
    return before;
  TensorBuilder b(op->getLoc(), op);
  Value number = b.fromIndex(count->number);
  if (!before)
    return number;
  return b.add(b.mul(before, b.fromIndex(count->trips)), number);
}

/// "the random op at file:1:2"
static std::string describe(Operation *op, const Twine &what) {
  std::string text = (what + " at ").str();
  llvm::raw_string_ostream(text) << op->getLoc();
  return text;
}

LogicalResult OffsetEmitter::offsetDraw(RngBitsOp bits, Value before) {
  if (bits.getOffset())
    return success();
  FailureOr<Value> offset =
      emitOffset(bits, describe(bits, "the random op"), before);
  if (failed(offset) || !*offset)
    return offset;
  TensorBuilder b(bits.getLoc(), bits);
  bits.getOffsetMutable().assign(
      b.spread(*offset, tensorTypeOf(bits.getSeed())));
  return success();
}

LogicalResult OffsetEmitter::offsetApplication(Operation *op,
                                               FlatSymbolRefAttr callee,
                                               Value before) {
  bool isEvaluated = op->hasAttr(drawsAnewAttr);
  op->removeAttr(drawsAnewAttr);
  auto custom = dyn_cast<CustomGradOp>(op);
  if (!draws(callee) && !(custom && drawsByRules(custom)))
    return success();
  std::string what = describe(op, "the op that draws in @" + callee.getValue());
  FailureOr<Value> offset = emitOffset(op, what, before);
  if (failed(offset) || !*offset)
    return offset;
  if (!before)
    entrance = isEvaluated ? "the batch on which a learner evaluates the "
                             "function"
                           : "the loop in which the function is applied";
  // The offset follows the arguments of the function; tangents and cotangents
  // come behind it.
  unsigned position =
      table.lookup<func::FuncOp>(callee.getValue()).getNumArguments();
  op->insertOperands(position, *offset);
  for (StringRef attribute : {"callee", "vjp", "jvp"})
    if (failed(takeOffset(op, attribute, position)))
      return failure();
  if (auto ensemble = dyn_cast<EnsembleOp>(op)) {
    SmallVector<bool> perRun(ensemble.getPerRun());
    perRun.push_back(false);
    ensemble.setPerRun(perRun);
  }
  return success();
}

/// Lets `op` apply a copy of one of its functions that takes an offset as
/// argument `position`.
LogicalResult OffsetEmitter::takeOffset(Operation *op, StringRef attribute,
                                        unsigned position) {
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>(attribute);
  if (!symbol)
    return success();
  FailureOr<func::FuncOp> copy = copyTakingOffset(symbol.getValue(), position);
  if (failed(copy))
    return failure();
  op->setAttr(attribute, FlatSymbolRefAttr::get(*copy));
  return success();
}

FailureOr<func::FuncOp> OffsetEmitter::copyTakingOffset(StringRef name,
                                                        unsigned position) {
  func::FuncOp &copy = copies[{name.str(), position}];
  if (copy)
    return copy;
  auto current = table.lookup<func::FuncOp>(name);
  // The rule of a function that draws need not draw itself.
  func::FuncOp original = originals.lookup(name);
  copy = (original ? original : current).clone();
  copy.setName((name + ".offset").str());
  copy.setPrivate();
  auto type =
      RankedTensorType::get({}, IntegerType::get(copy.getContext(), 64));
  if (failed(copy.insertArgument(position, type, {}, copy.getLoc())))
    return failure();
  table.insert(copy, std::next(current->getIterator()));
  func::FuncOp made = copy;
  if (failed(visit(made, made.getArgument(position))))
    return failure();
  return made;
}

LogicalResult OffsetEmitter::visit(func::FuncOp function, Value before) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    FlatSymbolRefAttr callee = drawnFrom(op, before != nullptr);
    if (callee && failed(offsetApplication(op, callee, before)))
      return failure();
    if (auto bits = dyn_cast<RngBitsOp>(op);
        bits && failed(offsetDraw(bits, before)))
      return failure();
  }
  return success();
}

/// A copy of a function that draws which takes the number of a batch from
/// whoever calls it from outside.
FailureOr<func::FuncOp> OffsetEmitter::copyTakingBatch(func::FuncOp function) {
  auto index = IndexType::get(function.getContext());
  if (llvm::is_contained(function.getArgumentTypes(), index))
    return function.emitError("expected a function without steps, since it "
                              "draws random numbers and is called for batches");
  func::FuncOp copy = originals.lookup(function.getName()).clone();
  copy.setName((function.getName() + ".batch").str());
  table.insert(copy, function->getIterator());
  unsigned position = copy.getNumArguments();
  Builder builder(copy.getContext());
  NamedAttribute role(roleAttr, builder.getStringAttr("begin"));
  if (failed(copy.insertArgument(
          position, index, builder.getDictionaryAttr(role), copy.getLoc())))
    return failure();
  TensorBuilder b(copy.getLoc(), &copy.getBody().front().front());
  entrance = "the batch that the function is called for";
  if (failed(visit(copy, b.fromIndex(copy.getArgument(position)))))
    return failure();
  return copy;
}

/// Puts copies that take the number of a batch in the places of functions. What
/// the program calls itself stays as it is, under another name.
LogicalResult OffsetEmitter::takeBatches(ArrayRef<std::string> names) {
  SmallVector<std::pair<func::FuncOp, func::FuncOp>> made;
  for (StringRef name : names) {
    auto function = table.lookup<func::FuncOp>(name);
    if (!function || !draws(FlatSymbolRefAttr::get(function)))
      continue;
    FailureOr<func::FuncOp> copy = copyTakingBatch(function);
    if (failed(copy))
      return failure();
    made.emplace_back(function, *copy);
  }
  for (auto [function, copy] : made) {
    std::string name = function.getName().str();
    if (failed(table.renameToUnique(function, {})) ||
        failed(table.rename(copy, name)))
      return failure();
    function.setPrivate();
    if (SymbolTable::symbolKnownUseEmpty(function.getNameAttr(), module))
      table.erase(function);
  }
  return success();
}

LogicalResult OffsetEmitter::run(ArrayRef<std::string> batchEntries) {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (draws(FlatSymbolRefAttr::get(function)))
      originals[function.getName()] = function.clone();
  for (func::FuncOp function : functions)
    if (failed(visit(function, /*before=*/{})))
      return failure();
  if (failed(takeBatches(batchEntries)))
    return failure();
  // Private functions that are applied in loops alone have had their day.
  for (auto &[key, copy] : copies) {
    auto function = table.lookup<func::FuncOp>(key.first);
    if (function && function.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(function.getNameAttr(), module))
      table.erase(function);
  }
  return success();
}

LogicalResult ensc::addDrawOffsets(ModuleOp module,
                                   ArrayRef<std::string> batchEntries) {
  return OffsetEmitter(module).run(batchEntries);
}
