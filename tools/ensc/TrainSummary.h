//===- TrainSummary.h - What ensc train says at the end ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TRAINSUMMARY_H
#define ENSC_TOOLS_ENSC_TRAINSUMMARY_H

#include "ensc/API/Learner.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"

#include <optional>
#include <string>

namespace ensc::tool {

/// A training that has ended.
struct TrainSummary {
  const Learner &learner;
  const FitReport &report;
  const CsvTable &table; ///< runs.csv
  std::string experiment;
  std::optional<Goal> goal;
  int64_t compilations = 0, cacheHits = 0;

  /// One object with everything that a program wants to know.
  Json asJson() const;

  /// A table of the best runs, what reached the goal, and the speed.
  void print() const;
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_TRAINSUMMARY_H
