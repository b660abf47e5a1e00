//===- LoadModels.h - The runs of an experiment as models -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_LOADMODELS_H
#define ENSC_TOOLS_ENSC_LOADMODELS_H

#include "ensc/API/Options.h"
#include "ensc/Data/DataSet.h"
#include "ensc/Experiment/Reader.h"
#include "ensc/Predict/Models.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ensc::tool {

/// Runs of an experiment by what a flag says of them: "all" that have not
/// diverged and whose files were kept, "best", "best:5" of these, or numbers,
/// as in "0,3,7".
Expected<std::vector<int64_t>> chooseRuns(const ExperimentReader &experiment,
                                          const std::string &choice);

/// A function of each program of an experiment.
struct ModelFunction {
  std::string name;
  bool ofLearner = false; ///< Whether the name is one like "predict", to be
                          ///< found in the learner of each program.

  /// Its name in a program, as in "digits.predict".
  std::string in(const ExperimentProgram &program) const {
    return ofLearner ? program.learner + "." + name : name;
  }
};

/// Runs of one program.
struct ModelGroup {
  Models models;
  std::vector<size_t> places; ///< Among all that were chosen.
};

/// Compiles `function` of each program that the runs were trained by, or finds
/// it compiled on disk, and gives it their states. `validationRows`: those of
/// the data that it is compiled for.
Expected<std::vector<ModelGroup>>
loadModels(const ExperimentReader &experiment, const std::vector<int64_t> &runs,
           const ModelFunction &function,
           std::optional<int64_t> validationRows = std::nullopt);

/// The arrays that the models take, with any number of rows, all as many. The
/// names of arguments may end in _val where those of the arrays do not.
Expected<std::vector<Tensor>> readModelData(const Models &models,
                                            const DataSet &data);

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_LOADMODELS_H
