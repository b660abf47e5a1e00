//===- MemoryPlan.cpp - What a fit will take ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPlan.h"

#include "Ensemble.h"
#include "Worker.h"

#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <optional>

using namespace ensc;

/// The records that a run makes at most in a part of training, where parts are
/// cut: enough that their ends cost nothing, and memory does not grow with
/// steps.
static constexpr int64_t mostPartRecords = 63;

namespace {
/// What the runs of a program take.
struct ProgramParts {
  const LearnerEntries *entries = nullptr;
  int64_t runs = 0;    ///< To train.
  int64_t records = 0; ///< Of the run that makes most.
  int64_t slot = 0;    ///< Bytes of a run in flight, without its records.
};

/// What a fit takes, however it is trained.
struct Parts {
  TrainingWay asked;
  int64_t data = 0, reports = 0, runs = 0;
  int64_t recordBytes = 0;
  std::vector<ProgramParts> programs;

  /// Places for the runs of each program, of `inFlight` for all.
  std::vector<int64_t> slotsFor(int64_t inFlight) const;
  /// Rows for the records of a run in flight.
  int64_t tableRows(const ProgramParts &program, bool isWhole) const {
    // A part may end with a record that comes early.
    return isWhole ? program.records
                   : std::min(program.records, mostPartRecords + 1);
  }
  /// Fails where scratch memory exceeds that of this machine.
  Expected<MemoryPlan> plan(const TrainingWay &way,
                            const std::vector<int64_t> &slots,
                            bool isWhole) const;
  /// Whether what is trained in this way fits into `limit` bytes.
  bool fits(const TrainingWay &way, const std::vector<int64_t> &slots,
            bool isWhole, int64_t limit) const {
    Expected<MemoryPlan> memory = plan(way, slots, isWhole);
    return memory && memory->peakBytes <= limit;
  }
  /// The way that was asked for, and others that leave the same results.
  std::vector<TrainingWay> ways() const;
  /// About how long a step of all runs takes, in any unit.
  double costOf(const TrainingWay &way,
                const std::vector<int64_t> &slots) const;
  /// The fewest runs in flight: one of each program.
  int64_t fewest() const {
    return std::count_if(
        programs.begin(), programs.end(),
        [](const ProgramParts &program) { return program.runs > 0; });
  }
};
} // namespace

std::vector<int64_t> Parts::slotsFor(int64_t inFlight) const {
  std::vector<int64_t> slots;
  int64_t left = inFlight;
  for (const ProgramParts &program : programs) {
    // As f64 is exact enough: more or fewer places change no bit.
    auto share = static_cast<int64_t>(static_cast<double>(inFlight) *
                                      static_cast<double>(program.runs) /
                                      static_cast<double>(runs));
    slots.push_back(std::min(std::max<int64_t>(share, 1), program.runs));
    left -= slots.back();
  }
  // What rounding has left over or taken too much.
  while (left != 0)
    for (size_t i = 0; i < slots.size() && left != 0; ++i) {
      int64_t change = left > 0 ? slots[i] < programs[i].runs : -(slots[i] > 1);
      slots[i] += change;
      left -= change;
    }
  return slots;
}

Expected<MemoryPlan> Parts::plan(const TrainingWay &way,
                                 const std::vector<int64_t> &slots,
                                 bool isWhole) const {
  MemoryPlan plan;
  plan.runs = runs;
  plan.dataBytes = data;
  plan.reportBytes = reports;
  int64_t allRunBytes = 0;
  ScratchBytes scratch;
  for (size_t i = 0; i < slots.size(); ++i) {
    const ProgramParts &own = programs[i];
    if (!slots[i])
      continue;
    LearnerRules rules = rulesOf(*own.entries, way, slots[i]);
    if (Status status = includeScratch(*own.entries, rules, scratch); !status)
      return status.error();
    plan.inFlight += slots[i];
    allRunBytes += slots[i] * (own.slot + RunQueue::bytesPerRun(rules.fit) +
                               tableRows(own, isWhole) * recordBytes);
  }
  plan.workers = std::min<int64_t>(way.threads, plan.inFlight);
  plan.workerBytes = scratch.total();
  plan.runBytes = allRunBytes / plan.inFlight;
  plan.peakBytes =
      data + reports + plan.workers * plan.workerBytes + allRunBytes;
  return plan;
}

