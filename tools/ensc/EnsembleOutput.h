//===- EnsembleOutput.h - What models predict together ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_ENSEMBLEOUTPUT_H
#define ENSC_TOOLS_ENSC_ENSEMBLEOUTPUT_H

#include "LoadModels.h"

#include "ensc/Artifact/JsonLines.h"

#include <string>
#include <vector>

namespace ensc::tool {

/// The predictions of all models for all rows, combined.
class EnsemblePrediction {
public:
  /// Calls `models` models, those of all groups, on `data`. With `classify`
  /// each model's class is counted where it predicts scores; with `keepEach`
  /// the results of all models stay in memory.
  static Expected<EnsemblePrediction>
  compute(const std::vector<ModelGroup> &groups, const DataSet &data,
          size_t models, bool classify, bool keepEach);

  /// An array that an ensemble's result is combined to.
  struct Array {
    std::string kind; ///< mean, deviation, class, agreement or each
    Tensor tensor;
  };
  struct Result {
    std::string name;
    std::string type; ///< Of one model.
    std::vector<Array> arrays;

    /// The array of that kind, or null.
    const Tensor *find(const std::string &kind) const;
  };

  int64_t rows() const { return rows_; }
  const std::vector<Result> &results() const { return results_; }

  /// Writes DIRECTORY/RESULT.KIND.npy. The paths by result and kind.
  Expected<Json> save(const std::string &directory) const;

  Json summarize(const std::vector<int64_t> &runs, const Json &files) const;

  /// Lines for people, some rows among them if `showRows`.
  std::string describe(const std::vector<int64_t> &runs, bool showRows) const;

private:
  int64_t rows_ = 0;
  std::vector<Result> results_;
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_ENSEMBLEOUTPUT_H
