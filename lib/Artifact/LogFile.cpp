//===- LogFile.cpp - Files that grow --------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/LogFile.h"

#include "ensc/Artifact/InputFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace ensc;

/// The size of the file up to the end of its last whole line, or -1 with errno.
static off_t wholeLinesSize(int descriptor) {
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

Expected<LogFile> LogFile::open(const std::string &path) {
  LogFile file(path, ::open(path.c_str(),
                            O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.descriptor_ < 0)
    return file.failure(errno);
  off_t size = wholeLinesSize(file.descriptor_);
  if (size < 0)
    return file.failure(errno);
  if (Status status = file.cut(size); !status)
    return status.error();
  return file;
}

LogFile::LogFile(LogFile &&other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

LogFile &LogFile::operator=(LogFile &&other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

LogFile::~LogFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

Error LogFile::failure(int code) const {
  return Error(ErrorKind::Io,
               "cannot append to '" + path_ + "': " + describeErrno(code));
}

Status LogFile::append(std::string_view lines) {
  size_t left = lines.size();
  while (left > 0) {
    ssize_t wrote =
        ::write(descriptor_, lines.data() + lines.size() - left, left);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0) {
      Error error = failure(errno);
      (void)!::ftruncate(descriptor_, static_cast<off_t>(size_));
      return error;
    }
    left -= static_cast<size_t>(wrote);
  }
  size_ += lines.size();
  return Status::success();
}

Status LogFile::flush() {
  if (::fsync(descriptor_) != 0)
    return failure(errno);
  return Status::success();
}

Status LogFile::cut(uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0)
    return failure(errno);
  size_ = size;
  return Status::success();
}
