//===- Peak.cpp - What this CPU could do at most --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Peak.h"
#include "ensc/Runtime/Thread.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <immintrin.h>

using namespace ensc;

namespace {

/// Latency 4 at two per cycle needs 8 chains; more hide a hiccup.
constexpr int chains = 16;
constexpr int64_t stepsPerRepetition = 200000;
constexpr int repetitions = 10;

using Clock = std::chrono::steady_clock;

/// Returns a value that depends on all the work, so that none is removed.
__attribute__((target("avx512f"))) float spin512(int64_t steps) {
  __m512 sums[chains];
  for (int i = 0; i < chains; ++i)
    sums[i] = _mm512_set1_ps(static_cast<float>(i));
  __m512 factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(0.001f);
  for (int64_t step = 0; step < steps; ++step)
    for (int i = 0; i < chains; ++i)
      sums[i] = _mm512_fmadd_ps(sums[i], factor, term);
  for (int i = 1; i < chains; ++i)
    sums[0] = _mm512_add_ps(sums[0], sums[i]);
  return _mm512_reduce_add_ps(sums[0]);
}

__attribute__((target("avx2,fma"))) float spin256(int64_t steps) {
  // Two chains fewer than registers, which hold the factor and the term too.
  constexpr int chains256 = 12;
  __m256 sums[chains256];
  for (int i = 0; i < chains256; ++i)
    sums[i] = _mm256_set1_ps(static_cast<float>(i));
  __m256 factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(0.001f);
  for (int64_t step = 0; step < steps; ++step)
    for (int i = 0; i < chains256; ++i)
      sums[i] = _mm256_fmadd_ps(sums[i], factor, term);
  float lanes[8], total = 0.0f;
  for (int i = 0; i < chains256; ++i) {
    _mm256_storeu_ps(lanes, sums[i]);
    total += lanes[0];
  }
  return total;
}

/// The best rate of one thread.
double measureOneThread() {
  bool wide = __builtin_cpu_supports("avx512f");
  volatile float sink = 0.0f;
  double best = 0.0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    Clock::time_point start = Clock::now();
    sink = wide ? spin512(stepsPerRepetition) : spin256(stepsPerRepetition);
    std::chrono::duration<double> seconds = Clock::now() - start;
    double flops = 2.0 * stepsPerRepetition * (wide ? 16.0 * 16 : 12.0 * 8);
    best = std::max(best, flops / seconds.count());
  }
  (void)sink;
  return best;
}

} // namespace

double ensc::measurePeakFlops(int threads) {
  // Threads beyond the cores would count a core several times.
  threads = std::clamp(threads, 1, availableThreads());
  std::vector<double> rates(threads);
  std::vector<Thread> workers;
  // All at once: cores share power, and what one of two reaches alone is not
  // what both reach together.
  for (int i = 1; i < threads; ++i)
    // Those that do not start could not train either.
    if (Expected<Thread> worker =
            Thread::start([&rates, i] { rates[i] = measureOneThread(); }))
      workers.push_back(std::move(*worker));
  rates[0] = measureOneThread();
  workers.clear();
  double total = 0.0;
  for (double rate : rates)
    total += rate;
  return total;
}
