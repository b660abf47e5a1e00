//===- SafetensorsWriter.cpp - Writing safetensors ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LittleEndian.h"
#include "SafetensorsFormat.h"
#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/Safetensors.h"

#include <nlohmann/json.hpp>
#include <set>

using namespace ensc;
using Json = nlohmann::ordered_json;

namespace {
Status checkNames(const Safetensors &content) {
  std::set<std::string> names = {safetensors::metadataKey};
  for (const NamedTensor &named : content.tensors)
    if (!names.insert(named.name).second)
      return Error(ErrorKind::InvalidArgument,
                   "the tensor name '" + named.name +
                       "' occurs twice or is reserved");
  std::set<std::string> keys;
  for (const auto &[key, value] : content.metadata)
    if (!keys.insert(key).second)
      return Error(ErrorKind::InvalidArgument,
                   "the metadata key '" + key + "' occurs twice");
  return Status::success();
}

std::string headerText(const Safetensors &content) {
  Json header = Json::object();
  if (!content.metadata.empty()) {
    Json &metadata = header[safetensors::metadataKey];
    for (const auto &[key, value] : content.metadata)
      metadata[key] = value;
  }
  uint64_t offset = 0;
  for (const auto &[name, tensor] : content.tensors) {
    uint64_t end = offset + tensor.sizeInBytes();
    header[name] = {{"dtype", safetensors::nameOf(tensor.dtype())},
                    {"shape", tensor.shape()},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text =
      header.dump(-1, ' ', false, Json::error_handler_t::replace);
  // The bytes start at a multiple of 8.
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}
} // namespace

const Tensor *Safetensors::find(const std::string &name) const {
  for (const NamedTensor &named : tensors)
    if (named.name == name)
      return &named.tensor;
  return nullptr;
}

Status ensc::writeSafetensors(const std::string &path,
                              const Safetensors &content,
                              Durability durability) {
  if (Status status = checkNames(content); !status)
    return status.error().inContext("cannot write '" + path + "'");
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  std::string text = headerText(content);
  std::string length;
  appendLittleEndian<uint64_t>(length, text.size());
  if (Status status = file->write(length + text); !status)
    return status;
  for (const NamedTensor &named : content.tensors)
    if (Status status =
            file->write(named.tensor.bytes(), named.tensor.sizeInBytes());
        !status)
      return status;
  return file->commit(durability);
}
