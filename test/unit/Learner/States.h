//===- States.h - What runs have ended with ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_LEARNER_STATES_H
#define ENSC_TEST_UNIT_LEARNER_STATES_H

#include "ensc/API/Learner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ensc::test {

/// All state of a run of the last fit.
inline std::vector<Tensor> stateOf(const Learner &learner, int64_t run,
                                   int64_t program = 0) {
  std::vector<Tensor> state;
  for (const std::string &name : learner.stateNames(program)) {
    Expected<Tensor> tensor = learner.parameter(run, name);
    EXPECT_TRUE(tensor) << tensor.error().message();
    if (tensor)
      state.push_back(tensor->clone());
  }
  return state;
}

inline std::vector<std::vector<Tensor>> statesOf(const Learner &learner,
                                                 int64_t runs) {
  std::vector<std::vector<Tensor>> states;
  for (int64_t run = 0; run < runs; ++run)
    states.push_back(stateOf(learner, run));
  return states;
}

/// Whether two runs ended with the same bits.
inline bool sameState(const std::vector<Tensor> &a,
                      const std::vector<Tensor> &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!a[i].bitwiseEquals(b[i]))
      return false;
  return a.size() == b.size();
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_LEARNER_STATES_H
