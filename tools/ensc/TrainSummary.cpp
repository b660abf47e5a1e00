//===- TrainSummary.cpp - What ensc train says at the end -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainSummary.h"

#include "Commands.h"
#include "TrainingOutput.h"

#include "ensc/Report/RunTables.h"
#include "ensc/Runtime/Groups.h"
#include "ensc/Runtime/Peak.h"

#include "ensc/Runtime/Threads.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
/// How fast the training was.
struct Speed {
  double runStepsPerSecond = 0.0, flops = 0.0, peakFlops = 0.0;
  int threads = 1;

  double ofPeak() const { return peakFlops > 0 ? flops / peakFlops : 0.0; }
};
} // namespace

static Speed measureSpeed(const FitReport &report) {
  Speed speed;
  speed.threads = tool::threads() > 0 ? tool::threads() : availableThreads();
  speed.peakFlops = measurePeakFlops(speed.threads);
  if (report.trainingSeconds > 0)
    speed.runStepsPerSecond = report.runSteps / report.trainingSeconds;
  speed.flops =
      speed.runStepsPerSecond * static_cast<double>(report.flopsPerStep);
  return speed;
}

static Json memoryAsJson(const MemoryPlan &plan) {
  return {{"peak_bytes", plan.peakBytes},
          {"data_bytes", plan.dataBytes},
          {"bytes_per_run", plan.runBytes},
          {"bytes_per_worker", plan.workerBytes},
          {"report_bytes", plan.reportBytes},
          {"workers", plan.workers},
          {"runs_at_a_time", plan.inFlight}};
}

static std::string spell(const Goal &goal) {
  return goal.metric + (goal.below ? "<" : ">") + formatNumber(goal.value);
}

/// How many runs ended in which way.
static Json countStatuses(const FitReport &report) {
  Json counts = Json::object();
  for (RunStatus status :
       {RunStatus::Completed, RunStatus::Stopped, RunStatus::Reached,
        RunStatus::Diverged, RunStatus::Pending}) {
    int64_t count = 0;
    for (const RunReport &run : report.runs)
      count += run.status == status;
    counts[nameOf(status)] = count;
  }
  return counts;
}

static Json bestRun(const Learner &learner, const CsvTable &table) {
  const MetricInfo &monitor = learner.metrics()[learner.monitor()];
  std::optional<size_t> column = table.column("final_" + monitor.name);
  if (!column || table.rows.empty())
    return nullptr;
  return tool::rowAsJson(table,
                         rankRows(table, *column, monitor.maximize).front());
}

Json tool::TrainSummary::asJson() const {
  Speed speed = measureSpeed(report);
  return {{"compilations", compilations},
          {"cache_hits", cacheHits},
          {"run_steps", report.runSteps},
          {"seconds", jsonNumber(report.seconds)},
          {"training_seconds", jsonNumber(report.trainingSeconds)},
          {"run_steps_per_second", jsonNumber(speed.runStepsPerSecond)},
          {"gflops", jsonNumber(speed.flops / 1e9)},
          {"peak_gflops", jsonNumber(speed.peakFlops / 1e9)},
          {"fraction_of_peak", jsonNumber(speed.ofPeak())},
          {"threads", speed.threads},
          {"schedule", report.lanes ? "lanes" : "solo"},
          {"memory", memoryAsJson(report.memory)},
          {"statuses", countStatuses(report)},
          {"goal", goal ? Json(spell(*goal)) : Json(nullptr)},
          {"experiment", experiment},
          {"monitor", learner.metrics()[learner.monitor()].name},
          {"best_run", bestRun(learner, table)}};
}

/// Names the runs that reached the goal, and how to repeat one alone.
static void printReached(const Goal &goal, const FitReport &report) {
  constexpr int shownRuns = 5;
  int shown = 0;
  for (const RunReport &run : report.runs)
    if (run.status == RunStatus::Reached && shown++ < shownRuns)
      llvm::outs() << "run " << run.run << " (seed " << run.seed << ") reached "
                   << spell(goal) << " at step " << run.steps
                   << "; alone: the same command with --only-run=" << run.run
                   << " and another -o\n";
  if (shown > shownRuns)
    llvm::outs() << "(and " << shown - shownRuns << " more)\n";
  if (shown < goal.count)
    llvm::outs() << (shown ? "only " : "") << shown << " of the " << goal.count
                 << " wanted runs reached " << spell(goal) << "\n";
}

void tool::TrainSummary::print() const {
  const MetricInfo &monitor = learner.metrics()[learner.monitor()];
  constexpr size_t shownRuns = 10;
  llvm::outs() << formatLeaderboard(table, monitor.name, monitor.maximize,
                                    shownRuns);
  if (table.rows.size() > shownRuns)
    llvm::outs() << "(" << shownRuns << " of " << table.rows.size()
                 << " runs; all of them: ensc runs compare " << experiment
                 << ")\n";
  if (goal)
    printReached(*goal, report);
  if (report.runSteps == 0) {
    llvm::outs() << "nothing was left to do in " << experiment << "\n";
    return;
  }
  Speed speed = measureSpeed(report);
  llvm::outs() << llvm::format(
      "%lld run-steps in %.2f s, %.0f run-steps/s, %.1f %% of the peak of this "
      "CPU, schedule %s\n",
      static_cast<long long>(report.runSteps), report.trainingSeconds,
      speed.runStepsPerSecond, 100 * speed.ofPeak(),
      report.lanes ? "lanes" : "solo");
}
