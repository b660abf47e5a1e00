//===- PlanFile.h - What a fit computes, as JSON ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPERIMENT_PLANFILE_H
#define ENSC_EXPERIMENT_PLANFILE_H

#include "ensc/Artifact/JsonLines.h"
#include "ensc/Learner/FitSink.h"

#include <string>
#include <vector>

namespace ensc {

/// Everything that decides what a fit computes: all of plan.json but the time
/// and the versions. Fails where a file that the options name cannot be read.
/// Where one of initial states does not exist any more, what `kept` says of it
/// is taken, unless that is null: the plan of the same fit, made before.
Expected<Json> makePlan(const FitPlan &plan, const Json *kept = nullptr);

/// What differs between a plan that is kept and another one, as lines for
/// people; `wasText` and `isText` give the texts of their programs. Leaves out
/// what does not decide, and the epochs.
std::vector<std::string> comparePlans(const Json &was, const Json &is,
                                      const std::vector<std::string> &wasTexts,
                                      const std::vector<std::string> &isTexts);

} // namespace ensc

#endif // ENSC_EXPERIMENT_PLANFILE_H
