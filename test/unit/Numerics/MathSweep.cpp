//===- MathSweep.cpp - Every f32 argument of every math function ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// math-sweep [--stride=N] [NAME...]: compares each function for every N-th bit
// pattern of f32 with a calculation in double, and where that finds the bound
// nearly reached with MPFR; prints the worst error. Fails beyond the bound.
//
//===----------------------------------------------------------------------===//

#include "MathCases.h"

#include "ensc/Reference/Math.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

using namespace ensc;
using namespace ensc::test;

namespace {

struct Worst {
  double ulps = 0.0;
  float argument = 0.0f;

  void merge(double otherUlps, float otherArgument) {
    if (otherUlps > ulps)
      *this = {otherUlps, otherArgument};
  }
};

/// The worst error among the patterns [begin, end).
Worst sweepRange(const MathCase &function, uint64_t begin, uint64_t end,
                 uint64_t stride) {
  Worst worst;
  for (uint64_t pattern = begin; pattern < end; pattern += stride) {
    float x = reference::fromBits<float>(static_cast<uint32_t>(pattern));
    if (std::fabs(x) > function.rangeInFloat && !std::isinf(x))
      continue;
    worst.merge(quickErrorAt(function, x), x);
  }
  return worst;
}

Worst sweep(const MathCase &function, uint64_t stride) {
  constexpr uint64_t patterns = uint64_t(1) << 32;
  const uint64_t share = stride * 65536;
  std::atomic<uint64_t> next(0);
  std::mutex mutex;
  Worst worst;
  auto work = [&] {
    for (uint64_t begin; (begin = next.fetch_add(share)) < patterns;) {
      uint64_t end = std::min(begin + share, patterns);
      Worst part = sweepRange(function, begin, end, stride);
      std::lock_guard<std::mutex> lock(mutex);
      worst.merge(part.ulps, part.argument);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency());
       ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t stride = 1;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--stride=", 9) == 0)
      stride = std::max(1ull, std::strtoull(argv[i] + 9, nullptr, 10));
    else
      names.push_back(argv[i]);
  }
  bool failed = false;
  for (const MathCase &function : mathCases()) {
    if (!names.empty() &&
        std::find(names.begin(), names.end(), function.name) == names.end())
      continue;
    Worst worst = sweep(function, stride);
    bool good = worst.ulps <= function.ulpInFloat;
    failed |= !good;
    std::printf("%-9s worst %.6f ulp at %a (0x%08x), bound %g%s\n",
                function.name, worst.ulps, worst.argument,
                reference::bitsOf(worst.argument), function.ulpInFloat,
                good ? "" : ": EXCEEDED");
    std::fflush(stdout);
  }
  return failed ? 1 : 0;
}
