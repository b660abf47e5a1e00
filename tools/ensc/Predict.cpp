//===- Predict.cpp - ensc predict -----------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "EnsembleOutput.h"
#include "LoadModels.h"
#include "ModelInputs.h"

#include "ensc/Artifact/JsonLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string>
    entry("entry",
          cl::desc("The function that predicts (default: the learner's "
                   "predict)"),
          cl::value_desc("function"), cl::cat(tool::category),
          cl::sub(tool::predictCommand));
static tool::SwitchFlag
    classify("classify",
             cl::desc("Count which class most models take for each row: the "
                      "greatest of the last dimension"),
             cl::cat(tool::category), cl::sub(tool::predictCommand));
static tool::SwitchFlag each("each",
                             cl::desc("Save what each model predicts, too"),
                             cl::cat(tool::category),
                             cl::sub(tool::predictCommand));
static cl::opt<std::string> saveDirectory(
    "save", cl::desc("Write arrays to this directory instead of printing them"),
    cl::value_desc("dir"), cl::cat(tool::category),
    cl::sub(tool::predictCommand));

static Status predict() {
  if (each && saveDirectory.empty())
    return Error(ErrorKind::InvalidArgument,
                 "--each writes files; add --save=DIR");
  Expected<tool::ModelInputs> inputs = tool::ModelInputs::open();
  if (!inputs)
    return inputs.error();
  const auto &[experiment, runs, data] = *inputs;
  tool::ModelFunction function = {entry, false};
  if (entry.empty())
    function = {"predict", true};
  Expected<std::vector<tool::ModelGroup>> groups =
      tool::loadModels(experiment, runs, function);
  if (!groups && entry.empty() &&
      llvm::StringRef(groups.error().message())
          .contains("has no public function"))
    return Error(groups.error().kind(),
                 groups.error().message() +
                     "; name the function that predicts with --entry");
  if (!groups)
    return groups.error();
  Expected<tool::EnsemblePrediction> prediction =
      tool::EnsemblePrediction::compute(*groups, data, runs.size(), classify,
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
  if (tool::ModelInputs::wantsJson())
    llvm::outs() << prediction->summarize(runs, files).dump() << "\n";
  else
    llvm::outs() << prediction->describe(runs, saveDirectory.empty());
  return Status::success();
}

int tool::predictMain() {
  Status status = predict();
  return status ? 0 : fail(status.error());
}
