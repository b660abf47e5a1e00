//===- FitState.cpp - Where a fit is --------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitState.h"

#include <algorithm>
#include <cmath>

using namespace ensc;

FitState::FitState(const LearnerPrograms &programs, const FitOptions &options)
    : programs(programs), options(options) {}

Status FitState::layOut(const std::vector<int64_t> &slots) {
  std::vector<int64_t> runs = plannedRuns(options);
  reports.resize(runs.size());
  places.resize(runs.size());
  std::vector<std::deque<int64_t>> runsOf(slots.size());
  for (int64_t run : runs) {
    RunReport &report = reportOf(run);
    report.run = run;
    report.seed = plan.seeds[run];
    report.program = plan.programOf[run];
    report.final.assign(plan.metrics.size(), std::nan(""));
    report.best = report.final;
    runsOf[plan.programOf[run]].push_back(run);
  }
  for (size_t program = 0; program < slots.size(); ++program) {
    if (runsOf[program].empty())
      continue;
    std::vector<int64_t> rows(slots[program], layout.tableRows[program]);
    for (size_t i = 0; layout.isWhole && i < rows.size(); ++i)
      rows[i] = countRecords(plan, runsOf[program][i]);
    Expected<std::unique_ptr<Ensemble>> ensemble =
        Ensemble::create(programs, plan, static_cast<int64_t>(program), rows);
    if (!ensemble)
      return ensemble.error();
    ensembles.push_back(std::move(*ensemble));
    pending.push_back(std::move(runsOf[program]));
  }
  return Status::success();
}

bool FitState::isPlanned(int64_t run) const {
  return options.onlyRun ? run == *options.onlyRun
                         : run >= 0 && run < options.runs;
}

Slot *FitState::findSlot(int64_t run) {
  if (!isPlanned(run) || !placeOf(run).exists())
    return nullptr;
  const Place &place = placeOf(run);
  return &ensembles[place.ensemble]->slots[place.slot];
}

std::vector<int64_t> FitState::liveRuns() const {
  std::vector<int64_t> live;
  for (const std::unique_ptr<Ensemble> &ensemble : ensembles)
    for (const Slot &slot : ensemble->slots)
      if (slot.isLive())
        live.push_back(slot.run);
  std::sort(live.begin(), live.end());
  return live;
}

bool FitState::hasPending() const {
  return std::any_of(
      pending.begin(), pending.end(),
      [](const std::deque<int64_t> &runs) { return !runs.empty(); });
}

void FitState::updateReport(int64_t run) {
  Place place = placeOf(run);
  RunReport report = ensembles[place.ensemble]->report(place.slot);
  report.epochs = std::move(reportOf(run).epochs);
  reportOf(run) = std::move(report);
}
