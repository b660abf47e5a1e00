//===- Target.h - What Lower/CPU needs to know of a CPU ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_TARGET_H
#define ENSC_LOWER_CPU_TARGET_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace ensc::cpu {

/// The vector registers of a CPU. They decide the sizes of register tiles,
/// never a result.
struct Target {
  int64_t registers = 16;
  int64_t registerBytes = 32;

  /// The caches, for estimates: common ones, as nothing tells those of a CPU by
  /// name. Of the first level, and of the second.
  static constexpr int64_t firstCacheBytes = 32 << 10;
  static constexpr int64_t cacheWays = 8;
  static constexpr int64_t cacheWayBytes = 128 << 10;

  /// How many registers hold `elements` elements of `elementBytes` each.
  int64_t registersFor(int64_t elements, int64_t elementBytes) const {
    int64_t bytes = elements * elementBytes;
    return (bytes + registerBytes - 1) / registerBytes;
  }
};

/// The registers of "native" or of a CPU that LLVM knows by name. A name that
/// is not known counts as a CPU with AVX2.
Target describeTarget(llvm::StringRef cpu);

} // namespace ensc::cpu

#endif // ENSC_LOWER_CPU_TARGET_H
