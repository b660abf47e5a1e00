//===- KillInWrite.cpp - Ends a process inside a write --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Preloaded into a process, it counts calls that change files, and kills the
// process in the middle of the one that $KILL_IN_WRITE names: half of the bytes
// are written, or nothing was renamed, removed, cut or flushed. With
// $JUMPING_CLOCK the time of day jumps by a year, back and forth.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

namespace {
std::atomic<long> calls{0};

bool isLast() {
  static const long last = [] {
    const char *text = std::getenv("KILL_IN_WRITE");
    return text ? std::atol(text) : 0;
  }();
  return ++calls == last;
}

template <typename Function> Function *original(const char *name) {
  return reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, name));
}

template <typename Function, typename... Arguments>
auto change(const char *name, Arguments... arguments) {
  if (isLast())
    ::kill(::getpid(), SIGKILL);
  return original<Function>(name)(arguments...);
}
} // namespace

extern "C" {
ssize_t write(int file, const void *bytes, size_t size) {
  auto *next = original<ssize_t(int, const void *, size_t)>("write");
  if (isLast()) {
    next(file, bytes, size / 2);
    ::kill(::getpid(), SIGKILL);
  }
  return next(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  auto *next = original<ssize_t(int, const void *, size_t, off_t)>("pwrite");
  if (isLast()) {
    next(file, bytes, size / 2, offset);
    ::kill(::getpid(), SIGKILL);
  }
  return next(file, bytes, size, offset);
}

int rename(const char *from, const char *to) noexcept {
  return change<int(const char *, const char *)>("rename", from, to);
}
int unlink(const char *path) noexcept {
  return change<int(const char *)>("unlink", path);
}
int unlinkat(int directory, const char *path, int flags) noexcept {
  return change<int(int, const char *, int)>("unlinkat", directory, path,
                                             flags);
}
int mkdir(const char *path, mode_t mode) noexcept {
  return change<int(const char *, mode_t)>("mkdir", path, mode);
}
int ftruncate(int file, off_t size) noexcept {
  return change<int(int, off_t)>("ftruncate", file, size);
}
int clock_gettime(clockid_t clock, timespec *time) noexcept {
  static auto *next = original<int(clockid_t, timespec *)>("clock_gettime");
  static const bool jumps = std::getenv("JUMPING_CLOCK");
  static std::atomic<int> direction{1};
  int result = next(clock, time);
  if (jumps && clock == CLOCK_REALTIME)
    time->tv_sec += (direction = -direction) * 365 * 86400;
  return result;
}

int fsync(int file) { return change<int(int)>("fsync", file); }
int syncfs(int file) noexcept { return change<int(int)>("syncfs", file); }
}
