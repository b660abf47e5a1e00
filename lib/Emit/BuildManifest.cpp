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

namespace {
/// Reads dictionaries of attributes; the first thing amiss is remembered.
class AttributeReader {
public:
  std::string string(DictionaryAttr dictionary, StringRef key) {
    if (auto value = dictionary.getAs<StringAttr>(key))
      return value.str();
    return fail(key), "";
  }
  int64_t integer(DictionaryAttr dictionary, StringRef key) {
    if (auto value = dictionary.getAs<IntegerAttr>(key))
      return value.getInt();
    return fail(key), 0;
  }
  void fail(StringRef key) {
    if (problem.empty())
      problem = key.str();
  }
  std::string problem;
};
} // namespace

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

static std::vector<ManifestValue>
readValues(AttributeReader &reader, DictionaryAttr entry, StringRef key) {
  std::vector<ManifestValue> values;
  auto array = entry.getAs<ArrayAttr>(key);
  if (!array)
    return reader.fail(key), values;
  for (Attribute element : array) {
    auto dictionary = dyn_cast<DictionaryAttr>(element);
    auto type = dictionary ? dictionary.getAs<TypeAttr>("type") : TypeAttr();
    auto tensor =
        type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
    if (!tensor)
      return reader.fail(key), values;
    Expected<ManifestValue> value = describeValue(tensor, dictionary, "");
    if (!value)
      return reader.fail("type"), values;
    values.push_back(std::move(*value));
  }
  return values;
}

static ManifestLearner readLearner(AttributeReader &reader,
                                   DictionaryAttr dictionary) {
  ManifestLearner learner;
  learner.name = reader.string(dictionary, "name");
  learner.batchSize = reader.integer(dictionary, "batch_size");
  learner.rows = reader.integer(dictionary, "rows");
  learner.stepsPerEpoch = reader.integer(dictionary, "steps_per_epoch");
  learner.validationRows = reader.integer(dictionary, "validation_rows");
  learner.monitor = reader.string(dictionary, "monitor");
  learner.maximize = reader.string(dictionary, "direction") == "max";
  learner.shuffle = reader.string(dictionary, "shuffle");
  return learner;
}

/// Adds one instance, the function `symbol`, to the entry it belongs to, which
/// the first one creates.
static void addInstance(AttributeReader &reader, StringRef symbol,
                        DictionaryAttr dictionary, Manifest &manifest) {
  std::string name = reader.string(dictionary, "name");
  std::string instance = reader.string(dictionary, "instance");
  auto entry = llvm::find_if(
      manifest.entries, [&](const ManifestEntry &e) { return e.name == name; });
  if (entry == manifest.entries.end()) {
    manifest.entries.push_back({name, {}, {}, {}, {}});
    entry = std::prev(manifest.entries.end());
    entry->arguments = readValues(reader, dictionary, "arguments");
    entry->results = readValues(reader, dictionary, "results");
  }
  (instance == "lanes" ? entry->lanes : entry->solo) =
      ManifestInstance{symbol.str(),
                       reader.integer(dictionary, "lanes"),
                       reader.integer(dictionary, "arena_bytes"),
                       reader.integer(dictionary, "flops_per_step"),
                       reader.integer(dictionary, "cycles_per_step"),
                       reader.integer(dictionary, "bytes_moved"),
                       reader.integer(dictionary, "bytes_touched")};
}

Expected<Manifest> ensc::buildManifest(ModuleOp module, const TargetCpu &cpu) {
  AttributeReader reader;
  Manifest manifest;
  manifest.abiVersion = ENSC_ABI_VERSION;
  manifest.cpu = cpu.name;
  for (Operation &op : module.getOps())
    if (auto entry = op.getAttrOfType<DictionaryAttr>(ens::entryAttr))
      addInstance(reader, SymbolTable::getSymbolName(&op).getValue(), entry,
                  manifest);
  if (auto learners = module->getAttrOfType<ArrayAttr>(ens::learnersAttr))
    for (auto learner : learners.getAsRange<DictionaryAttr>())
      manifest.learners.push_back(readLearner(reader, learner));
  if (!reader.problem.empty())
    return Error(ErrorKind::InvalidModel,
                 "attribute '" + reader.problem +
                     "' of ens.entry or ens.learners is missing or has a wrong "
                     "type");
  return manifest;
}
