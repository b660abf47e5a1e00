//===- VerifyModel.cpp - What holds after the phase Parse -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttributeNames.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/HyperRange.h"
#include "ensc/Dialect/Ens/IR/InlineBudget.h"
#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Parse/Passes.h"
#include "ensc/Runtime/Names.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringMap.h"

namespace ensc {
#define GEN_PASS_DEF_VERIFYMODEL
#include "ensc/Parse/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// More dimensions than any program has, and few enough that those of a phase,
/// the contracted ones included, can be numbered.
static constexpr int64_t maxRank = 24;

/// What loops count and compare with.
static bool isCounterType(Type type) {
  return type.isIndex() || type.isSignlessInteger(1) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

//===----------------------------------------------------------------------===//
// Names and roles
//===----------------------------------------------------------------------===//

static LogicalResult verifyRole(Location loc, Attribute role, Type type) {
  if (!role)
    return success();
  auto name = dyn_cast<StringAttr>(role);
  StringRef expected = name ? typeOfRole(name) : StringRef();
  if (expected.empty())
    return emitError(loc) << "unknown ens.role " << role << "; expected "
                          << roleList;
  if (!fitsRole(name, type))
    return emitError(loc) << "expected " << expected << " for the ens.role "
                          << role << ", got " << type;
  return success();
}

/// A default value is a finite float, and only hyper-parameters have one.
static LogicalResult verifyDefault(Location loc, Attribute value,
                                   Attribute role) {
  auto name = dyn_cast_or_null<StringAttr>(role);
  auto number = dyn_cast_or_null<FloatAttr>(value);
  if (!value || (number && number.getValue().isFinite() && name &&
                 name.getValue() == "hyper"))
    return success();
  return emitError(loc) << "expected a finite float as ens.default of an "
                           "argument with the ens.role \"hyper\", got "
                        << value;
}

/// A range bounds hyper-parameters only, and holds their default.
static LogicalResult verifyRange(Location loc, Attribute value,
                                 Attribute number, Attribute role) {
  if (!value)
    return success();
  auto name = dyn_cast_or_null<StringAttr>(role);
  std::optional<NumberRange> range = readRange(value);
  if (!range || !range->isBounded() || !name || name.getValue() != "hyper")
    return emitError(loc)
           << "expected finite f64 called at_least, above, at_most or below as "
              "ens.range of an argument with the ens.role \"hyper\", got "
           << value;
  auto given = dyn_cast_or_null<FloatAttr>(number);
  if (given && !range->contains(given.getValueAsDouble()))
    return emitError(loc) << "expected ens.default to be " << range->describe()
                          << ", got " << number;
  return success();
}

/// Classes are at least one, and only integers that are data have them.
static LogicalResult verifyClasses(Location loc, Attribute value,
                                   Attribute role, Type type) {
  auto name = dyn_cast_or_null<StringAttr>(role);
  auto count = dyn_cast_or_null<IntegerAttr>(value);
  bool isFine = count && count.getType().isSignlessInteger(64) &&
                count.getInt() > 0 && name && name.getValue() == "data" &&
                isa<IntegerType>(elementTypeOf(type));
  if (!value || isFine)
    return success();
  return emitError(loc) << "expected a positive i64 as ens.classes of an "
                           "argument of integers with the ens.role \"data\", "
                           "got "
                        << value;
}

/// A name is a string that no other port of its kind has.
static LogicalResult verifyName(Location loc, Attribute name, StringRef kind,
                                llvm::StringMap<unsigned> &taken,
                                unsigned index) {
  if (!name)
    return success();
  auto string = dyn_cast<StringAttr>(name);
  if (!string || string.empty())
    return emitError(loc) << "expected a string that is not empty as ens.name "
                          << "of " << kind << " " << index << ", got " << name;
  if (std::string fault = describeBadName(string.getValue()); !fault.empty())
    return emitError(loc) << "the ens.name " << name << " of " << kind << " "
                          << index << " is no name: " << fault;
  auto [entry, isNew] = taken.try_emplace(string.getValue(), index);
  if (!isNew)
    return emitError(loc) << kind << "s " << entry->second << " and " << index
                          << " have the same ens.name " << name;
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static LogicalResult verifyArguments(func::FuncOp function) {
  llvm::StringMap<unsigned> names;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    Location loc = argument.getLoc();
    Type type = argument.getType();
    if (!type.isIndex() && !asProgramTensor(type))
      return emitError(loc)
             << "argument " << index << " of @" << function.getName()
             << " is neither a static tensor of f32, f64, i1, i32, i64 or ui32 "
                "nor an index, but "
             << type;
    // A caller passes tensors and the range of steps, nothing else.
    if (type.isIndex() && function.isPublic() &&
        !function.getArgAttr(index, roleAttr))
      return emitError(loc)
             << "argument " << index << " of @" << function.getName()
             << " is an index without the ens.role \"begin\" or \"end\"; pass "
                "a tensor<i64>, or make the function private";
    if (failed(verifyName(loc, function.getArgAttr(index, nameAttr), "argument",
                          names, index)) ||
        failed(verifyRole(loc, function.getArgAttr(index, roleAttr), type)) ||
        failed(verifyDefault(loc, function.getArgAttr(index, defaultAttr),
                             function.getArgAttr(index, roleAttr))) ||
        failed(verifyRange(loc, function.getArgAttr(index, rangeAttr),
                           function.getArgAttr(index, defaultAttr),
                           function.getArgAttr(index, roleAttr))) ||
        failed(verifyClasses(loc, function.getArgAttr(index, classesAttr),
                             function.getArgAttr(index, roleAttr), type)))
      return failure();
  }
  return success();
}

static LogicalResult verifyResults(func::FuncOp function) {
  llvm::StringMap<unsigned> names;
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    Location loc = function.getLoc();
    bool isInternal = type.isIndex() && function.isPrivate();
    if (!isInternal && !asProgramTensor(type))
      return emitError(loc)
             << "result " << index << " of @" << function.getName()
             << " is no static tensor of f32, f64, i1, i32, i64 or ui32, but "
             << type
             << (type.isIndex() ? "; convert it with ens.from_index" : "");
    if (failed(verifyName(loc, function.getResultAttr(index, nameAttr),
                          "result", names, index)) ||
        failed(verifyRole(loc, function.getResultAttr(index, roleAttr), type)))
      return failure();
  }
  return success();
}

/// Symbols are names of entries, and begin those of a learner's functions.
static LogicalResult verifySymbol(Operation *op, StringAttr symbol) {
  std::string fault = describeBadName(symbol.getValue());
  if (fault.empty())
    return success();
  return op->emitError() << FlatSymbolRefAttr::get(symbol)
                         << " is no name: " << fault;
}

static LogicalResult verifyFunction(func::FuncOp function) {
  if (failed(verifySymbol(function, function.getSymNameAttr())) ||
      failed(verifyAttributeNames(function)))
    return failure();
  if (function.isExternal())
    return function.emitError("function @")
           << function.getName() << " has no body; a program must define all "
           << "functions that it calls";
  if (!function.getBody().hasOneBlock())
    return function.emitError("function @")
           << function.getName()
           << " has several blocks; write control flow with scf.for or scf.if";
  return success(succeeded(verifyArguments(function)) &&
                 succeeded(verifyResults(function)));
}

static LogicalResult verifyLearner(LearnerOp learner) {
  if (failed(verifySymbol(learner, learner.getSymNameAttr())))
    return failure();
  auto metrics = learner.getMetrics();
  for (NamedAttribute metric :
       metrics.value_or(DictionaryAttr::get(learner.getContext()))) {
    std::string fault = describeBadName(metric.getName().getValue());
    if (!fault.empty())
      return learner.emitOpError("has a metric ")
             << metric.getName() << ", which is no name: " << fault;
  }
  return verifyAttributeNames(learner);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// Finds functions that reach themselves, or that grow beyond all measure:
/// calls are inlined, and differentiated, so they have to end.
class CallVerifier {
public:
  explicit CallVerifier(ModuleOp module) : module(module) {}

  LogicalResult visit(func::FuncOp function);

private:
  ModuleOp module;
  enum class State { Open, Done, Failed };
  llvm::DenseMap<Operation *, State> states;
  InlineBudget budget;
};
} // namespace

/// The function whose body stands for `op`. The rules of a custom gradient are
/// left out: they may use the function they belong to.
static FlatSymbolRefAttr calleeOf(Operation *op) {
  if (!isa<func::CallOp, CustomGradOp, EnsembleOp, GradOp, ValueAndGradOp,
           JvpOp, VjpOp>(op))
    return {};
  return op->getAttrOfType<FlatSymbolRefAttr>("callee");
}

LogicalResult CallVerifier::visit(func::FuncOp function) {
  auto [known, isNew] = states.try_emplace(function, State::Open);
  // What is wrong there has been said.
  if (!isNew)
    return failure(known->second == State::Failed);
  WalkResult result = function.walk([&](Operation *op) {
    FlatSymbolRefAttr symbol = calleeOf(op);
    auto callee = symbol ? module.lookupSymbol<func::FuncOp>(symbol.getValue())
                         : func::FuncOp();
    if (!callee)
      return WalkResult::advance();
    auto called = states.find(callee);
    if (called != states.end() && called->second == State::Open) {
      op->emitError("the call of @")
          << callee.getName()
          << " is recursive; write a loop with scf.for instead";
      return WalkResult::interrupt();
    }
    bool isFine =
        succeeded(visit(callee)) && succeeded(budget.spend(op, callee));
    return isFine ? WalkResult::advance() : WalkResult::interrupt();
  });
  states[function] = result.wasInterrupted() ? State::Failed : State::Done;
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Ops that Schedule makes.
static bool isPhaseOp(Operation *op) {
  return isa<ens::YieldOp, MapOp, FoldOp, ContractOp, PhiloxOp, SharedOp,
             TableOp, ReadRunsOp, WriteRunsOp, ReadRunIdsOp>(op);
}

/// The way from a tensor to the predicate of an `scf.if`.
static bool isPredicate(Operation *op) {
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  return extract && extract.getIndices().empty() &&
         extract.getType().isInteger(1);
}

static bool isKnownOp(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<EnsDialect>(dialect))
    return !isPhaseOp(op);
  return isPredicate(op) ||
         isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp,
             scf::YieldOp>(op) ||
         isa_and_nonnull<arith::ArithDialect, func::FuncDialect>(dialect);
}

/// Operands of other types are reported where they come from.
static bool isValueType(Type type) {
  return asProgramTensor(type) || isCounterType(type);
}

static LogicalResult verifyTypes(Operation *op) {
  bool isTensorOp = isa<EnsDialect>(op->getDialect());
  bool isCounterOp = isa<arith::ArithDialect>(op->getDialect());
  auto isFine = [&](Type type) {
    if (isTensorOp)
      return asProgramTensor(type) || (isa<FromIndexOp>(op) && type.isIndex());
    return isCounterType(type) || (!isCounterOp && asProgramTensor(type));
  };
  SmallVector<Type> types =
      llvm::filter_to_vector(op->getOperandTypes(), isValueType);
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() > maxRank)
      return op->emitError("'")
             << op->getName() << "' works on a tensor with " << tensor.getRank()
             << " dimensions; at most " << maxRank << " are supported";
    if (!isFine(type))
      return op->emitError("'")
             << op->getName() << "' works on " << type << "; a program "
             << (isTensorOp    ? "applies ens ops to static tensors"
                 : isCounterOp ? "applies arith ops to index, i1, i32 and "
                                 "i64, to count with; use ens ops on tensors"
                               : "passes static tensors, index, i1, i32 and "
                                 "i64 only");
  }
  return success();
}

