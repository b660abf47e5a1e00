//===- MemoryPlan.cpp - What a fit will take ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPlan.h"
#include "RunQueue.h"
#include "Trainer.h"

#include "ensc/Runtime/Memory.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace ensc;

namespace {
/// Parts of the plan that do not depend on how many runs train at a time.
struct Parts {
  int64_t data = 0, reports = 0, worker = 0, run = 0;
};
} // namespace

/// What each slot of a session has beside its metrics.
static int64_t slotBytes(const LearnerEntries &entries) {
  int64_t bytes = 0;
  std::set<std::string> known;
  // The state, then hyper-parameters and results, each a number.
  for (const ManifestEntry *entry :
       {entries.init, entries.fit, entries.evaluate}) {
    if (!entry)
      continue;
    for (const ManifestValue &result : entry->results)
      if (known.insert(result.name).second)
        bytes += numElements(result.shape) * sizeOf(result.dtype);
    for (const ManifestValue &argument : entry->arguments)
      if (argument.role == "hyper" && known.insert(argument.name).second)
        bytes += sizeOf(argument.dtype);
  }
  // Number, last step, seed, step; rows of metrics and where they begin.
  return bytes + 6 * static_cast<int64_t>(sizeof(int64_t));
}

/// The parts for runs of at most `rows` rows of metrics, all runs together
/// `totalRows`.
static Parts measureParts(const LearnerEntries &entries,
                          const std::map<std::string, Tensor> &data,
                          int64_t runs, int64_t rows, int64_t totalRows,
                          size_t metrics) {
  // What the heap adds to each of the vectors.
  constexpr int64_t heapBytes = 16;
  Parts parts;
  for (const auto &[name, tensor] : data)
    parts.data += tensor.sizeInBytes();
  parts.reports =
      runs * static_cast<int64_t>(sizeof(RunReport) + heapBytes) +
      totalRows * static_cast<int64_t>(sizeof(EpochRecord) +
                                       metrics * sizeof(double) + heapBytes);
  parts.run = slotBytes(entries) + rows * MetricTable::rowBytes(metrics);
  return parts;
}

static int64_t peakOf(const Parts &parts, int64_t threads, int64_t runs) {
  return parts.data + parts.reports + std::min(threads, runs) * parts.worker +
         runs * parts.run;
}

/// The most runs that fit into `limit` bytes at the same time.
static int64_t runsThatFit(const Parts &parts, int64_t threads, int64_t width,
                           int64_t limit) {
  int64_t left = limit - parts.data - parts.reports;
  int64_t runs = (left - threads * parts.worker) / parts.run;
  if (left < threads * parts.worker || runs < threads)
    runs = left < 0 ? 0 : left / (parts.worker + parts.run);
  // Chunks of full groups waste nothing.
  return width && runs > width ? runs / width * width : runs;
}

static Error limitError(const Parts &parts, int64_t runs, int64_t limit) {
  return Error(ErrorKind::InvalidArgument,
               "training " + std::to_string(runs) + " runs, one at a time, " +
                   "takes at least " + std::to_string(peakOf(parts, 1, 1)) +
                   " bytes (" + formatBytes(parts.data) + " data, " +
                   formatBytes(parts.reports) + " metrics of all runs, " +
                   formatBytes(parts.worker + parts.run) +
                   " for a run), but the limit is " + std::to_string(limit) +
                   " bytes; raise it or use fewer runs");
}

Expected<MemoryPlan> ensc::planMemory(const LearnerEntries &entries,
                                      const std::map<std::string, Tensor> &data,
                                      const FitOptions &options,
                                      int64_t stepsPerEpoch, size_t metrics) {
  MemoryPlan plan;
  plan.runs = options.onlyRun ? 1 : options.runs;
  int64_t first = options.onlyRun.value_or(0);
  int64_t rows = 0, totalRows = 0;
  for (int64_t run = first; run < first + plan.runs; ++run) {
    int64_t own =
        (lastStepOf(options, run, stepsPerEpoch) + stepsPerEpoch - 1) /
        stepsPerEpoch;
    rows = std::max(rows, own);
    totalRows += own;
  }
  Parts parts =
      measureParts(entries, data, plan.runs, rows, totalRows, metrics);
  LearnerRules rules = rulesOf(entries, options, plan.runs);
  parts.run += RunQueue::bytesPerRun(rules.fit);
  Expected<ScratchBytes> scratch = scratchOf(entries, rules);
  if (!scratch)
    return scratch.error();
  parts.worker = scratch->total();
  int64_t threads = rules.fit.threads;

  plan.inFlight = plan.runs;
  if (options.maxMemory &&
      peakOf(parts, threads, plan.runs) > options.maxMemory)
    plan.inFlight =
        runsThatFit(parts, threads, rules.fit.width, options.maxMemory);
  if (plan.inFlight < 1)
    return limitError(parts, plan.runs, options.maxMemory);
  if (Status status = checkFits("the state", plan.inFlight, parts.run); !status)
    return status.error();
  plan.dataBytes = parts.data;
  plan.workers = std::min(threads, plan.inFlight);
  plan.workerBytes = parts.worker;
  plan.runBytes = parts.run;
  plan.reportBytes = parts.reports;
  plan.peakBytes = peakOf(parts, threads, plan.inFlight);
  return plan;
}
