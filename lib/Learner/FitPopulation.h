//===- FitPopulation.h - The runs at a sync point ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_FITPOPULATION_H
#define ENSC_LIB_LEARNER_FITPOPULATION_H

#include "Handover.h"

#include <functional>
#include <utility>
#include <vector>

namespace ensc {

/// The runs of a fit, to those who decide at a sync point. What they do is
/// done for good by commit(), or undone by rollBack(): a decision that fails
/// will be made again by the fit that goes on.
class FitPopulation : public Population {
public:
  FitPopulation(FitState &state, Handover &handover, int64_t tick);

  int64_t tick() const override { return now; }
  const std::vector<int64_t> &live() const override { return liveRuns; }
  const std::vector<MetricInfo> &metrics() const override {
    return state.plan.metrics;
  }
  size_t monitor() const override { return state.plan.monitor; }
  int64_t steps(int64_t run) const override;
  double latest(int64_t run, size_t metric) const override;
  double best(int64_t run, size_t metric) const override;
  Status stop(int64_t run, const std::string &reason) override;
  Status stopAll(const std::string &reason) override;
  Status copy(int64_t from, int64_t to) override;
  Expected<double> hyper(int64_t run, const std::string &name) const override;
  Status setHyper(int64_t run, const std::string &name, double value) override;

  /// Tells what was done, and copies the states. Where that fails, nothing was
  /// copied.
  Status commit();
  void rollBack();

private:
  bool isLive(int64_t run) const;
  Status checkLive(int64_t run) const;
  Ensemble &ensembleOf(int64_t run) const;
  /// Something that happened to a run here and now.
  FitEvent &addEvent(FitEvent::Kind kind, int64_t run);

  FitState &state;
  Handover &handover;
  int64_t now;
  std::vector<int64_t> liveRuns;
  std::vector<FitEvent> events;                ///< In the order of time.
  std::vector<std::pair<Place, Place>> copies; ///< From and to.
  std::vector<std::function<void()>> undo;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_FITPOPULATION_H
