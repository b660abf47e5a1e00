//===- DataSet.cpp - Named arrays out of files ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Data/DataSet.h"

#include "DataArray.h"

#include "ensc/Data/Convert.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <map>

using namespace ensc;

static constexpr const char *validationSuffix = "_val";

static bool isValidationName(const std::string &name) {
  std::string suffix = validationSuffix;
  return name.size() > suffix.size() &&
         name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

DataSet::DataSet() = default;
DataSet::DataSet(DataSet &&) noexcept = default;
DataSet &DataSet::operator=(DataSet &&) noexcept = default;
DataSet::~DataSet() = default;

Status DataSet::add(std::unique_ptr<DataArray> array) {
  for (const std::unique_ptr<DataArray> &other : arrays)
    if (other->name == array->name)
      return Error(ErrorKind::InvalidData,
                   "there are two arrays '" + array->name +
                       "': " + other->place + ", and " + array->place);
  arrays.push_back(std::move(array));
  return Status::success();
}

Expected<DataSet> DataSet::open(const DataOptions &options) {
  DataSet data;
  data.options = options;
  for (bool isValidation : {false, true})
    for (const std::string &source :
         isValidation ? options.validation : options.training) {
      Expected<DataArrays> opened = openSource(source, options.mapFrom);
      if (!opened)
        return opened.error();
      for (std::unique_ptr<DataArray> &array : *opened) {
        if (isValidation && !isValidationName(array->name))
          array->name += validationSuffix;
        if (Status status = data.add(std::move(array)); !status)
          return status.error();
      }
    }
  return data;
}

std::vector<std::string> DataSet::names() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<DataArray> &array : arrays)
    names.push_back(array->name);
  return names;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::optional<int64_t>
DataSet::vote(bool isValidation, const std::vector<std::string> &perRun) const {
  std::map<int64_t, int> votes;
  for (const std::unique_ptr<DataArray> &array : arrays) {
    bool isPerRun =
        std::find(perRun.begin(), perRun.end(), array->name) != perRun.end();
    std::optional<int64_t> rows = array->extent(isPerRun ? 1 : 0);
    if (rows && isValidationName(array->name) == isValidation)
      ++votes[*rows];
  }
  std::optional<int64_t> best;
  for (const auto &[rows, count] : votes)
    if (!best || count >= votes.at(*best))
      best = rows;
  return best;
}

std::optional<int64_t>
DataSet::rows(const std::vector<std::string> &perRun) const {
  return vote(/*isValidation=*/false, perRun);
}

std::optional<int64_t>
DataSet::validationRows(const std::vector<std::string> &perRun) const {
  return vote(/*isValidation=*/true, perRun);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Expected<const DataArray *> DataSet::find(const std::string &name) const {
  for (const std::unique_ptr<DataArray> &array : arrays)
    if (array->name == name)
      return array.get();
  std::string files;
  for (const std::vector<std::string> *sources :
       {&options.training, &options.validation})
    for (const std::string &source : *sources)
      files += (files.empty() ? "" : ", ") + source;
  return Error(ErrorKind::InvalidData, files + " has no array '" + name +
                                           "', which the program takes" +
                                           suggest(name, names()));
}

/// Whether `shape` is that of the argument, its leading runs and, unless
/// `anyRows`, its rows aside.
static bool fits(const ManifestValue &argument, const Shape &shape,
                 bool anyRows) {
  size_t runs = argument.perRun ? 1 : 0;
  if (shape.size() != argument.shape.size() + runs)
    return false;
  for (size_t dim = anyRows ? 1 : 0; dim < argument.shape.size(); ++dim)
    if (shape[dim + runs] != argument.shape[dim])
      return false;
  return true;
}

/// "1437x64xf32", with what may be anything as a word.
static std::string expectedType(const ManifestValue &argument, bool anyRows) {
  std::string text = argument.perRun ? "RUNSx" : "";
  Shape shape = argument.shape;
  if (anyRows) {
    text += "ROWSx";
    shape.erase(shape.begin());
  }
  return text + typeString(argument.dtype, shape);
}

static Expected<Tensor> readArray(const DataArray &array,
                                  const ManifestValue &argument, bool mayRound,
                                  bool anyRows) {
  Shape inner(argument.shape.begin() + 1, argument.shape.end());
  Expected<Tensor> tensor = array.read(argument.dtype, inner);
  if (!tensor)
    return tensor;
  if (!fits(argument, tensor->shape(), anyRows))
    return Error(ErrorKind::InvalidData,
                 array.place + ": the data '" + argument.name + "' must be " +
                     expectedType(argument, anyRows) + ", got " +
                     typeString(tensor->dtype(), tensor->shape()));
  Expected<Tensor> converted = convertTensor(*tensor, argument.dtype, mayRound);
  if (!converted)
    return converted.error().inContext(array.place);
  return converted;
}

Expected<Tensor> DataSet::read(const ManifestValue &argument) const {
  Expected<const DataArray *> array = find(argument.name);
  if (!array)
    return array.error();
  return readArray(**array, argument, options.mayRound, /*anyRows=*/false);
}

Expected<Tensor> DataSet::readRows(const ManifestValue &argument) const {
  Expected<const DataArray *> array = find(argument.name);
  if (!array)
    return array.error();
  return readArray(**array, argument, options.mayRound, /*anyRows=*/true);
}

int64_t DataSet::mappedBytes() const {
  int64_t bytes = 0;
  for (const std::unique_ptr<DataArray> &array : arrays)
    bytes += array->mappedBytes();
  return bytes;
}
