//===- Session.cpp - Memory and plan of one fit ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "ensc/API/Allocate.h"
#include "ensc/Runtime/HyperValues.h"
#include "ensc/Runtime/Labels.h"
#include "ensc/Runtime/Suggest.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace ensc;

static constexpr const char *lossSum = "loss_sum";

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

/// Whether there is one value for all runs, or one for each.
template <typename T>
static Status checkCount(const std::string &what, const std::vector<T> &values,
                         int64_t runs) {
  if (values.size() == 1 || static_cast<int64_t>(values.size()) == runs)
    return Status::success();
  return invalid(what + " has " + std::to_string(values.size()) +
                 " values for " + std::to_string(runs) + " runs");
}

template <typename T>
static T valueOf(const std::vector<T> &values, int64_t run) {
  return values.size() == 1 ? values.front() : values[run];
}

/// The hyper-parameters of all entries, each once.
static std::vector<const ManifestValue *>
findHypers(const LearnerEntries &entries) {
  std::set<std::string> known;
  std::vector<const ManifestValue *> hypers;
  for (const ManifestEntry *entry :
       {entries.init, entries.fit, entries.evaluate}) {
    // A learner without validation data has nothing to evaluate.
    if (!entry)
      continue;
    for (const ManifestValue &argument : entry->arguments)
      if (argument.role == "hyper" && known.insert(argument.name).second)
        hypers.push_back(&argument);
  }
  return hypers;
}

static Status checkHyper(const ManifestValue &hyper,
                         const FitOptions &options) {
  auto given = options.hypers.find(hyper.name);
  bool isGiven = given != options.hypers.end();
  if (!isGiven && !hyper.defaultValue)
    return invalid("the hyper-parameter '" + hyper.name +
                   "' has no default; give it a value");
  std::vector<double> values =
      isGiven ? given->second : std::vector<double>{*hyper.defaultValue};
  if (hyper.dtype != DType::F32 && hyper.dtype != DType::F64)
    return invalid("the hyper-parameter '" + hyper.name + "' is " +
                   nameOf(hyper.dtype) + "; only floats can be set");
  for (double value : values)
    if (hyper.dtype == DType::F32 && std::isfinite(value) &&
        std::fabs(value) > std::numeric_limits<float>::max())
      return invalid("the hyper-parameter '" + hyper.name +
                     "' is f32, which ends at 3.4e38; use less");
  if (Status status = checkHyperValues(
          hyper, values, "the hyper-parameter '" + hyper.name + "'");
      !status)
    return status;
  return checkCount("'" + hyper.name + "'", values, options.runs);
}

/// What training cannot do so far.
static Status checkSupported(const FitOptions &options) {
  bool supported = options.seeds.empty() && options.orderSeeds.empty() &&
                   options.programs.empty() && options.initialStates.empty() &&
                   options.rowChoices.empty() && !options.inFlight &&
                   !options.recordEvery && options.validateEvery == 1 &&
                   options.metrics && options.patience.empty() &&
                   !options.goal && !options.syncEvery && !options.search &&
                   options.callbacks.empty() &&
                   options.experiment.path.empty() && !options.interrupt;
  return supported ? Status::success()
                   : Status(Error(ErrorKind::Unsupported,
                                  "these options of a fit cannot be combined "
                                  "so far; leave them at their defaults"));
}

Status ensc::checkFitOptions(const LearnerEntries &entries,
                             const FitOptions &options) {
  if (Status status = checkSupported(options); !status)
    return status;
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
  if (Status status = checkThreads("threads", options.threads); !status)
    return status;
  if (options.maxMemory < 0)
    return invalid("the limit of memory must not be negative, got " +
                   std::to_string(options.maxMemory));
  for (int64_t step : options.maxSteps)
    if (step < 0)
      return invalid("max-steps must not be negative, got " +
                     std::to_string(step));
  if (!options.maxSteps.empty())
    if (Status status = checkCount("max-steps", options.maxSteps, options.runs);
        !status)
      return status;
  std::vector<std::string> names;
  for (const ManifestValue *hyper : findHypers(entries)) {
    names.push_back(hyper->name);
    if (Status status = checkHyper(*hyper, options); !status)
      return status;
  }
  for (const auto &given : options.hypers)
    if (std::find(names.begin(), names.end(), given.first) == names.end())
      return invalid("the program has no hyper-parameter '" + given.first +
                     "'" + suggest(given.first, names));
  return Status::success();
}

