//===- SafetensorsReader.cpp - Reading safetensors ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayBytes.h"
#include "LittleEndian.h"
#include "SafetensorsFormat.h"
#include "ensc/API/Allocate.h"
#include "ensc/Artifact/ByteSource.h"
#include "ensc/Artifact/Safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

using namespace ensc;
using Json = nlohmann::ordered_json;

namespace {
/// The limit that the format's own library has.
constexpr uint64_t maxHeaderBytes = 100'000'000;

/// One tensor as the header describes it, its offsets relative to the end of
/// the header.
struct Entry {
  std::string name;
  DType dtype = DType::F32;
  Shape shape;
  uint64_t begin = 0;
  uint64_t end = 0;
  size_t order = 0;
};

Error malformed(const std::string &what) {
  return Error(ErrorKind::InvalidData, "malformed safetensors file: " + what);
}

/// The header's JSON object. Keys of objects must be unique, which a JSON
/// library does not check by itself.
Expected<Json> parseHeader(const std::string &text) {
  std::vector<std::set<std::string>> keys;
  std::string repeated;
  auto checkKey = [&](int depth, Json::parse_event_t event, Json &parsed) {
    if (event == Json::parse_event_t::object_start) {
      keys.resize(static_cast<size_t>(depth));
      keys.emplace_back();
    }
    if (event == Json::parse_event_t::key) {
      keys.resize(static_cast<size_t>(depth));
      std::string key = parsed.get<std::string>();
      if (!keys.back().insert(key).second && repeated.empty())
        repeated = key;
    }
    return true;
  };
  Json header = Json::parse(text, checkKey, /*allow_exceptions=*/false);
  if (header.is_discarded() || !header.is_object())
    return malformed("its header is not a JSON object");
  if (!repeated.empty())
    return malformed("the key '" + repeated + "' occurs twice");
  return header;
}

/// The elements of an array of whole numbers that are not negative.
std::optional<std::vector<int64_t>> parseCounts(const Json &json) {
  if (!json.is_array())
    return std::nullopt;
  std::vector<int64_t> counts;
  for (const Json &element : json) {
    if (!element.is_number_unsigned())
      return std::nullopt;
    uint64_t value = element.get<uint64_t>();
    if (value > static_cast<uint64_t>(INT64_MAX))
      return std::nullopt;
    counts.push_back(static_cast<int64_t>(value));
  }
  return counts;
}

Expected<Entry> parseEntry(const std::string &name, const Json &json) {
  std::string where = "tensor '" + name + "'";
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") ||
      !json.contains("shape") || !json.contains("data_offsets") ||
      !json["dtype"].is_string())
    return malformed(where + " needs dtype, shape and data_offsets");
  Entry entry;
  entry.name = name;
  std::string typeName = json["dtype"].get<std::string>();
  std::optional<DType> dtype = safetensors::parseName(typeName);
  if (!dtype)
    return Error(ErrorKind::Unsupported,
                 where + " has the element type " + typeName +
                     "; expected F32, F64, BOOL, I32, I64 or U32");
  entry.dtype = *dtype;
  std::optional<std::vector<int64_t>> shape = parseCounts(json["shape"]);
  if (!shape || shape->size() > maxFileRank)
    return malformed(where + " has an impossible shape");
  entry.shape = *shape;
  std::optional<std::vector<int64_t>> offsets =
      parseCounts(json["data_offsets"]);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return malformed(where + " has impossible offsets");
  entry.begin = static_cast<uint64_t>((*offsets)[0]);
  entry.end = static_cast<uint64_t>((*offsets)[1]);
  Expected<uint64_t> bytes = checkedByteCount(entry.dtype, entry.shape);
  if (!bytes)
    return bytes.error().inContext(where);
  if (*bytes != entry.end - entry.begin)
    return malformed(where + ": " + typeString(entry.dtype, entry.shape) +
                     " has " + std::to_string(*bytes) +
                     " bytes, but its offsets span " +
                     std::to_string(entry.end - entry.begin));
  return entry;
}

