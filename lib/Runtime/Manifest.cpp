//===- Manifest.cpp - What a compiled program holds -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Manifest.h"
#include "ensc/Runtime/ABI.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ensc;
using nlohmann::json;

Shape ensc::withRuns(int64_t runs, const Shape &shape) {
  Shape result = {runs};
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

Shape ManifestValue::shapeFor(int64_t runs) const {
  return perRun ? withRuns(runs, shape) : shape;
}

std::optional<size_t>
ManifestEntry::findArgument(const std::string &wanted) const {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].name == wanted)
      return i;
  return std::nullopt;
}

const ManifestEntry *Manifest::findEntry(const std::string &wanted) const {
  auto found =
      std::find_if(entries.begin(), entries.end(),
                   [&](const ManifestEntry &e) { return e.name == wanted; });
  return found == entries.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json write(const NumberRange &range) {
  json object = json::object();
  for (const RangeBound &bound : rangeBounds)
    if (const std::optional<double> &number = range.*bound.value)
      object[bound.name] = *number;
  return object;
}

static json write(const ManifestValue &value) {
  json object = {{"name", value.name},           {"role", value.role},
                 {"dtype", nameOf(value.dtype)}, {"shape", value.shape},
                 {"per_run", value.perRun},      {"maximize", value.maximize}};
  if (value.classes > 0)
    object["classes"] = value.classes;
  if (value.defaultValue)
    object["default"] = *value.defaultValue;
  if (value.range.isBounded())
    object["range"] = write(value.range);
  if (!value.limit.empty())
    object["limit"] = value.limit;
  return object;
}

static json write(const std::vector<ManifestValue> &values) {
  json array = json::array();
  for (const ManifestValue &value : values)
    array.push_back(write(value));
  return array;
}

static json write(const ManifestInstance &instance) {
  return {{"symbol", instance.symbol},
          {"lanes", instance.lanes},
          {"arena_bytes", instance.arenaBytes},
          {"flops_per_step", instance.flopsPerStep},
          {"cycles_per_step", instance.cyclesPerStep},
          {"bytes_moved", instance.bytesMoved},
          {"bytes_touched", instance.bytesTouched}};
}

static json write(const ManifestEntry &entry) {
  json object = {{"name", entry.name},
                 {"arguments", write(entry.arguments)},
                 {"results", write(entry.results)}};
  if (entry.solo)
    object["solo"] = write(*entry.solo);
  if (entry.lanes)
    object["lanes"] = write(*entry.lanes);
  return object;
}

static json write(const ManifestLearner &learner) {
  return {{"name", learner.name},
          {"batch_size", learner.batchSize},
          {"rows", learner.rows},
          {"steps_per_epoch", learner.stepsPerEpoch},
          {"validation_rows", learner.validationRows},
          {"monitor", learner.monitor},
          {"maximize", learner.maximize},
          {"shuffle", learner.shuffle}};
}

std::string Manifest::toJson() const {
  json object = {{"abi_version", abiVersion},
                 {"cpu", cpu},
                 {"entries", json::array()},
                 {"learners", json::array()}};
  for (const ManifestEntry &entry : entries)
    object["entries"].push_back(write(entry));
  for (const ManifestLearner &learner : learners)
    object["learners"].push_back(write(learner));
  return object.dump();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads fields of JSON objects and remembers the first that is missing or of
/// the wrong type, so that callers need to look only once, at the end.
class Reader {
public:
  template <typename T>
  void field(const json &object, const char *key, T &out) {
    if (const json *value = find(object, key))
      read(*value, key, out);
  }

  /// The member `key` of an object, or null and an error.
  const json *find(const json &object, const char *key) {
    if (object.is_object() && object.contains(key))
      return &object[key];
    fail(key);
    return nullptr;
  }

  /// The same for a member that must be an array.
  const json *findArray(const json &object, const char *key) {
    const json *member = find(object, key);
    if (!member || member->is_array())
      return member;
    fail(key);
    return nullptr;
  }

  void fail(const std::string &key) {
    if (problem.empty())
      problem = key;
  }

  std::string problem;

private:
  void read(const json &value, const char *key, std::string &out) {
    if (value.is_string())
      out = value.get<std::string>();
    else
      fail(key);
  }
  void read(const json &value, const char *key, int64_t &out) {
    if (value.is_number_integer())
      out = value.get<int64_t>();
    else
      fail(key);
  }
  void read(const json &value, const char *key, double &out) {
    if (value.is_number())
      out = value.get<double>();
    else
      fail(key);
  }
  void read(const json &value, const char *key, bool &out) {
    if (value.is_boolean())
      out = value.get<bool>();
    else
      fail(key);
  }
  void read(const json &value, const char *key, Shape &out) {
    if (!value.is_array())
      return fail(key);
    for (const json &extent : value) {
      if (!extent.is_number_integer() || extent.get<int64_t>() < 0)
        return fail(key);
      out.push_back(extent.get<int64_t>());
    }
  }
};
} // namespace

static void readRange(Reader &reader, const json &object, NumberRange &range) {
  if (!object.is_object())
    return reader.fail("range");
  for (const RangeBound &bound : rangeBounds)
    if (object.contains(bound.name))
      reader.field(object, bound.name, (range.*bound.value).emplace());
}

static ManifestValue readValue(Reader &reader, const json &object) {
  ManifestValue value;
  reader.field(object, "name", value.name);
  reader.field(object, "role", value.role);
  reader.field(object, "shape", value.shape);
  reader.field(object, "per_run", value.perRun);
  reader.field(object, "maximize", value.maximize);
  std::string dtype;
  reader.field(object, "dtype", dtype);
  if (Expected<DType> parsed = parseDType(dtype))
    value.dtype = *parsed;
  else
    reader.fail("dtype");
  if (object.is_object() && object.contains("classes"))
    reader.field(object, "classes", value.classes);
  if (object.is_object() && object.contains("default")) {
    value.defaultValue = 0.0;
    reader.field(object, "default", *value.defaultValue);
  }
  if (object.is_object() && object.contains("range"))
    readRange(reader, object["range"], value.range);
  if (object.is_object() && object.contains("limit"))
    reader.field(object, "limit", value.limit);
  return value;
}

static void readValues(Reader &reader, const json &object, const char *key,
                       std::vector<ManifestValue> &values) {
  if (const json *array = reader.findArray(object, key))
    for (const json &value : *array)
      values.push_back(readValue(reader, value));
}

static void readInstance(Reader &reader, const json &object, const char *key,
                         std::optional<ManifestInstance> &instance) {
  if (!object.is_object() || !object.contains(key))
    return;
  instance.emplace();
  reader.field(object[key], "symbol", instance->symbol);
  reader.field(object[key], "lanes", instance->lanes);
  reader.field(object[key], "arena_bytes", instance->arenaBytes);
  reader.field(object[key], "flops_per_step", instance->flopsPerStep);
  reader.field(object[key], "cycles_per_step", instance->cyclesPerStep);
  reader.field(object[key], "bytes_moved", instance->bytesMoved);
  reader.field(object[key], "bytes_touched", instance->bytesTouched);
  if (instance->lanes < 1 || instance->arenaBytes < 0)
    reader.fail(key);
  for (auto [name, amount] :
       {std::pair("flops_per_step", instance->flopsPerStep),
        std::pair("cycles_per_step", instance->cyclesPerStep),
        std::pair("bytes_moved", instance->bytesMoved),
        std::pair("bytes_touched", instance->bytesTouched)})
    if (amount < 0)
      reader.fail(name);
}

static ManifestEntry readEntry(Reader &reader, const json &object) {
  ManifestEntry entry;
  reader.field(object, "name", entry.name);
  readValues(reader, object, "arguments", entry.arguments);
  readValues(reader, object, "results", entry.results);
  readInstance(reader, object, "solo", entry.solo);
  readInstance(reader, object, "lanes", entry.lanes);
  if (!entry.solo && !entry.lanes)
    reader.fail("solo");
  return entry;
}

static ManifestLearner readLearner(Reader &reader, const json &object) {
  ManifestLearner learner;
  reader.field(object, "name", learner.name);
  reader.field(object, "batch_size", learner.batchSize);
  reader.field(object, "rows", learner.rows);
  reader.field(object, "steps_per_epoch", learner.stepsPerEpoch);
  reader.field(object, "validation_rows", learner.validationRows);
  reader.field(object, "monitor", learner.monitor);
  reader.field(object, "maximize", learner.maximize);
  reader.field(object, "shuffle", learner.shuffle);
  return learner;
}

Expected<Manifest> Manifest::fromJson(const std::string &text) {
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  Reader reader;
  Manifest manifest;
  reader.field(object, "abi_version", manifest.abiVersion);
  if (reader.problem.empty() && manifest.abiVersion != ENSC_ABI_VERSION)
    return Error(ErrorKind::InvalidData,
                 "the program was compiled for ABI version " +
                     std::to_string(manifest.abiVersion) +
                     ", this runtime has version " +
                     std::to_string(ENSC_ABI_VERSION) + "; compile it again");
  reader.field(object, "cpu", manifest.cpu);
  if (const json *entries = reader.findArray(object, "entries"))
    for (const json &entry : *entries)
      manifest.entries.push_back(readEntry(reader, entry));
  if (const json *learners = reader.findArray(object, "learners"))
    for (const json &learner : *learners)
      manifest.learners.push_back(readLearner(reader, learner));
  if (!reader.problem.empty())
    return Error(ErrorKind::InvalidData,
                 "malformed manifest: '" + reader.problem +
                     "' is missing or has a wrong type");
  return manifest;
}
