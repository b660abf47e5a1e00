//===- EnsembleOutput.cpp - What models predict together ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EnsembleOutput.h"

#include "OutputDirectory.h"

#include "ensc/API/Allocate.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/Npy.h"
#include "ensc/Predict/Combine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

using namespace ensc;
using Array = tool::EnsemblePrediction::Array;
using Result = tool::EnsemblePrediction::Result;

const Tensor *Result::find(const std::string &kind) const {
  for (const Array &array : arrays)
    if (array.kind == kind)
      return &array.tensor;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

static bool isFloat(DType dtype) {
  return dtype == DType::F32 || dtype == DType::F64;
}

static std::string nameOfResult(const ManifestValue &result, size_t position) {
  return result.name.empty() ? "result" + std::to_string(position)
                             : result.name;
}

/// All programs must predict alike, their batches aside.
static Status checkAlike(const Models &one, const Models &other) {
  auto row = [](const ManifestValue &value) {
    Shape shape(value.shape.begin() + 1, value.shape.end());
    return value.name + " as ROWSx" + typeString(value.dtype, shape);
  };
  auto describe = [&](const Models &models) {
    std::string text;
    for (const ManifestValue &result : models.results())
      text += (text.empty() ? "" : ", ") + row(result);
    return text;
  };
  if (describe(one) == describe(other))
    return Status::success();
  return Error(ErrorKind::InvalidArgument,
               "one program predicts " + describe(one) + ", another " +
                   describe(other) + "; choose runs of one of them by --runs");
}

/// Puts the models of a group at their places among all.
static void scatterModels(const Tensor &group,
                          const std::vector<size_t> &places, Tensor &all) {
  size_t bytes = group.sizeInBytes() / places.size();
  if (bytes)
    for (size_t i = 0; i < places.size(); ++i)
      std::memcpy(static_cast<char *>(all.bytes()) + places[i] * bytes,
                  static_cast<const char *>(group.bytes()) + i * bytes, bytes);
}

/// What is made of the rows of one part.
static Expected<std::vector<Array>> combine(const Tensor &models, bool classify,
                                            bool keepEach) {
  std::vector<Array> arrays;
  Tensor votes = models;
  if (isFloat(models.dtype())) {
    Expected<Average> mean = average(models);
    if (!mean)
      return mean.error();
    arrays.push_back({"mean", mean->mean});
    arrays.push_back({"deviation", mean->deviation});
  }
  bool hasClasses = classify && isFloat(models.dtype()) && models.rank() > 2;
  if (hasClasses) {
    Expected<Tensor> classes = greatestOf(models);
    if (!classes)
      return classes.error();
    votes = *classes;
  }
  if (!isFloat(votes.dtype())) {
    Expected<Vote> result = vote(votes, hasClasses);
    if (!result)
      return result.error();
    arrays.push_back({"class", result->winner});
    arrays.push_back({"agreement", result->share});
  }
  if (keepEach)
    arrays.push_back({"each", models});
  return arrays;
}

/// Copies the rows of a part into the array of all rows, which is made when the
/// first part comes. `each` leads with the models.
static Status append(const Array &part, int64_t rows, int64_t first,
                     std::vector<Array> &all, size_t position) {
  size_t rowDim = part.kind == "each" ? 1 : 0;
  if (position == all.size()) {
    Shape shape = part.tensor.shape();
    shape[rowDim] = rows;
    Expected<Tensor> made = allocateTensor(part.tensor.dtype(), shape,
                                           "the predictions for all rows");
    if (!made)
      return made.error();
    all.push_back({part.kind, *made});
  }
  const Shape &shape = part.tensor.shape();
  int64_t outer = rowDim ? shape[0] : 1, count = shape[rowDim];
  if (part.tensor.size() == 0)
    return Status::success();
  size_t rowBytes = part.tensor.sizeInBytes() / (outer * count);
  for (int64_t i = 0; i < outer; ++i)
    std::memcpy(static_cast<char *>(all[position].tensor.bytes()) +
                    (i * rows + first) * rowBytes,
                static_cast<const char *>(part.tensor.bytes()) +
                    i * count * rowBytes,
                count * rowBytes);
  return Status::success();
}

/// So many rows at a time that their results take some 32 MiB.
static int64_t rowsOfPart(const Models &models, size_t count) {
  int64_t bytes = 1;
  for (const ManifestValue &result : models.results())
    bytes += numElements(result.shape) * sizeOf(result.dtype);
  int64_t batch = *models.batchRows();
  int64_t batches = (int64_t{32} << 20) / (bytes * static_cast<int64_t>(count));
  return std::max<int64_t>(batches, 1) * batch;
}

/// The results of all models for some rows; each leads with all `models`.
static Expected<std::vector<Tensor>>
callAll(const std::vector<tool::ModelGroup> &groups,
        const std::vector<std::vector<Tensor>> &data, size_t models,
        int64_t first, int64_t count) {
  std::vector<Tensor> all;
  for (size_t i = 0; i < groups.size(); ++i) {
    Expected<std::vector<Tensor>> results =
        groups[i].models.callRows(data[i], first, count);
    if (!results)
      return results;
    for (size_t j = 0; j < results->size(); ++j) {
      Shape shape = (*results)[j].shape();
      shape[0] = static_cast<int64_t>(models);
      if (j == all.size()) {
        Expected<Tensor> made = allocateTensor((*results)[j].dtype(), shape,
                                               "what the models predict");
        if (!made)
          return made.error();
        all.push_back(*made);
      }
      scatterModels((*results)[j], groups[i].places, all[j]);
    }
  }
  return all;
}

Expected<tool::EnsemblePrediction>
tool::EnsemblePrediction::compute(const std::vector<ModelGroup> &groups,
                                  const DataSet &data, size_t models,
                                  bool classify, bool keepEach) {
  EnsemblePrediction prediction;
  std::vector<std::vector<Tensor>> arrays;
  for (const ModelGroup &group : groups) {
    if (Expected<int64_t> rows = group.models.batchRows(); !rows)
      return rows.error();
    if (Status status = checkAlike(groups.front().models, group.models);
        !status)
      return status.error();
    Expected<std::vector<Tensor>> read = readModelData(group.models, data);
    if (!read)
      return read.error();
    arrays.push_back(std::move(*read));
  }
  const Models &first = groups.front().models;
  prediction.rows_ = arrays.front().front().shape()[0];
  for (size_t i = 0; i < first.results().size(); ++i) {
    const ManifestValue &value = first.results()[i];
    Shape shape = value.shape;
    shape[0] = prediction.rows_;
    prediction.results_.push_back(
        {nameOfResult(value, i), typeString(value.dtype, shape), {}});
  }
  int64_t part = rowsOfPart(first, models), begin = 0;
  do {
    int64_t count = std::min(part, prediction.rows_ - begin);
    Expected<std::vector<Tensor>> results =
        callAll(groups, arrays, models, begin, count);
    if (!results)
      return results.error();
    for (size_t i = 0; i < results->size(); ++i) {
      Expected<std::vector<Array>> combined =
          combine((*results)[i], classify, keepEach);
      if (!combined)
        return combined.error();
      for (size_t j = 0; j < combined->size(); ++j)
        if (Status status = append((*combined)[j], prediction.rows_, begin,
                                   prediction.results_[i].arrays, j);
            !status)
          return status.error();
    }
    begin += count;
  } while (begin < prediction.rows_);
  return prediction;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

Expected<Json>
tool::EnsemblePrediction::save(const std::string &directory) const {
  Expected<OutputDirectory> made = OutputDirectory::make(directory);
  if (!made)
    return made.error();
  Json files = Json::object();
  std::vector<std::string> stale;
  for (const Result &result : results_)
    for (const char *kind :
         {"mean", "deviation", "class", "agreement", "each"}) {
      std::string path = directory + "/" + result.name + "." + kind + ".npy";
      const Tensor *tensor = result.find(kind);
      if (!tensor) {
        stale.push_back(path);
        continue;
      }
      if (Status status = writeNpy(path, *tensor); !status)
        return status.error();
      files[result.name][kind] = path;
    }
  // Those of another call would not belong to the others.
  for (const std::string &path : stale)
    if (std::error_code code = llvm::sys::fs::remove(path))
      return Error(ErrorKind::Io,
                   "cannot remove '" + path + "': " + code.message());
  return files;
}

/// The mean of all elements; 0 of none.
static double meanOf(const Tensor &tensor) {
  double sum = 0;
  for (int64_t i = 0; i < tensor.size(); ++i)
    sum += tensor.data<double>()[i];
  return tensor.size() ? sum / static_cast<double>(tensor.size()) : 0;
}

Json tool::EnsemblePrediction::summarize(const std::vector<int64_t> &runs,
                                         const Json &files) const {
  Json results = Json::array();
  for (const Result &result : results_) {
    Json json = {{"name", result.name}, {"type", result.type}};
    if (const Tensor *deviation = result.find("deviation"))
      json["mean_deviation"] = jsonNumber(meanOf(*deviation));
    if (const Tensor *agreement = result.find("agreement"))
      json["mean_agreement"] = jsonNumber(meanOf(*agreement));
    if (files.contains(result.name))
      json["files"] = files[result.name];
    results.push_back(std::move(json));
  }
  return {{"rows", rows_}, {"runs", runs}, {"results", results}};
}

/// The elements of a row, the first ones if there are many.
static void printRow(llvm::raw_ostream &os, const Tensor &tensor, int64_t row) {
  int64_t width = tensor.size() / tensor.shape()[0];
  constexpr int64_t shown = 10;
  for (int64_t i = 0; i < std::min(width, shown); ++i) {
    if (tensor.dtype() == DType::I64)
      os << " " << tensor.data<int64_t>()[row * width + i];
    else
      os << llvm::format(" %.4g", tensor.data<double>()[row * width + i]);
  }
  if (width > shown)
    os << " ...";
}

std::string tool::EnsemblePrediction::describe(const std::vector<int64_t> &runs,
                                               bool showRows) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << rows_ << (rows_ == 1 ? " row, " : " rows, ") << runs.size()
     << (runs.size() == 1 ? " model\n" : " models\n");
  constexpr int64_t shown = 10;
  for (const Result &result : results_) {
    os << result.name << ": " << result.type;
    if (const Tensor *deviation = result.find("deviation"))
      os << llvm::format(", deviation %.4g on average", meanOf(*deviation));
    if (const Tensor *agreement = result.find("agreement"))
      os << llvm::format(", agreement %.4g on average", meanOf(*agreement));
    os << "\n";
    for (int64_t row = 0; showRows && row < std::min(rows_, shown); ++row) {
      os << "row " << row << ":";
      for (const Array &array : result.arrays) {
        os << " " << array.kind;
        printRow(os, array.tensor, row);
      }
      os << "\n";
    }
    if (showRows && rows_ > shown)
      os << "(" << shown << " of " << rows_
         << " rows; --save=DIR writes all of them)\n";
  }
  return text;
}
