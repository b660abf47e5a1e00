//===- ModelInputs.h - What models of an experiment are asked ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_MODELINPUTS_H
#define ENSC_TOOLS_ENSC_MODELINPUTS_H

#include "ensc/Data/DataSet.h"
#include "ensc/Experiment/Reader.h"

#include <cstdint>
#include <vector>

namespace ensc::tool {

/// What the flags of `ensc predict` and `ensc evaluate` say alike.
struct ModelInputs {
  ExperimentReader experiment;
  std::vector<int64_t> runs; ///< That were chosen.
  DataSet data;

  /// Opens what the flags name.
  static Expected<ModelInputs> open();

  /// Whether one JSON object is to be printed.
  static bool wantsJson();
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_MODELINPUTS_H
