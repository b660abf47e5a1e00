//===- MakeLearner.h - A learner of a plan's programs -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_MAKELEARNER_H
#define ENSC_TOOLS_ENSC_MAKELEARNER_H

#include "ensc/API/Learner.h"
#include "ensc/Data/DataSet.h"
#include "ensc/Plan/Plan.h"

namespace ensc::tool {

/// Makes learners as the flags of `ensc train` say.
class LearnerMaker {
public:
  explicit LearnerMaker(DataSet data) : data(std::move(data)) {}

  /// Compiles the programs of a plan, checks that its hyper-parameters are
  /// theirs, and gives them their data. `mayLeaveOut` is as in
  /// Plan::checkHypers.
  Expected<Learner> make(const Plan &plan, bool mayLeaveOut = false);

  /// Bytes of the data that take no memory; see DataSet::mappedBytes.
  int64_t mappedBytes() const { return data.mappedBytes(); }

  int64_t compilations() const { return compilations_; }
  int64_t cacheHits() const { return cacheHits_; }

private:
  Expected<Executable> compile(const Plan &plan, const ProgramKey &program);

  DataSet data;
  int64_t compilations_ = 0, cacheHits_ = 0;
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_MAKELEARNER_H
