//===- Thread.cpp - Threads that may fail to start ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Thread.h"

#include <atomic>
#include <future>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

using namespace ensc;

static void *doWork(void *argument) {
  std::unique_ptr<std::function<void()>> work(
      static_cast<std::function<void()> *>(argument));
  (*work)();
  return nullptr;
}

Expected<Thread> Thread::start(std::function<void()> work, size_t stackBytes) {
  auto owned = std::make_unique<std::function<void()>>(std::move(work));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stackBytes)
    pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t handle;
  int code = pthread_create(&handle, &attributes, doWork, owned.get());
  pthread_attr_destroy(&attributes);
  if (code != 0)
    return Error(
        ErrorKind::Io,
        "cannot start a thread: " + std::generic_category().message(code) +
            "; let the process have more threads and memory");
  // The thread deletes it.
  (void)owned.release();
  return Thread(handle);
}

Thread::Thread(Thread &&other) noexcept
    : handle(std::exchange(other.handle, std::nullopt)) {}

Thread &Thread::operator=(Thread &&other) noexcept {
  join();
  handle = std::exchange(other.handle, std::nullopt);
  return *this;
}

Thread::~Thread() { join(); }

void Thread::join() {
  if (handle)
    pthread_join(*handle, nullptr);
  handle.reset();
}

int ensc::countThreads(int wanted) {
  // A pool takes stacks of this size, and keeps its threads.
  constexpr size_t stackBytes = 4 << 20;
  static std::atomic<int> known{1};
  if (wanted <= known)
    return wanted;
  std::promise<void> end;
  std::shared_future<void> ended = end.get_future().share();
  std::vector<Thread> threads;
  while (static_cast<int>(threads.size()) + 1 < wanted) {
    Expected<Thread> thread =
        Thread::start([ended] { ended.wait(); }, stackBytes);
    if (!thread)
      break;
    threads.push_back(std::move(*thread));
  }
  end.set_value();
  int count = static_cast<int>(threads.size()) + 1;
  if (count == wanted)
    known = count;
  return count;
}
