//===- ThreadsTest.cpp - How many threads, and work for them --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace ensc;

namespace {

TEST(ParallelFor, CallsEachItemOnce) {
  for (int threads : {0, 1, 2, 7})
    for (int64_t items : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> calls(items);
      parallelFor(items, threads, [&](int64_t item) { ++calls[item]; });
      for (const std::atomic<int> &count : calls)
        EXPECT_EQ(count, 1);
    }
}

TEST(ParallelFor, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallelFor(200, 2, [&](int64_t) {
    std::lock_guard<std::mutex> lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 2u);
  EXPECT_GE(availableThreads(), 1);
}

TEST(Threads, AreLimited) {
  for (int threads : {0, 1, mostThreads})
    EXPECT_TRUE(checkThreads("threads", threads));
  for (int threads : {-1, mostThreads + 1}) {
    Status status = checkThreads("threads", threads);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message(),
              "threads must be from 1 to 1024, or 0 for one per core, got " +
                  std::to_string(threads));
  }
}

} // namespace
