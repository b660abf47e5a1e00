//===- Models.cpp - Trained runs as one ensemble --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Predict/Models.h"

#include "ensc/API/Allocate.h"
#include "ensc/Runtime/HyperValues.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <cstring>

using namespace ensc;

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

static bool isData(const ManifestValue &argument) {
  return argument.role == "data";
}

//===----------------------------------------------------------------------===//
// What the models have
//===----------------------------------------------------------------------===//

/// Sets the number of a model that is no tensor of its state.
static Status setNumber(const ManifestValue &argument, const Model &model,
                        int64_t index, Tensor &all) {
  if (argument.role == "seed" || argument.role == "step") {
    all.data<int64_t>()[index] =
        argument.role == "seed" ? model.seed : model.step;
    return Status::success();
  }
  auto given = model.hypers.find(argument.name);
  if (given == model.hypers.end() && !argument.defaultValue)
    return invalid("run " + std::to_string(model.run) +
                   " has no value of the hyper-parameter '" + argument.name +
                   "', which has no default");
  double value =
      given == model.hypers.end() ? *argument.defaultValue : given->second;
  if (argument.dtype == DType::F32)
    all.data<float>()[index] = static_cast<float>(value);
  else
    all.data<double>()[index] = value;
  return Status::success();
}

/// Copies a tensor of a model's state.
static Status copyState(const ManifestValue &argument, const Tensor &tensor,
                        const Model &model, int64_t index, Tensor &all) {
  if (tensor.dtype() != argument.dtype || tensor.shape() != argument.shape)
    return Error(ErrorKind::InvalidData,
                 "the state of run " + std::to_string(model.run) + " has '" +
                     argument.name + "' as " +
                     typeString(tensor.dtype(), tensor.shape()) +
                     ", the program takes " +
                     typeString(argument.dtype, argument.shape));
  size_t size = tensor.sizeInBytes();
  if (size)
    std::memcpy(static_cast<char *>(all.bytes()) + index * size, tensor.bytes(),
                size);
  return Status::success();
}

static const Tensor *findState(const Model &model, const std::string &name) {
  for (const NamedTensor &named : model.state)
    if (named.name == name)
      return &named.tensor;
  return nullptr;
}

/// The values of one argument, one for each model.
Expected<Tensor> Models::gather(const ManifestValue &argument,
                                const std::vector<Model> &models) const {
  bool isNumber = argument.role == "seed" || argument.role == "step" ||
                  argument.role == "hyper";
  if (!argument.perRun)
    return invalid("@" + name + " takes '" + argument.name +
                   "' once for all models, but it is no data");
  Expected<Tensor> all =
      allocateTensor(argument.dtype, withRuns(count_, argument.shape),
                     "the models' '" + argument.name + "'");
  if (!all)
    return all;
  for (int64_t i = 0; i < count_; ++i) {
    const Model &model = models[static_cast<size_t>(i)];
    const Tensor *tensor = findState(model, argument.name);
    if (!tensor && !isNumber) {
      std::vector<std::string> names;
      for (const NamedTensor &named : model.state)
        names.push_back(named.name);
      return Error(ErrorKind::InvalidData,
                   "the state of run " + std::to_string(model.run) +
                       " has no '" + argument.name + "', which @" + name +
                       " takes" + suggest(argument.name, names));
    }
    Status status = tensor ? copyState(argument, *tensor, model, i, *all)
                           : setNumber(argument, model, i, *all);
    if (!status)
      return status.error().inContext("@" + name);
  }
  if (Status status =
          checkHyperTensor(argument, *all, "'" + argument.name + "'");
      !status)
    return status.error();
  return all;
}

