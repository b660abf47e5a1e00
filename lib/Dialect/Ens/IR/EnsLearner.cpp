//===- EnsLearner.cpp - Verification of the learner sugar -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Dialect/Ens/IR/HyperRange.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpImplementation.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
/// A number of an optimizer or a schedule.
struct RuleNumber {
  StringRef name;
  APFloat value;
  StringRef hyper = name; ///< What it is called as a hyper-parameter.
};
} // namespace

static SmallVector<RuleNumber> numbersOf(Attribute attr) {
  using Numbers = SmallVector<RuleNumber>;
  return llvm::TypeSwitch<Attribute, Numbers>(attr)
      .Case([](SgdAttr sgd) -> Numbers {
        return {{"lr", sgd.getLr()}, {"weight_decay", sgd.getWeightDecay()}};
      })
      .Case([](MomentumAttr rule) -> Numbers {
        return {{"lr", rule.getLr()},
                {"momentum", rule.getMomentum()},
                {"weight_decay", rule.getWeightDecay()}};
      })
      .Case([](AdamAttr adam) -> Numbers {
        return {{"lr", adam.getLr()},
                {"beta1", adam.getBeta1()},
                {"beta2", adam.getBeta2()},
                {"eps", adam.getEps()}};
      })
      .Case([](AdamWAttr adam) -> Numbers {
        return {{"lr", adam.getLr()},
                {"beta1", adam.getBeta1()},
                {"beta2", adam.getBeta2()},
                {"eps", adam.getEps()},
                {"weight_decay", adam.getWeightDecay()}};
      })
      .Case([](CosineScheduleAttr cosine) -> Numbers {
        return {{"steps", cosine.getSteps(), "schedule_steps"},
                {"warmup", cosine.getWarmup(), "warmup_steps"},
                {"final", cosine.getFinal(), "final_fraction"}};
      })
      .Case([](WarmupScheduleAttr warmup) -> Numbers {
        return {{"steps", warmup.getSteps(), "warmup_steps"}};
      })
      .Default(Numbers());
}

static LogicalResult verifyNumbers(LearnerOp op, Attribute attr) {
  SmallVector<RuleNumber> numbers = numbersOf(attr);
  // learner_c7
  if (!llvm::all_of(numbers, [](const RuleNumber &number) {
        return number.value.isFinite();
      }))
    return op.emitOpError("expects finite numbers, got ") << attr;
  for (const RuleNumber &number : numbers) {
    NumberRange range = rangeOfScalar(number.hyper);
    if (!range.contains(number.value.convertToDouble()))
      return op.emitOpError("expects ") << number.name << " to be "
                                        << range.describe() << ", got " << attr;
  }
  auto cosine = dyn_cast<CosineScheduleAttr>(attr);
  if (cosine && cosine.getWarmup() > cosine.getSteps())
    return op.emitOpError("expects warmup to be at most steps, got ") << attr;
  return success();
}

LogicalResult LearnerOp::verify() {
  // learner_c3
  if (!isa<SgdAttr, MomentumAttr, AdamAttr, AdamWAttr>(getOptimizer()))
    return emitOpError("expects #ens.sgd, #ens.momentum, #ens.adam or "
                       "#ens.adamw as optimizer, got ")
           << getOptimizer();
  if (getSchedule() &&
      !isa<ConstantScheduleAttr, CosineScheduleAttr, WarmupScheduleAttr>(
          *getSchedule()))
    return emitOpError("expects #ens.constant, #ens.cosine or #ens.warmup as "
                       "schedule, got ")
           << *getSchedule();
  for (Attribute numbers : {getOptimizer(), getScheduleAttr()})
    if (numbers && failed(verifyNumbers(*this, numbers)))
      return failure();
  // ens.permutation orders no more.
  constexpr int64_t mostRows = std::numeric_limits<int32_t>::max();
  for (auto [what, count] :
       {std::pair("batch_size", getBatchSizeAttr()),
        std::pair("rows", getRowsAttr()),
        std::pair("validation_rows", getValidationRowsAttr())})
    if (count && count.getInt() > mostRows)
      return emitOpError("expects ") << what << " to be at most " << mostRows
                                     << ", got " << count.getInt();
  // learner_c6
  std::optional<StringRef> direction = getDirection();
  if (direction && *direction != "min" && *direction != "max")
    return emitOpError("expects direction to be min or max, got ")
           << *direction;
  // learner_c10
  if (getValidationRowsAttr() && getValidationRowsAttr().getInt() < 0)
    return emitOpError("expects validation_rows not to be negative, got ")
           << getValidationRowsAttr().getInt();
  if (std::optional<StringRef> shuffle = getShuffle();
      shuffle && *shuffle != "per_run" && *shuffle != "shared" &&
      *shuffle != "none")
    return emitOpError("expects shuffle to be per_run, shared or none, got ")
           << *shuffle;
  // learner_c7
  std::optional<APFloat> norm = getClipNorm();
  if (norm && !(norm->isFinite() && norm->convertToDouble() > 0.0))
    return emitOpError("expects a positive, finite clip_norm, got ")
           << norm->convertToDouble();
  return success();
}

