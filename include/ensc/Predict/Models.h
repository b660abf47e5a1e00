//===- Models.h - Trained runs as one ensemble ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PREDICT_MODELS_H
#define ENSC_PREDICT_MODELS_H

#include "ensc/API/Executable.h"
#include "ensc/Artifact/NamedTensor.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ensc {

/// What is left of a run.
struct Model {
  int64_t run = 0;                      ///< Its number.
  int64_t seed = 0;                     ///< What it drew from.
  int64_t step = 0;                     ///< How many steps it has done.
  std::vector<NamedTensor> state;       ///< Parameters and what else it kept.
  std::map<std::string, double> hypers; ///< What is not here has its default.
};

/// How Models calls its entry.
struct ModelCallOptions {
  int threads = 0; ///< 0: as many as there are cores.
  RunSchedule schedule = RunSchedule::Auto;
};

/// Models that call one function of one program together. What the function
/// takes is found by name: parameters in the models' states, scalars among
/// their hyper-parameters, seed and step by their roles. What is left is data,
/// which all models share.
class Models {
public:
  /// Fails where the program has no such entry, and where a model has not what
  /// it takes.
  static Expected<Models> create(Executable program, const std::string &entry,
                                 const std::vector<Model> &models,
                                 const ModelCallOptions &options = {});

  int64_t count() const { return count_; }

  /// The name of the entry.
  const std::string &function() const { return name; }

  /// The arguments that are data, in order.
  std::vector<ManifestValue> data() const;

  /// The results of one call; all of them lead with the models.
  const std::vector<ManifestValue> &results() const { return entry().results; }

  /// Calls the function with `data`, arrays of the types that data() gives.
  /// Where it draws random numbers, `batch` says which ones, if it is one of
  /// CompileOptions::batchEntries.
  Expected<std::vector<Tensor>> call(const std::vector<Tensor> &data,
                                     int64_t batch = 0) const;

  /// The rows of a batch if the function computes one value per row of its
  /// data: all data, and all results, lead with as many. Otherwise an error.
  Expected<int64_t> batchRows() const;

  /// The results for the rows [first, first + count) of `data`, which may have
  /// any number of rows: batch by batch, the last one filled by repeating its
  /// first row. Results lead with the models, then the rows. Row i of the data
  /// has the place i mod B of the batch i / B, B being batchRows().
  Expected<std::vector<Tensor>> callRows(const std::vector<Tensor> &data,
                                         int64_t first, int64_t count) const;

private:
  explicit Models(Executable program) : program(std::move(program)) {}
  const ManifestEntry &entry() const {
    return *program.manifest().findEntry(name);
  }
  Expected<Tensor> gather(const ManifestValue &argument,
                          const std::vector<Model> &models) const;
  std::vector<Tensor> bind(const std::vector<Tensor> &data) const;

  Executable program;
  std::string name; ///< Of the entry.
  ModelCallOptions options;
  int64_t count_ = 0;
  /// What is no data, by position.
  std::map<size_t, Tensor> own;
};

} // namespace ensc

#endif // ENSC_PREDICT_MODELS_H
