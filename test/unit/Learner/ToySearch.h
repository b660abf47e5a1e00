//===- ToySearch.h - A search that does everything --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_LEARNER_TOYSEARCH_H
#define ENSC_TEST_UNIT_LEARNER_TOYSEARCH_H

#include "ensc/API/Search.h"

#include <algorithm>
#include <string>

namespace ensc::test {

/// Every three ticks the worst run goes on from the best one with another
/// learning rate, and every fourth time it is stopped instead.
class ToySearch : public Search {
public:
  std::string describe() const override { return "{\"toy\":3}"; }
  int64_t nextSync(int64_t tick) const override { return tick / 3 * 3 + 3; }
  std::string save() const override { return std::to_string(decisions); }
  Status load(const std::string &state) override {
    decisions = std::stoi(state);
    return Status::success();
  }
  Status decide(Population &population) override {
    if (population.live().size() < 2)
      return Status::success();
    auto [best, worst] = std::minmax_element(
        population.live().begin(), population.live().end(),
        [&](int64_t a, int64_t b) {
          return population.latest(a, 0) < population.latest(b, 0);
        });
    int64_t from = *best, to = *worst;
    if (++decisions % 4 == 0)
      return population.stop(to, "worst");
    if (Status status = population.copy(from, to); !status)
      return status;
    return population.setHyper(to, "lr", *population.hyper(from, "lr") * 0.75);
  }

  int decisions = 0;
};

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_LEARNER_TOYSEARCH_H
