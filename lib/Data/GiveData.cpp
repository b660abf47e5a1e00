//===- GiveData.cpp - Arrays for a learner --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Data/GiveData.h"

#include <algorithm>
#include <map>

using namespace ensc;

/// The data arguments of what Expand makes of a learner.
static std::vector<const ManifestValue *>
dataArguments(const Manifest &manifest) {
  std::vector<const ManifestValue *> arguments;
  for (const ManifestLearner &learner : manifest.learners)
    for (const char *suffix : {".fit", ".evaluate"})
      if (const ManifestEntry *entry =
              manifest.findEntry(learner.name + suffix))
        for (const ManifestValue &argument : entry->arguments)
          if (argument.role == "data")
            arguments.push_back(&argument);
  return arguments;
}

static std::string typeOf(const ManifestValue &argument) {
  return std::string(argument.perRun ? "per run " : "") +
         typeString(argument.dtype, argument.shape);
}

Status ensc::giveData(Learner &learner, const std::vector<Executable> &programs,
                      const DataSet &data) {
  std::vector<std::string> wanted = learner.dataNames();
  std::map<std::string, const ManifestValue *> given;
  for (const Executable &program : programs)
    for (const ManifestValue *argument : dataArguments(program.manifest())) {
      if (std::find(wanted.begin(), wanted.end(), argument->name) ==
          wanted.end())
        continue;
      auto [known, isNew] = given.try_emplace(argument->name, argument);
      if (!isNew && typeOf(*known->second) != typeOf(*argument))
        return Error(ErrorKind::InvalidData,
                     "one program takes the data '" + argument->name + "' as " +
                         typeOf(*known->second) + ", another as " +
                         typeOf(*argument) + "; give them the same type");
      if (!isNew)
        continue;
      Expected<Tensor> tensor = data.read(*argument);
      if (!tensor)
        return tensor.error();
      if (Status status = learner.setData(argument->name, *tensor); !status)
        return status;
    }
  return Status::success();
}
