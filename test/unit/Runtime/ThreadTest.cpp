//===- ThreadTest.cpp - Threads that may fail to start --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Thread.h"

#include <gtest/gtest.h>

using namespace ensc;

namespace {

TEST(Threads, DoTheirWorkBeforeTheyEnd) {
  int done = 0;
  {
    Expected<Thread> thread = Thread::start([&] { done = 1; }, 1 << 20);
    ASSERT_TRUE(thread);
    Thread moved = std::move(*thread);
  }
  EXPECT_EQ(done, 1);
}

TEST(Threads, ThatDoNotStartAreAnError) {
  Expected<Thread> thread = Thread::start([] { FAIL(); }, size_t{1} << 56);
  ASSERT_FALSE(thread);
  EXPECT_EQ(thread.error().message().rfind("cannot start a thread: ", 0), 0u)
      << thread.error().message();
}

TEST(Threads, AreCounted) {
  EXPECT_EQ(countThreads(1), 1);
  EXPECT_EQ(countThreads(0), 0);
  EXPECT_EQ(countThreads(5), 5);
  EXPECT_EQ(countThreads(3), 3);
}

} // namespace
