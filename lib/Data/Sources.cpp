//===- Sources.cpp - Which arrays a source has ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataArray.h"

#include "ensc/Artifact/Npy.h"
#include "ensc/Artifact/Npz.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Runtime/Suggest.h"

#include <functional>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Arrays with a type
//===----------------------------------------------------------------------===//

namespace {
/// An array of known type and shape whose elements are read when needed.
class StoredArray : public DataArray {
public:
  using Reader = std::function<Expected<Tensor>()>;

  StoredArray(std::string name, std::string place, Shape shape, Reader reader)
      : DataArray(std::move(name), std::move(place)), shape(std::move(shape)),
        reader(std::move(reader)) {}

  std::optional<int64_t> extent(size_t dim) const override {
    if (dim >= shape.size())
      return std::nullopt;
    return shape[dim];
  }

  Expected<Tensor> read(DType, const Shape &) const override {
    return reader();
  }

private:
  Shape shape;
  Reader reader;
};

/// An array that may be used where it lies in the file.
class MappedArray : public DataArray {
public:
  MappedArray(std::string name, std::string place, Tensor tensor)
      : DataArray(std::move(name), std::move(place)),
        tensor(std::move(tensor)) {}

  std::optional<int64_t> extent(size_t dim) const override {
    if (dim >= tensor.shape().size())
      return std::nullopt;
    return tensor.shape()[dim];
  }

  Expected<Tensor> read(DType dtype, const Shape &) const override {
    isInPlace |= dtype == tensor.dtype();
    return tensor;
  }

  int64_t mappedBytes() const override {
    return isInPlace ? static_cast<int64_t>(tensor.sizeInBytes()) : 0;
  }

private:
  Tensor tensor;
  mutable bool isInPlace = false; ///< Whether somebody reads the file's memory.
};

/// An array of a type that the language has not.
class UnreadableArray : public DataArray {
public:
  UnreadableArray(std::string name, std::string place, Error error)
      : DataArray(std::move(name), std::move(place)), error(std::move(error)) {}

  std::optional<int64_t> extent(size_t) const override { return std::nullopt; }
  Expected<Tensor> read(DType, const Shape &) const override { return error; }

private:
  Error error;
};
} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool endsWith(const std::string &text, const std::string &suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

static Expected<DataArrays> single(std::unique_ptr<DataArray> array) {
  DataArrays arrays;
  arrays.push_back(std::move(array));
  return arrays;
}

/// The array `key` of an archive under the name `name`.
static Expected<std::unique_ptr<DataArray>>
describe(std::shared_ptr<NpzFile> file, const std::string &key,
         const std::string &name) {
  std::unique_ptr<DataArray> array;
  std::string place = file->path() + ": key '" + key + "'";
  Expected<NpyInfo> info = file->info(key);
  if (info)
    array =
        std::make_unique<StoredArray>(name, place, std::move(info->shape),
                                      [file, key] { return file->read(key); });
  else if (info.error().kind() == ErrorKind::Unsupported)
    array = std::make_unique<UnreadableArray>(name, place, info.error());
  else
    return info.error();
  return array;
}

static Expected<DataArrays> openNpz(const std::string &path,
                                    const std::string &key,
                                    const std::string &name) {
  Expected<NpzFile> opened = NpzFile::open(path);
  if (!opened)
    return opened.error();
  auto file = std::make_shared<NpzFile>(std::move(*opened));
  DataArrays arrays;
  for (const std::string &own :
       key.empty() ? file->keys() : std::vector<std::string>{key}) {
    Expected<std::unique_ptr<DataArray>> array =
        describe(file, own, name.empty() ? own : name);
    if (!array)
      return array.error();
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

static Expected<DataArrays> openSafetensors(const std::string &path,
                                            const std::string &key,
                                            const std::string &name) {
  Expected<Safetensors> content = readSafetensors(path);
  if (!content)
    return content.error();
  DataArrays arrays;
  std::vector<std::string> names;
  for (const auto &[own, tensor] : content->tensors) {
    names.push_back(own);
    if (key.empty() || key == own)
      arrays.push_back(std::make_unique<StoredArray>(
          name.empty() ? own : name, path + ": tensor '" + own + "'",
          tensor.shape(), [tensor = tensor] { return tensor; }));
  }
  if (!key.empty() && arrays.empty())
    return Error(ErrorKind::InvalidData,
                 path + " has no tensor '" + key + "'" + suggest(key, names));
  return arrays;
}

static Expected<DataArrays> openNpy(const std::string &path,
                                    const std::string &name, uint64_t mapFrom) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  FileRange source(*file);
  Expected<NpyInfo> info = readNpyInfo(source);
  if (!info && info.error().kind() == ErrorKind::Unsupported)
    return single(std::make_unique<UnreadableArray>(
        name, path, info.error().inContext(path)));
  if (!info)
    return info.error().inContext(path);
  if (source.remaining() >= mapFrom) {
    Expected<std::optional<Tensor>> mapped = mapNpy(path);
    if (!mapped)
      return mapped.error();
    if (*mapped)
      return single(std::make_unique<MappedArray>(name, path, **mapped));
  }
  return single(std::make_unique<StoredArray>(
      name, path, std::move(info->shape), [path] { return readNpy(path); }));
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

namespace {
/// The parts of a source: NAME=PATH:KEY.
struct Source {
  std::string name, path, key;
};
} // namespace

static bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

static Source parseSource(const std::string &text) {
  Source source;
  size_t equals = 0;
  while (equals < text.size() && isNameCharacter(text[equals]))
    ++equals;
  bool isNamed = equals > 0 && equals < text.size() && text[equals] == '=';
  source.name = isNamed ? text.substr(0, equals) : "";
  source.path = isNamed ? text.substr(equals + 1) : text;
  size_t colon = source.path.rfind(':');
  if (colon == std::string::npos)
    return source;
  std::string file = source.path.substr(0, colon);
  if (endsWith(file, ".npz") || endsWith(file, ".safetensors")) {
    source.key = source.path.substr(colon + 1);
    source.path = file;
  }
  return source;
}

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

Expected<DataArrays> ensc::openSource(const std::string &text,
                                      uint64_t mapFrom) {
  auto [name, path, key] = parseSource(text);
  bool isArchive = endsWith(path, ".npz") || endsWith(path, ".safetensors");
  if (isArchive && !name.empty() && key.empty())
    return invalid("'" + text + "' names a file of several arrays; write " +
                   text + ":KEY for one of them, or " + path + " for all");
  if (!key.empty() && name.empty())
    name = key;
  if (endsWith(path, ".npz"))
    return openNpz(path, key, name);
  if (endsWith(path, ".safetensors"))
    return openSafetensors(path, key, name);
  if (endsWith(path, ".csv"))
    return openCsv(path, name);
  if (!endsWith(path, ".npy"))
    return invalid("cannot tell what '" + text +
                   "' is; data files end in .npz, .npy, .csv or .safetensors");
  if (name.empty())
    return invalid("the array in '" + path + "' has no name; write NAME=" +
                   path + " with that of the data argument it is for");
  return openNpy(path, name, mapFrom);
}
