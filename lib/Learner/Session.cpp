//===- Session.cpp - Memory and plan of one fit ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace ensc;

static constexpr const char *lossSum = "loss_sum";

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

/// One value per run from what the user gave: one for all, or one for each.
template <typename T>
static Expected<T> valueOf(const std::string &what,
                           const std::vector<T> &values, int64_t runs,
                           int64_t run) {
  if (values.size() == 1)
    return values.front();
  if (static_cast<int64_t>(values.size()) != runs)
    return invalid(what + " has " + std::to_string(values.size()) +
                   " values for " + std::to_string(runs) + " runs");
  return values[run];
}

Expected<Session> Session::create(const LearnerEntries &entries,
                                  const std::map<std::string, Tensor> &data,
                                  const FitOptions &options) {
  if (options.runs < 1)
    return invalid("the number of runs must be positive, got " +
                   std::to_string(options.runs));
  if (options.epochs < 0)
    return invalid("the number of epochs must not be negative, got " +
                   std::to_string(options.epochs));
  Session session;
  session.totalRuns = options.runs;
  session.data = data;
  session.dataSeed = Tensor::scalar<int64_t>(options.dataSeed);
  if (options.onlyRun) {
    if (*options.onlyRun < 0 || *options.onlyRun >= options.runs)
      return invalid("run " + std::to_string(*options.onlyRun) +
                     " is not one of the " + std::to_string(options.runs) +
                     " runs, which are counted from 0");
    session.ids = {*options.onlyRun};
  } else {
    for (int64_t run = 0; run < options.runs; ++run)
      session.ids.push_back(run);
  }

  int64_t slots = session.slots();
  Records single(*entries.init, 1);
  if (Status status = checkFits("the state", slots, single.recordBytes());
      !status)
    return status.error();
  session.seeds = Tensor::zeros(DType::I64, {slots});
  session.steps = Tensor::zeros(DType::I64, {slots});
  for (int64_t slot = 0; slot < slots; ++slot) {
    session.seeds.data<int64_t>()[slot] =
        seedOf(options.seed, session.ids[slot]);
    int64_t last = INT64_MAX;
    if (!options.maxSteps.empty()) {
      Expected<int64_t> given = valueOf("max-steps", options.maxSteps,
                                        options.runs, session.ids[slot]);
      if (!given)
        return given.error();
      if (*given < 0)
        return invalid("max-steps must not be negative, got " +
                       std::to_string(*given));
      last = *given;
    }
    session.lastStep.push_back(last);
  }
  session.records = Records(*entries.init, slots);
  if (Status status = session.layOutHypers(entries, options); !status)
    return status.error();
  return session;
}

Status Session::layOutHypers(const LearnerEntries &entries,
                             const FitOptions &options) {
  std::set<std::string> known;
  std::vector<std::string> names;
  for (const ManifestEntry *entry :
       {entries.init, entries.fit, entries.evaluate}) {
    // A learner without validation data has nothing to evaluate.
    if (!entry)
      continue;
    for (const ManifestValue &argument : entry->arguments) {
      if (argument.role != "hyper" || !known.insert(argument.name).second)
        continue;
      names.push_back(argument.name);
      auto given = options.hypers.find(argument.name);
      if (given == options.hypers.end() && !argument.defaultValue)
        return invalid("the hyper-parameter '" + argument.name +
                       "' has no default; give it a value");
      std::vector<double> values =
          given == options.hypers.end()
              ? std::vector<double>{*argument.defaultValue}
              : given->second;
      Tensor column = Tensor::zeros(argument.dtype, {slots()});
      for (int64_t slot = 0; slot < slots(); ++slot) {
        Expected<double> value =
            valueOf("'" + argument.name + "'", values, totalRuns, ids[slot]);
        if (!value)
          return value.error();
        if (argument.dtype == DType::F32 && std::isfinite(*value) &&
            std::fabs(*value) > std::numeric_limits<float>::max())
          return invalid("the hyper-parameter '" + argument.name +
                         "' is f32, which ends at 3.4e38; use less");
        if (argument.dtype == DType::F32)
          column.data<float>()[slot] = static_cast<float>(*value);
        else if (argument.dtype == DType::F64)
          column.data<double>()[slot] = *value;
        else
          return invalid("the hyper-parameter '" + argument.name + "' is " +
                         nameOf(argument.dtype) + "; only floats can be set");
      }
      hypers[argument.name] = column;
    }
  }
  for (const auto &given : options.hypers)
    if (!known.count(given.first))
      return invalid("the program has no hyper-parameter '" + given.first +
                     "'" + suggest(given.first, names));
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
  Shape expected = argument.shape;
  if (argument.perRun)
    expected.insert(expected.begin(), totalRuns);
  if (tensor.dtype() != argument.dtype || tensor.shape() != expected)
    return Error(ErrorKind::InvalidData,
                 "the data '" + argument.name + "' must be " +
                     typeString(argument.dtype, expected) + ", got " +
                     typeString(tensor.dtype(), tensor.shape()));
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
      memory.push_back(bindResults({"", {}, {argument}, {}, {}}).front());
    } else {
      return Error(ErrorKind::InvalidModel,
                   "@" + entry.name + " takes '" + argument.name +
                       "', which is neither state, data nor a "
                       "hyper-parameter");
    }
  }
  return memory;
}

std::vector<RunMemory> Session::bindResults(const ManifestEntry &entry) {
  std::vector<RunMemory> memory;
  for (const ManifestValue &result : entry.results) {
    if (std::optional<RunMemory> leaf = records.find(result.name)) {
      memory.push_back(*leaf);
      continue;
    }
    auto [column, inserted] = scalars.try_emplace(result.name);
    if (inserted)
      column->second = Tensor::zeros(result.dtype, {slots()});
    memory.push_back({column->second.bytes(), sizeOf(result.dtype)});
  }
  return memory;
}

double Session::readScalar(const std::string &name, int64_t slot) const {
  const Tensor &column = scalars.at(name);
  return column.dtype() == DType::F32 ? column.data<float>()[slot]
                                      : column.data<double>()[slot];
}

void Session::clearLossSum(int64_t slot) {
  Tensor &column = scalars.at(lossSum);
  if (column.dtype() == DType::F32)
    column.data<float>()[slot] = 0.0f;
  else
    column.data<double>()[slot] = 0.0;
}
