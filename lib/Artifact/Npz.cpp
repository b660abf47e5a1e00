//===- Npz.cpp - NumPy's file format for several arrays -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Npz.h"

#include "Zip.h"
#include "ensc/Artifact/Npy.h"

#include <set>

using namespace ensc;

namespace {
constexpr std::string_view suffix = ".npy";

bool isArray(const std::string &name) {
  return name.size() > suffix.size() &&
         name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}
} // namespace

struct NpzFile::Content {
  std::shared_ptr<InputFile> file;
  std::vector<ZipEntry> entries;
  std::vector<std::string> keys;
};

NpzFile::NpzFile(std::unique_ptr<Content> content)
    : content_(std::move(content)) {}
NpzFile::NpzFile(NpzFile &&) noexcept = default;
NpzFile &NpzFile::operator=(NpzFile &&) noexcept = default;
NpzFile::~NpzFile() = default;

Expected<NpzFile> NpzFile::open(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  Expected<std::vector<ZipEntry>> entries = readZipDirectory(**file);
  if (!entries)
    return entries.error().inContext(path);
  auto content = std::make_unique<Content>();
  content->file = *file;
  for (ZipEntry &entry : *entries) {
    if (!isArray(entry.name))
      continue;
    content->keys.push_back(
        entry.name.substr(0, entry.name.size() - suffix.size()));
    content->entries.push_back(std::move(entry));
  }
  return NpzFile(std::move(content));
}

const std::string &NpzFile::path() const { return content_->file->path(); }

const std::vector<std::string> &NpzFile::keys() const { return content_->keys; }

bool NpzFile::contains(const std::string &key) const {
  for (const std::string &known : content_->keys)
    if (known == key)
      return true;
  return false;
}

std::string NpzFile::placeOf(const std::string &key) const {
  return path() + ": key '" + key + "'";
}

Expected<std::unique_ptr<ByteSource>>
NpzFile::openKey(const std::string &key) const {
  for (size_t i = 0; i < content_->keys.size(); ++i)
    if (content_->keys[i] == key) {
      Expected<std::unique_ptr<ByteSource>> source =
          openZipEntry(content_->file, content_->entries[i]);
      if (!source)
        return source.error().inContext(placeOf(key));
      return source;
    }
  std::string known;
  for (const std::string &name : content_->keys)
    known += (known.empty() ? "" : ", ") + name;
  return Error(ErrorKind::InvalidData,
               path() + ": no key '" + key + "'; the file has " +
                   (known.empty() ? "no arrays" : known));
}

Expected<Tensor> NpzFile::read(const std::string &key) const {
  Expected<std::unique_ptr<ByteSource>> source = openKey(key);
  if (!source)
    return source.error();
  Expected<Tensor> tensor = readNpy(**source);
  if (!tensor)
    return tensor.error().inContext(placeOf(key));
  return tensor;
}

Expected<NpyInfo> NpzFile::info(const std::string &key) const {
  Expected<std::unique_ptr<ByteSource>> source = openKey(key);
  if (!source)
    return source.error();
  Expected<NpyInfo> info = readNpyInfo(**source);
  if (!info)
    return info.error().inContext(placeOf(key));
  return info;
}

Status ensc::writeNpz(const std::string &path,
                      const std::vector<NamedTensor> &tensors,
                      NpzCompression compression) {
  std::set<std::string> names;
  for (const NamedTensor &named : tensors)
    if (!names.insert(named.name).second)
      return Error(ErrorKind::InvalidArgument, "cannot write '" + path +
                                                   "': the key '" + named.name +
                                                   "' occurs twice");
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  ZipWriter writer(*file);
  for (const auto &[name, tensor] : tensors) {
    std::string header = npyHeader(tensor.dtype(), tensor.shape());
    std::string_view elements(static_cast<const char *>(tensor.bytes()),
                              tensor.sizeInBytes());
    if (Status status =
            writer.add(name + std::string(suffix), {header, elements},
                       compression == NpzCompression::Deflate);
        !status)
      return status;
  }
  if (Status status = writer.finish(); !status)
    return status;
  return file->commit();
}
