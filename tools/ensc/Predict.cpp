//===- Predict.cpp - ensc predict -----------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "EnsembleOutput.h"
#include "LoadModels.h"

#include "ensc/Artifact/JsonLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string> experimentPath(cl::Positional, cl::Required,
                                           cl::desc("<experiment>"),
                                           cl::cat(tool::category),
                                           cl::sub(tool::predictCommand));
static cl::list<std::string>
    sources("data", cl::OneOrMore, cl::value_desc("new.npz"),
            cl::desc("Arrays by the names of the function's data arguments, "
                     "with any number of rows"),
            cl::cat(tool::category), cl::sub(tool::predictCommand));
static cl::opt<std::string>
    choice("runs", cl::init("all"), cl::value_desc("runs"),
           cl::desc("all (the default) that have not diverged, best, best:K "
                    "or numbers of runs, as in 0,3,7"),
           cl::cat(tool::category), cl::sub(tool::predictCommand));
static cl::opt<std::string>
    entry("entry",
          cl::desc("The function that predicts (default: the learner's "
                   "predict)"),
          cl::value_desc("function"), cl::cat(tool::category),
          cl::sub(tool::predictCommand));
static cl::opt<bool>
    classify("classify",
             cl::desc("Count which class most models take for each row: the "
                      "greatest of the last dimension"),
             cl::cat(tool::category), cl::sub(tool::predictCommand));
static cl::opt<bool> each("each",
                          cl::desc("Save what each model predicts, too"),
                          cl::cat(tool::category),
                          cl::sub(tool::predictCommand));
static cl::opt<std::string> saveDirectory(
    "save", cl::desc("Write arrays to this directory instead of printing them"),
    cl::value_desc("dir"), cl::cat(tool::category),
    cl::sub(tool::predictCommand));
static cl::opt<bool> roundData("round-data",
                               cl::desc("Allow rounding to the nearest float"),
                               cl::cat(tool::category),
                               cl::sub(tool::predictCommand));
static cl::opt<bool> jsonOutput("json", cl::desc("Print one JSON object"),
                                cl::cat(tool::category),
                                cl::sub(tool::predictCommand));

static Status predict() {
  if (each && saveDirectory.empty())
    return Error(ErrorKind::InvalidArgument,
                 "--each writes files; add --save=DIR");
  Expected<ExperimentReader> experiment =
      ExperimentReader::open(experimentPath);
  if (!experiment)
    return experiment.error();
  Expected<std::vector<int64_t>> runs = tool::chooseRuns(*experiment, choice);
  if (!runs)
    return runs.error();
  DataOptions dataOptions;
  dataOptions.training.assign(sources.begin(), sources.end());
  dataOptions.mayRound = roundData;
  Expected<DataSet> data = DataSet::open(dataOptions);
  if (!data)
    return data.error();
  tool::ModelFunction function = {entry, false};
  if (entry.empty())
    function = {"predict", true};
  Expected<std::vector<tool::ModelGroup>> groups =
      tool::loadModels(*experiment, *runs, function);
  if (!groups && entry.empty() &&
      llvm::StringRef(groups.error().message())
          .contains("has no public function"))
    return Error(groups.error().kind(),
                 groups.error().message() +
                     "; name the function that predicts with --entry");
  if (!groups)
    return groups.error();
  Expected<tool::EnsemblePrediction> prediction =
      tool::EnsemblePrediction::compute(*groups, *data, runs->size(), classify,
                                        each);
  if (!prediction)
    return prediction.error();
  Json files = Json::object();
  if (!saveDirectory.empty()) {
    Expected<Json> saved = prediction->save(saveDirectory);
    if (!saved)
      return saved.error();
    files = std::move(*saved);
  }
  if (jsonOutput)
    llvm::outs() << prediction->summarize(*runs, files).dump() << "\n";
  else
    llvm::outs() << prediction->describe(*runs, saveDirectory.empty());
  return Status::success();
}

int tool::predictMain() {
  Status status = predict();
  return status ? 0 : fail(status.error());
}
