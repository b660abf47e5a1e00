//===- FitPopulation.cpp - The runs at a sync point -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitPopulation.h"

#include "FitChecks.h"

#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ensc;

FitPopulation::FitPopulation(FitState &state, Handover &handover, int64_t tick)
    : state(state), handover(handover), now(tick), liveRuns(state.liveRuns()) {}

bool FitPopulation::isLive(int64_t run) const {
  return std::binary_search(liveRuns.begin(), liveRuns.end(), run);
}

Status FitPopulation::checkLive(int64_t run) const {
  if (isLive(run))
    return Status::success();
  return Error(ErrorKind::InvalidArgument, "run " + std::to_string(run) +
                                               " is not training at tick " +
                                               std::to_string(now));
}

Ensemble &FitPopulation::ensembleOf(int64_t run) const {
  return *state.ensembles[state.placeOf(run).ensemble];
}

int64_t FitPopulation::steps(int64_t run) const {
  return isLive(run) ? ensembleOf(run).stepOf(state.placeOf(run).slot) : 0;
}

double FitPopulation::latest(int64_t run, size_t metric) const {
  return isLive(run) ? ensembleOf(run).latest(state.placeOf(run).slot)[metric]
                     : std::nan("");
}

double FitPopulation::best(int64_t run, size_t metric) const {
  return isLive(run) ? ensembleOf(run).best(state.placeOf(run).slot)[metric]
                     : std::nan("");
}

FitEvent &FitPopulation::addEvent(FitEvent::Kind kind, int64_t run) {
  FitEvent &event = events.emplace_back();
  event.kind = kind;
  event.tick = now;
  event.runs = {run};
  return event;
}

Status FitPopulation::stop(int64_t run, const std::string &reason) {
  if (Status status = checkLive(run); !status)
    return status;
  Slot &slot = *state.findSlot(run);
  undo.push_back([&slot] {
    slot.status = RunStatus::Running;
    slot.reason.clear();
  });
  slot.status = RunStatus::Stopped;
  slot.reason = reason;
  liveRuns.erase(std::lower_bound(liveRuns.begin(), liveRuns.end(), run));
  addEvent(FitEvent::Stopped, run).text = reason;
  return Status::success();
}

Status FitPopulation::stopAll(const std::string &reason) {
  undo.push_back([this, before = state.over] { state.over = before; });
  state.over = true;
  std::vector<int64_t> runs = liveRuns;
  for (int64_t run : runs)
    if (Status status = stop(run, reason); !status)
      return status;
  return Status::success();
}

Status FitPopulation::copy(int64_t from, int64_t to) {
  for (int64_t run : {from, to})
    if (Status status = checkLive(run); !status)
      return status;
  Place source = state.placeOf(from), target = state.placeOf(to);
  if (source.ensemble != target.ensemble)
    return Error(ErrorKind::InvalidArgument,
                 "run " + std::to_string(to) + " cannot go on from run " +
                     std::to_string(from) + ", which is of another program");
  if (from != to)
    copies.emplace_back(source, target);
  addEvent(FitEvent::Copied, to).from = from;
  return Status::success();
}

static Error noHyper(const Ensemble &ensemble, const std::string &name) {
  std::vector<std::string> names;
  for (const ManifestValue *hyper : ensemble.program.entries.hypers())
    names.push_back(hyper->name);
  return Error(ErrorKind::InvalidArgument,
               "the program has no hyper-parameter '" + name + "'" +
                   suggest(name, names));
}

Expected<double> FitPopulation::hyper(int64_t run,
                                      const std::string &name) const {
  if (Status status = checkLive(run); !status)
    return status.error();
  const Tensor *column = ensembleOf(run).findHyper(name);
  if (!column)
    return noHyper(ensembleOf(run), name);
  return readHyper(*column, state.placeOf(run).slot);
}

Status FitPopulation::setHyper(int64_t run, const std::string &name,
                               double value) {
  if (Status status = checkLive(run); !status)
    return status;
  Ensemble &ensemble = ensembleOf(run);
  Tensor *column = ensemble.findHyper(name);
  if (!column)
    return noHyper(ensemble, name);
  std::string what =
      "the hyper-parameter '" + name + "' of run " + std::to_string(run);
  // In the options of a fit it stands for a value that is not given.
  if (std::isnan(value))
    return Error(ErrorKind::InvalidArgument,
                 what + " must be a number, got nan");
  for (const ManifestValue *hyper : ensemble.program.entries.hypers())
    if (hyper->name == name)
      if (Status status = checkHyper(*hyper, {value}, what); !status)
        return status;
  int64_t slot = state.placeOf(run).slot;
  undo.push_back([column, slot, before = readHyper(*column, slot)] {
    writeHyper(*column, slot, before);
  });
  writeHyper(*column, slot, value);
  FitEvent &event = addEvent(FitEvent::Changed, run);
  event.text = name;
  event.value = readHyper(*column, slot);
  return Status::success();
}

Status FitPopulation::commit() {
  for (const FitEvent &event : events)
    if (Status status = handover.tell(event); !status)
      return status;
  for (auto [from, to] : copies) {
    const Records &records = state.ensembles[from.ensemble]->records;
    std::memcpy(records.record(to.slot), records.record(from.slot),
                records.recordBytes());
  }
  return Status::success();
}

void FitPopulation::rollBack() {
  for (auto action = undo.rbegin(); action != undo.rend(); ++action)
    (*action)();
}
