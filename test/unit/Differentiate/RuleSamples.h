//===- RuleSamples.h - Samples of every rule --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_DIFFERENTIATE_RULESAMPLES_H
#define ENSC_TEST_UNIT_DIFFERENTIATE_RULESAMPLES_H

#include <string>
#include <vector>

namespace ensc::test {

/// A function of f64 tensors at a point where it is smooth: shapes are not
/// square and attributes not the default ones, so that a transposed or
/// forgotten one shows.
struct RuleSample {
  std::string name;
  /// Shapes of the arguments %a, %b, %c, such as "4x3x"; "" is rank 0.
  std::vector<std::string> arguments;
  /// The shape of %y.
  std::string result;
  /// Ops that compute %y.
  std::string body;
  /// Between which numbers the elements of the arguments lie.
  double low = -1, high = 1;
};

/// At least one sample of every op that has a derivative.
const std::vector<RuleSample> &ruleSamples();

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_DIFFERENTIATE_RULESAMPLES_H
