//===- Fit.cpp - One fit of a learner -------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fit.h"

#include "InitialState.h"
#include "Snapshots.h"

#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <chrono>

using namespace ensc;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

//===----------------------------------------------------------------------===//
// Before the first step
//===----------------------------------------------------------------------===//

Status Fit::plan(const std::map<std::string, Tensor> &data, bool isKept) {
  Expected<FitPlan> plan = planFit(state.programs, state.options, data);
  if (!plan)
    return plan.error();
  state.plan = std::move(*plan);
  Expected<FitLayout> layout = planLayout(state.programs, state.plan, isKept);
  if (!layout)
    return layout.error();
  state.layout = std::move(*layout);
  state.plan.inFlight = state.layout.memory.inFlight;
  return Status::success();
}

Expected<MemoryPlan>
Fit::planMemory(const LearnerPrograms &programs, const FitOptions &options,
                const std::map<std::string, Tensor> &data) {
  FitCounters counters;
  Fit fit(programs, options, nullptr, counters);
  if (Status status = fit.plan(data, !options.experiment.path.empty()); !status)
    return status.error();
  return fit.state.layout.memory;
}

Expected<std::unique_ptr<Fit>>
Fit::create(const LearnerPrograms &programs, const FitOptions &options,
            const std::map<std::string, Tensor> &data, FitSink *sink,
            FitCounters &counters) {
  std::unique_ptr<Fit> fit(new Fit(programs, options, sink, counters));
  if (Status status = fit->plan(data, sink != nullptr); !status)
    return status.error();
  if (Status status = fit->state.layOut(fit->state.layout.slots); !status)
    return status.error();
  if (Status status =
          checkInitialStates(programs, fit->state.plan, sink != nullptr);
      !status)
    return status.error();
  for (const std::unique_ptr<Ensemble> &ensemble : fit->state.ensembles)
    if (Status status =
            checkInstance(ensemble->program.executable.manifest(),
                          *ensemble->program.entries.fit, options.schedule);
        !status)
      return status.error();
  return fit;
}

/// Makes what trains the runs.
Status Fit::prepare() {
  trainer.emplace(state.plan, state.layout.way, counters.done);
  planner.emplace(state);
  return trainer->prepare(state.ensembles);
}

/// Goes on from where the sink has kept the fit.
Status Fit::resume() {
  if (!sink)
    return Status::success();
  Expected<std::optional<Snapshot>> snapshot = sink->start(state.plan);
  if (!snapshot)
    return snapshot.error();
  isResumed = snapshot->has_value();
  if (isResumed)
    if (Status status = restore(**snapshot); !status)
      return status;
  std::vector<int64_t> waiting;
  if (!state.over)
    for (const std::deque<int64_t> &runs : state.pending)
      waiting.insert(waiting.end(), runs.begin(), runs.end());
  return checkInitialFiles(state.plan, waiting);
}

Status Fit::restore(const Snapshot &snapshot) {
  Expected<std::vector<int64_t>> needed = countSlots(state, snapshot);
  if (!needed)
    return needed.error();
  bool isShort = false;
  std::vector<int64_t> slots = state.layout.slots;
  for (size_t i = 0; i < slots.size(); ++i) {
    isShort |= slots[i] < (*needed)[i];
    slots[i] = std::max(slots[i], (*needed)[i]);
  }
  // There were more runs in flight when it was made.
  if (isShort) {
    if (Status status =
            widenLayout(state.programs, state.plan, slots, state.layout);
        !status)
      return status;
    state.plan.inFlight = state.layout.memory.inFlight;
    state.ensembles.clear();
    state.pending.clear();
    if (Status status = state.layOut(slots); !status)
      return status;
  }
  return restoreSnapshot(state, snapshot);
}

