//===- PopulationTraining.h - Runs that learn from better ones --*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SEARCH_POPULATIONTRAINING_H
#define ENSC_SEARCH_POPULATIONTRAINING_H

#include "ensc/API/Search.h"
#include "ensc/Learner/Distribution.h"

#include <optional>

namespace ensc {

/// How a hyper-parameter changes where a run takes over the state of another.
struct HyperChange {
  std::string name;
  /// The other run's value is multiplied by one of these, by the toss of a
  /// coin.
  double low = 1.0, high = 1.0;
  /// Or a new one is drawn: always where the factors are 1, else one time in
  /// four.
  std::optional<Distribution> distribution;
  std::string text; ///< Of the distribution.
};

/// Population-based training: every `every` records the worst runs take over
/// the parameters and the optimizer's state of the best, the worst of all those
/// of the best, the second worst those of the second best, and so on. They also
/// take over the hyper-parameters that are to change, and change them. A value
/// that would leave the range of its hyper-parameter is left as it is.
///
/// Best is who has the best last value of the monitored metric; NaN comes last,
/// and of equal runs the one with the least number first. What is drawn depends
/// on the seed, the run and the tick.
class PopulationTraining : public Search {
public:
  /// `every` must be at least 1, `fraction` above 0 and at most 0.5.
  PopulationTraining(int64_t every, double fraction,
                     std::vector<HyperChange> changes, int64_t seed)
      : every(every), fraction(fraction), changes(std::move(changes)),
        seed(seed) {}

  std::string describe() const override;
  Status check(const SearchedRuns &runs) const override;
  int64_t nextSync(int64_t tick) const override;
  Status decide(Population &population) override;
  bool needsAllRuns() const override { return true; }

private:
  Status replace(Population &population, int64_t from, int64_t to) const;

  int64_t every;
  double fraction;
  std::vector<HyperChange> changes;
  int64_t seed;
};

} // namespace ensc

#endif // ENSC_SEARCH_POPULATIONTRAINING_H
