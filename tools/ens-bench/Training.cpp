//===- Training.cpp - Training programs at work ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "Program.h"

#include "ensc/API/Compiler.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>

using namespace ensc;
using namespace ensc::bench;

using Clock = std::chrono::steady_clock;

static constexpr const char *entryName = "train";

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

Expected<CompiledModel> CompiledModel::compile(const Model &model,
                                               int64_t steps,
                                               const CompileOptions &options) {
  std::string text = trainingProgram(model, steps);
  Clock::time_point start = Clock::now();
  Compiler compiler(options);
  Expected<Executable> program = compiler.compile(text, model.name() + ".mlir");
  double seconds = secondsSince(start);
  if (!program)
    return program.error();
  return CompiledModel{
      model,          steps, *program, seconds, compiler.cacheHits() > 0,
      makeData(model)};
}

const ManifestEntry &CompiledModel::entry() const {
  return *program.manifest().findEntry(entryName);
}

int64_t CompiledModel::bytesPerRun() const {
  // State is updated in place, so that what results is all there is, but for
  // what differs per run and never changes.
  int64_t bytes = 0;
  for (const ManifestValue &result : entry().results)
    bytes += numElements(result.shape) * sizeOf(result.dtype);
  for (const ManifestValue &argument : entry().arguments)
    if (argument.perRun && argument.role == "hyper")
      bytes += numElements(argument.shape) * sizeOf(argument.dtype);
  return bytes;
}

int64_t bench::chooseSteps(const Model &model) {
  // Of one group of runs on one core, whatever the core: the order of magnitude
  // is enough.
  constexpr double flopsOfCall = 0.02 * 100e9 / 16;
  constexpr int64_t mostPasses = 100;
  double flopsOfPass = static_cast<double>(batchCount) *
                       static_cast<double>(model.flopsPerStep());
  int64_t passes = static_cast<int64_t>(flopsOfCall / flopsOfPass) + 1;
  return batchCount * std::min(passes, mostPasses);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Training::Training(const CompiledModel &compiled, int64_t runs)
    : compiled(compiled),
      losses_(Tensor::zeros(DType::F32, {runs, compiled.steps})),
      rates(Tensor::zeros(DType::F32, {runs})) {
  const std::vector<Parameter> parameters = compiled.model.parameters();
  for (size_t i = 0; i < parameters.size(); ++i)
    state_.push_back(makeParameter(parameters[i], i, runs));
  for (size_t i = 0; i < momentsOf(compiled.model.optimizer).size(); ++i)
    for (size_t j = 0; j < parameters.size(); ++j)
      state_.push_back(Tensor::zeros(DType::F32, state_[j].shape()));
  std::vector<double> values = makeRates(runs);
  for (int64_t run = 0; run < runs; ++run)
    rates.data<float>()[run] = static_cast<float>(values[run]);
}

Status Training::advance(int64_t steps, const CallOptions &options) {
  assert(steps <= compiled.steps && "a call has no room for so many losses");
  std::vector<Tensor> arguments = state_, results = state_;
  arguments.insert(arguments.end(), {compiled.data.x, compiled.data.y, rates});
  results.push_back(losses_);
  CallOptions call = options;
  call.beginStep = step_;
  call.endStep = step_ + steps;
  Status status =
      compiled.program.callInto(entryName, arguments, results, call);
  if (status)
    step_ = call.endStep;
  return status;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Expected<std::vector<Timing>>
bench::alternate(double seconds, int64_t least,
                 const std::vector<std::function<Status()>> &works) {
  std::vector<std::vector<double>> times(works.size());
  std::vector<std::clock_t> ticks(works.size());
  double total = 0.0;
  for (int64_t round = 0; total < seconds || round < least; ++round)
    for (size_t i = 0; i < works.size(); ++i) {
      std::clock_t startTicks = std::clock();
      Clock::time_point start = Clock::now();
      if (Status status = works[i](); !status)
        return status.error();
      times[i].push_back(secondsSince(start));
      ticks[i] += std::clock() - startTicks;
      total += times[i].back();
    }
  std::vector<Timing> timings;
  for (size_t i = 0; i < works.size(); ++i) {
    std::vector<double> &list = times[i];
    double wall = std::accumulate(list.begin(), list.end(), 0.0);
    std::sort(list.begin(), list.end());
    timings.push_back({list.front(), list[list.size() / 2],
                       static_cast<double>(ticks[i]) / CLOCKS_PER_SEC / wall});
  }
  return timings;
}