/// Runs that end early make the way shorter.
void Fit::countPlanned() {
  int64_t planned = 0;
  for (const RunReport &report : state.reports) {
    bool isPending = report.status == RunStatus::Pending;
    bool goesOn = isPending ? !state.over : report.status == RunStatus::Running;
    planned += goesOn ? state.plan.lastSteps[report.run] : report.steps;
  }
  counters.planned = planned;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

Expected<FitReport> Fit::run() {
  if (Status status = resume(); !status)
    return status.error();
  if (Status status = prepare(); !status)
    return status.error();
  for (const RunReport &report : state.reports)
    resumedSteps += report.steps;
  counters.done = resumedSteps;
  countPlanned();
  if (state.options.onPlan)
    state.options.onPlan(state.layout.memory);
  Clock::time_point start = Clock::now();
  if (Status status = train(); !status)
    return status.error();
  FitReport report = makeReport(secondsSince(start));
  if (!sink) {
    report.runs = std::move(state.reports);
    return report;
  }
  report.runs = state.reports;
  Expected<Snapshot> last = makeSnapshot(state);
  if (!last)
    return last.error();
  if (Status status = sink->finish(report, *last); !status)
    return status.error();
  return report;
}

Status Fit::train() {
  // At a sync point that was passed before an interruption, runs were admitted
  // then.
  bool admits = !isResumed || !hasSyncPoints(state.options);
  for (;; admits = true) {
    if (admits)
      if (Status status = admit(); !status)
        return status;
    if (state.liveRuns().empty() && (state.over || !state.hasPending()))
      return Status::success();
    Expected<int64_t> tick = nextSync();
    if (!tick)
      return tick.error();
    if (Status status = trainTo(*tick); !status)
      return status;
    if (Status status = checkProgress(); !status)
      return status;
    if (*tick == Search::never)
      continue;
    const Search *search = state.options.search.get();
    std::string before = search ? search->save() : "";
    if (Status status = decide(*tick); !status) {
      // What the fit has done so far is not lost; it will decide again.
      if (Status kept = keep(before); !kept)
        return kept;
      return status;
    }
    // From here on until runs are admitted there must be no snapshot.
    state.tick = *tick;
    if (Status status = handover.handOver(); !status)
      return status;
    countPlanned();
  }
}

/// Whether all runs that train can go on; otherwise training would never end.
Status Fit::checkProgress() const {
  for (const std::unique_ptr<Ensemble> &ensemble : state.ensembles)
    for (int64_t slot = 0; slot < ensemble->slotCount(); ++slot)
      if (ensemble->slots[slot].isLive() && !ensemble->canGoOn(slot))
        return Error(ErrorKind::Internal,
                     "run " + std::to_string(ensemble->slots[slot].run) +
                         " has done all of its steps, but has not ended");
  return Status::success();
}

/// Takes all runs to the sync point at `tick`, or to their end.
Status Fit::trainTo(int64_t tick) {
  for (;;) {
    std::vector<Journey> journeys = planner->next(tick);
    if (journeys.empty())
      return Status::success();
    Clock::time_point start = Clock::now();
    if (Status status = trainer->advance(std::move(journeys)); !status)
      return status;
    double seconds = secondsSince(start);
    trainingSeconds += seconds;
    planner->measured(seconds);
    if (Status status = endPart(); !status)
      return status;
    // Without sync points waiting runs start as soon as there are places.
    if (tick == Search::never)
      if (Status status = admit(); !status)
        return status;
  }
}

Status Fit::endPart() {
  if (Status status = handover.handOver(); !status)
    return status;
  countPlanned();
  bool isInterrupted = state.options.interrupt && *state.options.interrupt;
  if (isInterrupted && (!state.liveRuns().empty() || state.hasPending())) {
    if (Status status = keep(); !status)
      return status;
    return Error(ErrorKind::Interrupted,
                 "training was interrupted after " +
                     std::to_string(counters.done - resumedSteps) +
                     " run-steps");
  }
  if (sink && sink->wantsSnapshot(counters.done - resumedSteps))
    return keep();
  return Status::success();
}

/// Gives the sink a snapshot, with the search as it is or as it was.
Status Fit::keep(const std::optional<std::string> &search) {
  if (!sink)
    return Status::success();
  if (Status status = handover.handOver(); !status)
    return status;
  Expected<Snapshot> snapshot = makeSnapshot(state);
  if (!snapshot)
    return snapshot.error();
  if (search)
    snapshot->search = *search;
  return sink->snapshot(*snapshot);
}

//===----------------------------------------------------------------------===//
// Admission
//===----------------------------------------------------------------------===//

Status Fit::admit() {
  for (size_t i = 0; i < state.ensembles.size(); ++i)
    if (Status status = admitTo(static_cast<int64_t>(i)); !status)
      return status;
  return Status::success();
}

/// Gives waiting runs the places of those that have ended, as soon as there are
/// so many that groups of any CPU stay full.
Status Fit::admitTo(int64_t position) {
  constexpr int64_t fewestPlaces = 16;
  std::deque<int64_t> &pending = state.pending[position];
  if (state.over || pending.empty())
    return Status::success();
  Ensemble &ensemble = *state.ensembles[position];
  std::vector<int64_t> places;
  for (int64_t slot = 0; slot < ensemble.slotCount(); ++slot)
    if (!ensemble.slots[slot].isLive())
      places.push_back(slot);
  auto free = static_cast<int64_t>(places.size());
  if (free < std::min(fewestPlaces, ensemble.slotCount()))
    return Status::success();
  FitEvent event;
  event.tick = state.tick;
  for (int64_t slot : places) {
    if (pending.empty())
      break;
    if (Status status = startRun(position, slot, pending.front()); !status)
      return status;
    event.runs.push_back(pending.front());
    pending.pop_front();
  }
  return handover.tell(event);
}

Status Fit::startRun(int64_t position, int64_t slot, int64_t run) {
  Ensemble &ensemble = *state.ensembles[position];
  if (int64_t before = ensemble.slots[slot].run; before >= 0)
    state.placeOf(before) = Place();
  ensemble.admit(slot, run, state.tick);
  state.placeOf(run) = {position, slot};
  state.reportOf(run).status = RunStatus::Running;
  std::string path = valueOf(state.options.initialStates, run, std::string());
  if (path.empty())
    return Status::success();
  if (Status status = trainer->initialize(position, slot); !status)
    return status;
  return readInitialState(path, ensemble, slot);
}

//===----------------------------------------------------------------------===//
// Afterwards
//===----------------------------------------------------------------------===//

FitReport Fit::makeReport(double seconds) {
  FitReport report;
  report.seconds = seconds;
  report.trainingSeconds = trainingSeconds;
  report.memory = state.layout.memory;
  report.lanes = trainer->usesLanes();
  report.runSteps = counters.done - resumedSteps;
  // Of several programs the mean over all steps.
  double flops = 0.0, steps = 0.0;
  for (size_t i = 0; i < state.ensembles.size(); ++i) {
    int64_t own = trainer->flopsPerStep(static_cast<int64_t>(i));
    report.flopsPerStep = own;
    for (const RunReport &run : state.reports)
      if (run.program == state.ensembles[i]->position) {
        flops += static_cast<double>(own) * static_cast<double>(run.steps);
        steps += static_cast<double>(run.steps);
      }
  }
  if (state.ensembles.size() > 1 && steps > 0)
    report.flopsPerStep = static_cast<int64_t>(flops / steps);
  return report;
}

Expected<Tensor> Fit::parameter(int64_t run, const std::string &name) {
  const Slot *slot = state.findSlot(run);
  if (!slot || !slot->started)
    return Error(ErrorKind::InvalidArgument,
                 "run " + std::to_string(run) + " was not trained");
  Place place = state.placeOf(run);
  const Records &records = state.ensembles[place.ensemble]->records;
  std::vector<std::string> names;
  for (const Leaf &leaf : records.leaves()) {
    if (leaf.name == name)
      return records.view(place.slot, leaf);
    names.push_back(leaf.name);
  }
  return Error(ErrorKind::InvalidArgument, "the learner has no parameter '" +
                                               name + "'" +
                                               suggest(name, names));
}