Status parseMetadata(const Json &json, Safetensors &content) {
  if (!json.is_object())
    return malformed("__metadata__ is not an object");
  for (const auto &[key, value] : json.items()) {
    if (!value.is_string())
      return malformed("the metadata of '" + key + "' is not a string");
    content.metadata.emplace_back(key, value.get<std::string>());
  }
  return Status::success();
}

/// Sorts by place, and checks that the entries fill `size` bytes exactly.
Status sortAndCheckPlaces(std::vector<Entry> &entries, uint64_t size) {
  // Empty tensors share their place with a neighbour: the order of the header
  // decides there.
  for (size_t i = 0; i < entries.size(); ++i)
    entries[i].order = i;
  std::sort(entries.begin(), entries.end(),
            [](const Entry &lhs, const Entry &rhs) {
              return std::tie(lhs.begin, lhs.end, lhs.order) <
                     std::tie(rhs.begin, rhs.end, rhs.order);
            });
  uint64_t next = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != next)
      return malformed(
          "tensor '" + entry.name + "' starts at byte " +
          std::to_string(entry.begin) + ", " +
          (entry.begin < next ? "inside another one" : "after a gap") +
          "; expected " + std::to_string(next));
    next = entry.end;
  }
  if (next != size)
    return malformed("its tensors end at byte " + std::to_string(next) +
                     ", but " + std::to_string(size) +
                     " bytes follow the header");
  return Status::success();
}

Expected<std::string> readHeaderText(ByteSource &source) {
  unsigned char bytes[8];
  if (source.remaining() < sizeof(bytes))
    return malformed("it has only " + std::to_string(source.remaining()) +
                     " bytes");
  if (Status status = source.read(bytes, sizeof(bytes)); !status)
    return status.error();
  uint64_t size = loadLittleEndian<uint64_t>(bytes);
  if (size > source.remaining() || size > maxHeaderBytes)
    return malformed("its header claims " + std::to_string(size) +
                     " bytes; at most " + std::to_string(maxHeaderBytes) +
                     " are allowed and " + std::to_string(source.remaining()) +
                     " are left");
  std::string text(size, '\0');
  if (Status status = source.read(text.data(), size); !status)
    return status.error();
  return text;
}

/// Reads the header, and its metadata into `content`.
Expected<std::vector<Entry>> readEntries(ByteSource &source,
                                         Safetensors &content) {
  Expected<std::string> text = readHeaderText(source);
  if (!text)
    return text.error();
  Expected<Json> header = parseHeader(*text);
  if (!header)
    return header.error();
  std::vector<Entry> entries;
  for (const auto &[name, json] : header->items()) {
    if (name == safetensors::metadataKey) {
      if (Status status = parseMetadata(json, content); !status)
        return status.error();
      continue;
    }
    Expected<Entry> entry = parseEntry(name, json);
    if (!entry)
      return entry.error();
    entries.push_back(std::move(*entry));
  }
  if (Status status = sortAndCheckPlaces(entries, source.remaining()); !status)
    return status.error();
  return entries;
}

Expected<Safetensors> readFrom(ByteSource &source) {
  Safetensors content;
  Expected<std::vector<Entry>> entries = readEntries(source, content);
  if (!entries)
    return entries.error();
  for (const Entry &entry : *entries) {
    Expected<Tensor> tensor =
        allocateTensor(entry.dtype, entry.shape,
                       "an array, " + typeString(entry.dtype, entry.shape));
    if (!tensor)
      return tensor.error();
    if (Status status = source.read(tensor->bytes(), tensor->sizeInBytes());
        !status)
      return status.error();
    if (entry.dtype == DType::I1)
      if (Status status = checkBooleans(*tensor); !status)
        return status.error().inContext("tensor '" + entry.name + "'");
    content.tensors.push_back({entry.name, *tensor});
  }
  return content;
}
} // namespace

Expected<Safetensors> ensc::readSafetensors(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  FileRange source(*file);
  Expected<Safetensors> content = readFrom(source);
  if (!content)
    return content.error().inContext(path);
  return content;
}

Status ensc::checkSafetensors(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  FileRange source(*file);
  Safetensors content;
  Expected<std::vector<Entry>> entries = readEntries(source, content);
  return entries ? Status::success() : entries.error().inContext(path);
}