//===----------------------------------------------------------------------===//
// The functions that it names
//===----------------------------------------------------------------------===//

static StringRef stringOf(Attribute attr) {
  auto string = dyn_cast_or_null<StringAttr>(attr);
  return string ? string.getValue() : StringRef();
}

/// The leading extent of the first argument of a function that is data.
static std::optional<int64_t> rowsOfData(func::FuncOp function) {
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
    if (type && type.getRank() > 0 &&
        stringOf(function.getArgAttr(index, roleAttr)) == "data")
      return type.getDimSize(0);
  }
  return std::nullopt;
}

int64_t LearnerOp::findBatchSize() {
  if (getBatchSizeAttr())
    return getBatchSizeAttr().getInt();
  SmallVector<Attribute> symbols = {getLossAttr()};
  for (NamedAttribute metric :
       getMetrics().value_or(DictionaryAttr::get(getContext())))
    symbols.push_back(metric.getValue());
  for (Attribute symbol : symbols)
    if (auto name = dyn_cast<FlatSymbolRefAttr>(symbol))
      if (auto function =
              SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(*this, name))
        if (std::optional<int64_t> rows = rowsOfData(function))
          return *rows;
  return 1;
}

namespace {
/// Checks the functions of a learner against one another.
class LearnerVerifier {
public:
  LearnerVerifier(LearnerOp op, SymbolTableCollection &tables)
      : op(op), tables(tables), batchSize(op.findBatchSize()) {}

  LogicalResult verify();

private:
  /// A name that a function gave an argument, with what it stands for.
  struct Known {
    StringRef role;
    Type type;
  };

  func::FuncOp lookup(FlatSymbolRefAttr symbol);
  LogicalResult verifyInit();
  LogicalResult verifyFunction(FlatSymbolRefAttr symbol, bool isObjective);
  LogicalResult verifyParams(func::FuncOp function);
  LogicalResult verifyArgument(func::FuncOp function, unsigned index,
                               bool hasBatches);
  LogicalResult verifyType(func::FuncOp function, unsigned index,
                           bool hasBatches);
  LogicalResult verifyResult(func::FuncOp function);
  LogicalResult verifyMonitor();
  LogicalResult verifySizes();

  InFlightDiagnostic emitError(func::FuncOp function) {
    return op.emitOpError("expects @") << function.getName() << " ";
  }

  LearnerOp op;
  SymbolTableCollection &tables;
  int64_t batchSize;
  func::FuncOp init;
  llvm::StringMap<Known> known;
};
} // namespace

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

static bool isScalarOf(Type type, function_ref<bool(Type)> isElement) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && isElement(tensor.getElementType());
}

func::FuncOp LearnerVerifier::lookup(FlatSymbolRefAttr symbol) {
  // learner_c1
  auto function = tables.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!function || function.isExternal()) {
    op.emitOpError("expects ")
        << symbol << " to be a function of the module with a body";
    return {};
  }
  return function;
}

LogicalResult LearnerVerifier::verifyInit() {
  init = lookup(op.getInitAttr());
  if (!init)
    return failure();
  // learner_c2
  if (init.getNumResults() == 0)
    return emitError(init) << "to return the parameters, got no result";
  for (auto [index, type] : llvm::enumerate(init.getResultTypes())) {
    StringRef name = stringOf(init.getResultAttr(index, nameAttr));
    if (name.empty() || !isFloatTensor(type))
      return emitError(init)
             << "to return float tensors with an ens.name, got " << type
             << (name.empty() ? " without name" : "") << " as result " << index;
    if (!known.try_emplace(name, Known{"param", type}).second)
      return emitError(init)
             << "to name each parameter once, got '" << name << "' twice";
  }
  for (unsigned index = 0; index < init.getNumArguments(); ++index) {
    // learner_c8
    StringRef role = stringOf(init.getArgAttr(index, roleAttr));
    if (role != "seed" && role != "hyper")
      return emitError(init) << "to take arguments with the role seed or hyper "
                                "only, got '"
                             << role << "' for argument " << index;
    if (failed(verifyArgument(init, index, /*hasBatches=*/false)))
      return failure();
  }
  return success();
}

LogicalResult LearnerVerifier::verifyParams(func::FuncOp function) {
  // learner_c2
  for (auto [index, type] : llvm::enumerate(init.getResultTypes())) {
    StringRef name = stringOf(init.getResultAttr(index, nameAttr));
    if (index >= function.getNumArguments())
      return emitError(function)
             << "to take the parameter '" << name << "' as argument " << index;
    StringRef given = stringOf(function.getArgAttr(index, nameAttr));
    Type givenType = function.getArgumentTypes()[index];
    StringRef role = stringOf(function.getArgAttr(index, roleAttr));
    if (given != name || givenType != type ||
        (!role.empty() && role != "param"))
      return emitError(function)
             << "to take the parameter '" << name << "' of type " << type
             << " as argument " << index << ", got '" << given << "' of type "
             << givenType;
  }
  return success();
}

