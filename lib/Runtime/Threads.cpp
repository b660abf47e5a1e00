//===- Threads.cpp - How many threads, and work for them ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Threads.h"

#include "ensc/Runtime/Thread.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include <sched.h>

using namespace ensc;

int ensc::availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return 1;
}

Status ensc::checkThreads(const std::string &what, int threads) {
  if (threads >= 0 && threads <= mostThreads)
    return Status::success();
  return Error(ErrorKind::InvalidArgument,
               what + " must be from 1 to " + std::to_string(mostThreads) +
                   ", or 0 for one per core, got " + std::to_string(threads));
}

void ensc::parallelFor(int64_t items, int threads,
                       const std::function<void(int64_t)> &work) {
  if (threads <= 0)
    threads = availableThreads();
  // A pool cannot do with fewer threads than it asks for.
  threads = countThreads(static_cast<int>(std::min<int64_t>(threads, items)));
  if (threads <= 1) {
    for (int64_t item = 0; item < items; ++item)
      work(item);
    return;
  }
  // More threads than cores are allowed, too, where the user asks for them.
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                            static_cast<size_t>(threads));
  tbb::task_arena workers(threads);
  workers.execute([&] {
    tbb::parallel_for(
        int64_t{0}, items, [&](int64_t item) { work(item); },
        tbb::simple_partitioner());
  });
}