Expected<Models> Models::create(Executable program, const std::string &entry,
                                const std::vector<Model> &runs,
                                const ModelCallOptions &options) {
  if (runs.empty())
    return invalid("there is no model");
  Models models(std::move(program));
  models.name = entry;
  models.options = options;
  models.count_ = static_cast<int64_t>(runs.size());
  const Manifest &manifest = models.program.manifest();
  const ManifestEntry *found = manifest.findEntry(entry);
  if (!found) {
    std::vector<std::string> names;
    for (const ManifestEntry &existing : manifest.entries)
      names.push_back(existing.name);
    return invalid("the program has no function '" + entry + "'" +
                   suggest(entry, names));
  }
  for (size_t i = 0; i < found->arguments.size(); ++i) {
    if (isData(found->arguments[i]))
      continue;
    Expected<Tensor> values = models.gather(found->arguments[i], runs);
    if (!values)
      return values.error();
    models.own.emplace(i, *values);
  }
  return models;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::vector<ManifestValue> Models::data() const {
  std::vector<ManifestValue> values;
  std::copy_if(entry().arguments.begin(), entry().arguments.end(),
               std::back_inserter(values), isData);
  return values;
}

/// The arguments in order; `data` are those that are data.
std::vector<Tensor> Models::bind(const std::vector<Tensor> &data) const {
  std::vector<Tensor> arguments;
  size_t next = 0;
  for (size_t i = 0; i < entry().arguments.size(); ++i) {
    auto found = own.find(i);
    arguments.push_back(found == own.end() ? data[next++] : found->second);
  }
  return arguments;
}

Expected<std::vector<Tensor>> Models::call(const std::vector<Tensor> &data,
                                           int64_t batch) const {
  if (data.size() + own.size() != entry().arguments.size())
    return invalid("@" + name + " takes " +
                   std::to_string(entry().arguments.size() - own.size()) +
                   " arrays of data, got " + std::to_string(data.size()));
  CallOptions call;
  call.runs = count_;
  call.threads = options.threads;
  call.schedule = options.schedule;
  const std::vector<std::string> &numbered =
      program.origin().options.batchEntries;
  if (std::find(numbered.begin(), numbered.end(), name) != numbered.end())
    call.beginStep = call.endStep = batch;
  return program.call(name, bind(data), call);
}

Expected<int64_t> Models::batchRows() const {
  std::optional<int64_t> rows;
  auto agrees = [&](const ManifestValue &value) {
    if (value.shape.empty())
      return false;
    if (!rows)
      rows = value.shape.front();
    return *rows == value.shape.front() && *rows > 0;
  };
  for (const ManifestValue &argument : data())
    if (argument.perRun || !agrees(argument))
      return invalid("@" + name + " takes '" + argument.name + "' as " +
                     typeString(argument.dtype, argument.shape) +
                     ", but all data must be shared batches of as many rows");
  if (!rows)
    return invalid("@" + name + " takes no data");
  for (const ManifestValue &result : results())
    if (!agrees(result))
      return invalid("@" + name + " gives '" + result.name + "' as " +
                     typeString(result.dtype, result.shape) +
                     ", not one value for each of the " +
                     std::to_string(*rows) + " rows of a batch");
  return *rows;
}

/// Fills `batch` with the rows of `array` from `first` on, and what is left of
/// it with the first of them.
static void fillBatch(const Tensor &array, int64_t first, Tensor &batch) {
  int64_t rows = batch.shape().front();
  int64_t count = array.shape().front() - first;
  size_t rowBytes = batch.sizeInBytes() / static_cast<size_t>(rows);
  if (rowBytes == 0)
    return;
  const char *from = static_cast<const char *>(array.bytes());
  char *to = static_cast<char *>(batch.bytes());
  for (int64_t row = 0; row < rows; ++row)
    std::memcpy(to + row * rowBytes,
                from + (first + (row < count ? row : 0)) * rowBytes, rowBytes);
}

/// Copies `count` rows of each model from `batch`, where they begin at `place`,
/// to the rows of `all` from `begin` on.
static void keepRows(const Tensor &batch, int64_t place, int64_t count,
                     Tensor &all, int64_t begin) {
  int64_t models = batch.shape()[0], rows = batch.shape()[1];
  size_t rowBytes = batch.sizeInBytes() /
                    static_cast<size_t>(std::max<int64_t>(models * rows, 1));
  const char *from = static_cast<const char *>(batch.bytes());
  char *to = static_cast<char *>(all.bytes());
  if (rowBytes && count)
    for (int64_t model = 0; model < models; ++model)
      std::memcpy(to + (model * all.shape()[1] + begin) * rowBytes,
                  from + (model * rows + place) * rowBytes, count * rowBytes);
}

Expected<std::vector<Tensor>> Models::callRows(const std::vector<Tensor> &data,
                                               int64_t first,
                                               int64_t count) const {
  Expected<int64_t> rows = batchRows();
  if (!rows)
    return rows.error();
  std::vector<Tensor> batches, all;
  for (const ManifestValue &argument : this->data())
    batches.push_back(Tensor::zeros(argument.dtype, argument.shape));
  for (const ManifestValue &result : results()) {
    Shape shape = withRuns(count_, result.shape);
    shape[1] = count;
    Expected<Tensor> made =
        allocateTensor(result.dtype, shape, "what the models predict");
    if (!made)
      return made.error();
    all.push_back(*made);
  }
  if (data.size() != batches.size())
    return call(data);
  for (int64_t batch = first / *rows; batch * *rows < first + count; ++batch) {
    int64_t start = batch * *rows;
    int64_t begin = std::max(first, start);
    int64_t end = std::min(first + count, start + *rows);
    for (size_t i = 0; i < data.size(); ++i)
      fillBatch(data[i], start, batches[i]);
    Expected<std::vector<Tensor>> values = call(batches, batch);
    if (!values)
      return values;
    for (size_t i = 0; i < all.size(); ++i)
      keepRows((*values)[i], begin - start, end - begin, all[i], begin - first);
  }
  return all;
}
