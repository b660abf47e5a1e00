//===- Programs.cpp - The programs of a learner ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <set>

using namespace ensc;

std::vector<const ManifestEntry *> LearnerEntries::all() const {
  std::vector<const ManifestEntry *> entries = {init, fit};
  if (evaluate)
    entries.push_back(evaluate);
  return entries;
}

std::vector<const ManifestValue *> LearnerEntries::hypers() const {
  std::set<std::string> known;
  std::vector<const ManifestValue *> hypers;
  for (const ManifestEntry *entry : all())
    for (const ManifestValue &argument : entry->arguments)
      if (argument.role == "hyper" && known.insert(argument.name).second)
        hypers.push_back(&argument);
  return hypers;
}

const ManifestValue *LearnerEntries::findRole(const std::string &role) const {
  for (const ManifestEntry *entry : all())
    for (const ManifestValue &argument : entry->arguments)
      if (argument.role == role)
        return &argument;
  return nullptr;
}

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

/// Finds what a program has for a learner.
static Status findLearner(LearnerProgram &program, const std::string &name) {
  const Manifest &manifest = program.executable.manifest();
  Expected<const ManifestLearner *> info = chooseLearner(manifest, name);
  if (!info)
    return info.error();
  program.info = *info;
  const std::string &prefix = program.info->name;
  program.entries.init = manifest.findEntry(prefix + ".init");
  program.entries.fit = manifest.findEntry(prefix + ".fit");
  program.entries.evaluate = manifest.findEntry(prefix + ".evaluate");
  if (!program.entries.init || !program.entries.fit)
    return Error(ErrorKind::InvalidModel, "the program was compiled without @" +
                                              prefix + ".init or @" + prefix +
                                              ".fit; compile all entries");
  return Status::success();
}

static size_t findMetric(std::vector<MetricInfo> &metrics,
                         const std::string &name, bool maximize) {
  auto found = std::find_if(
      metrics.begin(), metrics.end(),
      [&](const MetricInfo &metric) { return metric.name == name; });
  if (found == metrics.end())
    found = metrics.insert(found, {name, maximize});
  return found - metrics.begin();
}

Expected<LearnerPrograms>
LearnerPrograms::create(std::vector<Executable> programs,
                        const std::string &name) {
  if (programs.empty())
    return Error(ErrorKind::InvalidArgument, "a learner needs a program");
  LearnerPrograms result;
  result.metrics.push_back({"loss", false});
  for (Executable &executable : programs)
    result.list.push_back({std::move(executable), nullptr, {}, {}});
  for (LearnerProgram &program : result.list) {
    if (Status status = findLearner(program, name); !status)
      return status.error();
    if (program.entries.evaluate)
      for (const ManifestValue &value : program.entries.evaluate->results)
        program.metrics.push_back(
            findMetric(result.metrics, value.name, value.maximize));
  }
  const ManifestLearner &first = *result.list.front().info;
  for (const LearnerProgram &program : result.list)
    if (program.info->monitor != first.monitor ||
        program.info->maximize != first.maximize)
      return Error(ErrorKind::InvalidModel,
                   "the programs of a learner must watch the same metric, got "
                   "'" +
                       first.monitor + "' and '" + program.info->monitor + "'" +
                       (program.info->monitor == first.monitor
                            ? " in the other direction"
                            : ""));
  for (size_t i = 0; i < result.metrics.size(); ++i)
    if (result.metrics[i].name == first.monitor) {
      result.monitor = i;
      result.metrics[i].maximize = first.maximize;
    }
  return result;
}

std::vector<std::string> LearnerPrograms::dataNames() const {
  std::vector<std::string> names;
  for (bool validation : {false, true})
    for (const LearnerProgram &program : list)
      if (const ManifestEntry *entry =
              validation ? program.entries.evaluate : program.entries.fit)
        for (const ManifestValue &argument : entry->arguments)
          if (argument.role == "data" &&
              std::find(names.begin(), names.end(), argument.name) ==
                  names.end())
            names.push_back(argument.name);
  return names;
}
