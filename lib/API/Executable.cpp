//===- Executable.cpp - A compiled program --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Executable.h"

#include "ensc/API/Allocate.h"
#include "ensc/Runtime/HyperValues.h"
#include "ensc/Runtime/Labels.h"
#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Suggest.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <atomic>

using namespace ensc;

Expected<Executable> Executable::open(const std::string &path) {
  Expected<Program> program = Program::open(path);
  if (!program)
    return program.error();
  return Executable(std::move(*program));
}

/// Where `runs` runs find what `values` of the entry describe, which are called
/// `what`, or what is wrong with the tensors given for them.
static Expected<std::vector<RunMemory>>
bindTensors(const ManifestEntry &entry, const std::string &what,
            const std::vector<ManifestValue> &values,
            const std::vector<Tensor> &tensors, int64_t runs) {
  bool areResults = &values == &entry.results;
  if (tensors.size() != values.size())
    return Error(ErrorKind::InvalidArgument,
                 "@" + entry.name + (areResults ? " gives " : " takes ") +
                     std::to_string(values.size()) + " " + what + "s, got " +
                     std::to_string(tensors.size()));
  std::vector<RunMemory> memory;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ManifestValue &value = values[i];
    bool perRun = areResults || value.perRun;
    Shape expected = perRun ? withRuns(runs, value.shape) : value.shape;
    std::string name =
        what + " " +
        (value.name.empty() ? std::to_string(i) : "'" + value.name + "'") +
        " of @" + entry.name;
    if (tensors[i].dtype() != value.dtype || tensors[i].shape() != expected)
      return Error(ErrorKind::InvalidArgument,
                   name + " is " + (perRun ? "per run" : "shared") +
                       " and must be " + typeString(value.dtype, expected) +
                       ", got " +
                       typeString(tensors[i].dtype(), tensors[i].shape()));
    if (Status status = checkLabels(value, tensors[i], name); !status)
      return status.error();
    if (Status status = checkHyperTensor(value, tensors[i], name); !status)
      return status.error();
    size_t bytes = numElements(value.shape) * sizeOf(value.dtype);
    memory.push_back(
        {const_cast<void *>(tensors[i].bytes()), perRun ? bytes : 0});
  }
  return memory;
}

Expected<const ManifestEntry *>
Executable::findEntry(const std::string &name,
                      const CallOptions &options) const {
  const ManifestEntry *entry = manifest().findEntry(name);
  if (entry && options.runs < 0)
    return Error(ErrorKind::InvalidArgument, "the number of runs is negative");
  if (Status status = checkThreads("threads", options.threads); !status)
    return status.error();
  if (entry && (options.beginStep < 0 || options.endStep < options.beginStep))
    return Error(ErrorKind::InvalidArgument,
                 "steps count upwards from 0, got the steps from " +
                     std::to_string(options.beginStep) + " to " +
                     std::to_string(options.endStep));
  if (entry)
    return entry;
  std::vector<std::string> names;
  for (const ManifestEntry &existing : manifest().entries)
    names.push_back(existing.name);
  return Error(ErrorKind::InvalidArgument, "the program has no entry '" + name +
                                               "'" + suggest(name, names));
}

Expected<std::vector<Tensor>>
Executable::call(const std::string &name, const std::vector<Tensor> &arguments,
                 const CallOptions &options) const {
  Expected<const ManifestEntry *> entry = findEntry(name, options);
  if (!entry)
    return entry.error();
  int64_t bytes = 0;
  for (const ManifestValue &result : (*entry)->results)
    bytes += numElements(result.shape) * sizeOf(result.dtype);
  if (Status status = checkFits("the result", options.runs, bytes); !status)
    return status.error();
  std::vector<Tensor> results;
  for (const ManifestValue &result : (*entry)->results) {
    Expected<Tensor> tensor =
        allocateTensor(result.dtype, withRuns(options.runs, result.shape),
                       "a result of @" + name);
    if (!tensor)
      return tensor.error();
    results.push_back(*tensor);
  }
  if (Status status = callInto(name, arguments, results, options); !status)
    return status.error();
  return results;
}

Status Executable::callInto(const std::string &name,
                            const std::vector<Tensor> &arguments,
                            std::vector<Tensor> &results,
                            const CallOptions &options) const {
  Expected<const ManifestEntry *> found = findEntry(name, options);
  if (!found)
    return found.error();
  const ManifestEntry *entry = *found;
  if (Status status = checkInstance(manifest(), *entry, options.schedule);
      !status)
    return status;
  Expected<std::vector<RunMemory>> inputs = bindTensors(
      *entry, "argument", entry->arguments, arguments, options.runs);
  if (!inputs)
    return inputs.error();
  if (Status status = checkHyperLimits(*entry, arguments); !status)
    return status;
  Expected<std::vector<RunMemory>> outputs =
      bindTensors(*entry, "result", entry->results, results, options.runs);
  if (!outputs)
    return outputs.error();

  GroupRules rules =
      rulesOf(*entry, options.schedule, options.runs, options.threads);
  ScratchBytes scratch;
  if (Status status = scratch.include(*entry, rules); !status)
    return status.error();
  // Groups in lanes come first, then single runs.
  Grouping grouping = chooseGrouping(rules, options.runs);
  int64_t groups = grouping.groups + grouping.single;
  int64_t inLanes = options.runs - grouping.single;
  std::atomic<bool> refused{false};
  std::atomic<int64_t> next{0};
  // A caller holds an arena, so a task advances several groups with one.
  int64_t tasks = std::min<int64_t>(groups, rules.threads);
  std::vector<Scratch> scratches;
  for (int64_t task = 0; task < tasks; ++task) {
    Expected<Scratch> memory = Scratch::allocate(scratch);
    if (!memory)
      return memory.error();
    scratches.push_back(std::move(*memory));
  }
  parallelFor(tasks, options.threads, [&](int64_t task) {
    EntryCaller caller(program_, *entry, rules, *inputs, *outputs,
                       scratches[task]);
    std::vector<int64_t> runs, ids;
    for (int64_t group; (group = next++) < groups;) {
      int64_t run = group * rules.width;
      int64_t end = std::min(run + rules.width, inLanes);
      if (group >= grouping.groups) {
        run = inLanes + group - grouping.groups;
        end = run + 1;
      }
      runs.clear();
      ids.clear();
      for (; run < end; ++run) {
        runs.push_back(run);
        ids.push_back(options.firstRun + run);
      }
      if (!caller.call(runs.data(), ids.data(), runs.size(), options.beginStep,
                       options.endStep))
        refused = true;
    }
  });
  if (refused)
    return Error(ErrorKind::Unsupported, "the interpreter cannot execute @" +
                                             name +
                                             "; compile the program instead");
  return Status::success();
}
