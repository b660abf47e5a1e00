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
#include <numeric>
#include <optional>
#include <thread>

using namespace ensc;
using Clock = std::chrono::steady_clock;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LearnerRules ensc::rulesOf(const LearnerEntries &entries,
                           const FitOptions &options, int64_t runs) {
  LearnerRules rules;
  rules.fit = rulesOf(*entries.fit, options.schedule, runs, options.threads);
  // What is done once per epoch or less follows the steps: a group that trains
  // in lanes is in the cache as such.
  auto follow = [&](const ManifestEntry *entry) {
    return entry
               ? rulesOf(*entry,
                         rules.fit.width ? options.schedule : RunSchedule::Solo,
                         runs, options.threads)
               : GroupRules();
  };
  rules.init = follow(entries.init);
  rules.evaluate = follow(entries.evaluate);
  return rules;
}

Expected<ScratchBytes> ensc::scratchOf(const LearnerEntries &entries,
                                       const LearnerRules &rules) {
  ScratchBytes bytes;
  for (auto [entry, own] : {std::pair(entries.init, &rules.init),
                            std::pair(entries.fit, &rules.fit),
                            std::pair(entries.evaluate, &rules.evaluate)})
    if (entry)
      if (Status status = bytes.include(*entry, *own); !status)
        return status.error();
  return bytes;
}

//===----------------------------------------------------------------------===//
// One worker
//===----------------------------------------------------------------------===//

/// What a thread needs to advance groups.
class Trainer::Worker {
public:
  Worker(Trainer &trainer, const Scratch &scratch)
      : trainer(trainer), session(trainer.session),
        initCaller(trainer.program, *trainer.entries.init, trainer.rules.init,
                   trainer.init.arguments, trainer.init.results, scratch),
        fitCaller(trainer.program, *trainer.entries.fit, trainer.rules.fit,
                  trainer.fit.arguments, trainer.fit.results, scratch),
        ids(largestGroup()), stopping(largestGroup()) {
    if (trainer.entries.evaluate)
      evaluateCaller.emplace(trainer.program, *trainer.entries.evaluate,
                             trainer.rules.evaluate, trainer.evaluate.arguments,
                             trainer.evaluate.results, scratch);
  }

  /// Trains a group to the end of its round. Runs that end leave it.
  void train(RunGroup &group) {
    if (group.begin == 0)
      start(group);
    int64_t step = group.begin * trainer.stepsPerEpoch;
    int64_t end = group.end * trainer.stepsPerEpoch;
    while (group.count && step < end) {
      int64_t epochEnd =
          (step / trainer.stepsPerEpoch + 1) * trainer.stepsPerEpoch;
      int64_t visitEnd = epochEnd;
      for (int64_t i = 0; i < group.count; ++i)
        visitEnd = std::min(visitEnd, session.lastStep[group.slots[i]]);
      call(fitCaller, group.slots, group.count, step, visitEnd);
      trainer.stepsDone += (visitEnd - step) * group.count;
      step = visitEnd;
      finishVisit(group, step, epochEnd);
    }
  }

private:
  size_t largestGroup() const {
    return std::max<int64_t>(trainer.rules.fit.width, 1);
  }

  void call(EntryCaller &caller, const int64_t *slots, int64_t count,
            int64_t begin, int64_t end) {
    for (int64_t i = 0; i < count; ++i)
      ids[i] = session.ids[slots[i]];
    if (!caller.call(slots, ids.data(), count, begin, end))
      trainer.refused = true;
  }

  /// Gives runs their initial state. Some may have no step to do.
  void start(RunGroup &group) {
    call(initCaller, group.slots, group.count, 0, 0);
    for (int64_t i = 0; i < group.count; ++i)
      trainer.columns.front().clear(group.slots[i]);
    retire(group, [&](int64_t slot) { return endsAt(slot, 0); });
  }

