//===- FitChecks.cpp - What a fit is to do, checked -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitChecks.h"

#include "MemoryPlan.h"
#include "RowNumbers.h"
#include "UserCode.h"

#include "ensc/Runtime/HyperValues.h"
#include "ensc/Runtime/Suggest.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace ensc;

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

bool ensc::hasSyncPoints(const FitOptions &options) {
  return options.goal || options.search || !options.callbacks.empty();
}

std::string ensc::ownPlaceOf(const FitOptions &options, int64_t run,
                             const std::string &column) {
  return options.placeOf ? options.placeOf(run, column) : "";
}

std::string ensc::placeOf(const FitOptions &options, int64_t run,
                          const std::string &column) {
  std::string place = ownPlaceOf(options, run, column);
  return place.empty() ? "run " + std::to_string(run) : place;
}

std::vector<int64_t> ensc::plannedRuns(const FitOptions &options) {
  if (options.onlyRun)
    return {*options.onlyRun};
  std::vector<int64_t> runs(options.runs);
  std::iota(runs.begin(), runs.end(), 0);
  return runs;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Whether there are no values, one for all runs, or one for each.
template <typename T>
static Status checkCount(const std::string &what, const std::vector<T> &values,
                         int64_t runs) {
  if (values.size() <= 1 || static_cast<int64_t>(values.size()) == runs)
    return Status::success();
  return invalid(what + " has " + std::to_string(values.size()) +
                 " values for " + std::to_string(runs) + " runs");
}

static Status checkAtLeast(const std::string &what, int64_t value,
                           int64_t least) {
  if (value >= least)
    return Status::success();
  return invalid(what + " must be at least " + std::to_string(least) +
                 ", got " + std::to_string(value));
}

/// Fails with the first error of several checks.
static Status firstError(std::initializer_list<Status> checks) {
  for (const Status &status : checks)
    if (!status)
      return status;
  return Status::success();
}

static Status checkExperiment(const ExperimentOptions &options) {
  if (!(options.checkpointSeconds >= 0))
    return invalid("the seconds between checkpoints must be at least 0, got " +
                   formatShort(options.checkpointSeconds));
  return firstError({checkAtLeast("the steps between checkpoints",
                                  options.checkpointSteps, 0),
                     checkAtLeast("the number of checkpoints that stay",
                                  options.keepCheckpoints, 1),
                     checkAtLeast("the number of best runs whose files stay",
                                  options.keepBest, 0)});
}

static Status checkNumbers(const FitOptions &options, int64_t programs) {
  if (options.runs < 1)
    return invalid("the number of runs must be positive, got " +
                   std::to_string(options.runs));
  if (options.epochs < 0)
    return invalid("the number of epochs must not be negative, got " +
                   std::to_string(options.epochs));
  if (options.onlyRun &&
      (*options.onlyRun < 0 || *options.onlyRun >= options.runs))
    return invalid("run " + std::to_string(*options.onlyRun) +
                   " is not one of the " + std::to_string(options.runs) +
                   " runs, which are counted from 0");
  if (options.maxMemory < 0)
    return invalid("the limit of memory must not be negative, got " +
                   std::to_string(options.maxMemory));
  for (int64_t step : options.maxSteps)
    if (step < 0)
      return invalid("max-steps must not be negative, got " +
                     std::to_string(step));
  for (int64_t patience : options.patience)
    if (Status status = checkAtLeast("the patience", patience, 0); !status)
      return status;
  for (int64_t program : options.programs)
    if (program < 0 || program >= programs)
      return invalid("there is no program " + std::to_string(program) +
                     "; the learner has " + std::to_string(programs) +
                     ", counted from 0");
  if (!(options.minDelta >= 0))
    return invalid("min-delta must be at least 0, got " +
                   formatShort(options.minDelta));
  return firstError(
      {checkThreads("threads", options.threads),
       checkAtLeast("the number of runs in flight", options.inFlight, 0),
       checkAtLeast("the steps between records", options.recordEvery, 0),
       checkAtLeast("the records between validations", options.validateEvery,
                    1),
       checkAtLeast("the ticks between sync points", options.syncEvery, 0),
       checkExperiment(options.experiment)});
}

static Status checkCounts(const FitOptions &options) {
  int64_t runs = options.runs;
  return firstError(
      {checkCount("max-steps", options.maxSteps, runs),
       checkCount("the seeds", options.seeds, runs),
       checkCount("the order seeds", options.orderSeeds, runs),
       checkCount("the programs", options.programs, runs),
       checkCount("the patience", options.patience, runs),
       checkCount("the initial states", options.initialStates, runs),
       checkCount("the choice of rows", options.rowChoices, runs)});
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

static Status checkGoal(const Goal &goal,
                        const std::vector<MetricInfo> &metrics) {
  std::vector<std::string> names;
  for (const MetricInfo &metric : metrics)
    names.push_back(metric.name);
  if (std::find(names.begin(), names.end(), goal.metric) == names.end())
    return invalid("the goal's metric '" + goal.metric +
                   "' is not one of the program" + suggest(goal.metric, names));
  if (std::isnan(goal.value))
    return invalid("the goal of '" + goal.metric + "' must be a number");
  return checkAtLeast("the number of runs that reach the goal", goal.count, 1);
}

static Status checkDecisions(const FitOptions &options,
                             const std::vector<MetricInfo> &metrics) {
  if (options.goal)
    if (Status status = checkGoal(*options.goal, metrics); !status)
      return status;
  for (const Callback &callback : options.callbacks) {
    if (!callback.call)
      return invalid("a callback must have a function");
    if (Status status = checkAtLeast("the ticks between calls of a callback",
                                     callback.every, 1);
        !status)
      return status;
  }
  bool hasPatience =
      std::any_of(options.patience.begin(), options.patience.end(),
                  [](int64_t patience) { return patience > 0; });
  if (!options.metrics && (hasPatience || hasSyncPoints(options)))
    return invalid("a fit without metrics cannot be stopped by them; turn them "
                   "on, or leave out patience, goal, search and callbacks");
  if (options.search && options.onlyRun)
    return invalid("a search compares runs, so that no run can be trained "
                   "alone");
  return Status::success();
}

/// Whether the search can decide about the runs that there will be.
static Status checkSearch(const FitOptions &options, const FitPlan &plan) {
  if (!options.search)
    return Status::success();
  SearchedRuns runs;
  runs.programs = plan.programOf;
  for (int64_t run = 0; run < options.runs; ++run)
    runs.records.push_back(countRecords(plan, run));
  // The loss is there with each of them.
  if (plan.metrics[plan.monitor].name != "loss")
    runs.firstValue = options.validateEvery;
  for (const PlannedProgram &program : plan.programs)
    runs.hypers.push_back(program.hypers);
  return callUserCode("the search",
                      [&] { return options.search->check(runs); });
}

//===----------------------------------------------------------------------===//
// Hyper-parameters
//===----------------------------------------------------------------------===//

Status ensc::checkHyper(const ManifestValue &hyper,
                        const std::vector<double> &values,
                        const std::string &what) {
  for (double value : values)
    if (hyper.dtype == DType::F32 && std::isfinite(value) &&
        std::fabs(value) > std::numeric_limits<float>::max())
      return invalid(what + " is f32, which ends at 3.4e38; use less");
  return checkHyperValues(hyper, values, what);
}

namespace {
/// The values of one hyper-parameter of one program.
class HyperCheck {
public:
  HyperCheck(const ManifestValue &hyper, const FitOptions &options,
             const std::vector<int64_t> &programOf, int64_t program)
      : hyper(hyper), options(options), programOf(programOf), program(program),
        name("the hyper-parameter '" + hyper.name + "'") {
    auto found = options.hypers.find(hyper.name);
    if (found != options.hypers.end())
      given = &found->second;
  }

  /// One for all runs, or one for each; those of other programs' runs are in
  /// the range, but mean nothing.
  Expected<std::vector<double>> values() const {
    double unset = std::nan("");
    std::vector<double> values =
        given && !given->empty() ? *given : std::vector<double>{unset};
    if (Status status =
            checkCount("'" + hyper.name + "'", values, options.runs);
        !status)
      return status.error();
    if (hyper.dtype != DType::F32 && hyper.dtype != DType::F64)
      return invalid(name + " is " + nameOf(hyper.dtype) +
                     "; only floats can be set");
    for (size_t run = 0; run < values.size(); ++run) {
      bool own = values.size() == 1 || programOf[run] == program;
      if (own && !std::isnan(values[run]))
        continue;
      if (own && !hyper.defaultValue)
        return invalid(name + " has no default; give it a value");
      values[run] = hyper.defaultValue.value_or(valueInRange());
    }
    if (Status status = checkHyper(hyper, values, name); !status)
      return placed(status.error(), values);
    return values;
  }

private:
  /// An error about values with the place of the first wrong one, if it has a
  /// place of its own.
  Error placed(const Error &error, const std::vector<double> &values) const {
    for (size_t run = 0; run < values.size(); ++run) {
      if (checkHyper(hyper, {values[run]}, name))
        continue;
      std::string place = ownPlaceOf(options, run, hyper.name);
      return place.empty()
                 ? error
                 : checkHyper(hyper, {values[run]}, place + ":").error();
    }
    return error;
  }

  /// A value that some run of this program was given.
  double valueInRange() const {
    for (size_t run = 0; given && run < given->size(); ++run)
      if (programOf[run] == program)
        return (*given)[run];
    return 0.0;
  }

  const ManifestValue &hyper;
  const FitOptions &options;
  const std::vector<int64_t> &programOf;
  int64_t program;
  std::string name;
  const std::vector<double> *given = nullptr;
};
} // namespace

/// Fills in the values of the hyper-parameters of a program.
static Status planHypers(const LearnerProgram &program, int64_t position,
                         const FitOptions &options, FitPlan &plan) {
  for (const ManifestValue *hyper : program.entries.hypers()) {
    plan.programs[position].hypers.push_back(hyper->name);
    Expected<std::vector<double>> values =
        HyperCheck(*hyper, options, plan.programOf, position).values();
    if (!values)
      return values.error();
    auto [column, isNew] = plan.hypers.try_emplace(hyper->name);
    if (isNew)
      column->second.assign(options.runs, std::nan(""));
    for (int64_t run = 0; run < options.runs; ++run)
      if (plan.programOf[run] == position)
        column->second[run] = valueOf(*values, run, 0.0);
  }
  return Status::success();
}

/// Whether values of a hyper-parameter, one for each run, are at most those of
/// its limit. The error has the place of the first that is not, if it has one.
static Status checkLimit(const ManifestValue &hyper,
                         const std::vector<double> &values,
                         const std::vector<double> &limits,
                         const FitOptions &options) {
  std::string name = "the hyper-parameter '" + hyper.name + "'";
  Status status = checkHyperLimit(hyper, values, limits, name);
  if (status)
    return status;
  for (size_t run = 0; run < values.size(); ++run) {
    auto check = [&](const std::string &what) {
      return checkHyperLimit(hyper, {values[run]}, {limits[run]}, what);
    };
    if (check(name))
      continue;
    std::string place = ownPlaceOf(options, run, hyper.name);
    if (!place.empty())
      return check(place + ":");
    place = ownPlaceOf(options, run, hyper.limit);
    return place.empty() ? status : check(place + ": " + name);
  }
  return status;
}

/// Whether no hyper-parameter of a program exceeds one that is its limit.
static Status checkLimits(const LearnerProgram &program, int64_t position,
                          const FitPlan &plan) {
  for (const ManifestValue *hyper : program.entries.hypers()) {
    auto limits = plan.hypers.find(hyper->limit);
    if (hyper->limit.empty() || limits == plan.hypers.end())
      continue;
    std::vector<double> values = plan.hypers.at(hyper->name);
    // Runs of other programs have another meaning of the name, or none.
    for (size_t run = 0; run < values.size(); ++run)
      if (plan.programOf[run] != position)
        values[run] = std::nan("");
    if (Status status =
            checkLimit(*hyper, values, limits->second, *plan.options);
        !status)
      return status;
  }
  return Status::success();
}

/// Whether what is set has a meaning for every run that it is set for.
static Status checkHyperNames(const FitOptions &options, const FitPlan &plan) {
  std::vector<std::string> names;
  for (const PlannedProgram &program : plan.programs)
    for (const std::string &name : program.hypers)
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  for (const auto &[name, values] : options.hypers) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return invalid("the program has no hyper-parameter '" + name + "'" +
                     suggest(name, names));
    if (values.size() <= 1)
      continue;
    const std::vector<double> &used = plan.hypers.at(name);
    for (size_t run = 0; run < values.size(); ++run)
      if (std::isnan(used[run]) && !std::isnan(values[run]))
        return invalid("the hyper-parameter '" + name + "' is set for run " +
                       std::to_string(run) +
                       ", whose program has none of this name; give it NaN");
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// The order of the rows, if it is given per run, must be one per run.
static Status checkOrder(const LearnerProgram &program,
                         const FitOptions &options) {
  const ManifestValue *argument = program.entries.findRole("order_seed");
  if (options.orderSeeds.size() <= 1 || (argument && argument->perRun))
    return Status::success();
  return invalid(
      argument
          ? "all runs share the order of the rows; compile the program with "
            "'order_seed' per run to give each its own"
          : "the program takes no order_seed; it needs shuffle = \"shared\"");
}

static Status checkSteps(const LearnerProgram &program,
                         const FitOptions &options) {
  const ManifestLearner &info = *program.info;
  if (info.stepsPerEpoch < 1)
    return Error(ErrorKind::InvalidData,
                 "the training data has " + std::to_string(info.rows) +
                     " rows, fewer than the batch size " +
                     std::to_string(info.batchSize));
  // So that no count of steps overflows.
  int64_t mostEpochs = (int64_t{1} << 53) / info.stepsPerEpoch / options.runs;
  if (options.epochs > mostEpochs)
    return invalid(std::to_string(options.epochs) + " epochs of " +
                   std::to_string(options.runs) +
                   " runs are too many; at most " + std::to_string(mostEpochs) +
                   " can be counted");
  return Status::success();
}

static void planRuns(const LearnerPrograms &programs, const FitOptions &options,
                     FitPlan &plan) {
  for (int64_t run = 0; run < options.runs; ++run) {
    int64_t program = plan.programOf[run];
    int64_t last = options.epochs * programs.list[program].info->stepsPerEpoch;
    plan.lastSteps.push_back(
        std::min(last, valueOf(options.maxSteps, run, last)));
    plan.seeds.push_back(
        valueOf(options.seeds, run, seedOf(options.seed, run)));
  }
}

/// The ticks from one sync point to the next: the longest run has 32.
static int64_t syncEveryOf(const FitOptions &options, const FitPlan &plan) {
  constexpr int64_t syncPoints = 32;
  if (options.syncEvery)
    return options.syncEvery;
  int64_t records = 1;
  for (int64_t run : plannedRuns(options)) {
    int64_t steps = plan.programs[plan.programOf[run]].recordSteps;
    records = std::max(records, (plan.lastSteps[run] + steps - 1) / steps);
  }
  return (records + syncPoints - 1) / syncPoints;
}

Expected<FitPlan> ensc::planFit(const LearnerPrograms &programs,
                                const FitOptions &options,
                                const std::map<std::string, Tensor> &data) {
  for (const Status &status :
       {checkNumbers(options, programs.list.size()), checkCounts(options),
        checkDecisions(options, programs.metrics)})
    if (!status)
      return status.error();
  FitPlan plan;
  plan.options = &options;
  plan.metrics = programs.metrics;
  plan.monitor = programs.monitor;
  plan.data = data;
  for (int64_t run = 0; run < options.runs; ++run)
    plan.programOf.push_back(valueOf(options.programs, run, int64_t{0}));
  for (const LearnerProgram &program : programs.list) {
    int64_t recordSteps =
        options.recordEvery ? options.recordEvery : program.info->stepsPerEpoch;
    plan.programs.push_back({&program.executable,
                             program.info,
                             recordSteps,
                             {},
                             program.entries.init->results});
    int64_t position = static_cast<int64_t>(plan.programs.size()) - 1;
    for (const Status &status :
         {planHypers(program, position, options, plan),
          checkOrder(program, options), checkSteps(program, options)})
      if (!status)
        return status.error();
    if (Status status = checkLimits(program, position, plan); !status)
      return status.error();
  }
  for (const Status &status : {checkHyperNames(options, plan),
                               checkRowChoices(programs, options, plan)})
    if (!status)
      return status.error();
  planRuns(programs, options, plan);
  if (Status status = checkSearch(options, plan); !status)
    return status.error();
  plan.syncEvery = syncEveryOf(options, plan);
  return plan;
}
