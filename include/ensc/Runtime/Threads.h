//===- Threads.h - How many threads, and work for them ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_THREADS_H
#define ENSC_RUNTIME_THREADS_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ensc {

inline constexpr int mostThreads = 1024;

/// Fails unless `threads` is a number of threads, or 0 for one per core. `what`
/// is what the caller calls it.
Status checkThreads(const std::string &what, int threads);

/// Cores that this process may use.
int availableThreads();

/// Calls `work(item)` for each of `items` items on at most `threads` threads
/// (0: as many as there are cores). Which thread takes which item is not
/// defined; items must not depend on each other.
void parallelFor(int64_t items, int threads,
                 const std::function<void(int64_t item)> &work);

} // namespace ensc

#endif // ENSC_RUNTIME_THREADS_H
