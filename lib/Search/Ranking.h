//===- Ranking.h - Runs from best to worst ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SEARCH_RANKING_H
#define ENSC_LIB_SEARCH_RANKING_H

#include "ensc/API/Search.h"

namespace ensc {

/// The live runs by the last value of the monitored metric, the best first. NaN
/// comes last; equal runs are in the order of their numbers.
std::vector<int64_t> rankLiveRuns(const Population &population);

/// Fails where nobody is left to compare with at the first record after which
/// a search decides. `name` is what the error calls it, `option` what says how
/// early it decides.
Status checkFirstDecision(const SearchedRuns &runs, int64_t first,
                          const std::string &name, const std::string &option);

} // namespace ensc

#endif // ENSC_LIB_SEARCH_RANKING_H
