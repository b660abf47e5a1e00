//===- InputFile.cpp - Files that are read in pieces ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/InputFile.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace ensc;

std::string ensc::describeErrno(int code) {
  return std::error_code(code, std::generic_category()).message();
}

bool ensc::isMissing(const std::string &path) {
  std::error_code code;
  return !std::filesystem::exists(path, code) && !code;
}

Expected<std::shared_ptr<InputFile>> InputFile::open(const std::string &path) {
  // A pipe without a writer would block in open().
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return Error(ErrorKind::Io,
                 "cannot open '" + path + "': " + describeErrno(errno));
  struct stat info;
  if (::fstat(descriptor, &info) != 0) {
    int code = errno;
    ::close(descriptor);
    return Error(ErrorKind::Io,
                 "cannot inspect '" + path + "': " + describeErrno(code));
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return Error(ErrorKind::Io,
                 "cannot read '" + path + "': " +
                     (S_ISDIR(info.st_mode) ? "it is a directory"
                                            : "it is not a regular file"));
  }
  return std::shared_ptr<InputFile>(new InputFile(
      path, descriptor, static_cast<uint64_t>(info.st_size),
      info.st_uid == ::geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0));
}

InputFile::~InputFile() { ::close(descriptor_); }

Status InputFile::readAt(uint64_t offset, void *to, uint64_t size) const {
  if (offset > size_ || size > size_ - offset)
    return Error(ErrorKind::InvalidData,
                 "truncated: " + std::to_string(size) + " bytes expected at " +
                     "offset " + std::to_string(offset) +
                     ", but the file ends at " + std::to_string(size_));
  char *next = static_cast<char *>(to);
  while (size > 0) {
    // The kernel returns at most 2 GiB at a time.
    size_t chunk = size < (1u << 30) ? size : (1u << 30);
    ssize_t got = ::pread(descriptor_, next, chunk, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return Error(ErrorKind::Io, "cannot read: " + describeErrno(errno));
    if (got == 0)
      return Error(ErrorKind::Io, "the file shrank while it was read");
    next += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<uint64_t>(got);
  }
  return Status::success();
}

Expected<std::shared_ptr<void>> InputFile::map() const {
  struct stat info;
  if (::fstat(descriptor_, &info) != 0)
    return Error(ErrorKind::Io, "cannot inspect: " + describeErrno(errno));
  if (static_cast<uint64_t>(info.st_size) < size_)
    return Error(ErrorKind::Io, "the file shrank while it was read");
  void *memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (memory == MAP_FAILED)
    return Error(ErrorKind::Io,
                 "cannot map into memory: " + describeErrno(errno));
  return std::shared_ptr<void>(
      memory, [size = size_](void *mapped) { ::munmap(mapped, size); });
}

Expected<std::string> ensc::readTextFile(const std::string &path,
                                         uint64_t limit) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  uint64_t size = (*file)->size();
  if (size > limit)
    return Error(ErrorKind::InvalidData,
                 "'" + path + "' has " + std::to_string(size) +
                     " bytes; at most " + std::to_string(limit) +
                     " are read here");
  std::string text(size, '\0');
  if (Status status = (*file)->readAt(0, text.data(), size); !status)
    return status.error().inContext(path);
  return text;
}
