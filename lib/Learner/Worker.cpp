//===- Worker.cpp - What a thread needs to train groups -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include <algorithm>
#include <cmath>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LearnerRules ensc::rulesOf(const LearnerEntries &entries,
                           const TrainingWay &way, int64_t runs) {
  LearnerRules rules;
  rules.fit = rulesOf(*entries.fit, way.schedule, runs, way.threads);
  // What is done once per record or less follows the steps: a group that trains
  // in lanes is in the cache as such.
  auto follow = [&](const ManifestEntry *entry) {
    return entry ? rulesOf(*entry,
                           rules.fit.width ? way.schedule : RunSchedule::Solo,
                           runs, way.threads)
                 : GroupRules();
  };
  rules.init = follow(entries.init);
  rules.evaluate = follow(entries.evaluate);
  return rules;
}

Status ensc::includeScratch(const LearnerEntries &entries,
                            const LearnerRules &rules, ScratchBytes &bytes) {
  for (auto [entry, own] : {std::pair(entries.init, &rules.init),
                            std::pair(entries.fit, &rules.fit),
                            std::pair(entries.evaluate, &rules.evaluate)})
    if (entry)
      if (Status status = bytes.include(*entry, *own); !status)
        return status;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static EntryCaller makeCaller(const Ensemble &ensemble,
                              const ManifestEntry &entry,
                              const GroupRules &rules, const Bindings &bindings,
                              const Scratch &scratch) {
  return EntryCaller(ensemble.program.executable.program(), entry, rules,
                     bindings.arguments, bindings.results, scratch);
}

Worker::Callers::Callers(const TrainedEnsemble &trained, const Scratch &scratch)
    : ensemble(*trained.ensemble),
      init(makeCaller(ensemble, *ensemble.program.entries.init,
                      trained.rules.init, ensemble.init, scratch)),
      fit(makeCaller(ensemble, *ensemble.program.entries.fit, trained.rules.fit,
                     ensemble.fit, scratch)) {
  if (const ManifestEntry *entry = ensemble.program.entries.evaluate)
    evaluate.emplace(makeCaller(ensemble, *entry, trained.rules.evaluate,
                                ensemble.evaluate, scratch));
}

Worker::Worker(SharedWork &shared, const Scratch &scratch) : shared(shared) {
  int64_t largestGroup = 1;
  for (const TrainedEnsemble &trained : shared.ensembles) {
    callers.emplace_back(trained, scratch);
    largestGroup = std::max(largestGroup, trained.rules.fit.width);
  }
  ids.resize(largestGroup);
  chosen.resize(largestGroup);
}

void Worker::call(Callers &callers, EntryCaller &caller, const int64_t *slots,
                  int64_t count, int64_t begin, int64_t end) {
  for (int64_t i = 0; i < count; ++i)
    ids[i] = callers.ensemble.slots[slots[i]].run;
  if (!caller.call(slots, ids.data(), count, begin, end))
    shared.refused = true;
}

void Worker::initialize(int64_t ensemble, int64_t slot) {
  Callers &own = callers[ensemble];
  call(own, own.init, &slot, 1, 0, 0);
  own.ensemble.slots[slot].started = true;
}

//===----------------------------------------------------------------------===//
// Visits
//===----------------------------------------------------------------------===//

template <typename Predicate>
static void retire(RunGroup &group, Predicate leaves) {
  int64_t *end = group.slots + group.count;
  group.count = std::remove_if(group.slots, end, leaves) - group.slots;
}

bool Worker::train(RunGroup &group) {
  Callers &own = callers[group.ensemble];
  Ensemble &ensemble = own.ensemble;
  start(own, group);
  int64_t step = group.begin;
  while (group.count && step < group.end) {
    if (shared.isInterrupted())
      return false;
    int64_t end = visitEnd(ensemble, group, step);
    call(own, own.fit, group.slots, group.count, step, end);
    shared.stepsDone += (end - step) * group.count;
    step = end;
    finishVisit(own, group, step);
  }
  return true;
}

/// Gives runs their initial state. Some may have no step to do.
void Worker::start(Callers &callers, RunGroup &group) {
  Ensemble &ensemble = callers.ensemble;
  int64_t *last =
      std::copy_if(group.slots, group.slots + group.count, chosen.data(),
                   [&](int64_t slot) { return !ensemble.slots[slot].started; });
  int64_t count = last - chosen.data();
  if (count) {
    call(callers, callers.init, chosen.data(), count, 0, 0);
    for (int64_t i = 0; i < count; ++i)
      ensemble.slots[chosen[i]].started = true;
  }
  if (group.begin == 0)
    retire(group,
           [&](int64_t slot) { return Judge::endsAtStart(ensemble, slot); });
}

/// The step after `step` where a run makes its next record, or where the loss
/// of its only one begins.
int64_t Worker::nextRecord(const Ensemble &ensemble, int64_t slot,
                           int64_t step) const {
  int64_t last = ensemble.slots[slot].lastStep, every = ensemble.recordSteps;
  if (shared.plan.options->metrics)
    return std::min(last, (step / every + 1) * every);
  int64_t begin = (last - 1) / every * every;
  return step < begin ? begin : last;
}

int64_t Worker::visitEnd(const Ensemble &ensemble, const RunGroup &group,
                         int64_t step) const {
  int64_t end = group.end;
  for (int64_t i = 0; i < group.count; ++i)
    end = std::min(end, nextRecord(ensemble, group.slots[i], step));
  return end;
}

/// Takes metrics where a record is due, and lets runs go.
void Worker::finishVisit(Callers &callers, RunGroup &group, int64_t step) {
  Ensemble &ensemble = callers.ensemble;
  const FitOptions &options = *shared.plan.options;
  for (int64_t i = 0; i < group.count; ++i)
    ensemble.setStep(group.slots[i], step);
  auto endsHere = [&](int64_t slot) {
    return ensemble.slots[slot].lastStep == step;
  };
  bool isDue = step % ensemble.recordSteps == 0;
  bool isRecord = options.metrics && isDue;
  bool validates =
      isRecord && step / ensemble.recordSteps % options.validateEvery == 0;
  if (validates) {
    record(callers, group.slots, group.count, step, /*validated=*/true);
  } else {
    // Runs that end are validated without their neighbours.
    int64_t *end = group.slots + group.count, *first = chosen.data();
    int64_t ending = std::copy_if(group.slots, end, first, endsHere) - first;
    record(callers, first, ending, step, /*validated=*/true);
    int64_t others =
        std::remove_copy_if(group.slots, end, first, endsHere) - first;
    if (isRecord)
      record(callers, first, others, step, /*validated=*/false);
    else if (isDue)
      skipRecord(ensemble, first, others, step);
  }
  retire(group, [&](int64_t slot) {
    return (isRecord || endsHere(slot)) &&
           shared.judge.ends(ensemble, slot, validates || endsHere(slot));
  });
}

/// Makes a record of some runs.
void Worker::record(Callers &callers, const int64_t *slots, int64_t count,
                    int64_t step, bool validated) {
  if (!count)
    return;
  Ensemble &ensemble = callers.ensemble;
  validated &= callers.evaluate.has_value();
  if (validated)
    call(callers, *callers.evaluate, slots, count, 0, 0);
  size_t metrics = shared.plan.metrics.size();
  for (int64_t i = 0; i < count; ++i) {
    int64_t slot = slots[i];
    Slot &place = ensemble.slots[slot];
    double *row = ensemble.table.addRow(slot, step, validated);
    std::fill_n(row, metrics, std::nan(""));
    row[0] = ensemble.lossSum.read(slot) /
             static_cast<double>(step - place.recorded);
    ensemble.note(slot, 0, row[0]);
    for (size_t m = 0; validated && m < ensemble.measured.size(); ++m) {
      size_t metric = ensemble.program.metrics[m];
      row[metric] = ensemble.measured[m].read(slot);
      ensemble.note(slot, metric, row[metric]);
    }
    ensemble.lossSum.write(slot, 0.0);
    place.recorded = step;
  }
}

/// Lets the loss of the only record of some runs begin here.
void Worker::skipRecord(Ensemble &ensemble, const int64_t *slots, int64_t count,
                        int64_t step) {
  for (int64_t i = 0; i < count; ++i) {
    ensemble.lossSum.write(slots[i], 0.0);
    ensemble.slots[slots[i]].recorded = step;
  }
}