  /// Reads metrics where an epoch ends or a run stops, and lets runs go.
  void finishVisit(RunGroup &group, int64_t step, int64_t epochEnd) {
    bool epochEnds = step == epochEnd;
    for (int64_t i = 0; i < group.count; ++i) {
      session.steps.data<int64_t>()[group.slots[i]] = step;
      trainer.reports[group.slots[i]].steps = step;
    }
    if (epochEnds) {
      evaluate(group.slots, group.count, step, epochEnd);
    } else {
      // Runs that stop inside an epoch, without their neighbours.
      int64_t *last = std::copy_if(
          group.slots, group.slots + group.count, stopping.data(),
          [&](int64_t slot) { return session.lastStep[slot] == step; });
      evaluate(stopping.data(), last - stopping.data(), step, epochEnd);
    }
    retire(group, [&](int64_t slot) {
      if (epochEnds && !isFinite(slot)) {
        trainer.reports[slot].status = RunStatus::Diverged;
        return true;
      }
      return endsAt(slot, step);
    });
    if (epochEnds)
      for (int64_t i = 0; i < group.count; ++i)
        trainer.columns.front().clear(group.slots[i]);
  }

  bool isFinite(int64_t slot) const {
    return std::isfinite(session.table.lastLoss(slot)) &&
           session.records.isFinite(slot);
  }

  /// Whether a run has reached its last step, which may be everybody's.
  bool endsAt(int64_t slot, int64_t step) {
    if (step < session.lastStep[slot])
      return false;
    if (step < trainer.options.epochs * trainer.stepsPerEpoch)
      trainer.reports[slot].status = RunStatus::Stopped;
    return true;
  }

  void evaluate(const int64_t *slots, int64_t count, int64_t step,
                int64_t epochEnd) {
    if (evaluateCaller)
      call(*evaluateCaller, slots, count, 0, 0);
    int64_t epochBegin = epochEnd - trainer.stepsPerEpoch;
    for (int64_t i = 0; i < count; ++i) {
      double *row = session.table.addRow(slots[i], step);
      for (size_t metric = 0; metric < trainer.columns.size(); ++metric)
        row[metric] = trainer.columns[metric].read(slots[i]);
      row[0] /= static_cast<double>(step - epochBegin);
    }
  }

  template <typename Predicate> void retire(RunGroup &group, Predicate leaves) {
    int64_t *end = group.slots + group.count;
    group.count = std::remove_if(group.slots, end, leaves) - group.slots;
  }

  Trainer &trainer;
  Session &session;
  EntryCaller initCaller, fitCaller;
  std::optional<EntryCaller> evaluateCaller;
  std::vector<int64_t> ids, stopping; ///< Of the runs of one group.
};

//===----------------------------------------------------------------------===//
// All workers
//===----------------------------------------------------------------------===//

Trainer::Trainer(const Program &program, const LearnerEntries &entries,
                 const std::vector<MetricInfo> &metrics, int64_t stepsPerEpoch,
                 const FitOptions &options, Session &session,
                 std::atomic<int64_t> &stepsDone)
    : program(program), entries(entries), metrics(metrics),
      stepsPerEpoch(stepsPerEpoch), options(options), session(session),
      stepsDone(stepsDone) {}

Trainer::~Trainer() = default;

Status Trainer::bind(const ManifestEntry *entry, Bindings &bindings) {
  if (!entry)
    return Status::success();
  // Results first: they say which scalars there are.
  Expected<std::vector<RunMemory>> results = session.bindResults(*entry);
  if (!results)
    return results.error();
  bindings.results = std::move(*results);
  Expected<std::vector<RunMemory>> arguments = session.bindArguments(*entry);
  if (!arguments)
    return arguments.error();
  bindings.arguments = std::move(*arguments);
  return Status::success();
}

/// The epochs of a round: enough work that moving a group to another core is
/// lost in it, but no more than lets the threads share the work evenly.
int64_t Trainer::longestRound() const {
  constexpr int64_t flopsPerRound = 1000000000, groupsPerThread = 32;
  const ManifestInstance &instance =
      rules.fit.width ? *entries.fit->lanes : *entries.fit->solo;
  int64_t flopsPerEpoch = std::max<int64_t>(instance.flopsPerStep, 1) *
                          instance.lanes * stepsPerEpoch;
  Grouping grouping = chooseGrouping(rules.fit, session.slots());
  int64_t groups = grouping.groups + grouping.single;
  int64_t fewestRounds = (groupsPerThread * rules.fit.threads - 1) / groups + 1;
  return std::max<int64_t>(
      std::min(flopsPerRound / flopsPerEpoch, options.epochs / fewestRounds),
      1);
}

