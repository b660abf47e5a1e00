//===- AtomicFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/AtomicFile.h"

#include "ensc/Artifact/InputFile.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ensc;

namespace {
std::string directoryOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A name that no other file of this process or of another has. It starts with
/// a dot, so that a listing of results does not show it.
std::string temporaryName(const std::string &path) {
  static std::atomic<unsigned> counter{0};
  size_t slash = path.rfind('/');
  size_t start = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, start) + "." + path.substr(start) + "." +
         std::to_string(::getpid()) + "." + std::to_string(counter++) + ".tmp";
}

int openTemporary(const std::string &name, mode_t mode) {
  return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}
} // namespace

/// Where a symbolic link leads; any other path as it is.
static std::string resolveLink(const std::string &path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode))
    return path;
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) ? resolved : path;
}

/// Whether the path is something that must not be replaced, such as a device.
static bool isSpecial(const std::string &path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

Expected<AtomicFile> AtomicFile::create(const std::string &given, mode_t mode) {
  std::string path = resolveLink(given);
  if (isSpecial(path)) {
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
      return Error(ErrorKind::Io,
                   "cannot write '" + path + "': " + describeErrno(errno));
    return AtomicFile(path, /*temporary=*/"", descriptor);
  }
  std::string temporary = temporaryName(path);
  int descriptor = openTemporary(temporary, mode);
  if (descriptor < 0 && errno == EEXIST) {
    // A process with this id crashed here in the past.
    ::unlink(temporary.c_str());
    descriptor = openTemporary(temporary, mode);
  }
  if (descriptor < 0)
    return Error(ErrorKind::Io,
                 "cannot write '" + path + "': " + describeErrno(errno));
  return AtomicFile(path, std::move(temporary), descriptor);
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path_(std::move(other.path_)), temporary_(std::move(other.temporary_)),
      descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ < 0)
    return;
  ::close(descriptor_);
  if (!temporary_.empty())
    ::unlink(temporary_.c_str());
  descriptor_ = -1;
}

Error AtomicFile::failure(int code) const {
  return Error(ErrorKind::Io,
               "cannot write '" + path_ + "': " + describeErrno(code));
}

Status AtomicFile::write(const void *bytes, size_t size) {
  const char *next = static_cast<const char *>(bytes);
  while (size > 0) {
    ssize_t wrote = ::write(descriptor_, next, size);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0)
      return failure(errno);
    next += wrote;
    size -= static_cast<size_t>(wrote);
  }
  return Status::success();
}

Status AtomicFile::writeAt(uint64_t offset, const void *bytes, size_t size) {
  const char *next = static_cast<const char *>(bytes);
  while (size > 0) {
    ssize_t wrote =
        ::pwrite(descriptor_, next, size, static_cast<off_t>(offset));
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0)
      return failure(errno);
    next += wrote;
    offset += static_cast<uint64_t>(wrote);
    size -= static_cast<size_t>(wrote);
  }
  return Status::success();
}

Status AtomicFile::commit(Durability durability) {
  if (temporary_.empty()) {
    discard();
    return Status::success();
  }
  // Some file systems tell of a full disk only here.
  if (durability == Durability::OnCommit && ::fsync(descriptor_) != 0)
    return failure(errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return failure(errno);
  ::close(descriptor_);
  descriptor_ = -1;
  if (durability == Durability::OnCommit)
    return flushDirectory(directoryOf(path_));
  return Status::success();
}

Status ensc::flushDirectory(const std::string &directory) {
  int descriptor =
      ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int code = descriptor < 0 || ::fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0)
    ::close(descriptor);
  // A directory that may only be written to, and file systems that know no
  // such call, have nothing better.
  if (code == 0 || code == EACCES || code == EINVAL || code == ENOTSUP)
    return Status::success();
  return Error(ErrorKind::Io, "cannot flush the directory '" + directory +
                                  "': " + describeErrno(code));
}

Status ensc::flushFileSystem(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  int code = descriptor < 0 || ::syncfs(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0)
    ::close(descriptor);
  if (code != 0)
    return Error(ErrorKind::Io,
                 "cannot flush '" + path + "': " + describeErrno(code));
  return Status::success();
}

Status ensc::writeFileAtomically(const std::string &path,
                                 std::string_view text) {
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  if (Status status = file->write(text); !status)
    return status;
  return file->commit();
}
