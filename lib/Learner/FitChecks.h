//===- FitChecks.h - What a fit is to do, checked ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_FITCHECKS_H
#define ENSC_LIB_LEARNER_FITCHECKS_H

#include "Programs.h"

#include "ensc/Learner/FitSink.h"

namespace ensc {

/// The value of a run where one is given for all runs or one for each; `none`
/// if there are none.
template <typename T>
T valueOf(const std::vector<T> &values, int64_t run, T none) {
  if (values.empty())
    return none;
  return values.size() == 1 ? values.front() : values[run];
}

/// The place where a value of a run was given, as a cell of a file; empty if it
/// has none of its own.
std::string ownPlaceOf(const FitOptions &options, int64_t run,
                       const std::string &column);

/// What errors call a value of a run.
std::string placeOf(const FitOptions &options, int64_t run,
                    const std::string &column);

/// Whether runs meet before they end: what is decided across runs needs it.
bool hasSyncPoints(const FitOptions &options);

/// What the options ask of each run. Fails on options that do not fit the
/// programs. How many runs are in flight is not known yet.
Expected<FitPlan> planFit(const LearnerPrograms &programs,
                          const FitOptions &options,
                          const std::map<std::string, Tensor> &data);

/// Checks values of a hyper-parameter, one for all runs or one for each, as it
/// is done for those that runs begin with. The error begins with `what`.
Status checkHyper(const ManifestValue &hyper, const std::vector<double> &values,
                  const std::string &what);

/// The runs to train: all, or the only one.
std::vector<int64_t> plannedRuns(const FitOptions &options);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_FITCHECKS_H
