//===- Snapshots.cpp - State to go on from --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snapshots.h"

#include "Judge.h"
#include "SlotTensors.h"

#include <algorithm>

using namespace ensc;

static Error mismatch(const std::string &message) {
  return Error(ErrorKind::InvalidData,
               "the snapshot does not fit the plan: " + message);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Expected<Snapshot> ensc::makeSnapshot(FitState &state) {
  Snapshot snapshot;
  snapshot.tick = state.tick;
  snapshot.over = state.over;
  if (state.options.search)
    snapshot.search = state.options.search->save();
  for (const std::unique_ptr<Ensemble> &ensemble : state.ensembles) {
    std::vector<int64_t> slots;
    for (int64_t slot = 0; slot < ensemble->slotCount(); ++slot)
      if (ensemble->slots[slot].run >= 0)
        slots.push_back(slot);
    if (slots.empty())
      continue;
    std::sort(slots.begin(), slots.end(), [&](int64_t a, int64_t b) {
      return ensemble->slots[a].run < ensemble->slots[b].run;
    });
    for (int64_t slot : slots)
      state.updateReport(ensemble->slots[slot].run);
    Expected<std::vector<NamedTensor>> tensors = saveSlots(*ensemble, slots);
    if (!tensors)
      return tensors.error();
    snapshot.ensembles.push_back({ensemble->position, std::move(*tensors)});
  }
  for (const RunReport &report : state.reports)
    if (report.status != RunStatus::Pending) {
      snapshot.reports.push_back(report);
      snapshot.reports.back().epochs.clear();
    }
  return snapshot;
}

//===----------------------------------------------------------------------===//
// Restoring
//===----------------------------------------------------------------------===//

/// Whether a run goes on: it did, or there is more to do now.
static bool goesOn(const FitState &state, const RunReport &report) {
  return report.status == RunStatus::Running ||
         (report.status == RunStatus::Completed && !state.over &&
          report.steps < state.plan.lastSteps[report.run]);
}

static Status checkReport(const FitState &state, const RunReport &report) {
  std::string run = "run " + std::to_string(report.run);
  if (!state.isPlanned(report.run))
    return mismatch("it has " + run);
  size_t metrics = state.plan.metrics.size();
  if (report.final.size() != metrics || report.best.size() != metrics)
    return mismatch(run + " has not " + std::to_string(metrics) + " metrics");
  if (report.program != state.plan.programOf[report.run])
    return mismatch(run + " is of another program");
  if (report.steps < 0 || report.steps > state.plan.lastSteps[report.run])
    return mismatch(run + " has done " + std::to_string(report.steps) +
                    " steps of " +
                    std::to_string(state.plan.lastSteps[report.run]));
  return Status::success();
}

Expected<std::vector<int64_t>> ensc::countSlots(const FitState &state,
                                                const Snapshot &snapshot) {
  std::vector<int64_t> slots(state.programs.list.size());
  for (const RunReport &report : snapshot.reports) {
    if (Status status = checkReport(state, report); !status)
      return status.error();
    slots[report.program] += goesOn(state, report);
  }
  return slots;
}

/// What a run that had completed fewer epochs would be called in this fit: its
/// own last step may be what ended it.
static RunReport reportNow(const FitState &state, const RunReport &saved) {
  RunReport report = saved;
  int64_t stepsPerEpoch =
      state.programs.list[saved.program].info->stepsPerEpoch;
  if (saved.status == RunStatus::Completed &&
      saved.steps == state.plan.lastSteps[saved.run] &&
      saved.steps < stepsPerEpoch * state.options.epochs) {
    report.status = RunStatus::Stopped;
    report.reason = Judge::maxSteps;
  }
  return report;
}

/// Gives the runs of an ensemble the places that they had.
static Status restoreEnsemble(FitState &state, int64_t position,
                              const Snapshot::Ensemble &saved) {
  Ensemble &ensemble = *state.ensembles[position];
  Expected<std::vector<int64_t>> runs = readRuns(saved);
  if (!runs)
    return mismatch(runs.error().message());
  // Those that go on need a place, the others get what is left.
  std::vector<std::pair<int64_t, int64_t>> moves;
  int64_t slot = 0;
  for (bool going : {true, false})
    for (size_t row = 0; row < runs->size(); ++row) {
      int64_t run = (*runs)[row];
      if (!state.isPlanned(run) ||
          state.plan.programOf[run] != ensemble.position)
        return mismatch("it has the state of run " + std::to_string(run));
      RunReport &report = state.reportOf(run);
      if (report.status == RunStatus::Pending)
        return mismatch("run " + std::to_string(run) +
                        " has state, but no report");
      if (goesOn(state, report) != going || slot == ensemble.slotCount())
        continue;
      ensemble.admit(slot, run, 0);
      state.placeOf(run) = {position, slot};
      Slot &place = ensemble.slots[slot];
      place.status = going ? RunStatus::Running : report.status;
      place.reason = going ? "" : report.reason;
      place.badValue = report.value;
      place.handedOver = !going;
      moves.emplace_back(static_cast<int64_t>(row), slot++);
    }
  if (Status status = loadSlots(ensemble, saved, moves); !status)
    return mismatch(status.error().message());
  for (auto [row, slot] : moves)
    if (ensemble.slots[slot].isLive() && !ensemble.canGoOn(slot))
      return mismatch("run " + std::to_string(ensemble.slots[slot].run) +
                      " trains, but has done all of its " +
                      std::to_string(ensemble.stepOf(slot)) + " steps");
  return Status::success();
}

/// Whether all runs that go on have their state.
static Status checkPlaces(FitState &state) {
  for (RunReport &report : state.reports) {
    if (!goesOn(state, report))
      continue;
    if (!state.placeOf(report.run).exists())
      return mismatch("the state of run " + std::to_string(report.run) +
                      ", which has more steps to do, is not kept, since others "
                      "took its place; only a fit from the start can train it "
                      "for longer");
    state.updateReport(report.run);
  }
  return Status::success();
}

Status ensc::restoreSnapshot(FitState &state, const Snapshot &snapshot) {
  state.tick = snapshot.tick;
  state.over = snapshot.over;
  if (state.options.search)
    if (Status status = state.options.search->load(snapshot.search); !status)
      return status;
  for (const RunReport &report : snapshot.reports)
    state.reportOf(report.run) = reportNow(state, report);
  for (std::deque<int64_t> &runs : state.pending)
    runs.erase(std::remove_if(runs.begin(), runs.end(),
                              [&](int64_t run) {
                                return state.reportOf(run).status !=
                                       RunStatus::Pending;
                              }),
               runs.end());
  for (const Snapshot::Ensemble &saved : snapshot.ensembles) {
    auto found = std::find_if(state.ensembles.begin(), state.ensembles.end(),
                              [&](const std::unique_ptr<Ensemble> &ensemble) {
                                return ensemble->position == saved.program;
                              });
    if (found == state.ensembles.end())
      return mismatch("no run is of program " + std::to_string(saved.program));
    if (Status status =
            restoreEnsemble(state, found - state.ensembles.begin(), saved);
        !status)
      return status;
  }
  return checkPlaces(state);
}
