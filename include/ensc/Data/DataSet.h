//===- DataSet.h - Named arrays out of files --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source is one of
//
//   FILE.npz, FILE.safetensors     every array under its key
//   FILE.csv                       columns by the header: x0, x1, ... together
//                                  are the array x, others are their own
//   NAME=FILE.npy                  one array
//   NAME=FILE.csv                  all columns as one array
//   NAME=FILE.npz:KEY, NAME=FILE.safetensors:KEY
//
// Arrays of a validation file are known by their key with "_val" behind it.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DATA_DATASET_H
#define ENSC_DATA_DATASET_H

#include "ensc/API/Error.h"
#include "ensc/API/Tensor.h"
#include "ensc/Runtime/Manifest.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// Where the arrays of a data set come from.
struct DataOptions {
  /// Sources, as above.
  std::vector<std::string> training, validation;
  /// Whether f64 may be rounded to f32, and integers to floats, where that
  /// changes values. Other values never change.
  bool mayRound = false;
  /// Arrays of at least so many bytes in npy files are mapped into memory, so
  /// that they may be larger than it.
  uint64_t mapFrom = uint64_t(64) << 20;
};

class DataArray;

/// Arrays by name. Elements are read when they are asked for; what a file says
/// of types and shapes is checked at once.
class DataSet {
public:
  /// Opens the sources. Fails on a file that is malformed, and where two arrays
  /// have one name. An array of a type that the language has not is an error
  /// only if somebody reads it.
  static Expected<DataSet> open(const DataOptions &options);

  DataSet(DataSet &&) noexcept;
  DataSet &operator=(DataSet &&) noexcept;
  ~DataSet();

  /// The names of all arrays, in the order of the sources.
  std::vector<std::string> names() const;

  /// The rows that most arrays have; of several numbers, the greatest. There
  /// may be arrays that the program does not ask for and that have no rows.
  /// Arrays in `perRun` lead with the runs, not with the rows.
  std::optional<int64_t> rows(const std::vector<std::string> &perRun) const;

  /// The same for the arrays whose name ends in _val.
  std::optional<int64_t>
  validationRows(const std::vector<std::string> &perRun) const;

  /// The array that `argument` takes, in its type. Each element keeps its
  /// value, or the error names the first that cannot; see
  /// DataOptions::mayRound. One that is not in a file by that name, or has
  /// another shape, is an error, too.
  Expected<Tensor> read(const ManifestValue &argument) const;

  /// The same for any number of rows: the leading extent of the argument's
  /// type does not count.
  Expected<Tensor> readRows(const ManifestValue &argument) const;

  /// The bytes of the arrays read so far that are used where they lie in files:
  /// they take no memory that the system could not have back.
  int64_t mappedBytes() const;

private:
  DataSet();
  Status add(std::unique_ptr<DataArray> array);
  Expected<const DataArray *> find(const std::string &name) const;
  std::optional<int64_t> vote(bool isValidation,
                              const std::vector<std::string> &perRun) const;

  DataOptions options;
  std::vector<std::unique_ptr<DataArray>> arrays;
};

} // namespace ensc

#endif // ENSC_DATA_DATASET_H
