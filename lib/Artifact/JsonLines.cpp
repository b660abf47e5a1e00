//===- JsonLines.cpp - Records, one JSON object a line --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/JsonLines.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/InputFile.h"

#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

using namespace ensc;

namespace {
std::string dump(const Json &value, int indent) {
  // Text that is not UTF-8 must not end the program.
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Error cannotAppend(const std::string &path, int code) {
  return Error(ErrorKind::Io,
               "cannot append to '" + path + "': " + describeErrno(code));
}

/// The size of the file up to the end of its last whole line, or -1 with errno.
off_t wholeLinesSize(int descriptor) {
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return -1;
  char buffer[4096];
  for (off_t end = info.st_size; end > 0;) {
    off_t begin = end > off_t(sizeof(buffer)) ? end - sizeof(buffer) : 0;
    ssize_t got = ::pread(descriptor, buffer, end - begin, begin);
    if (got < 0)
      return -1;
    for (ssize_t i = got; i-- > 0;)
      if (buffer[i] == '\n')
        return begin + i + 1;
    end = begin;
  }
  return 0;
}
} // namespace

Json ensc::jsonNumber(double value) {
  return std::isfinite(value) ? Json(value) : Json(formatNumber(value));
}

Expected<JsonLinesWriter> JsonLinesWriter::open(const std::string &path) {
  int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return cannotAppend(path, errno);
  JsonLinesWriter writer(path, descriptor);
  off_t size = wholeLinesSize(descriptor);
  if (size < 0 || ::ftruncate(descriptor, size) != 0)
    return cannotAppend(path, errno);
  return writer;
}

JsonLinesWriter::JsonLinesWriter(JsonLinesWriter &&other) noexcept
    : path_(std::move(other.path_)), descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
}

JsonLinesWriter::~JsonLinesWriter() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

Error JsonLinesWriter::failure(int code) const {
  return cannotAppend(path_, code);
}

Status JsonLinesWriter::append(const Json &record) {
  std::string line = dump(record, -1) + '\n';
  const char *next = line.data();
  for (size_t left = line.size(); left > 0;) {
    ssize_t wrote = ::write(descriptor_, next, left);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0)
      return failure(errno);
    next += wrote;
    left -= static_cast<size_t>(wrote);
  }
  return Status::success();
}

Status JsonLinesWriter::flush() {
  if (::fsync(descriptor_) != 0)
    return failure(errno);
  return Status::success();
}

Expected<std::vector<Json>> ensc::readJsonLines(const std::string &path) {
  Expected<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  std::vector<Json> records;
  for (size_t begin = 0;;) {
    size_t end = text->find('\n', begin);
    if (end == std::string::npos)
      return records;
    Json record = Json::parse(text->begin() + static_cast<ptrdiff_t>(begin),
                              text->begin() + static_cast<ptrdiff_t>(end),
                              nullptr, /*allow_exceptions=*/false);
    if (record.is_discarded())
      return Error(ErrorKind::InvalidData,
                   path + ": line " + std::to_string(records.size() + 1) +
                       " is not JSON");
    records.push_back(std::move(record));
    begin = end + 1;
  }
}

Expected<Json> ensc::readJson(const std::string &path) {
  Expected<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  Json value = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded())
    return Error(ErrorKind::InvalidData, path + ": not a JSON file");
  return value;
}

Status ensc::writeJson(const std::string &path, const Json &value) {
  return writeFileAtomically(path, dump(value, 2) + '\n');
}
