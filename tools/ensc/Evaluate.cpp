//===- Evaluate.cpp - ensc evaluate ---------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "EnsembleOutput.h"
#include "LoadModels.h"
#include "ModelInputs.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Predict/Combine.h"
#include "ensc/Report/Bands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string>
    labelsName("labels",
               cl::desc("Say how often all models together are right, too: "
                        "this array has the class of each row, and the "
                        "learner's predict gives a score for each class"),
               cl::value_desc("name"), cl::cat(tool::category),
               cl::sub(tool::evaluateCommand));

namespace {
/// The loss and the metrics of some runs.
struct Evaluation {
  std::vector<int64_t> runs;
  std::vector<std::string> names;
  std::vector<std::vector<double>> values; ///< By metric, then by run.
  int64_t rows = 0;
  /// How often the ensemble is right, by what decides: its mean, and its vote.
  std::vector<std::pair<std::string, double>> ensemble;
};
} // namespace

/// The metric without the "val_" that the entry gives it.
static std::string plainName(llvm::StringRef name) {
  name.consume_front("val_");
  return name.str();
}

static double numberAt(const Tensor &tensor, int64_t element) {
  return tensor.dtype() == DType::F32 ? tensor.data<float>()[element]
                                      : tensor.data<double>()[element];
}

/// Adds what one program computes; a metric that only some programs have is NaN
/// for the runs of the others.
static void addValues(const tool::ModelGroup &group,
                      const std::vector<Tensor> &results,
                      Evaluation &evaluation) {
  for (size_t i = 0; i < results.size(); ++i) {
    std::string name = plainName(group.models.results()[i].name);
    size_t metric =
        llvm::find(evaluation.names, name) - evaluation.names.begin();
    if (metric == evaluation.names.size()) {
      evaluation.names.push_back(name);
      evaluation.values.emplace_back(evaluation.runs.size(), std::nan(""));
    }
    for (size_t run = 0; run < group.places.size(); ++run)
      evaluation.values[metric][group.places[run]] =
          numberAt(results[i], static_cast<int64_t>(run));
  }
}

//===----------------------------------------------------------------------===//
// The ensemble
//===----------------------------------------------------------------------===//

/// The share of rows of which a class is the label.
static double shareOfRight(const Tensor &classes, const Tensor &labels) {
  const int64_t *given = classes.data<int64_t>();
  const int64_t *right = labels.data<int64_t>();
  int64_t count = 0;
  for (int64_t row = 0; row < labels.size(); ++row)
    count += given[row] == right[row];
  return static_cast<double>(count) / static_cast<double>(labels.size());
}

/// Compares what all models predict together with the labels.
static Status scoreEnsemble(const ExperimentReader &experiment,
                            const DataSet &data, Evaluation &evaluation) {
  ManifestValue argument;
  argument.name = labelsName;
  argument.dtype = DType::I64;
  argument.shape = {1};
  Expected<Tensor> labels = data.readRows(argument);
  if (!labels)
    return labels.error();
  Expected<std::vector<tool::ModelGroup>> groups =
      tool::loadModels(experiment, evaluation.runs, {"predict", true});
  if (!groups)
    return groups.error();
  Expected<tool::EnsemblePrediction> prediction =
      tool::EnsemblePrediction::compute(*groups, data, evaluation.runs.size(),
                                        /*classify=*/true, /*keepEach=*/false);
  if (!prediction)
    return prediction.error();
  const tool::EnsemblePrediction::Result &result =
      prediction->results().front();
  const Tensor *classes = result.find("class");
  if (!classes || classes->shape() != labels->shape())
    return Error(ErrorKind::InvalidArgument,
                 "@" + groups->front().models.function() + " gives '" +
                     result.name + "' as " + result.type +
                     ", which is not a score for each class of " +
                     std::to_string(labels->size()) + " rows");
  if (const Tensor *mean = result.find("mean")) {
    Expected<Tensor> greatest = greatestOf(*mean);
    if (!greatest)
      return greatest.error();
    evaluation.ensemble.emplace_back("mean", shareOfRight(*greatest, *labels));
  }
  evaluation.ensemble.emplace_back("vote", shareOfRight(*classes, *labels));
  return Status::success();
}