int64_t ensc::lastStepOf(const FitOptions &options, int64_t run,
                         int64_t stepsPerEpoch) {
  int64_t last = options.epochs * stepsPerEpoch;
  return options.maxSteps.empty()
             ? last
             : std::min(last, valueOf(options.maxSteps, run));
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

Expected<Session> Session::create(const LearnerEntries &entries,
                                  const std::map<std::string, Tensor> &data,
                                  const FitOptions &options, RunRange range,
                                  int64_t stepsPerEpoch, size_t metrics) {
  Session session;
  session.totalRuns = options.runs;
  session.dataSeed = Tensor::scalar<int64_t>(options.dataSeed);
  session.data = data;
  // The largest part first: what else there is fits where it does, or nearly.
  Expected<Records> records = Records::create(*entries.init, range.count);
  if (!records)
    return records.error();
  session.records = std::move(*records);
  std::vector<int64_t> rows;
  for (int64_t slot = 0; slot < range.count; ++slot) {
    int64_t run = range.first + slot;
    session.ids.push_back(run);
    session.lastStep.push_back(lastStepOf(options, run, stepsPerEpoch));
    rows.push_back((session.lastStep.back() + stepsPerEpoch - 1) /
                   stepsPerEpoch);
  }
  for (Tensor *column : {&session.seeds, &session.steps}) {
    Expected<Tensor> made = session.makeColumn(DType::I64);
    if (!made)
      return made.error();
    *column = *made;
  }
  for (int64_t slot = 0; slot < range.count; ++slot)
    session.seeds.data<int64_t>()[slot] =
        seedOf(options.seed, session.ids[slot]);
  session.table = MetricTable(rows, metrics);
  if (Status status = session.layOutHypers(entries, options); !status)
    return status.error();
  return session;
}

Expected<Tensor> Session::makeColumn(DType dtype) const {
  return allocateTensor(dtype, {slots()}, "a number for each run");
}

Status Session::layOutHypers(const LearnerEntries &entries,
                             const FitOptions &options) {
  for (const ManifestValue *hyper : findHypers(entries)) {
    auto given = options.hypers.find(hyper->name);
    std::vector<double> values = given == options.hypers.end()
                                     ? std::vector<double>{*hyper->defaultValue}
                                     : given->second;
    Expected<Tensor> made = makeColumn(hyper->dtype);
    if (!made)
      return made.error();
    Tensor column = *made;
    for (int64_t slot = 0; slot < slots(); ++slot) {
      double value = valueOf(values, ids[slot]);
      if (hyper->dtype == DType::F32)
        column.data<float>()[slot] = static_cast<float>(value);
      else
        column.data<double>()[slot] = value;
    }
    hypers[hyper->name] = column;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

Expected<RunMemory> Session::bindData(const ManifestValue &argument) const {
  auto found = data.find(argument.name);
  if (found == data.end())
    return Error(ErrorKind::InvalidData,
                 "the data '" + argument.name + "' (" +
                     typeString(argument.dtype, argument.shape) +
                     ") is missing");
  Tensor tensor = found->second;
  Shape expected = argument.shapeFor(totalRuns);
  if (tensor.dtype() != argument.dtype || tensor.shape() != expected)
    return Error(ErrorKind::InvalidData,
                 "the data '" + argument.name + "' must be " +
                     typeString(argument.dtype, expected) + ", got " +
                     typeString(tensor.dtype(), tensor.shape()));
  if (Status status =
          checkLabels(argument, tensor, "the data '" + argument.name + "'");
      !status)
    return status.error();
  if (!argument.perRun)
    return RunMemory{tensor.bytes(), 0};
  size_t bytes = numElements(argument.shape) * sizeOf(argument.dtype);
  // Slots are consecutive runs, so those of one run alone begin with it.
  return RunMemory{static_cast<char *>(tensor.bytes()) + ids.front() * bytes,
                   bytes};
}

Expected<std::vector<RunMemory>>
Session::bindArguments(const ManifestEntry &entry) {
  std::vector<RunMemory> memory;
  for (const ManifestValue &argument : entry.arguments) {
    if (argument.role == "data") {
      Expected<RunMemory> bound = bindData(argument);
      if (!bound)
        return bound.error();
      memory.push_back(*bound);
    } else if (argument.role == "hyper") {
      Tensor column = hypers[argument.name];
      memory.push_back({column.bytes(), sizeOf(column.dtype())});
    } else if (argument.role == "seed") {
      memory.push_back({seeds.bytes(), sizeof(int64_t)});
    } else if (argument.role == "step") {
      memory.push_back({steps.bytes(), sizeof(int64_t)});
    } else if (argument.role == "order_seed") {
      memory.push_back({dataSeed.bytes(), 0});
    } else if (std::optional<RunMemory> leaf = records.find(argument.name)) {
      memory.push_back(*leaf);
    } else if (argument.name == lossSum) {
      Expected<std::vector<RunMemory>> sum =
          bindResults({"", {}, {argument}, {}, {}});
      if (!sum)
        return sum.error();
      memory.push_back(sum->front());
    } else {
      return Error(ErrorKind::InvalidModel,
                   "@" + entry.name + " takes '" + argument.name +
                       "', which is neither state, data nor a "
                       "hyper-parameter");
    }
  }
  return memory;
}

Expected<std::vector<RunMemory>>
Session::bindResults(const ManifestEntry &entry) {
  std::vector<RunMemory> memory;
  for (const ManifestValue &result : entry.results) {
    if (std::optional<RunMemory> leaf = records.find(result.name)) {
      memory.push_back(*leaf);
      continue;
    }
    auto [column, inserted] = scalars.try_emplace(result.name);
    if (inserted) {
      Expected<Tensor> made = makeColumn(result.dtype);
      if (!made)
        return made.error();
      column->second = *made;
    }
    memory.push_back({column->second.bytes(), sizeOf(result.dtype)});
  }
  return memory;
}

ScalarColumn Session::column(const std::string &name) const {
  const Tensor &column = scalars.at(name);
  return {column.dtype(), const_cast<void *>(column.bytes())};
}

double ScalarColumn::read(int64_t slot) const {
  return dtype == DType::F32 ? static_cast<const float *>(data)[slot]
                             : static_cast<const double *>(data)[slot];
}

void ScalarColumn::clear(int64_t slot) const {
  if (dtype == DType::F32)
    static_cast<float *>(data)[slot] = 0.0f;
  else
    static_cast<double *>(data)[slot] = 0.0;
}
