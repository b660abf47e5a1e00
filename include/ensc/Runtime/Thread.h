//===- Thread.h - Threads that may fail to start ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_THREAD_H
#define ENSC_RUNTIME_THREAD_H

#include "ensc/API/Error.h"

#include <cstddef>
#include <functional>
#include <optional>

#include <pthread.h>

namespace ensc {

/// A thread. Where memory or the number of threads is limited it does not
/// start, which is an error here and ends the process elsewhere.
class Thread {
public:
  /// Does `work` on a thread with a stack of `stackBytes`, or of what the
  /// system gives without them.
  static Expected<Thread> start(std::function<void()> work,
                                size_t stackBytes = 0);

  Thread(Thread &&other) noexcept;
  Thread &operator=(Thread &&other) noexcept;
  /// Waits until the work is done.
  ~Thread();

private:
  explicit Thread(pthread_t handle) : handle(handle) {}
  void join();

  std::optional<pthread_t> handle;
};

/// How many threads this process can have at the same time, at most `wanted`
/// and at least the one that asks.
int countThreads(int wanted);

} // namespace ensc

#endif // ENSC_RUNTIME_THREAD_H
