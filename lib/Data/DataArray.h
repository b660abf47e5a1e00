//===- DataArray.h - One array of a data set --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_DATA_DATAARRAY_H
#define ENSC_LIB_DATA_DATAARRAY_H

#include "ensc/Data/DataSet.h"

namespace ensc {

/// An array in a file, before anybody has asked for its elements.
class DataArray {
public:
  DataArray(std::string name, std::string place)
      : name(std::move(name)), place(std::move(place)) {}
  virtual ~DataArray() = default;

  /// What the program may call it.
  std::string name;
  /// Where it is, for errors: "train.npz: key 'x'".
  std::string place;

  /// The extent of a dimension; nothing where there is no such dimension, or
  /// where the type of the array is unknown to the language.
  virtual std::optional<int64_t> extent(size_t dim) const = 0;

  /// The elements, in the type that the file has. A file of text, which has
  /// none, gives them as `dtype`, and rows of many columns as `inner` if that
  /// has as many elements. Errors name the place.
  virtual Expected<Tensor> read(DType dtype, const Shape &inner) const = 0;

  virtual int64_t mappedBytes() const { return 0; }
};

using DataArrays = std::vector<std::unique_ptr<DataArray>>;

/// The arrays of one source, see DataSet.h.
Expected<DataArrays> openSource(const std::string &source, uint64_t mapFrom);

/// The arrays of a CSV file; one called `name` of all columns unless that is
/// empty.
Expected<DataArrays> openCsv(const std::string &path, const std::string &name);

} // namespace ensc

#endif // ENSC_LIB_DATA_DATAARRAY_H
