//===- HyperValues.cpp - Whether hyper-parameters are in range ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/HyperValues.h"

#include <algorithm>
#include <set>

using namespace ensc;

std::vector<ManifestValue> ensc::hypersOf(const Manifest &manifest,
                                          const std::string &learner) {
  std::set<std::string> known;
  std::vector<ManifestValue> hypers;
  for (const char *function : {".init", ".fit", ".evaluate"}) {
    const ManifestEntry *entry = manifest.findEntry(learner + function);
    // A learner without validation data has nothing to evaluate.
    if (!entry)
      continue;
    for (const ManifestValue &argument : entry->arguments)
      if (argument.role == "hyper" && known.insert(argument.name).second)
        hypers.push_back(argument);
  }
  return hypers;
}

/// A value as its type holds it: a number below 1 may be 1 as an f32.
static double rounded(const ManifestValue &hyper, double value) {
  return hyper.dtype == DType::F32 ? static_cast<float>(value) : value;
}

/// " of run 3" where each run has its own value.
static std::string ofRun(size_t run, bool isOwn) {
  return isOwn ? " of run " + std::to_string(run) : "";
}

Status ensc::checkHyperValues(const ManifestValue &hyper,
                              const std::vector<double> &values,
                              const std::string &what) {
  if (!hyper.range.isBounded())
    return Status::success();
  for (size_t run = 0; run < values.size(); ++run) {
    double value = rounded(hyper, values[run]);
    if (hyper.range.contains(value))
      continue;
    std::string asF32 = value == values[run]
                            ? ""
                            : ", which is " + formatShort(value) + " as f32";
    return Error(ErrorKind::InvalidArgument,
                 what + ofRun(run, values.size() > 1) + " must be " +
                     hyper.range.describe() + ", got " +
                     formatShort(values[run]) + asF32);
  }
  return Status::success();
}

static std::vector<double> valuesOf(const Tensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(tensor.dtype() == DType::F32 ? tensor.data<float>()[i]
                                                  : tensor.data<double>()[i]);
  return values;
}

static bool isFloat(DType type) {
  return type == DType::F32 || type == DType::F64;
}

Status ensc::checkHyperTensor(const ManifestValue &argument,
                              const Tensor &tensor, const std::string &what) {
  if (!isFloat(argument.dtype) || !argument.range.isBounded())
    return Status::success();
  return checkHyperValues(argument, valuesOf(tensor), what);
}

Status ensc::checkHyperLimit(const ManifestValue &hyper,
                             const std::vector<double> &values,
                             const std::vector<double> &limits,
                             const std::string &what) {
  size_t runs = std::max(values.size(), limits.size());
  for (size_t run = 0; run < runs; ++run) {
    double value = values[values.size() == 1 ? 0 : run];
    double limit = limits[limits.size() == 1 ? 0 : run];
    if (!(rounded(hyper, value) > rounded(hyper, limit)))
      continue;
    return Error(ErrorKind::InvalidArgument,
                 what + ofRun(run, runs > 1) + " must be at most its '" +
                     hyper.limit + "', which is " + formatShort(limit) +
                     ", got " + formatShort(value));
  }
  return Status::success();
}

Status ensc::checkHyperLimits(const ManifestEntry &entry,
                              const std::vector<Tensor> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ManifestValue &hyper = entry.arguments[i];
    if (hyper.limit.empty())
      continue;
    std::optional<size_t> limit = entry.findArgument(hyper.limit);
    if (!limit || !isFloat(hyper.dtype) ||
        entry.arguments[*limit].dtype != hyper.dtype)
      continue;
    if (Status status = checkHyperLimit(
            hyper, valuesOf(arguments[i]), valuesOf(arguments[*limit]),
            "argument '" + hyper.name + "' of @" + entry.name);
        !status)
      return status;
  }
  return Status::success();
}
