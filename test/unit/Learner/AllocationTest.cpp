//===- AllocationTest.cpp - Training allocates nothing --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces what the process allocates memory with: malloc and its kin, which
// operator new and all libraries of the process call, and mmap. What is counted
// are the calls by any thread from the begin of the first kernel that trains to
// the end of the last kernel, metrics and exchanges of runs in between
// included.
//
//===----------------------------------------------------------------------===//

#include "TinyLearner.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include <dlfcn.h>
#include <sys/mman.h>

static std::atomic<int64_t> allocations{0};

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}
int posix_memalign(void **result, size_t alignment, size_t bytes) {
  *result = memalign(alignment, bytes);
  return *result ? 0 : ENOMEM;
}
void *mmap(void *address, size_t bytes, int protection, int flags, int file,
           off_t offset) {
  using Mmap = void *(void *, size_t, int, int, int, off_t);
  static auto *real = reinterpret_cast<Mmap *>(dlsym(RTLD_NEXT, "mmap"));
  ++allocations;
  return real(address, bytes, protection, flags, file, offset);
}
}

using namespace ensc;
using namespace ensc::test;

namespace {

/// What kernels noted about the counter.
struct Watch {
  std::atomic<int64_t> begin{-1}, end{0}, calls{0};

  void reset() {
    begin = -1;
    end = 0;
    calls = 0;
  }
};

/// A kernel that notes the counter where it begins, if it trains, and ends.
Kernel watched(const Kernel &kernel, bool trains, Watch &watch) {
  if (!kernel)
    return kernel;
  return [&kernel, trains, &watch](const ensc_group *group, int64_t begin,
                                   int64_t end) {
    int64_t none = -1;
    if (trains)
      watch.begin.compare_exchange_strong(none, allocations);
    int64_t reached = kernel(group, begin, end);
    watch.end = allocations.load();
    ++watch.calls;
    return reached;
  };
}

Executable watched(const Executable &program, Watch &watch) {
  std::vector<EntryKernels> kernels;
  for (const ManifestEntry &entry : program.manifest().entries) {
    const EntryKernels &own = program.program().kernelsOf(entry);
    bool trains = entry.name == "tiny.fit";
    kernels.push_back(
        {watched(own.solo, trains, watch), watched(own.lanes, trains, watch)});
  }
  return Executable(Program(program.manifest(), std::move(kernels),
                            std::make_shared<Executable>(program)));
}

TEST(Allocations, AreCounted) {
  int64_t before = allocations;
  // Through a variable, or the compiler removes the pair of calls.
  void *(*volatile allocate)(size_t) = malloc;
  free(allocate(1));
  void *memory =
      mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory, 4096);
  EXPECT_EQ(allocations - before, 2);
}

TEST(Allocations, TrainingMakesNone) {
  Expected<Executable> program =
      Compiler(tinyOptions()).compileFile(ENSC_TINY_MODEL);
  ASSERT_TRUE(program) << program.error().message();
  Watch watch;
  Expected<Learner> learner = Learner::create(watched(*program, watch));
  ASSERT_TRUE(learner) << learner.error().message();
  giveTinyData(*learner);
  FitOptions options;
  options.runs = 100;
  options.epochs = 40;
  options.hypers["lr"] = tinyRates(options.runs);
  // Runs that stop and runs that diverge leave, others take their places.
  for (int64_t run = 0; run < options.runs; ++run) {
    options.maxSteps.push_back(run % 3 ? 120 : 1 + run);
    if (run % 7 == 3)
      options.hypers["lr"][run] = 1e30;
  }
  for (RunSchedule schedule :
       {RunSchedule::Auto, RunSchedule::Solo, RunSchedule::Lanes})
    for (int threads : {1, 2}) {
      options.schedule = schedule;
      options.threads = threads;
      // The first time oneTBB makes its threads.
      ASSERT_TRUE(learner->fit(options));
      watch.reset();
      ASSERT_TRUE(learner->fit(options));
      EXPECT_GT(watch.calls, 100);
      EXPECT_GT(watch.begin, 0);
      EXPECT_EQ(watch.end - watch.begin, 0)
          << threads << " threads, schedule " << static_cast<int>(schedule);
    }
}

} // namespace
