//===- HyperValues.cpp - Whether hyper-parameters are in range ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/HyperValues.h"

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

Status ensc::checkHyperValues(const ManifestValue &hyper,
                              const std::vector<double> &values,
                              const std::string &what) {
  if (!hyper.range.isBounded())
    return Status::success();
  bool isNarrow = hyper.dtype == DType::F32;
  for (size_t run = 0; run < values.size(); ++run) {
    // A number below 1 may be 1 as an f32.
    double value = isNarrow ? static_cast<float>(values[run]) : values[run];
    if (hyper.range.contains(value))
      continue;
    std::string place =
        values.size() == 1 ? "" : " of run " + std::to_string(run);
    std::string rounded = value == values[run]
                              ? ""
                              : ", which is " + formatShort(value) + " as f32";
    return Error(ErrorKind::InvalidArgument,
                 what + place + " must be " + hyper.range.describe() +
                     ", got " + formatShort(values[run]) + rounded);
  }
  return Status::success();
}

Status ensc::checkHyperTensor(const ManifestValue &argument,
                              const Tensor &tensor, const std::string &what) {
  bool isFloat = argument.dtype == DType::F32 || argument.dtype == DType::F64;
  if (!isFloat || !argument.range.isBounded())
    return Status::success();
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(tensor.dtype() == DType::F32 ? tensor.data<float>()[i]
                                                  : tensor.data<double>()[i]);
  return checkHyperValues(argument, values, what);
}