/// Loops count with indices, upwards, in steps that are known.
static LogicalResult verifyLoop(scf::ForOp loop) {
  Type counter = loop.getInductionVar().getType();
  if (!counter.isIndex())
    return loop.emitError("a loop counts with index, got ") << counter;
  if (loop.getUnsignedCmp())
    return loop.emitError("a loop compares its bounds as signed numbers; leave "
                          "out 'unsigned'");
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step)
    return loop.emitError("expected a constant as the step of a loop; count "
                          "with step 1, and compute what the body needs");
  if (*step <= 0)
    return loop.emitError("expected a positive step of a loop, got ") << *step;
  return success();
}

/// What `arith` may do at which type: the integers of control flow are indices
/// and predicates, others are only compared.
static LogicalResult verifyArith(Operation *op) {
  if (isa<arith::ConstantOp, arith::CmpIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return success();
  bool isKnown = false;
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  if (type && type.isIndex())
    isKnown = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
                  arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
                  arith::CeilDivUIOp, arith::RemSIOp, arith::RemUIOp,
                  arith::MinSIOp, arith::MaxSIOp, arith::SelectOp>(op);
  else if (type && type.isInteger(1))
    isKnown =
        isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp>(op);
  if (isKnown)
    return success();
  InFlightDiagnostic diagnostic = op->emitError("'")
                                  << op->getName() << "' cannot be used";
  if (type)
    diagnostic << " on " << type;
  return diagnostic << "; add, sub, mul, div, rem, min and max are for index "
                       "(arith.index_cast converts to it), and, or and xor for "
                       "i1, and ens ops for tensors";
}

static LogicalResult verifyOp(Operation *op) {
  if (isa<ModuleOp>(op))
    return op->getParentOp()
               ? op->emitError("a module inside a module is no program")
               : success();
  if (!isKnownOp(op))
    return op->emitError("'")
           << op->getName()
           << "' is no op of the source language, which consists of "
              "func, arith, scf.for, scf.if, scf.while (for the interpreter "
              "alone), the tensor ops of ens and tensor.extract of a "
              "predicate";
  if (auto function = dyn_cast<func::FuncOp>(op))
    return verifyFunction(function);
  if (auto learner = dyn_cast<LearnerOp>(op))
    return verifyLearner(learner);
  if (failed(verifyTypes(op)))
    return failure();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return verifyLoop(loop);
  return isa<arith::ArithDialect>(op->getDialect()) ? verifyArith(op)
                                                    : success();
}

namespace {
struct VerifyModel : ensc::impl::VerifyModelBase<VerifyModel> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk(
        [&](Operation *op) { failed |= mlir::failed(verifyOp(op)); });
    CallVerifier calls(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      failed |= mlir::failed(calls.visit(function));
    if (failed)
      signalPassFailure();
  }
};
} // namespace
