//===- Threads.h - How many threads may be asked for ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_THREADS_H
#define ENSC_RUNTIME_THREADS_H

#include "ensc/API/Error.h"

#include <string>

namespace ensc {

inline constexpr int mostThreads = 1024;

/// Fails unless `threads` is a number of threads, or 0 for one per core. `what`
/// is what the caller calls it.
Status checkThreads(const std::string &what, int threads);

} // namespace ensc

#endif // ENSC_RUNTIME_THREADS_H
