//===- ProgramAttributes.cpp - What programs say of themselves ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/HyperRange.h"
#include "ensc/Runtime/Names.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

//===----------------------------------------------------------------------===//
// Types and roles
//===----------------------------------------------------------------------===//

bool ens::isElementType(Type type) {
  return isa<Float32Type, Float64Type>(type) || type.isSignlessInteger(1) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64) ||
         type.isUnsignedInteger(32);
}

RankedTensorType ens::asProgramTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding() ||
      !isElementType(tensor.getElementType()))
    return {};
  return tensor;
}

StringRef ens::typeOfRole(StringRef role) {
  return llvm::StringSwitch<StringRef>(role)
      .Case("param", "a float tensor")
      .Case("state", "a tensor")
      .Case("data", "a tensor with rows")
      .Case("hyper", "a float tensor of rank 0")
      .Cases({"seed", "order_seed", "step"}, "tensor<i64>")
      .Case("rows", "a tensor of i64 of rank 1")
      .Cases({"begin", "end"}, "index")
      .Default("");
}

bool ens::fitsRole(StringRef role, Type type) {
  if (role == "begin" || role == "end")
    return type.isIndex();
  RankedTensorType tensor = asProgramTensor(type);
  if (!tensor)
    return false;
  bool isFloat = isa<FloatType>(tensor.getElementType());
  bool isScalar = tensor.getRank() == 0;
  bool isNumber = tensor.getElementType().isSignlessInteger(64);
  return llvm::StringSwitch<bool>(role)
      .Case("param", isFloat)
      .Case("state", true)
      .Case("data", !isScalar)
      .Case("hyper", isFloat && isScalar)
      .Case("rows", isNumber && tensor.getRank() == 1)
      .Default(isNumber && isScalar);
}

//===----------------------------------------------------------------------===//
// Dictionaries
//===----------------------------------------------------------------------===//

namespace {
/// Verifies one dictionary of an attribute of an op. Each check names the
/// dictionary, the key, what is expected and what is there.
class DictionaryVerifier {
public:
  DictionaryVerifier(Operation *op, std::string place, Attribute dictionary)
      : op(op), place(std::move(place)),
        dictionary(dyn_cast_or_null<DictionaryAttr>(dictionary)) {}

  LogicalResult exists() const {
    if (dictionary)
      return success();
    return op->emitOpError("expects ") << place << " to be a dictionary";
  }

  Attribute get(StringRef key) const { return dictionary.get(key); }

  LogicalResult fail(StringRef key, const Twine &expected) const {
    InFlightDiagnostic diagnostic = op->emitOpError("expects '")
                                    << key << "' of " << place << " to be "
                                    << expected << ", got ";
    if (Attribute value = get(key))
      return diagnostic << value;
    return diagnostic << "none";
  }

  LogicalResult number(StringRef key, int64_t least) const {
    auto value = dyn_cast_or_null<IntegerAttr>(get(key));
    if (value && value.getType().isSignlessInteger(64) &&
        value.getInt() >= least)
      return success();
    return fail(key, "an i64 that is at least " + Twine(least));
  }

  LogicalResult word(StringRef key, ArrayRef<StringRef> words) const {
    auto value = dyn_cast_or_null<StringAttr>(get(key));
    if (value && llvm::is_contained(words, value.getValue()))
      return success();
    std::string list;
    for (StringRef known : words)
      list += (list.empty() ? "\"" : " or \"") + known.str() + "\"";
    return fail(key, list);
  }

  LogicalResult name(StringRef key) const {
    auto value = dyn_cast_or_null<StringAttr>(get(key));
    bool isName = value && describeBadName(value.getValue()).empty();
    return isName ? success() : fail(key, "a name");
  }

  LogicalResult names(StringRef key) const {
    auto array = dyn_cast_or_null<ArrayAttr>(get(key));
    bool isFine = array && llvm::all_of(array, [](Attribute element) {
                    auto name = dyn_cast<StringAttr>(element);
                    return name && describeBadName(name.getValue()).empty();
                  });
    return isFine ? success() : fail(key, "a list of names");
  }

  /// Each element of the list `key`, as `check` wants it.
  LogicalResult
  each(StringRef key, StringRef kind,
       function_ref<LogicalResult(const DictionaryVerifier &)> check) const {
    auto array = dyn_cast_or_null<ArrayAttr>(get(key));
    if (!array)
      return fail(key, "a list");
    for (auto [index, element] : llvm::enumerate(array)) {
      std::string where =
          kind.str() + " " + std::to_string(index) + " of " + place;
      DictionaryVerifier verifier(op, std::move(where), element);
      if (failed(verifier.exists()) || failed(check(verifier)))
        return failure();
    }
    return success();
  }

private:
  Operation *op;
  std::string place;
  DictionaryAttr dictionary;
};
} // namespace

//===----------------------------------------------------------------------===//
// Learners
//===----------------------------------------------------------------------===//

static LogicalResult verifyMetric(const DictionaryVerifier &metric) {
  return success(succeeded(metric.name("name")) &&
                 succeeded(metric.word("direction", {"min", "max"})));
}

