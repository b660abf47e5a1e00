//===- Learner.cpp - N runs of one training program -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Learner.h"

#include "Fit.h"

#include "ensc/Experiment/Sink.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>

using namespace ensc;

struct Learner::Impl {
  LearnerPrograms programs;
  std::map<std::string, Tensor> data;
  FitCounters counters;
  std::unique_ptr<Fit> fit; ///< The last one.
};

Learner::Learner(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Learner::Learner(Learner &&) noexcept = default;
Learner &Learner::operator=(Learner &&) noexcept = default;
Learner::~Learner() = default;

Expected<Learner> Learner::create(Executable program, const std::string &name) {
  std::vector<Executable> programs;
  programs.push_back(std::move(program));
  return create(std::move(programs), name);
}

Expected<Learner> Learner::create(std::vector<Executable> programs,
                                  const std::string &name) {
  Expected<LearnerPrograms> found =
      LearnerPrograms::create(std::move(programs), name);
  if (!found)
    return found.error();
  auto impl = std::make_unique<Impl>();
  impl->programs = std::move(*found);
  return Learner(std::move(impl));
}

int64_t Learner::programs() const {
  return static_cast<int64_t>(impl->programs.list.size());
}

const Executable &Learner::program(int64_t program) const {
  return impl->programs.list[program].executable;
}

const ManifestLearner &Learner::info(int64_t program) const {
  return *impl->programs.list[program].info;
}

const ManifestEntry &Learner::fitEntry(int64_t program) const {
  return *impl->programs.list[program].entries.fit;
}

const std::vector<MetricInfo> &Learner::metrics() const {
  return impl->programs.metrics;
}

size_t Learner::monitor() const { return impl->programs.monitor; }

std::vector<std::string> Learner::dataNames() const {
  return impl->programs.dataNames();
}

Status Learner::setData(const std::string &name, const Tensor &tensor) {
  std::vector<std::string> names = dataNames();
  if (std::find(names.begin(), names.end(), name) == names.end())
    return Error(ErrorKind::InvalidArgument, "the program takes no data '" +
                                                 name + "'" +
                                                 suggest(name, names));
  impl->data.insert_or_assign(name, tensor);
  return Status::success();
}

Expected<MemoryPlan> Learner::planMemory(const FitOptions &options) const {
  return Fit::planMemory(impl->programs, options, impl->data);
}

/// Trains; without a sink if there is none.
static Expected<FitReport> train(const LearnerPrograms &programs,
                                 const std::map<std::string, Tensor> &data,
                                 const FitOptions &options, FitSink *sink,
                                 FitCounters &counters,
                                 std::unique_ptr<Fit> &fit) {
  // The memory of the last fit serves this one.
  fit.reset();
  counters.done = counters.planned = 0;
  Expected<std::unique_ptr<Fit>> made =
      Fit::create(programs, options, data, sink, counters);
  if (!made)
    return made.error();
  // While it trains, parameter() gives what has ended.
  fit = std::move(*made);
  return fit->run();
}

Expected<FitReport> Learner::fit(const FitOptions &options) {
  if (!options.experiment.path.empty())
    return fit(options, *makeExperimentSink(options.experiment));
  return train(impl->programs, impl->data, options, nullptr, impl->counters,
               impl->fit);
}

Expected<FitReport> Learner::fit(const FitOptions &options, FitSink &sink) {
  return train(impl->programs, impl->data, options, &sink, impl->counters,
               impl->fit);
}

Learner::Progress Learner::progress() const {
  return {impl->counters.done.load(), impl->counters.planned.load()};
}

Expected<Tensor> Learner::parameter(int64_t run,
                                    const std::string &name) const {
  if (!impl->fit)
    return Error(ErrorKind::InvalidArgument, "nothing was trained so far");
  return impl->fit->parameter(run, name);
}

std::vector<std::string> Learner::stateNames(int64_t program) const {
  std::vector<std::string> names;
  for (const ManifestValue &result :
       impl->programs.list[program].entries.init->results)
    names.push_back(result.name);
  return names;
}
