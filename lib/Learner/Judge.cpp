//===- Judge.cpp - Which runs end at a record -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include <cmath>

using namespace ensc;

/// The training loss, which every record has.
static constexpr size_t lossMetric = 0;

Judge::Judge(const FitPlan &plan) : plan(plan) {
  for (size_t i = 0; plan.options->goal && i < plan.metrics.size(); ++i)
    if (plan.metrics[i].name == plan.options->goal->metric)
      goalMetric = i;
}

static bool end(Slot &slot, RunStatus status, const char *reason) {
  slot.status = status;
  slot.reason = reason;
  return true;
}

bool Judge::ends(Ensemble &ensemble, int64_t slot, bool validated) const {
  // A longer fit must end a run where this one does: its last step comes last.
  return diverges(ensemble, slot) || reachesGoal(ensemble, slot, validated) ||
         losesPatience(ensemble, slot, validated) ||
         endsBySteps(ensemble, slot);
}

bool Judge::endsAtStart(Ensemble &ensemble, int64_t slot) {
  return endsBySteps(ensemble, slot);
}

/// Whether a run has reached its last step, which may be everybody's.
bool Judge::endsBySteps(Ensemble &ensemble, int64_t slot) {
  Slot &place = ensemble.slots[slot];
  int64_t step = ensemble.stepOf(slot);
  if (step < place.lastStep)
    return false;
  int64_t allSteps = ensemble.plan.options->epochs * ensemble.stepsPerEpoch;
  return step < allSteps ? end(place, RunStatus::Stopped, maxSteps)
                         : end(place, RunStatus::Completed, "");
}

bool Judge::diverges(Ensemble &ensemble, int64_t slot) const {
  Slot &place = ensemble.slots[slot];
  double loss = ensemble.latest(slot)[lossMetric];
  if (!std::isfinite(loss)) {
    place.badValue = loss;
    return end(place, RunStatus::Diverged, "loss");
  }
  std::optional<BadNumber> bad = ensemble.records.findBadNumber(slot);
  if (!bad)
    return false;
  place.badValue = bad->value;
  return end(place, RunStatus::Diverged, bad->leaf->name.c_str());
}

bool Judge::reachesGoal(Ensemble &ensemble, int64_t slot,
                        bool validated) const {
  const std::optional<Goal> &goal = plan.options->goal;
  if (!goal || (goalMetric != lossMetric && !validated))
    return false;
  // NaN reaches nothing.
  double value = ensemble.latest(slot)[goalMetric];
  if (goal->below ? !(value < goal->value) : !(value > goal->value))
    return false;
  return end(ensemble.slots[slot], RunStatus::Reached, "goal");
}

bool Judge::losesPatience(Ensemble &ensemble, int64_t slot,
                          bool validated) const {
  Slot &place = ensemble.slots[slot];
  if (!place.patience || (plan.monitor != lossMetric && !validated))
    return false;
  double value = ensemble.latest(slot)[plan.monitor];
  double gain = plan.metrics[plan.monitor].maximize ? value - place.progress
                                                    : place.progress - value;
  bool isFirst = std::isnan(place.progress) && !std::isnan(value);
  if (isFirst || gain > plan.options->minDelta) {
    place.progress = value;
    place.waited = 0;
    return false;
  }
  return ++place.waited >= place.patience &&
         end(place, RunStatus::Stopped, "patience");
}