/// What is monitored is the loss, or a metric of the validation data.
static LogicalResult verifyMonitor(const DictionaryVerifier &learner) {
  auto monitor = dyn_cast_or_null<StringAttr>(learner.get("monitor"));
  if (monitor && monitor.getValue() == "loss")
    return success();
  for (Attribute metric : cast<ArrayAttr>(learner.get("metrics")))
    if (monitor && cast<DictionaryAttr>(metric).get("name") == monitor)
      return success();
  return learner.fail("monitor", "\"loss\" or the name of a metric");
}

static LogicalResult verifyLearner(const DictionaryVerifier &learner) {
  return success(
      succeeded(learner.exists()) && succeeded(learner.name("name")) &&
      succeeded(learner.number("batch_size", 1)) &&
      succeeded(learner.number("rows", 1)) &&
      succeeded(learner.number("steps_per_epoch", 1)) &&
      succeeded(learner.number("validation_rows", 0)) &&
      succeeded(learner.each("metrics", "metric", verifyMetric)) &&
      succeeded(verifyMonitor(learner)) &&
      succeeded(learner.word("direction", {"min", "max"})) &&
      succeeded(learner.word("shuffle", {"per_run", "shared", "none"})) &&
      succeeded(learner.names("params")) && succeeded(learner.names("states")));
}

LogicalResult ens::verifyLearners(ModuleOp module) {
  Attribute attribute = module->getAttr(learnersAttr);
  if (!attribute)
    return success();
  auto learners = dyn_cast<ArrayAttr>(attribute);
  if (!learners)
    return module.emitOpError("expects ")
           << learnersAttr << " to be a list, got " << attribute;
  for (auto [index, learner] : llvm::enumerate(learners)) {
    std::string place =
        "learner " + std::to_string(index) + " of " + learnersAttr.str();
    if (failed(verifyLearner(DictionaryVerifier(module, place, learner))))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static LogicalResult verifyRole(const DictionaryVerifier &value, Type type) {
  Attribute attribute = value.get("role");
  auto role = dyn_cast_or_null<StringAttr>(attribute);
  if (!attribute)
    return success();
  StringRef expected = role ? typeOfRole(role.getValue()) : StringRef();
  if (expected.empty())
    return value.fail("role", roleList);
  return fitsRole(role.getValue(), type)
             ? success()
             : value.fail("type", expected + ", as its role says");
}

/// Numbers that the runtime holds values against.
static LogicalResult verifyBounds(const DictionaryVerifier &value) {
  auto number = dyn_cast_or_null<FloatAttr>(value.get("default"));
  if (value.get("default") && (!number || !number.getValue().isFinite()))
    return value.fail("default", "a finite float");
  if (value.get("range") && !readRange(value.get("range")))
    return value.fail("range",
                      "finite f64 called at_least, above, at_most or below");
  if (value.get("classes") && failed(value.number("classes", 1)))
    return failure();
  return success();
}

static LogicalResult verifyValue(const DictionaryVerifier &value) {
  auto type = dyn_cast_or_null<TypeAttr>(value.get("type"));
  if (!type || !asProgramTensor(type.getValue()))
    return value.fail("type",
                      "a static tensor of f32, f64, i1, i32, i64 or ui32");
  if ((value.get("name") && failed(value.name("name"))) ||
      failed(verifyRole(value, type.getValue())) || failed(verifyBounds(value)))
    return failure();
  if (value.get("limit") && failed(value.name("limit")))
    return failure();
  if (value.get("per_run") && !isa<UnitAttr>(value.get("per_run")))
    return value.fail("per_run", "without a value");
  return value.get("direction") ? value.word("direction", {"min", "max"})
                                : success();
}

static LogicalResult verifyInstance(const DictionaryVerifier &entry) {
  if (failed(entry.word("instance", {"solo", "lanes"})))
    return failure();
  bool isLanes = cast<StringAttr>(entry.get("instance")).getValue() == "lanes";
  auto lanes = dyn_cast_or_null<IntegerAttr>(entry.get("lanes"));
  bool isKnown = lanes && lanes.getType().isSignlessInteger(64) &&
                 (isLanes ? llvm::is_contained({8, 16}, lanes.getInt())
                          : lanes.getInt() == 1);
  if (!isKnown)
    return entry.fail("lanes", isLanes ? "8 or 16" : "1");
  return success();
}

LogicalResult ens::verifyEntry(Operation *function) {
  DictionaryVerifier entry(function, entryAttr.str(),
                           function->getAttr(entryAttr));
  if (failed(entry.exists()) || failed(entry.name("name")) ||
      failed(verifyInstance(entry)))
    return failure();
  for (StringRef count : {"arena_bytes", "flops_per_step", "cycles_per_step",
                          "bytes_moved", "bytes_touched"})
    if (failed(entry.number(count, 0)))
      return failure();
  return success(succeeded(entry.each("arguments", "argument", verifyValue)) &&
                 succeeded(entry.each("results", "result", verifyValue)));
}
