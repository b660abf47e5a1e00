//===- Arena.cpp - Places of buffers in one flat memory -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Schedule/Arena.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>

using namespace ensc;

static int64_t roundUp(int64_t bytes) {
  return static_cast<int64_t>(llvm::alignTo(bytes, arenaAlignment));
}

/// What a buffer takes of the arena. Large ones, which are often of one size
/// and walked together, as a parameter and its moments are, would else begin at
/// the same place of a page, where their lines compete for the same sets of a
/// cache.
static int64_t occupied(const LiveBuffer &buffer) {
  constexpr int64_t large = 16 << 10, stagger = 5 * arenaAlignment;
  return roundUp(buffer.bytes) + (buffer.bytes >= large ? stagger : 0);
}

static bool meet(const LiveBuffer &a, const LiveBuffer &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// The start of the narrowest gap between `taken` ranges, sorted by their
/// starts, that holds `bytes`; if none does, the end of the last range.
static int64_t findGap(llvm::ArrayRef<std::pair<int64_t, int64_t>> taken,
                       int64_t bytes) {
  int64_t best = -1, bestGap = 0, reached = 0;
  for (auto [start, end] : taken) {
    int64_t gap = start - reached;
    if (gap >= bytes && (best < 0 || gap < bestGap)) {
      best = reached;
      bestGap = gap;
    }
    reached = std::max(reached, end);
  }
  return best < 0 ? reached : best;
}

ArenaPlan ensc::planArena(llvm::ArrayRef<LiveBuffer> buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(-buffers[a].bytes, a) <
           std::make_pair(-buffers[b].bytes, b);
  });
  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
  llvm::SmallVector<size_t> placed;
  for (size_t id : order) {
    llvm::SmallVector<std::pair<int64_t, int64_t>> taken;
    for (size_t other : placed)
      if (meet(buffers[id], buffers[other]))
        taken.push_back({plan.offsets[other],
                         plan.offsets[other] + occupied(buffers[other])});
    llvm::sort(taken);
    plan.offsets[id] = findGap(taken, occupied(buffers[id]));
    plan.bytes =
        std::max(plan.bytes, plan.offsets[id] + roundUp(buffers[id].bytes));
    placed.push_back(id);
  }
  return plan;
}

int64_t ensc::arenaLowerBound(llvm::ArrayRef<LiveBuffer> buffers) {
  // What changes at each moment.
  std::map<int64_t, int64_t> changes;
  for (const LiveBuffer &buffer : buffers) {
    changes[buffer.first] += roundUp(buffer.bytes);
    changes[buffer.last + 1] -= roundUp(buffer.bytes);
  }
  int64_t live = 0, worst = 0;
  for (auto [moment, change] : changes)
    worst = std::max(worst, live += change);
  return worst;
}
