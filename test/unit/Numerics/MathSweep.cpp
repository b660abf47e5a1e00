//===- MathSweep.cpp - Every f32 argument of every math function ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// math-sweep [--stride=N] [--samples=N] [NAME...]
//
// compares each function for every N-th bit pattern of f32 (default: each one)
// with a calculation in double, and where that finds the bound nearly reached
// with MPFR; and for N random arguments of f64 (default: 200000) with MPFR.
// Prints the worst errors; fails beyond the bounds.
//
//===----------------------------------------------------------------------===//

#include "MathCases.h"
#include "SamplePoints.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

using namespace ensc;
using namespace ensc::test;

namespace {

struct Worst {
  double ulps = 0.0;
  double argument = 0.0;

  void merge(double otherUlps, double otherArgument) {
    if (otherUlps > ulps)
      *this = {otherUlps, otherArgument};
  }
};

/// Calls part(0), ..., part(count - 1) on all cores.
Worst worstOf(uint64_t count, const std::function<Worst(uint64_t)> &part) {
  std::atomic<uint64_t> next(0);
  std::mutex mutex;
  Worst worst;
  auto work = [&] {
    for (uint64_t i; (i = next.fetch_add(1)) < count;) {
      Worst found = part(i);
      std::lock_guard<std::mutex> lock(mutex);
      worst.merge(found.ulps, found.argument);
    }
  };
  std::vector<std::thread> threads;
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < cores; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  return worst;
}

Worst sweepFloat(const MathCase &function, uint64_t stride) {
  constexpr uint64_t parts = 4096, patterns = uint64_t(1) << 32;
  return worstOf(parts, [&](uint64_t part) {
    uint64_t size = patterns / parts, begin = part * size;
    begin = (begin + stride - 1) / stride * stride;
    Worst worst;
    for (uint64_t bits = begin; bits < (part + 1) * size; bits += stride) {
      float x = reference::fromBits<float>(static_cast<uint32_t>(bits));
      if (std::fabs(x) <= function.rangeInFloat || x - x != 0.0f)
        worst.merge(quickErrorAt(function, x), x);
    }
    return worst;
  });
}

constexpr uint64_t samplesPerPart = 1000;

Worst sampleDouble(const MathCase &function, uint64_t samples) {
  return worstOf(samples / samplesPerPart, [&](uint64_t part) {
    Worst worst;
    for (double x : randomDoubles(samplesPerPart / 4, part))
      if (std::fabs(x) <= function.rangeInDouble)
        worst.merge(errorAt(function, x), x);
    return worst;
  });
}

/// Bases of many magnitudes with exponents of results that are in range.
template <typename T> Worst samplePow(uint64_t samples, double mostExponent) {
  return worstOf(samples / samplesPerPart, [&](uint64_t part) {
    std::mt19937_64 engine(part);
    std::uniform_real_distribution<double> fraction(-1, 1);
    Worst worst;
    for (uint64_t i = 0; i < samplesPerPart; ++i) {
      double width = i % 2 ? mostExponent : 2;
      T x = static_cast<T>(std::exp2(width * fraction(engine)));
      T y = static_cast<T>(mostExponent / width * fraction(engine));
      worst.merge(powErrorAt(x, y), x);
    }
    return worst;
  });
}

bool report(const char *name, const char *format, Worst worst, double bound) {
  bool good = worst.ulps <= bound;
  std::printf("%-9s%s worst %.6f ulp at %a, bound %g%s\n", name, format,
              worst.ulps, worst.argument, bound, good ? "" : ": EXCEEDED");
  std::fflush(stdout);
  return good;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t stride = 1, samples = 200000;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--stride=", 9) == 0)
      stride = std::max(1ull, std::strtoull(argv[i] + 9, nullptr, 10));
    else if (std::strncmp(argv[i], "--samples=", 10) == 0)
      samples = std::strtoull(argv[i] + 10, nullptr, 10);
    else
      names.push_back(argv[i]);
  }
  auto wanted = [&](const std::string &name) {
    return names.empty() ||
           std::find(names.begin(), names.end(), name) != names.end();
  };
  bool good = true;
  for (const MathCase &function : mathCases()) {
    if (!wanted(function.name))
      continue;
    good &= report(function.name, "f64", sampleDouble(function, samples),
                   function.ulpInDouble);
    good &= report(function.name, "f32", sweepFloat(function, stride),
                   function.ulpInFloat);
  }
  if (wanted("pow")) {
    good &= report("pow", "f64", samplePow<double>(samples, 1000), 4);
    good &= report("pow", "f32", samplePow<float>(samples, 120), 1);
  }
  return good ? 0 : 1;
}