std::vector<TrainingWay> Parts::ways() const {
  std::vector<TrainingWay> ways;
  for (int threads = asked.threads; threads > 0; --threads) {
    ways.push_back({asked.schedule, threads});
    // A run alone needs less scratch memory than a group.
    if (asked.schedule == RunSchedule::Auto)
      ways.push_back({RunSchedule::Solo, threads});
  }
  return ways;
}

double Parts::costOf(const TrainingWay &way,
                     const std::vector<int64_t> &slots) const {
  double work = 0.0, longest = 0.0;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i])
      continue;
    GroupRules rules = rulesOf(*programs[i].entries, way, slots[i]).fit;
    Grouping grouping = chooseGrouping(rules, slots[i]);
    double own = rules.groupCost * static_cast<double>(grouping.groups) +
                 rules.singleCost * static_cast<double>(grouping.single);
    double turns =
        static_cast<double>(programs[i].runs) / static_cast<double>(slots[i]);
    work += own * turns;
    longest = std::max(longest, turns * (grouping.groups ? rules.groupCost
                                                         : rules.singleCost));
  }
  return std::max(work / way.threads, longest);
}

int64_t ensc::countRecords(const FitPlan &plan, int64_t run) {
  int64_t last = plan.lastSteps[run];
  if (!plan.options->metrics)
    return last > 0;
  int64_t every = plan.programs[plan.programOf[run]].recordSteps;
  return (last + every - 1) / every;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static Parts measureParts(const LearnerPrograms &programs, const FitPlan &plan,
                          bool isKept) {
  // What the heap adds to each of the vectors.
  constexpr int64_t heapBytes = 16;
  auto metrics = static_cast<int64_t>(plan.metrics.size());
  int64_t numbers = metrics * static_cast<int64_t>(sizeof(double)) + heapBytes;
  Parts parts;
  parts.recordBytes = MetricTable::rowBytes(plan.metrics.size());
  for (const LearnerProgram &program : programs.list) {
    ProgramParts &own = parts.programs.emplace_back();
    own.entries = &program.entries;
    // A snapshot is a copy.
    own.slot = Ensemble::slotBytes(program.entries, plan.metrics.size()) *
               (isKept ? 2 : 1);
  }
  for (const auto &[name, tensor] : plan.data)
    parts.data += tensor.sizeInBytes();
  parts.data = std::max<int64_t>(parts.data - plan.options->mappedBytes, 0);
  for (int64_t run : plannedRuns(*plan.options)) {
    ProgramParts &own = parts.programs[plan.programOf[run]];
    int64_t records = countRecords(plan, run);
    ++own.runs;
    ++parts.runs;
    own.records = std::max(own.records, records);
    // The report, of which there are two where it is handed over; place,
    // program, seed, last step and hyper-parameters.
    parts.reports += 2 * static_cast<int64_t>(sizeof(RunReport)) + 2 * numbers +
                     (6 + static_cast<int64_t>(plan.hypers.size())) *
                         static_cast<int64_t>(sizeof(int64_t));
    if (!isKept)
      parts.reports +=
          heapBytes +
          records * (static_cast<int64_t>(sizeof(EpochRecord)) + numbers);
  }
  int threads = plan.options->threads;
  parts.asked = {plan.options->schedule,
                 threads > 0 ? threads : availableThreads()};
  return parts;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// The most runs in flight that fit into `limit` bytes if they are trained in
/// this way; 0 if none.
static int64_t runsThatFit(const Parts &parts, const TrainingWay &way,
                           int64_t most, int64_t limit) {
  int64_t fits = 0;
  for (int64_t low = parts.fewest(), high = most; low <= high;) {
    int64_t middle = low + (high - low) / 2;
    bool isEnough =
        parts.fits(way, parts.slotsFor(middle), /*isWhole=*/false, limit);
    if (isEnough)
      fits = middle;
    (isEnough ? low : high) = isEnough ? middle + 1 : middle - 1;
  }
  if (fits == 0 || parts.programs.size() > 1)
    return fits;
  // Full groups waste nothing.
  int64_t width = rulesOf(*parts.programs[0].entries, way, fits).fit.width;
  return width && fits > width && fits < most ? fits / width * width : fits;
}

/// Lets as many runs train at the same time, in such a way, that all end first.
static void chooseWay(const Parts &parts, int64_t most, int64_t limit,
                      bool wantsAll, FitLayout &layout) {
  // Such differences say nothing.
  constexpr double little = 0.01;
  double least = 0.0;
  int64_t inFlight = 0;
  for (const TrainingWay &way : parts.ways()) {
    int64_t fits = runsThatFit(parts, way, most, limit);
    if (!fits)
      continue;
    std::vector<int64_t> slots = parts.slotsFor(fits);
    double cost = parts.costOf(way, slots);
    bool isBetter = cost < least * (1.0 - little) ||
                    (cost < least * (1.0 + little) && fits > inFlight);
    if (wantsAll && fits != inFlight)
      isBetter = fits > inFlight;
    if (inFlight && !isBetter)
      continue;
    least = cost;
    inFlight = fits;
    layout.way = way;
    layout.slots = std::move(slots);
  }
}

/// What the way takes that takes least.
static Expected<MemoryPlan> planLeast(const Parts &parts,
                                      const std::vector<int64_t> &slots) {
  std::optional<MemoryPlan> least;
  for (const TrainingWay &way : parts.ways()) {
    Expected<MemoryPlan> memory = parts.plan(way, slots, /*isWhole=*/false);
    if (memory && (!least || memory->peakBytes < least->peakBytes))
      least = *memory;
  }
  return least ? Expected<MemoryPlan>(*least)
               : parts.plan(parts.asked, slots, /*isWhole=*/false);
}

static Error limitError(const Parts &parts, int64_t limit) {
  int64_t fewest = parts.fewest();
  std::string atATime =
      fewest == 1 ? "one at a time" : std::to_string(fewest) + " at a time";
  Expected<MemoryPlan> least = planLeast(parts, parts.slotsFor(fewest));
  if (!least)
    return least.error();
  int64_t peak = least->peakBytes;
  return Error(ErrorKind::InvalidArgument,
               "training " + std::to_string(parts.runs) + " runs, " + atATime +
                   ", takes at least " + std::to_string(peak) + " bytes (" +
                   formatBytes(parts.data) + " data, " +
                   formatBytes(parts.reports) + " metrics of all runs, " +
                   formatBytes(peak - parts.data - parts.reports) +
                   (fewest == 1 ? " for a run" : " for the runs") +
                   "), but the limit is " + std::to_string(limit) +
                   " bytes; raise it or use fewer runs");
}

/// Decisions across runs must not depend on the memory of a machine.
static Status checkInFlight(const FitOptions &options, int64_t inFlight,
                            int64_t asked, int64_t runs) {
  if (options.search && options.search->needsAllRuns() && inFlight < runs)
    return Error(ErrorKind::InvalidArgument,
                 "the search compares all runs, but only " +
                     std::to_string(inFlight) + " of " + std::to_string(runs) +
                     " can train at the same time; use fewer runs");
  if (hasSyncPoints(options) && inFlight < asked)
    return Error(ErrorKind::InvalidArgument,
                 "only " + std::to_string(inFlight) + " of " +
                     std::to_string(asked) +
                     " runs fit into the memory at the same time, and what is "
                     "decided across runs depends on how many do; set the "
                     "number of runs in flight to no more");
  return Status::success();
}

/// Places for `asked` runs, or for as many as fit. None if not even one of each
/// program does.
static void placeRuns(const Parts &parts, const FitOptions &options,
                      int64_t asked, bool isKept, FitLayout &layout) {
  int64_t limit = options.maxMemory ? options.maxMemory : INT64_MAX;
  bool isSynced = hasSyncPoints(options);
  layout.way = parts.asked;
  layout.slots = parts.slotsFor(asked);
  layout.isWhole = !isKept && !isSynced && asked == parts.runs &&
                   parts.fits(layout.way, layout.slots, true, limit);
  if (layout.isWhole || parts.fits(layout.way, layout.slots, false, limit))
    return;
  layout.slots.clear();
  chooseWay(parts, asked, limit, isSynced, layout);
}

Expected<FitLayout> ensc::planLayout(const LearnerPrograms &programs,
                                     const FitPlan &plan, bool isKept) {
  const FitOptions &options = *plan.options;
  Parts parts = measureParts(programs, plan, isKept);
  int64_t asked =
      options.inFlight ? std::min(options.inFlight, parts.runs) : parts.runs;
  if (asked < parts.fewest())
    return Error(ErrorKind::InvalidArgument,
                 "there must be a run in flight of each of " +
                     std::to_string(parts.fewest()) + " programs, got " +
                     std::to_string(asked));
  FitLayout layout;
  layout.partRecords = mostPartRecords;
  for (const ProgramParts &program : parts.programs)
    layout.tableRows.push_back(parts.tableRows(program, /*isWhole=*/false));
  placeRuns(parts, options, asked, isKept, layout);
  if (layout.slots.empty())
    return limitError(parts, options.maxMemory ? options.maxMemory : INT64_MAX);
  Expected<MemoryPlan> memory =
      parts.plan(layout.way, layout.slots, layout.isWhole);
  if (!memory)
    return memory.error();
  layout.memory = *memory;
  int64_t inFlight = layout.memory.inFlight;
  if (Status status = checkFits("the state", inFlight, layout.memory.runBytes);
      !status)
    return status.error();
  if (Status status = checkInFlight(options, inFlight, asked, parts.runs);
      !status)
    return status.error();
  return layout;
}

Status ensc::widenLayout(const LearnerPrograms &programs, const FitPlan &plan,
                         const std::vector<int64_t> &slots, FitLayout &layout) {
  Parts parts = measureParts(programs, plan, /*isKept=*/true);
  int64_t limit = plan.options->maxMemory ? plan.options->maxMemory : INT64_MAX;
  std::optional<TrainingWay> best;
  if (parts.fits(parts.asked, slots, /*isWhole=*/false, limit))
    best = parts.asked;
  else
    for (const TrainingWay &way : parts.ways())
      if (parts.fits(way, slots, /*isWhole=*/false, limit) &&
          (!best || parts.costOf(way, slots) < parts.costOf(*best, slots)))
        best = way;
  Expected<MemoryPlan> memory =
      best ? parts.plan(*best, slots, /*isWhole=*/false)
           : planLeast(parts, slots);
  if (!memory)
    return memory.error();
  if (!best)
    return Error(
        ErrorKind::InvalidArgument,
        "where the fit was interrupted, " + std::to_string(memory->inFlight) +
            " runs were training at the same time; to go on takes " +
            std::to_string(memory->peakBytes) + " bytes, but the limit is " +
            std::to_string(limit) + " bytes; raise it");
  if (Status status =
          checkFits("the state", memory->inFlight, memory->runBytes);
      !status)
    return status;
  layout.isWhole = false;
  layout.way = *best;
  layout.slots = slots;
  layout.memory = *memory;
  return Status::success();
}
