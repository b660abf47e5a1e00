//===- Ranking.cpp - Runs from best to worst ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranking.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace ensc;

std::vector<int64_t> ensc::rankLiveRuns(const Population &population) {
  size_t monitor = population.monitor();
  double sign = population.metrics()[monitor].maximize ? -1.0 : 1.0;
  std::vector<std::pair<double, int64_t>> keys;
  for (int64_t run : population.live())
    keys.emplace_back(sign * population.latest(run, monitor), run);
  std::sort(keys.begin(), keys.end(), [](const auto &a, const auto &b) {
    if (std::isnan(a.first) != std::isnan(b.first))
      return std::isnan(b.first);
    if (!std::isnan(a.first) && a.first != b.first)
      return a.first < b.first;
    return a.second < b.second;
  });
  std::vector<int64_t> runs;
  for (const auto &key : keys)
    runs.push_back(key.second);
  return runs;
}
