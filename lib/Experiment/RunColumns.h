//===- RunColumns.h - What a plan says of runs ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_RUNCOLUMNS_H
#define ENSC_LIB_EXPERIMENT_RUNCOLUMNS_H

#include "ensc/Artifact/JsonLines.h"
#include "ensc/Learner/FitSink.h"

#include <nlohmann/json.hpp>

namespace ensc {

/// Checks that FitOptions::columns have a cell for each run, and names that may
/// be names, which nothing else has.
Status checkColumns(const FitPlan &plan);

/// What the options say of each run beside its program, its seed and its
/// hyper-parameters: an array of cells by name, null where they say nothing.
Json describeRuns(const FitPlan &plan);

/// The rows of subsets by their names in the column "data": how many, and their
/// checksum.
Json describeSubsets(const FitOptions &options);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_RUNCOLUMNS_H
