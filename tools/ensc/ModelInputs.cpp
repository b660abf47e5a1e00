//===- ModelInputs.cpp - What models of an experiment are asked -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelInputs.h"

#include "Commands.h"
#include "LoadModels.h"

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string> experimentPath(cl::Positional, cl::Required,
                                           cl::desc("<experiment>"),
                                           cl::cat(tool::category),
                                           cl::sub(tool::predictCommand),
                                           cl::sub(tool::evaluateCommand));
static cl::list<std::string>
    sources("data", cl::value_desc("new.npz"),
            cl::desc("Arrays by the names of the program's data arguments, "
                     "with any number of rows"),
            cl::cat(tool::category), cl::sub(tool::predictCommand),
            cl::sub(tool::evaluateCommand));
static cl::opt<std::string>
    choice("runs", cl::init("all"), cl::value_desc("runs"),
           cl::desc("all (the default) that have not diverged, best, best:K "
                    "or numbers of runs, as in 0,3,7"),
           cl::cat(tool::category), cl::sub(tool::predictCommand),
           cl::sub(tool::evaluateCommand));
static tool::SwitchFlag
    roundData("round-data", cl::desc("Allow rounding to the nearest float"),
              cl::cat(tool::category), cl::sub(tool::predictCommand),
              cl::sub(tool::evaluateCommand));
static tool::SwitchFlag jsonOutput("json", cl::desc("Print one JSON object"),
                                   cl::cat(tool::category),
                                   cl::sub(tool::predictCommand),
                                   cl::sub(tool::evaluateCommand));

Expected<tool::ModelInputs> tool::ModelInputs::open() {
  if (sources.empty())
    return Error(ErrorKind::InvalidArgument,
                 "name the data for the models, as in --data new.npz");
  Expected<ExperimentReader> experiment =
      ExperimentReader::open(experimentPath);
  if (!experiment)
    return experiment.error();
  Expected<std::vector<int64_t>> runs = chooseRuns(*experiment, choice);
  if (!runs)
    return runs.error();
  DataOptions options;
  options.training.assign(sources.begin(), sources.end());
  options.mayRound = roundData;
  Expected<DataSet> data = DataSet::open(options);
  if (!data)
    return data.error();
  return ModelInputs{std::move(*experiment), std::move(*runs),
                     std::move(*data)};
}

bool tool::ModelInputs::wantsJson() { return jsonOutput; }
