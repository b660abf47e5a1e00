//===- RulePrograms.h - Samples and their derivatives -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_DIFFERENTIATE_RULEPROGRAMS_H
#define ENSC_TEST_UNIT_DIFFERENTIATE_RULEPROGRAMS_H

#include "RuleSamples.h"

#include "ensc/API/Tensor.h"

#include <random>
#include <string>

namespace ensc::test {

/// @NAME, its forward mode @NAME_jvp, its reverse mode @NAME_vjp, and both of
/// the latter's.
std::string programOf(const RuleSample &sample);

/// Uniform f64 elements; `shape` is as in a sample, "2x3x".
Tensor randomTensor(const std::string &shape, std::mt19937 &engine, double low,
                    double high);

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_DIFFERENTIATE_RULEPROGRAMS_H
