//===- SuccessiveHalving.h - Most runs end early ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SEARCH_SUCCESSIVEHALVING_H
#define ENSC_SEARCH_SUCCESSIVEHALVING_H

#include "ensc/API/Search.h"

namespace ensc {

/// Successive halving: of n runs that reach tick `first`, the n / eta best go
/// on to tick first * eta, the n / eta^2 best of these to first * eta^2, until
/// one is left. All runs meet at each of these ticks, so that the choice
/// depends on no clock. Best is who has the best last value of the monitored
/// metric; NaN comes last, and of equal runs the one with the least number
/// first.
class SuccessiveHalving : public Search {
public:
  /// `eta` must be at least 2, `first` at least 1.
  SuccessiveHalving(int64_t eta, int64_t first) : eta(eta), first(first) {}

  std::string describe() const override;
  Status check(const SearchedRuns &runs) const override;
  int64_t nextSync(int64_t tick) const override;
  Status decide(Population &population) override;
  std::string save() const override;
  Status load(const std::string &state) override;
  bool needsAllRuns() const override { return true; }

private:
  int64_t eta, first;
  int64_t runs = 0; ///< That reached the first of its ticks.
};

} // namespace ensc

#endif // ENSC_SEARCH_SUCCESSIVEHALVING_H
