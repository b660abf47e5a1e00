//===- Lock.cpp - One writer per experiment -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Experiment/Lock.h"

#include "ensc/Artifact/InputFile.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ensc;

// Locks of open files rather than of processes: two fits of one process exclude
// each other too, and who holds one can be asked without taking it.
#ifndef F_OFD_SETLK
#error "ensc needs locks of open file descriptions"
#endif

static struct flock wholeFile(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// The process that has written its number into the file; 0 if none has.
static int64_t readHolder(int descriptor) {
  char text[32];
  ssize_t got = ::pread(descriptor, text, sizeof(text), 0);
  int64_t process = 0;
  if (got > 0)
    std::from_chars(text, text + got, process);
  return process;
}

/// Whether an open file is that at the path, and not one that was moved away
/// with its directory, or removed.
static bool isAt(int descriptor, const std::string &path) {
  struct stat opened, found;
  return ::fstat(descriptor, &opened) == 0 &&
         ::stat(path.c_str(), &found) == 0 && opened.st_dev == found.st_dev &&
         opened.st_ino == found.st_ino;
}

Expected<Lock> Lock::take(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return Error(ErrorKind::Io,
                 "cannot lock '" + path + "': " + describeErrno(errno));
  Lock lock(descriptor);
  struct flock wanted = wholeFile(F_WRLCK);
  if (::fcntl(descriptor, F_OFD_SETLK, &wanted) != 0) {
    if (errno != EAGAIN && errno != EACCES)
      return Error(ErrorKind::Io,
                   "cannot lock '" + path + "': " + describeErrno(errno));
    int64_t process = readHolder(descriptor);
    return Error(ErrorKind::InvalidArgument,
                 "process " +
                     (process ? std::to_string(process) : "(unknown)") +
                     " works on it; wait until it ends, or end it");
  }
  // Its holder may have moved it aside before it let go.
  if (!isAt(descriptor, path))
    return Error(ErrorKind::InvalidArgument,
                 "another process has just replaced '" + path + "'; try again");
  std::string number = std::to_string(::getpid()) + "\n";
  // Who holds the lock is only said, so that a full disk does not matter.
  if (::ftruncate(descriptor, 0) == 0)
    (void)!::pwrite(descriptor, number.data(), number.size(), 0);
  return lock;
}

Lock::~Lock() {
  if (descriptor >= 0)
    ::close(descriptor);
}

std::optional<int64_t> ensc::lockHolder(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  // A lock for reading that is only asked for: this file may be read-only.
  struct flock wanted = wholeFile(F_RDLCK);
  bool held = ::fcntl(descriptor, F_OFD_GETLK, &wanted) == 0 &&
              wanted.l_type != F_UNLCK;
  int64_t process = held ? readHolder(descriptor) : 0;
  ::close(descriptor);
  return held ? std::optional<int64_t>(process) : std::nullopt;
}

Status ensc::moveAside(const std::string &directory) {
  Expected<Lock> lock = Lock::take(directory + "/lock");
  if (!lock)
    return lock.error().inContext("cannot move the experiment '" + directory +
                                  "' aside");
  std::string base = directory;
  while (base.size() > 1 && base.back() == '/')
    base.pop_back();
  for (int64_t number = 1;; ++number) {
    std::string target = base + ".old-" + std::to_string(number);
    if (::access(target.c_str(), F_OK) == 0)
      continue;
    if (std::rename(base.c_str(), target.c_str()) != 0)
      return Error(ErrorKind::Io, "cannot rename '" + directory + "' to '" +
                                      target + "': " + describeErrno(errno));
    return Status::success();
  }
}
