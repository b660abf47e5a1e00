//===- InitialState.h - Runs that begin with given parameters ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_INITIALSTATE_H
#define ENSC_LIB_LEARNER_INITIALSTATE_H

#include "FitState.h"

namespace ensc {

/// Whether the files of initial states that the plan's runs have can be read,
/// and hold what their programs take. `mayBeMissing`: a fit that goes on needs
/// those alone that checkInitialFiles() asks for.
Status checkInitialStates(const LearnerPrograms &programs, const FitPlan &plan,
                          bool mayBeMissing);

/// Whether the files are there from which some runs will begin.
Status checkInitialFiles(const FitPlan &plan, const std::vector<int64_t> &runs);

/// Replaces parameters of a run that has its drawn state, and the leaves of
/// the optimizer that there are, by those of a file.
Status readInitialState(const std::string &path, Ensemble &ensemble,
                        int64_t slot);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_INITIALSTATE_H
