//===- PartPlanner.cpp - How far runs train at a time ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartPlanner.h"

#include <algorithm>
#include <map>

using namespace ensc;

PartPlanner::PartPlanner(FitState &state)
    : state(state), isTimed(!state.layout.isWhole) {}

std::vector<PartPlanner::Batch> PartPlanner::findBatches() const {
  std::map<std::pair<int64_t, int64_t>, Batch> batches;
  for (size_t i = 0; i < state.ensembles.size(); ++i) {
    const Ensemble &ensemble = *state.ensembles[i];
    for (int64_t slot = 0; slot < ensemble.slotCount(); ++slot) {
      const Slot &place = ensemble.slots[slot];
      if (!place.isLive())
        continue;
      auto ensembleIndex = static_cast<int64_t>(i);
      int64_t step = ensemble.stepOf(slot);
      auto [found, isNew] = batches.try_emplace(
          std::pair(ensembleIndex, place.admitted),
          Batch{ensembleIndex, place.admitted, step, step, {}});
      Batch &batch = found->second;
      batch.slowest = std::min(batch.slowest, step);
      batch.fastest = std::max(batch.fastest, step);
      batch.slots.push_back(slot);
    }
  }
  std::vector<Batch> result;
  for (auto &[key, batch] : batches)
    result.push_back(std::move(batch));
  return result;
}

int64_t PartPlanner::endOf(const Batch &batch, int64_t tick) const {
  const Ensemble &ensemble = *state.ensembles[batch.ensemble];
  int64_t last = 0;
  for (int64_t slot : batch.slots)
    last = std::max(last, ensemble.slots[slot].lastStep);
  if (tick != Search::never)
    last = std::min(last, ensemble.stepOfRecord(tick - batch.admitted));
  if (!isTimed)
    return last;
  int64_t record = ensemble.recordSteps;
  int64_t most = ensemble.stepsPerEpoch * state.options.epochs;
  int64_t end = batch.fastest +
                std::max<int64_t>(
                    static_cast<int64_t>(share * static_cast<double>(most)), 1);
  if (end - batch.fastest >= record)
    end = end / record * record;
  // The table must hold the records of those that are behind, too.
  if (state.options.metrics)
    end = std::min(end, ensemble.stepOfRecord(batch.slowest / record +
                                              state.layout.partRecords));
  return std::min(end, last);
}

std::vector<Journey> PartPlanner::next(int64_t tick) {
  std::vector<Journey> journeys;
  for (const Batch &batch : findBatches()) {
    const Ensemble &ensemble = *state.ensembles[batch.ensemble];
    int64_t end = endOf(batch, tick);
    std::map<int64_t, std::vector<int64_t>> slotsAt;
    for (int64_t slot : batch.slots)
      if (const Slot &place = ensemble.slots[slot];
          ensemble.stepOf(slot) < end || !place.started || place.lastStep == 0)
        slotsAt[ensemble.stepOf(slot)].push_back(slot);
    for (auto &[step, slots] : slotsAt)
      journeys.push_back({batch.ensemble, std::move(slots), step, end});
  }
  return journeys;
}

void PartPlanner::measured(double seconds) {
  constexpr double wanted = 1.0, fastest = 4.0, slowest = 0.25;
  double factor = wanted / std::max(seconds, 1e-6);
  share = std::min(share * std::clamp(factor, slowest, fastest), 1.0);
}
