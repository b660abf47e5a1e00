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

#include <algorithm>
#include <numeric>

using namespace ensc;

/// The records that a run makes at most in a part of training, where parts are
/// cut: enough that their ends cost nothing, and memory does not grow with
/// steps.
static constexpr int64_t mostPartRecords = 63;

namespace {
/// What the runs of a program take.
struct ProgramParts {
  int64_t runs = 0;    ///< To train.
  int64_t records = 0; ///< Of the run that makes most.
  int64_t slot = 0;    ///< Bytes of a run in flight, without its records.
  int64_t width = 0;   ///< Of its groups.
};

/// Parts of the plan that do not depend on how many runs train at a time.
struct Parts {
  int64_t data = 0, reports = 0, worker = 0, threads = 1, runs = 0;
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
  int64_t runBytes(int64_t program, bool isWhole) const {
    const ProgramParts &own = programs[program];
    return own.slot + tableRows(own, isWhole) * recordBytes;
  }
  int64_t allRunBytes(const std::vector<int64_t> &slots, bool isWhole) const;
  int64_t peak(const std::vector<int64_t> &slots, bool isWhole) const;
  int64_t peak(int64_t inFlight, bool isWhole) const {
    return peak(slotsFor(inFlight), isWhole);
  }
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

int64_t Parts::allRunBytes(const std::vector<int64_t> &slots,
                           bool isWhole) const {
  int64_t bytes = 0;
  for (size_t i = 0; i < slots.size(); ++i)
    bytes += slots[i] * runBytes(static_cast<int64_t>(i), isWhole);
  return bytes;
}

static int64_t sumOf(const std::vector<int64_t> &slots) {
  return std::accumulate(slots.begin(), slots.end(), int64_t{0});
}

int64_t Parts::peak(const std::vector<int64_t> &slots, bool isWhole) const {
  return data + reports + std::min(threads, sumOf(slots)) * worker +
         allRunBytes(slots, isWhole);
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

static Status measureProgram(const LearnerProgram &program, const FitPlan &plan,
                             bool isKept, ProgramParts &parts,
                             ScratchBytes &scratch) {
  parts.slot = Ensemble::slotBytes(program.entries, plan.metrics.size());
  // A snapshot is a copy.
  if (isKept)
    parts.slot *= 2;
  LearnerRules rules = rulesOf(program.entries, *plan.options, parts.runs);
  parts.width = rules.fit.width;
  parts.slot += RunQueue::bytesPerRun(rules.fit);
  return includeScratch(program.entries, rules, scratch);
}

static Expected<Parts> measureParts(const LearnerPrograms &programs,
                                    const FitPlan &plan, bool isKept) {
  // What the heap adds to each of the vectors.
  constexpr int64_t heapBytes = 16;
  auto metrics = static_cast<int64_t>(plan.metrics.size());
  int64_t numbers = metrics * static_cast<int64_t>(sizeof(double)) + heapBytes;
  Parts parts;
  parts.recordBytes = MetricTable::rowBytes(plan.metrics.size());
  parts.programs.resize(programs.list.size());
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
  ScratchBytes scratch;
  for (size_t i = 0; i < parts.programs.size(); ++i)
    if (parts.programs[i].runs)
      if (Status status = measureProgram(programs.list[i], plan, isKept,
                                         parts.programs[i], scratch);
          !status)
        return status.error();
  parts.worker = scratch.total();
  int threads = plan.options->threads;
  parts.threads = threads > 0 ? threads : availableThreads();
  return parts;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// The most runs in flight that fit into `limit` bytes; 0 if none.
static int64_t runsThatFit(const Parts &parts, int64_t most, int64_t limit) {
  int64_t fits = 0;
  for (int64_t low = parts.fewest(), high = most; low <= high;) {
    int64_t middle = low + (high - low) / 2;
    bool isEnough = parts.peak(middle, /*isWhole=*/false) <= limit;
    if (isEnough)
      fits = middle;
    (isEnough ? low : high) = isEnough ? middle + 1 : middle - 1;
  }
  // Full groups waste nothing.
  int64_t width = parts.programs.size() == 1 ? parts.programs[0].width : 0;
  return width && fits > width && fits < most ? fits / width * width : fits;
}

static Error limitError(const Parts &parts, int64_t limit) {
  int64_t fewest = parts.fewest();
  std::string atATime =
      fewest == 1 ? "one at a time" : std::to_string(fewest) + " at a time";
  int64_t peak = parts.peak(fewest, /*isWhole=*/false);
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

static MemoryPlan describe(const Parts &parts,
                           const std::vector<int64_t> &slots, bool isWhole) {
  MemoryPlan plan;
  plan.runs = parts.runs;
  plan.inFlight = sumOf(slots);
  plan.dataBytes = parts.data;
  plan.workers = std::min(parts.threads, plan.inFlight);
  plan.workerBytes = parts.worker;
  plan.runBytes = parts.allRunBytes(slots, isWhole) / plan.inFlight;
  plan.reportBytes = parts.reports;
  plan.peakBytes = parts.peak(slots, isWhole);
  return plan;
}

Expected<FitLayout> ensc::planLayout(const LearnerPrograms &programs,
                                     const FitPlan &plan, bool isKept) {
  const FitOptions &options = *plan.options;
  Expected<Parts> measured = measureParts(programs, plan, isKept);
  if (!measured)
    return measured.error();
  const Parts &parts = *measured;
  int64_t limit = options.maxMemory ? options.maxMemory : INT64_MAX;
  int64_t asked =
      options.inFlight ? std::min(options.inFlight, parts.runs) : parts.runs;
  if (asked < parts.fewest())
    return Error(ErrorKind::InvalidArgument,
                 "there must be a run in flight of each of " +
                     std::to_string(parts.fewest()) + " programs, got " +
                     std::to_string(asked));
  FitLayout layout;
  layout.isWhole = !isKept && !hasSyncPoints(options) && asked == parts.runs &&
                   parts.peak(asked, /*isWhole=*/true) <= limit;
  layout.partRecords = mostPartRecords;
  for (const ProgramParts &program : parts.programs)
    layout.tableRows.push_back(parts.tableRows(program, /*isWhole=*/false));
  int64_t inFlight = asked;
  if (!layout.isWhole && parts.peak(asked, /*isWhole=*/false) > limit)
    inFlight = runsThatFit(parts, asked, limit);
  if (inFlight < 1)
    return limitError(parts, limit);
  layout.slots = parts.slotsFor(inFlight);
  layout.memory = describe(parts, layout.slots, layout.isWhole);
  inFlight = layout.memory.inFlight;
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
  Expected<Parts> parts = measureParts(programs, plan, /*isKept=*/true);
  if (!parts)
    return parts.error();
  MemoryPlan memory = describe(*parts, slots, /*isWhole=*/false);
  int64_t limit = plan.options->maxMemory;
  if (limit && memory.peakBytes > limit)
    return Error(
        ErrorKind::InvalidArgument,
        "where the fit was interrupted, " + std::to_string(memory.inFlight) +
            " runs were training at the same time; to go on takes " +
            std::to_string(memory.peakBytes) + " bytes, but the limit is " +
            std::to_string(limit) + " bytes; raise it");
  if (Status status = checkFits("the state", memory.inFlight, memory.runBytes);
      !status)
    return status;
  layout.isWhole = false;
  layout.slots = slots;
  layout.memory = memory;
  return Status::success();
}