static Expected<Evaluation> evaluate() {
  Expected<tool::ModelInputs> inputs = tool::ModelInputs::open();
  if (!inputs)
    return inputs.error();
  const auto &[experiment, runs, data] = *inputs;
  std::optional<int64_t> rows = data.rows({});
  if (!rows || *rows < 1)
    return Error(ErrorKind::InvalidData,
                 "there are no rows to evaluate the models on");
  Expected<std::vector<tool::ModelGroup>> groups =
      tool::loadModels(experiment, runs, {"evaluate", true}, rows);
  if (!groups)
    return groups.error();
  Evaluation evaluation;
  evaluation.runs = runs;
  evaluation.rows = *rows;
  for (const tool::ModelGroup &group : *groups) {
    Expected<std::vector<Tensor>> arrays =
        tool::readModelData(group.models, data);
    if (!arrays)
      return arrays.error();
    Expected<std::vector<Tensor>> results = group.models.call(*arrays);
    if (!results)
      return results.error();
    addValues(group, *results, evaluation);
  }
  if (!labelsName.empty())
    if (Status status = scoreEnsemble(experiment, data, evaluation); !status)
      return status.error();
  return evaluation;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// The median of the numbers among the values; NaN of none.
static double medianOf(std::vector<double> values) {
  llvm::erase_if(values, [](double value) { return std::isnan(value); });
  std::sort(values.begin(), values.end());
  return quantileOf(values, 0.5);
}

static void printJson(const Evaluation &evaluation) {
  Json runs = Json::array(), medians = Json::object();
  for (size_t run = 0; run < evaluation.runs.size(); ++run) {
    Json json = {{"run", evaluation.runs[run]}};
    for (size_t metric = 0; metric < evaluation.names.size(); ++metric)
      json[evaluation.names[metric]] =
          jsonNumber(evaluation.values[metric][run]);
    runs.push_back(std::move(json));
  }
  for (size_t metric = 0; metric < evaluation.names.size(); ++metric)
    medians[evaluation.names[metric]] =
        jsonNumber(medianOf(evaluation.values[metric]));
  Json summary = {{"rows", evaluation.rows},
                  {"median", std::move(medians)},
                  {"runs", std::move(runs)}};
  for (const auto &[how, share] : evaluation.ensemble)
    summary["ensemble_accuracy"][how] = share;
  llvm::outs() << summary.dump() << "\n";
}

static void printTable(const Evaluation &evaluation) {
  auto printLine = [&](const std::string &label, auto valueOf) {
    llvm::outs() << llvm::format("%8s", label.c_str());
    for (size_t metric = 0; metric < evaluation.names.size(); ++metric)
      llvm::outs() << "  "
                   << llvm::format("%12.6g",
                                   static_cast<double>(valueOf(metric)));
    llvm::outs() << "\n";
  };
  llvm::outs() << llvm::format("%8s", "run");
  for (const std::string &name : evaluation.names)
    llvm::outs() << "  " << llvm::format("%12s", name.c_str());
  llvm::outs() << "\n";
  for (size_t run = 0; run < evaluation.runs.size(); ++run)
    printLine(std::to_string(evaluation.runs[run]),
              [&](size_t metric) { return evaluation.values[metric][run]; });
  if (evaluation.runs.size() > 1)
    printLine("median", [&](size_t metric) {
      return medianOf(evaluation.values[metric]);
    });
  llvm::outs() << evaluation.rows << (evaluation.rows == 1 ? " row" : " rows")
               << "\n";
  for (const auto &[how, share] : evaluation.ensemble)
    llvm::outs() << "the " << how << " of " << evaluation.runs.size()
                 << llvm::format(" models is right for %.6g %%\n", 100 * share);
}

int tool::evaluateMain() {
  Expected<Evaluation> evaluation = evaluate();
  if (!evaluation)
    return fail(evaluation.error());
  if (tool::ModelInputs::wantsJson())
    printJson(*evaluation);
  else
    printTable(*evaluation);
  return 0;
}
