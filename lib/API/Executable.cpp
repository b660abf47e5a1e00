//===- Executable.cpp - A compiled program --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Executable.h"

#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <atomic>

using namespace ensc;

Expected<Executable> Executable::open(const std::string &path) {
  Expected<Program> program = Program::open(path);
  if (!program)
    return program.error();
  return Executable(std::move(*program));
}

/// `shape` with a leading dimension of `runs`.
static Shape withRuns(int64_t runs, const Shape &shape) {
  Shape result = {runs};
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

static Error argumentError(const ManifestEntry &entry, size_t position,
                           const Tensor &tensor, const Shape &expected) {
  const ManifestValue &argument = entry.arguments[position];
  std::string name = argument.name.empty() ? std::to_string(position)
                                           : "'" + argument.name + "'";
  return Error(ErrorKind::InvalidArgument,
               "argument " + name + " of @" + entry.name + " is " +
                   (argument.perRun ? "per run" : "shared") + " and must be " +
                   typeString(argument.dtype, expected) + ", got " +
                   typeString(tensor.dtype(), tensor.shape()));
}

/// Where the runs of `options` find the arguments, or what is wrong with them.
static Expected<std::vector<RunMemory>>
bindArguments(const ManifestEntry &entry, const std::vector<Tensor> &arguments,
              int64_t runs) {
  if (arguments.size() != entry.arguments.size())
    return Error(ErrorKind::InvalidArgument,
                 "@" + entry.name + " takes " +
                     std::to_string(entry.arguments.size()) +
                     " arguments, got " + std::to_string(arguments.size()));
  std::vector<RunMemory> memory;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ManifestValue &argument = entry.arguments[i];
    Shape expected =
        argument.perRun ? withRuns(runs, argument.shape) : argument.shape;
    if (arguments[i].dtype() != argument.dtype ||
        arguments[i].shape() != expected)
      return argumentError(entry, i, arguments[i], expected);
    size_t bytes = numElements(argument.shape) * sizeOf(argument.dtype);
    memory.push_back({const_cast<void *>(arguments[i].bytes()),
                      argument.perRun ? bytes : 0});
  }
  return memory;
}

Expected<std::vector<Tensor>>
Executable::call(const std::string &name, const std::vector<Tensor> &arguments,
                 const CallOptions &options) const {
  const ManifestEntry *entry = manifest().findEntry(name);
  if (!entry) {
    std::vector<std::string> names;
    for (const ManifestEntry &existing : manifest().entries)
      names.push_back(existing.name);
    return Error(ErrorKind::InvalidArgument, "the program has no entry '" +
                                                 name + "'" +
                                                 suggest(name, names));
  }
  if (options.runs < 0)
    return Error(ErrorKind::InvalidArgument, "the number of runs is negative");
  Expected<std::vector<RunMemory>> inputs =
      bindArguments(*entry, arguments, options.runs);
  if (!inputs)
    return inputs.error();

  int64_t bytes = 0;
  for (const ManifestValue &result : entry->results)
    bytes += numElements(result.shape) * sizeOf(result.dtype);
  if (Status status = checkFits("the result", options.runs, bytes); !status)
    return status.error();
  std::vector<Tensor> results;
  std::vector<RunMemory> outputs;
  for (const ManifestValue &result : entry->results) {
    results.push_back(
        Tensor::zeros(result.dtype, withRuns(options.runs, result.shape)));
    outputs.push_back({results.back().bytes(),
                       numElements(result.shape) * sizeOf(result.dtype)});
  }

  bool lanes = usesLanes(*entry, options.schedule, options.runs);
  if (Status status = checkArena(*entry, lanes); !status)
    return status.error();
  int64_t width = lanes ? entry->lanes->lanes : 1;
  int64_t groups = (options.runs + width - 1) / width;
  std::atomic<bool> refused{false};
  // A caller holds an arena, so a task advances several groups with one.
  int64_t tasks = std::min<int64_t>(groups, 4 * availableThreads());
  parallelFor(tasks, options.threads, [&](int64_t task) {
    GroupCaller caller(program_, *entry, lanes, *inputs, outputs);
    for (int64_t group = task; group < groups; group += tasks) {
      std::vector<int64_t> runs, ids;
      int64_t end = std::min((group + 1) * width, options.runs);
      for (int64_t run = group * width; run < end; ++run) {
        runs.push_back(run);
        ids.push_back(options.firstRun + run);
      }
      if (caller.call(runs.data(), ids.data(), runs.size(), options.beginStep,
                      options.endStep) < 0)
        refused = true;
    }
  });
  if (refused)
    return Error(ErrorKind::Unsupported, "the interpreter cannot execute @" +
                                             name +
                                             "; compile the program instead");
  return results;
}