LogicalResult LearnerVerifier::verifyArgument(func::FuncOp function,
                                              unsigned index, bool hasBatches) {
  StringRef name = stringOf(function.getArgAttr(index, nameAttr));
  StringRef role = stringOf(function.getArgAttr(index, roleAttr));
  // learner_c8
  if (name.empty() ||
      !llvm::is_contained({"data", "hyper", "seed", "step"}, role))
    return emitError(function)
           << "to give argument " << index
           << " an ens.name and the ens.role data, hyper, seed or step, got '"
           << name << "' and '" << role << "'";
  if (failed(verifyType(function, index, hasBatches)))
    return failure();
  // learner_c9
  Type type = function.getArgumentTypes()[index];
  auto [entry, isNew] = known.try_emplace(name, Known{role, type});
  const Known &first = entry->second;
  bool needsType = role != "data" || hasBatches;
  if (!isNew && (first.role != role || (needsType && first.type != type)))
    return emitError(function)
           << "to use '" << name << "' as another function does, as "
           << first.role << " of type " << first.type << ", got " << role
           << " of type " << type;
  return success();
}

LogicalResult LearnerVerifier::verifyType(func::FuncOp function, unsigned index,
                                          bool hasBatches) {
  StringRef role = stringOf(function.getArgAttr(index, roleAttr));
  StringRef name = stringOf(function.getArgAttr(index, nameAttr));
  Type type = function.getArgumentTypes()[index];
  auto isFloat = [](Type element) { return isa<FloatType>(element); };
  auto isInt64 = [](Type element) { return element.isSignlessInteger(64); };
  // learner_c8
  if (role == "hyper" && !isScalarOf(type, isFloat))
    return emitError(function) << "to take the hyper-parameter '" << name
                               << "' as a float of rank 0, got " << type;
  if ((role == "seed" || role == "step") && !isScalarOf(type, isInt64))
    return emitError(function)
           << "to take the " << role << " as tensor<i64>, got " << type;
  if (role != "data" || !hasBatches)
    return success();
  // learner_c4
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0 || tensor.getDimSize(0) != batchSize)
    return emitError(function)
           << "to take batches of batch_size = " << batchSize << " rows as '"
           << name << "', got " << type;
  return success();
}

LogicalResult LearnerVerifier::verifyResult(func::FuncOp function) {
  // learner_c5
  TypeRange types = function.getResultTypes();
  if (types.size() == 1 && isFloatTensor(types[0])) {
    auto tensor = cast<RankedTensorType>(types[0]);
    if (tensor.getRank() == 0 ||
        (tensor.getRank() == 1 && tensor.getDimSize(0) == batchSize))
      return success();
  }
  return emitError(function)
         << "to return one float for each of the batch_size = " << batchSize
         << " rows, or one scalar, got (" << types << ")";
}

LogicalResult LearnerVerifier::verifyFunction(FlatSymbolRefAttr symbol,
                                              bool isObjective) {
  func::FuncOp function = lookup(symbol);
  if (!function || failed(verifyParams(function)))
    return failure();
  unsigned params = init.getNumResults();
  for (unsigned index = params; index < function.getNumArguments(); ++index)
    if (failed(verifyArgument(function, index, /*hasBatches=*/isObjective)))
      return failure();
  return isObjective ? verifyResult(function) : success();
}

LogicalResult LearnerVerifier::verifyMonitor() {
  // learner_c6
  std::optional<StringRef> monitor = op.getMonitor();
  if (!monitor)
    return success();
  StringRef name = *monitor;
  name.consume_front("val_");
  if (name == "loss" || (op.getMetrics() && op.getMetrics()->contains(name)))
    return success();
  return op.emitOpError("expects monitor to be loss or a metric, got ")
         << *monitor;
}

LogicalResult LearnerVerifier::verifySizes() {
  // learner_c4
  if (batchSize < 1)
    return op.emitOpError("expects a positive batch_size, got ") << batchSize;
  // learner_c10
  if (op.getRowsAttr() && op.getRowsAttr().getInt() < batchSize)
    return op.emitOpError("expects rows to be at least batch_size = ")
           << batchSize << ", got " << op.getRowsAttr().getInt();
  return success();
}

LogicalResult LearnerVerifier::verify() {
  if (failed(verifySizes()) || failed(verifyInit()) ||
      failed(verifyFunction(op.getLossAttr(), true)))
    return failure();
  for (NamedAttribute metric :
       op.getMetrics().value_or(DictionaryAttr::get(op.getContext()))) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(metric.getValue());
    if (!symbol)
      return op.emitOpError("expects metric '")
             << metric.getName().strref() << "' to name a function, got "
             << metric.getValue();
    if (metric.getName() == "loss")
      return op.emitOpError("expects another name than 'loss' for a metric");
    if (failed(verifyFunction(symbol, true)))
      return failure();
  }
  if (op.getPredictAttr() && failed(verifyFunction(op.getPredictAttr(), false)))
    return failure();
  return verifyMonitor();
}

LogicalResult LearnerOp::verifySymbolUses(SymbolTableCollection &tables) {
  return LearnerVerifier(*this, tables).verify();
}
