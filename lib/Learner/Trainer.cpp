//===- Trainer.cpp - Advancing groups of runs -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace ensc;

//===----------------------------------------------------------------------===//
// One group
//===----------------------------------------------------------------------===//

namespace {
/// Where the entries of a session find their memory.
struct Bindings {
  std::vector<RunMemory> arguments, results;
};
} // namespace

/// A few runs that advance together from the first step to their last.
class Trainer::Group {
public:
  Group(Trainer &trainer, Session &session, const Bindings &init,
        const Bindings &fit, const Bindings &evaluate, bool useLanes,
        std::vector<int64_t> slots, std::vector<RunReport> &reports)
      : trainer(trainer), session(session),
        initCaller(makeCaller(*trainer.entries.init, init, useLanes)),
        fitCaller(makeCaller(*trainer.entries.fit, fit, useLanes)),
        live(std::move(slots)), reports(reports) {
    if (trainer.entries.evaluate)
      evaluateCaller.emplace(
          makeCaller(*trainer.entries.evaluate, evaluate, useLanes));
    updateIds();
  }

  void run() {
    call(initCaller, 0, 0);
    for (int64_t slot : live)
      session.clearLossSum(slot);
    int64_t lastStep = trainer.options.epochs * trainer.stepsPerEpoch;
    retire([&](int64_t slot) {
      bool stops = session.lastStep[slot] == 0 && lastStep > 0;
      if (stops)
        reports[slot].status = RunStatus::Stopped;
      return stops || lastStep == 0;
    });
    for (int64_t step = 0; !live.empty();) {
      int64_t epochEnd =
          (step / trainer.stepsPerEpoch + 1) * trainer.stepsPerEpoch;
      int64_t visitEnd = epochEnd;
      for (int64_t slot : live)
        visitEnd = std::min(visitEnd, session.lastStep[slot]);
      call(fitCaller, step, visitEnd);
      trainer.stepsDone +=
          (visitEnd - step) * static_cast<int64_t>(live.size());
      step = visitEnd;
      finishVisit(step, epochEnd, lastStep);
    }
  }

private:
  GroupCaller makeCaller(const ManifestEntry &entry, const Bindings &bindings,
                         bool useLanes) {
    return GroupCaller(trainer.program, entry,
                       entry.lanes && (useLanes || !entry.solo),
                       bindings.arguments, bindings.results);
  }

  void call(GroupCaller &caller, int64_t begin, int64_t end) {
    // The entries of a program may differ in the lanes they were compiled for.
    int64_t count = static_cast<int64_t>(live.size());
    for (int64_t first = 0; first < count; first += caller.lanes())
      if (caller.call(live.data() + first, ids.data() + first,
                      std::min(caller.lanes(), count - first), begin, end) < 0)
        trainer.refused = true;
  }

  void updateIds() {
    ids.clear();
    for (int64_t slot : live)
      ids.push_back(session.ids[slot]);
  }

  /// Reads metrics where an epoch ends or a run stops, and lets runs go.
  void finishVisit(int64_t step, int64_t epochEnd, int64_t lastStep) {
    bool epochEnds = step == epochEnd;
    for (int64_t slot : live) {
      session.steps.data<int64_t>()[slot] = step;
      reports[slot].steps = step;
    }
    if (epochEnds)
      evaluate(live, step, epochEnd);
    else
      evaluateStopped(step, epochEnd);
    retire([&](int64_t slot) {
      RunReport &report = reports[slot];
      if (epochEnds && !isFinite(slot)) {
        report.status = RunStatus::Diverged;
        return true;
      }
      if (step == session.lastStep[slot] && step < lastStep) {
        report.status = RunStatus::Stopped;
        return true;
      }
      return step >= lastStep;
    });
    if (epochEnds)
      for (int64_t slot : live)
        session.clearLossSum(slot);
  }

  bool isFinite(int64_t slot) const {
    return std::isfinite(reports[slot].epochs.back().values.front()) &&
           session.records.isFinite(slot);
  }

  /// Metrics of the runs that stop inside an epoch, without their neighbours.
  void evaluateStopped(int64_t step, int64_t epochEnd) {
    std::vector<int64_t> all = live, stopping;
    for (int64_t slot : all)
      if (session.lastStep[slot] == step)
        stopping.push_back(slot);
    live = stopping;
    updateIds();
    evaluate(stopping, step, epochEnd);
    live = std::move(all);
    updateIds();
  }

