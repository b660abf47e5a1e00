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
/// diverged, "best", "best:5", or numbers, as in "0,3,7".
Expected<std::vector<int64_t>> chooseRuns(const ExperimentReader &experiment,
                                          const std::string &choice);

/// The name of the learner's function, as in "digits.predict".
std::string learnerFunction(const ExperimentReader &experiment,
                            const std::string &suffix);

/// Runs of one program.
struct ModelGroup {
  Models models;
  std::vector<size_t> places; ///< Among all that were chosen.
};

/// Compiles `entry` of each program that the runs were trained by, or finds it
/// compiled on disk, and gives it their states. `validationRows`: those of the
/// data that it is compiled for.
Expected<std::vector<ModelGroup>>
loadModels(const ExperimentReader &experiment, const std::vector<int64_t> &runs,
           const std::string &entry,
           std::optional<int64_t> validationRows = std::nullopt);

/// The arrays that the models take, with any number of rows, all as many. The
/// names of arguments may end in _val where those of the arrays do not.
Expected<std::vector<Tensor>> readModelData(const Models &models,
                                            const DataSet &data);

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_LOADMODELS_H
