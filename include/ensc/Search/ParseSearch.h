//===- ParseSearch.h - Searches as options spell them -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SEARCH_PARSESEARCH_H
#define ENSC_SEARCH_PARSESEARCH_H

#include "ensc/API/Search.h"

#include <memory>
#include <string>

namespace ensc {

struct ParsedSearch {
  std::shared_ptr<Search> search;
  std::string note; ///< What a user should know; empty: nothing.
};

/// The successive halving that `text`, the value of --halving, asks for:
/// ETA[,first=K], or the same after "asha,", which is the same search with a
/// note that all runs meet at its ticks.
Expected<ParsedSearch> parseHalving(const std::string &text);

/// The population-based training that `text`, the value of --population, asks
/// for: every=K[,fraction=F] and, for each hyper-parameter that changes,
/// perturb=NAME:LOW..HIGH or resample=NAME:DISTRIBUTION or both.
Expected<ParsedSearch> parsePopulation(const std::string &text, int64_t seed);

} // namespace ensc

#endif // ENSC_SEARCH_PARSESEARCH_H
