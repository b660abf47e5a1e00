//===- Learner.cpp - N runs of one training program -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Learner.h"

#include "MemoryPlan.h"
#include "Session.h"
#include "Trainer.h"

#include "ensc/Learner/FitSink.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <atomic>
#include <iterator>

using namespace ensc;

struct Learner::Impl {
  explicit Impl(Executable program) : program(std::move(program)) {}

  Executable program;
  const ManifestLearner *info = nullptr;
  LearnerEntries entries;
  std::vector<MetricInfo> metrics;
  size_t monitor = 0;
  std::map<std::string, Tensor> data;
  std::optional<Session> session;
  std::atomic<int64_t> stepsDone{0}, stepsPlanned{0};

  /// Fails on options that do not fit the program.
  Status check(const FitOptions &options) const;

  /// Trains the runs of `range` and adds to the report of all.
  Status fitChunk(const FitOptions &options, RunRange range, FitReport &report);
};

Learner::Learner(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Learner::Learner(Learner &&) noexcept = default;
Learner &Learner::operator=(Learner &&) noexcept = default;
Learner::~Learner() = default;

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static Expected<const ManifestLearner *>
chooseLearner(const Manifest &manifest, const std::string &name) {
  std::vector<std::string> names;
  for (const ManifestLearner &learner : manifest.learners) {
    if (learner.name == name || (name.empty() && manifest.learners.size() == 1))
      return &learner;
    names.push_back(learner.name);
  }
  if (names.empty())
    return Error(
        ErrorKind::InvalidModel,
        "the program has no ens.learner, so there is nothing to train; "
        "use 'ensc run' to call a function");
  return Error(ErrorKind::InvalidArgument,
               name.empty()
                   ? "the program has several learners; name one, such as '" +
                         names.front() + "'"
                   : "the program has no learner '" + name + "'" +
                         suggest(name, names));
}

Expected<Learner> Learner::create(Executable program, const std::string &name) {
  auto impl = std::make_unique<Impl>(std::move(program));
  const Manifest &manifest = impl->program.manifest();
  Expected<const ManifestLearner *> info = chooseLearner(manifest, name);
  if (!info)
    return info.error();
  impl->info = *info;
  const std::string &prefix = impl->info->name;
  impl->entries.init = manifest.findEntry(prefix + ".init");
  impl->entries.fit = manifest.findEntry(prefix + ".fit");
  impl->entries.evaluate = manifest.findEntry(prefix + ".evaluate");
  if (!impl->entries.init || !impl->entries.fit)
    return Error(ErrorKind::InvalidModel, "the program was compiled without @" +
                                              prefix + ".init or @" + prefix +
                                              ".fit; compile all entries");
  impl->metrics.push_back({"loss", false});
  if (impl->entries.evaluate)
    for (const ManifestValue &result : impl->entries.evaluate->results)
      impl->metrics.push_back({result.name, result.maximize});
  for (size_t i = 0; i < impl->metrics.size(); ++i)
    if (impl->metrics[i].name == impl->info->monitor) {
      impl->monitor = i;
      impl->metrics[i].maximize = impl->info->maximize;
    }
  return Learner(std::move(impl));
}

Expected<Learner> Learner::create(std::vector<Executable> programs,
                                  const std::string &name) {
  if (programs.size() != 1)
    return Error(ErrorKind::Unsupported, "a learner takes one program, got " +
                                             std::to_string(programs.size()));
  return create(std::move(programs.front()), name);
}

int64_t Learner::programs() const { return 1; }
const Executable &Learner::program(int64_t) const { return impl->program; }
const ManifestLearner &Learner::info(int64_t) const { return *impl->info; }
const ManifestEntry &Learner::fitEntry(int64_t) const {
  return *impl->entries.fit;
}
const std::vector<MetricInfo> &Learner::metrics() const {
  return impl->metrics;
}
size_t Learner::monitor() const { return impl->monitor; }

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

std::vector<std::string> Learner::dataNames() const {
  std::vector<std::string> names;
  for (const ManifestEntry *entry : {impl->entries.fit, impl->entries.evaluate})
    if (entry)
      for (const ManifestValue &argument : entry->arguments)
        if (argument.role == "data")
          names.push_back(argument.name);
  return names;
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

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

Status Learner::Impl::check(const FitOptions &options) const {
  if (Status status = checkFitOptions(entries, options); !status)
    return status;
  if (info->stepsPerEpoch < 1)
    return Error(ErrorKind::InvalidData,
                 "the training data has " + std::to_string(info->rows) +
                     " rows, fewer than the batch size " +
                     std::to_string(info->batchSize));
  // So that no count of steps overflows.
  int64_t mostEpochs = (int64_t{1} << 53) / info->stepsPerEpoch / options.runs;
  if (options.epochs > mostEpochs)
    return Error(ErrorKind::InvalidArgument,
                 std::to_string(options.epochs) + " epochs of " +
                     std::to_string(options.runs) +
                     " runs are too many; at most " +
                     std::to_string(mostEpochs) + " can be counted");
  return Status::success();
}

Expected<MemoryPlan> Learner::planMemory(const FitOptions &options) const {
  if (Status status = impl->check(options); !status)
    return status.error();
  return ensc::planMemory(impl->entries, impl->data, options,
                          impl->info->stepsPerEpoch, impl->metrics.size());
}

Status Learner::Impl::fitChunk(const FitOptions &options, RunRange range,
                               FitReport &report) {
  // The memory of the last chunk serves this one.
  session.reset();
  Expected<Session> chunk = Session::create(
      entries, data, options, range, info->stepsPerEpoch, metrics.size());
  if (!chunk)
    return chunk.error();
  Trainer trainer(program.program(), entries, metrics, info->stepsPerEpoch,
                  options, *chunk, stepsDone);
  if (Status status = trainer.prepare(); !status)
    return status;
  bool isFirst = report.runs.empty();
  if (isFirst && options.onPlan)
    options.onPlan(report.memory);
  std::vector<RunReport> runs;
  if (Status status = trainer.train(report, runs); !status)
    return status;
  session = std::move(*chunk);
  if (options.onRunsEnded)
    if (Status status = options.onRunsEnded(runs); !status)
      return status;
  if (isFirst)
    report.runs = std::move(runs);
  else
    std::move(runs.begin(), runs.end(), std::back_inserter(report.runs));
  return Status::success();
}

Expected<FitReport> Learner::fit(const FitOptions &, FitSink &) {
  return Error(ErrorKind::Unsupported, "a fit cannot be kept so far");
}

Expected<FitReport> Learner::fit(const FitOptions &options) {
  impl->session.reset();
  Expected<MemoryPlan> plan = planMemory(options);
  if (!plan)
    return plan.error();
  int64_t first = options.onlyRun.value_or(0), end = first + plan->runs;
  int64_t planned = 0;
  for (int64_t run = first; run < end; ++run)
    planned += lastStepOf(options, run, impl->info->stepsPerEpoch);
  impl->stepsDone = 0;
  impl->stepsPlanned = planned;
  FitReport report;
  report.memory = *plan;
  for (int64_t run = first; run < end; run += plan->inFlight) {
    RunRange chunk = {run, std::min(plan->inFlight, end - run)};
    if (Status status = impl->fitChunk(options, chunk, report); !status)
      return status.error();
  }
  return report;
}

Learner::Progress Learner::progress() const {
  return {impl->stepsDone.load(), impl->stepsPlanned.load()};
}

Expected<Tensor> Learner::parameter(int64_t run,
                                    const std::string &name) const {
  if (!impl->session)
    return Error(ErrorKind::InvalidArgument, "nothing was trained so far");
  const Session &session = *impl->session;
  for (int64_t slot = 0; slot < session.slots(); ++slot) {
    if (session.ids[slot] != run)
      continue;
    for (const Leaf &leaf : session.records.leaves())
      if (leaf.name == name)
        return session.records.view(slot, leaf);
    return Error(ErrorKind::InvalidArgument, "the learner has no parameter '" +
                                                 name + "'" +
                                                 suggest(name, stateNames(0)));
  }
  return Error(ErrorKind::InvalidArgument,
               "run " + std::to_string(run) + " was not trained");
}

std::vector<std::string> Learner::stateNames(int64_t) const {
  std::vector<std::string> names;
  for (const ManifestValue &result : impl->entries.init->results)
    names.push_back(result.name);
  return names;
}
