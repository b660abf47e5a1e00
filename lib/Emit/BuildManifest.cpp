//===- BuildManifest.cpp - From attributes to a manifest ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Emit/Emit.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/HyperRange.h"
#include "ensc/Runtime/ABI.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;

static std::string stringOf(DictionaryAttr dictionary, StringRef key) {
  return dictionary.getAs<StringAttr>(key).str();
}

static int64_t integerOf(DictionaryAttr dictionary, StringRef key) {
  return dictionary.getAs<IntegerAttr>(key).getInt();
}

Expected<ManifestValue> ensc::describeValue(RankedTensorType type,
                                            DictionaryAttr attributes,
                                            StringRef prefix) {
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  Expected<DType> dtype = parseDType(element);
  if (!dtype)
    return dtype.error();
  ManifestValue value;
  value.dtype = *dtype;
  value.shape.assign(type.getShape().begin(), type.getShape().end());
  if (!attributes)
    return value;
  auto find = [&](StringRef key) {
    return attributes.get((prefix + key).str());
  };
  if (auto name = dyn_cast_or_null<StringAttr>(find("name")))
    value.name = name.str();
  if (auto role = dyn_cast_or_null<StringAttr>(find("role")))
    value.role = role.str();
  value.perRun = find("per_run") != nullptr;
  if (auto direction = dyn_cast_or_null<StringAttr>(find("direction")))
    value.maximize = direction.getValue() == "max";
  if (auto classes = dyn_cast_or_null<IntegerAttr>(find("classes")))
    value.classes = classes.getInt();
  if (auto number = dyn_cast_or_null<FloatAttr>(find("default")))
    value.defaultValue = number.getValueAsDouble();
  if (std::optional<NumberRange> range = ens::readRange(find("range")))
    value.range = *range;
  if (auto limit = dyn_cast_or_null<StringAttr>(find("limit")))
    value.limit = limit.str();
  return value;
}

static std::vector<ManifestValue> readValues(DictionaryAttr entry,
                                             StringRef key) {
  std::vector<ManifestValue> values;
  for (auto value : entry.getAs<ArrayAttr>(key).getAsRange<DictionaryAttr>()) {
    Type type = value.getAs<TypeAttr>("type").getValue();
    values.push_back(*describeValue(cast<RankedTensorType>(type), value, ""));
  }
  return values;
}

static ManifestLearner readLearner(DictionaryAttr dictionary) {
  ManifestLearner learner;
  learner.name = stringOf(dictionary, "name");
  learner.batchSize = integerOf(dictionary, "batch_size");
  learner.rows = integerOf(dictionary, "rows");
  learner.stepsPerEpoch = integerOf(dictionary, "steps_per_epoch");
  learner.validationRows = integerOf(dictionary, "validation_rows");
  learner.monitor = stringOf(dictionary, "monitor");
  learner.maximize = stringOf(dictionary, "direction") == "max";
  learner.shuffle = stringOf(dictionary, "shuffle");
  return learner;
}

/// Adds one instance, the function `symbol`, to the entry it belongs to, which
/// the first one creates.
static void addInstance(StringRef symbol, DictionaryAttr dictionary,
                        Manifest &manifest) {
  std::string name = stringOf(dictionary, "name");
  std::string instance = stringOf(dictionary, "instance");
  auto entry = llvm::find_if(
      manifest.entries, [&](const ManifestEntry &e) { return e.name == name; });
  if (entry == manifest.entries.end()) {
    manifest.entries.push_back({name, {}, {}, {}, {}});
    entry = std::prev(manifest.entries.end());
    entry->arguments = readValues(dictionary, "arguments");
    entry->results = readValues(dictionary, "results");
  }
  (instance == "lanes" ? entry->lanes : entry->solo) =
      ManifestInstance{symbol.str(),
                       integerOf(dictionary, "lanes"),
                       integerOf(dictionary, "arena_bytes"),
                       integerOf(dictionary, "flops_per_step"),
                       integerOf(dictionary, "cycles_per_step"),
                       integerOf(dictionary, "bytes_moved"),
                       integerOf(dictionary, "bytes_touched")};
}

Manifest ensc::buildManifest(ModuleOp module, const TargetCpu &cpu) {
  Manifest manifest;
  manifest.abiVersion = ENSC_ABI_VERSION;
  manifest.cpu = cpu.name;
  for (Operation &op : module.getOps())
    if (auto entry = op.getAttrOfType<DictionaryAttr>(ens::entryAttr))
      addInstance(SymbolTable::getSymbolName(&op).getValue(), entry, manifest);
  if (auto learners = module->getAttrOfType<ArrayAttr>(ens::learnersAttr))
    for (auto learner : learners.getAsRange<DictionaryAttr>())
      manifest.learners.push_back(readLearner(learner));
  return manifest;
}
