//===- StackStates.cpp - States of runs as one ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/StackStates.h"

#include "ensc/Runtime/Names.h"

#include <cassert>
#include <cstring>
#include <string>

using namespace ensc;

/// Fails unless a run has the tensor that the first run has.
static Status checkFitsFirst(const Safetensors &state, const NamedTensor &first,
                             int64_t run, int64_t firstRun) {
  const Tensor *tensor = state.find(first.name);
  std::string has = "run " + std::to_string(run) + " has ";
  if (tensor && tensor->dtype() == first.tensor.dtype() &&
      tensor->shape() == first.tensor.shape())
    return Status::success();
  std::string expected =
      "'" + first.name + "' as run " + std::to_string(firstRun) + " has it (" +
      typeString(first.tensor.dtype(), first.tensor.shape()) + ")";
  std::string found =
      tensor ? "; its is " + typeString(tensor->dtype(), tensor->shape()) : "";
  return Error(ErrorKind::InvalidArgument,
               has + "no tensor " + expected + found +
                   "; export runs of one program at a time");
}

Expected<Safetensors> ensc::stackStates(const std::vector<Safetensors> &states,
                                        const std::vector<int64_t> &runs) {
  assert(states.size() == runs.size() && !states.empty());
  auto count = static_cast<int64_t>(runs.size());
  const Safetensors &first = states.front();
  Safetensors stacked;
  stacked.metadata = first.metadata;
  // A parameter that has the name keeps it.
  if (!first.find(stackedRunsName))
    stacked.tensors.push_back({stackedRunsName, Tensor::of({count}, runs)});
  for (size_t i = 1; i < states.size(); ++i)
    if (states[i].tensors.size() != first.tensors.size())
      return Error(ErrorKind::InvalidArgument,
                   "run " + std::to_string(runs[i]) + " has " +
                       std::to_string(states[i].tensors.size()) +
                       " tensors, and run " + std::to_string(runs[0]) +
                       " has " + std::to_string(first.tensors.size()) +
                       "; export runs of one program at a time");
  for (const NamedTensor &named : first.tensors) {
    Shape shape = named.tensor.shape();
    shape.insert(shape.begin(), count);
    Tensor all = Tensor::zeros(named.tensor.dtype(), shape);
    size_t bytes = named.tensor.sizeInBytes();
    for (size_t i = 0; i < states.size(); ++i) {
      if (Status fits = checkFitsFirst(states[i], named, runs[i], runs[0]);
          !fits)
        return fits.error();
      if (bytes > 0)
        std::memcpy(static_cast<char *>(all.bytes()) + i * bytes,
                    states[i].find(named.name)->bytes(), bytes);
    }
    stacked.tensors.push_back({named.name, std::move(all)});
  }
  return stacked;
}