Status Trainer::prepare() {
  if (Status status =
          checkInstance(program.manifest(), *entries.fit, options.schedule);
      !status)
    return status;
  for (auto [entry, bindings] :
       {std::pair(entries.init, &init), std::pair(entries.fit, &fit),
        std::pair(entries.evaluate, &evaluate)})
    if (Status status = bind(entry, *bindings); !status)
      return status;
  columns.push_back(session.column("loss_sum"));
  for (size_t i = 1; i < metrics.size(); ++i)
    columns.push_back(session.column(metrics[i].name));
  reports.resize(session.slots());
  for (int64_t slot = 0; slot < session.slots(); ++slot) {
    reports[slot].run = session.ids[slot];
    reports[slot].seed = session.seeds.data<int64_t>()[slot];
  }

  rules = rulesOf(entries, options, session.slots());
  Expected<ScratchBytes> scratch = scratchOf(entries, rules);
  if (!scratch)
    return scratch.error();
  int64_t threads = std::min<int64_t>(rules.fit.threads, session.slots());
  // Each worker is the first to touch its scratch memory.
  for (int64_t i = 0; i < threads; ++i) {
    Expected<Scratch> memory = Scratch::allocate(*scratch);
    if (!memory)
      return memory.error();
    workers.push_back(std::make_unique<Worker>(*this, *memory));
  }
  // Runs that stop together are neighbours.
  std::vector<int64_t> order(session.slots());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::pair(-session.lastStep[a], a) <
           std::pair(-session.lastStep[b], b);
  });
  queue = std::make_unique<RunQueue>(std::move(order), rules.fit,
                                     options.epochs, longestRound());
  return Status::success();
}

/// Waits until all of `count` threads are here, so that none is still being
/// made while others train. A thread that does not come is not waited for long.
static void meet(std::atomic<size_t> &arrived, size_t count) {
  ++arrived;
  auto patience = Clock::now() + std::chrono::milliseconds(10);
  while (arrived < count && Clock::now() < patience)
    std::this_thread::yield();
}

/// Fills in what follows from the records.
void Trainer::summarize(RunReport &report) const {
  if (report.status == RunStatus::Pending)
    report.status = RunStatus::Completed;
  if (report.status == RunStatus::Stopped)
    report.reason = "max_steps";
  double none = std::nan("");
  report.final.assign(metrics.size(), none);
  report.best.assign(metrics.size(), none);
  for (const EpochRecord &record : report.epochs)
    for (size_t i = 0; i < metrics.size(); ++i) {
      double value = record.values[i], &best = report.best[i];
      report.final[i] = value;
      if (std::isnan(best) ||
          (metrics[i].maximize ? value > best : value < best))
        best = value;
    }
}

Status Trainer::train(FitReport &report, std::vector<RunReport> &runs) {
  std::atomic<size_t> arrived{0};
  Clock::time_point start = Clock::now();
  parallelFor(workers.size(), options.threads, [&](int64_t index) {
    meet(arrived, workers.size());
    while (RunGroup *group = queue->take()) {
      workers[index]->train(*group);
      queue->finish(group);
    }
  });
  std::chrono::duration<double> seconds = Clock::now() - start;
  if (refused)
    return Error(
        ErrorKind::Unsupported,
        "the interpreter cannot execute the functions of this learner; "
        "compile the program instead");
  report.seconds += seconds.count();
  report.lanes |= chooseGrouping(rules.fit, session.slots()).groups > 0;
  report.flopsPerStep =
      (rules.fit.width ? entries.fit->lanes : entries.fit->solo)->flopsPerStep;
  for (int64_t slot = 0; slot < session.slots(); ++slot) {
    reports[slot].epochs = session.table.recordsOf(slot, stepsPerEpoch);
    summarize(reports[slot]);
    report.runSteps += reports[slot].steps;
  }
  runs = std::move(reports);
  return Status::success();
}
