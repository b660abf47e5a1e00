//===- InitialState.cpp - Runs that begin with given parameters -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InitialState.h"

#include "ensc/Artifact/InputFile.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Runtime/Suggest.h"

#include <cstring>
#include <set>

using namespace ensc;

static Error invalid(const std::string &path, const std::string &message) {
  return Error(ErrorKind::InvalidData, path + ": " + message);
}

/// Whether a tensor is a leaf of some optimizer, as adam.m.w1 is.
static bool isOptimizerLeaf(const std::string &name,
                            const std::vector<std::string> &parameters) {
  for (const std::string &parameter : parameters) {
    std::string ending = "." + parameter;
    if (name.size() > ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      return true;
  }
  return false;
}

/// Whether a file has all parameters, and nothing of another type. It may have
/// leaves of another optimizer.
static Status checkState(const std::string &path, const Safetensors &file,
                         const ManifestEntry &init) {
  std::vector<std::string> parameters, keys;
  std::set<std::string> known;
  for (const NamedTensor &named : file.tensors)
    keys.push_back(named.name);
  for (const ManifestValue &leaf : init.results) {
    known.insert(leaf.name);
    const Tensor *tensor = file.find(leaf.name);
    std::string expected =
        "'" + leaf.name + "' (" + typeString(leaf.dtype, leaf.shape) + ")";
    if (leaf.role != "state") {
      parameters.push_back(leaf.name);
      if (!tensor)
        return invalid(path, "the parameter " + expected + " is missing" +
                                 suggest(leaf.name, keys));
    }
    if (tensor &&
        (tensor->dtype() != leaf.dtype || tensor->shape() != leaf.shape))
      return invalid(path, expected + " is given as " +
                               typeString(tensor->dtype(), tensor->shape()));
  }
  for (const std::string &key : keys)
    if (!known.count(key) && !isOptimizerLeaf(key, parameters))
      return invalid(path, "the program has no parameter '" + key + "'" +
                               suggest(key, parameters));
  return Status::success();
}

static Expected<Safetensors> readState(const std::string &path,
                                       const ManifestEntry &init) {
  Expected<Safetensors> file = readSafetensors(path);
  if (!file)
    return file;
  if (Status status = checkState(path, *file, init); !status)
    return status.error();
  return file;
}

/// An error about the file that a run begins with, with its place.
static Error placed(const Error &error, const FitOptions &options,
                    int64_t run) {
  std::string place = ownPlaceOf(options, run, "init");
  return place.empty() ? error : error.inContext(place);
}

Status ensc::checkInitialFiles(const FitPlan &plan,
                               const std::vector<int64_t> &runs) {
  for (int64_t run : runs) {
    std::string path = valueOf(plan.options->initialStates, run, std::string());
    if (!path.empty() && isMissing(path))
      return placed(
          Error(ErrorKind::Io, "'" + path + "' does not exist, but run " +
                                   std::to_string(run) +
                                   ", which has not begun, needs it for its "
                                   "initial state; put the file back"),
          *plan.options, run);
  }
  return Status::success();
}

Status ensc::checkInitialStates(const LearnerPrograms &programs,
                                const FitPlan &plan, bool mayBeMissing) {
  std::set<std::pair<std::string, int64_t>> checked;
  for (int64_t run : plannedRuns(*plan.options)) {
    std::string path = valueOf(plan.options->initialStates, run, std::string());
    int64_t program = plan.programOf[run];
    if (path.empty() || !checked.insert({path, program}).second ||
        (mayBeMissing && isMissing(path)))
      continue;
    Expected<Safetensors> file =
        readState(path, *programs.list[program].entries.init);
    if (!file)
      return placed(file.error(), *plan.options, run);
  }
  return Status::success();
}

Status ensc::readInitialState(const std::string &path, Ensemble &ensemble,
                              int64_t slot) {
  Expected<Safetensors> file = readState(path, *ensemble.program.entries.init);
  if (!file)
    return file.error();
  for (const Leaf &leaf : ensemble.records.leaves())
    if (const Tensor *tensor = file->find(leaf.name))
      std::memcpy(ensemble.records.view(slot, leaf).bytes(), tensor->bytes(),
                  tensor->sizeInBytes());
  return Status::success();
}
