//===- Arena.h - Places of buffers in one flat memory -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SCHEDULE_ARENA_H
#define ENSC_SCHEDULE_ARENA_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace ensc {

/// A buffer that exists from the moment `first` to the moment `last`, both
/// included.
struct LiveBuffer {
  int64_t bytes;
  int64_t first;
  int64_t last;
};

struct ArenaPlan {
  /// One per buffer, in the order given.
  std::vector<int64_t> offsets;
  /// The end of the last buffer.
  int64_t bytes = 0;
};

/// Every buffer starts at a multiple of this: a cache line, and the widest
/// vector.
inline constexpr int64_t arenaAlignment = 64;

/// Places the buffers so that no two that exist at the same moment overlap: the
/// largest first, each into the narrowest gap that is left.
ArenaPlan planArena(llvm::ArrayRef<LiveBuffer> buffers);

/// The bytes that exist at the worst moment, each buffer rounded up to the
/// alignment: no plan needs less.
int64_t arenaLowerBound(llvm::ArrayRef<LiveBuffer> buffers);

} // namespace ensc

#endif // ENSC_SCHEDULE_ARENA_H