  void evaluate(const std::vector<int64_t> &slots, int64_t step,
                int64_t epochEnd) {
    if (evaluateCaller)
      call(*evaluateCaller, 0, 0);
    int64_t epochBegin = epochEnd - trainer.stepsPerEpoch;
    for (int64_t slot : slots) {
      EpochRecord record;
      record.epoch = epochBegin / trainer.stepsPerEpoch;
      record.step = step;
      record.values.push_back(session.readScalar("loss_sum", slot) /
                              static_cast<double>(step - epochBegin));
      for (size_t i = 1; i < trainer.metrics.size(); ++i)
        record.values.push_back(
            session.readScalar(trainer.metrics[i].name, slot));
      reports[slot].epochs.push_back(std::move(record));
    }
  }

  template <typename Predicate> void retire(Predicate leaves) {
    live.erase(std::remove_if(live.begin(), live.end(), leaves), live.end());
    updateIds();
  }

  Trainer &trainer;
  Session &session;
  GroupCaller initCaller, fitCaller;
  std::optional<GroupCaller> evaluateCaller;
  std::vector<int64_t> live, ids; ///< Slots that still train; global numbers.
  std::vector<RunReport> &reports;
};

//===----------------------------------------------------------------------===//
// All groups
//===----------------------------------------------------------------------===//

/// Splits slots into groups of `width`. What is left over trains one run at a
/// time if that wastes less than half a group.
static std::vector<std::pair<bool, std::vector<int64_t>>>
formGroups(int64_t slots, int64_t width, bool lanes, bool soloExists,
           RunSchedule schedule) {
  std::vector<std::pair<bool, std::vector<int64_t>>> groups;
  for (int64_t first = 0; first < slots;) {
    int64_t left = slots - first;
    bool inLanes = lanes && (left >= width || schedule == RunSchedule::Lanes ||
                             !soloExists || 2 * left >= width);
    int64_t count = std::min(left, inLanes ? width : int64_t{1});
    std::vector<int64_t> group;
    for (int64_t slot = first; slot < first + count; ++slot)
      group.push_back(slot);
    groups.emplace_back(inLanes, std::move(group));
    first += count;
  }
  return groups;
}

Status Trainer::train(Session &session, FitReport &report) {
  auto bind = [&](const ManifestEntry *entry, Bindings &bindings) -> Status {
    if (!entry)
      return Status::success();
    // Results first: they say which scalars there are.
    bindings.results = session.bindResults(*entry);
    Expected<std::vector<RunMemory>> arguments = session.bindArguments(*entry);
    if (!arguments)
      return arguments.error();
    bindings.arguments = std::move(*arguments);
    return Status::success();
  };
  Bindings init, fit, evaluate;
  for (auto [entry, bindings] :
       {std::pair(entries.init, &init), std::pair(entries.fit, &fit),
        std::pair(entries.evaluate, &evaluate)})
    if (Status status = bind(entry, *bindings); !status)
      return status;

  report.runs.resize(session.slots());
  for (int64_t slot = 0; slot < session.slots(); ++slot) {
    report.runs[slot].run = session.ids[slot];
    report.runs[slot].seed = session.seeds.data<int64_t>()[slot];
  }
  const ManifestEntry &entry = *entries.fit;
  // The interpreter evaluates runs one by one, whatever the schedule.
  if (options.schedule == RunSchedule::Lanes && !entry.lanes &&
      program.manifest().cpu != "interpreter")
    return Error(ErrorKind::Unsupported,
                 "the program was compiled without a lanes instance; compile "
                 "it with 8 or 16 lanes, or leave the schedule to ensc");
  report.lanes = usesLanes(entry, options.schedule, session.slots());
  report.flopsPerStep = (report.lanes ? entry.lanes : entry.solo)->flopsPerStep;
  for (const ManifestEntry *used :
       {entries.init, entries.fit, entries.evaluate})
    if (used)
      if (Status status = checkArena(*used, report.lanes && used->lanes);
          !status)
        return status;
  auto groups =
      formGroups(session.slots(), report.lanes ? entry.lanes->lanes : 1,
                 report.lanes, entry.solo.has_value(), options.schedule);
  auto start = std::chrono::steady_clock::now();
  parallelFor(groups.size(), options.threads, [&](int64_t index) {
    Group(*this, session, init, fit, evaluate, groups[index].first,
          groups[index].second, report.runs)
        .run();
  });
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  report.seconds = seconds.count();
  if (refused)
    return Error(
        ErrorKind::Unsupported,
        "the interpreter cannot execute the functions of this learner; "
        "compile the program instead");
  for (const RunReport &run : report.runs)
    report.runSteps += run.steps;
  return Status::success();
}
