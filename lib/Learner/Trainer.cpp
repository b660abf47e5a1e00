//===- Trainer.cpp - Advancing runs on all threads ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace ensc;
using Clock = std::chrono::steady_clock;

Status
Trainer::prepare(const std::vector<std::unique_ptr<Ensemble>> &ensembles) {
  ScratchBytes bytes;
  int64_t slots = 0;
  for (const std::unique_ptr<Ensemble> &ensemble : ensembles) {
    const LearnerEntries &entries = ensemble->program.entries;
    LearnerRules rules = rulesOf(entries, way, ensemble->slotCount());
    if (Status status = includeScratch(entries, rules, bytes); !status)
      return status;
    shared.ensembles.push_back({ensemble.get(), rules});
    slots += ensemble->slotCount();
  }
  // Each worker is the first to touch its scratch memory.
  for (int64_t i = 0; i < std::min<int64_t>(way.threads, slots); ++i) {
    Expected<Scratch> memory = Scratch::allocate(bytes);
    if (!memory)
      return memory.error();
    workers.push_back(std::make_unique<Worker>(shared, *memory));
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Cohorts
//===----------------------------------------------------------------------===//

const ManifestInstance &Trainer::instanceOf(int64_t ensemble) const {
  const TrainedEnsemble &trained = shared.ensembles[ensemble];
  const ManifestEntry &fit = *trained.ensemble->program.entries.fit;
  return trained.rules.fit.width ? *fit.lanes : *fit.solo;
}

/// The steps of a round: enough work that moving a group to another core is
/// lost in it, but no more than lets the threads share the work evenly, and
/// whoever interrupts a fit does not wait for long.
int64_t Trainer::longestRound(const Journey &journey) const {
  constexpr int64_t flopsPerRound = 1000000000, groupsPerThread = 32;
  // About what a core could do in a cycle that does something else.
  constexpr int64_t flopsPerCycle = 16;
  const TrainedEnsemble &trained = shared.ensembles[journey.ensemble];
  const ManifestInstance &instance = instanceOf(journey.ensemble);
  int64_t flopsPerStep =
      std::max({instance.flopsPerStep * instance.lanes,
                instance.cyclesPerStep * flopsPerCycle, int64_t{1}});
  int64_t recordSteps = trained.ensemble->recordSteps;
  if (flopsPerStep > flopsPerRound / recordSteps)
    return std::max<int64_t>(flopsPerRound / flopsPerStep, 1);
  const GroupRules &rules = trained.rules.fit;
  Grouping grouping = chooseGrouping(rules, journey.slots.size());
  int64_t groups = grouping.groups + grouping.single;
  int64_t fewestRounds = (groupsPerThread * rules.threads - 1) / groups + 1;
  int64_t records = (journey.end - journey.begin) / recordSteps;
  return recordSteps *
         std::max<int64_t>(std::min(flopsPerRound / flopsPerStep / recordSteps,
                                    records / fewestRounds),
                           1);
}

Cohort Trainer::makeCohort(Journey journey) const {
  const TrainedEnsemble &trained = shared.ensembles[journey.ensemble];
  const Ensemble &ensemble = *trained.ensemble;
  // Runs that end together are neighbours.
  std::sort(journey.slots.begin(), journey.slots.end(),
            [&](int64_t a, int64_t b) {
              return std::pair(-ensemble.slots[a].lastStep, a) <
                     std::pair(-ensemble.slots[b].lastStep, b);
            });
  Cohort cohort;
  cohort.ensemble = journey.ensemble;
  cohort.rules = trained.rules.fit;
  cohort.begin = journey.begin;
  cohort.end = journey.end;
  cohort.longest = longestRound(journey);
  cohort.shortest = std::min(ensemble.recordSteps, cohort.longest);
  cohort.slots = std::move(journey.slots);
  return cohort;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Waits until all of `count` threads are here, so that none is still being
/// made while others train. A thread that does not come is not waited for long.
static void meet(std::atomic<size_t> &arrived, size_t count) {
  ++arrived;
  auto patience = Clock::now() + std::chrono::milliseconds(10);
  while (arrived < count && Clock::now() < patience)
    std::this_thread::yield();
}

Status Trainer::advance(std::vector<Journey> journeys) {
  std::vector<Cohort> cohorts;
  for (Journey &journey : journeys)
    cohorts.push_back(makeCohort(std::move(journey)));
  RunQueue queue(std::move(cohorts));
  std::atomic<size_t> arrived{0};
  parallelFor(workers.size(), way.threads, [&](int64_t index) {
    if (!haveMet)
      meet(arrived, workers.size());
    while (RunGroup *group = queue.take()) {
      if (workers[index]->train(*group))
        queue.finish(group);
      else
        queue.stop();
    }
  });
  haveMet = true;
  return checkRefused();
}

Status Trainer::initialize(int64_t ensemble, int64_t slot) {
  workers.front()->initialize(ensemble, slot);
  return checkRefused();
}

Status Trainer::checkRefused() const {
  if (!shared.refused)
    return Status::success();
  return Error(ErrorKind::Unsupported,
               "the interpreter cannot execute the functions of this learner; "
               "compile the program instead");
}

bool Trainer::usesLanes() const {
  return std::any_of(shared.ensembles.begin(), shared.ensembles.end(),
                     [](const TrainedEnsemble &trained) {
                       return chooseGrouping(trained.rules.fit,
                                             trained.ensemble->slotCount())
                                  .groups > 0;
                     });
}

int64_t Trainer::flopsPerStep(int64_t ensemble) const {
  return instanceOf(ensemble).flopsPerStep;
}
