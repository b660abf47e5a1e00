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

Status ensc::checkFirstDecision(const SearchedRuns &runs, int64_t first,
                                const std::string &name,
                                const std::string &option) {
  if (runs.records.size() < 2)
    return Error(ErrorKind::InvalidArgument,
                 name + " compares runs, but there is only one");
  if (first < runs.firstValue)
    return Error(ErrorKind::InvalidArgument,
                 name + " decides for the first time after record " +
                     std::to_string(first) +
                     ", but the metric by which it compares runs is first "
                     "there with record " +
                     std::to_string(runs.firstValue) +
                     "; validate more often, or decide later, by a larger " +
                     option);
  // A run that ends there is no longer there to be stopped or changed.
  int64_t going =
      std::count_if(runs.records.begin(), runs.records.end(),
                    [&](int64_t records) { return records > first; });
  if (going >= 2)
    return Status::success();
  int64_t longest = *std::max_element(runs.records.begin(), runs.records.end());
  return Error(ErrorKind::InvalidArgument,
               name +
                   " would decide nothing: it does so for the first time "
                   "after record " +
                   std::to_string(first) +
                   (going == 1 ? ", when only one run goes on"
                               : ", but runs end with record " +
                                     std::to_string(longest) + " or before") +
                   "; make more records, by more epochs or fewer steps from "
                   "one to the next, or decide earlier, by a smaller " +
                   option);
}
