//===- Cases.h - Conformance cases as data ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases derived from public reports, see docs/Corpus.md. They are data, so that
// each way of running a program can run them all.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_CORPUS_CASES_H
#define ENSC_TEST_UNIT_CORPUS_CASES_H

#include "../Reference/ExpectTensor.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace ensc::test {

using Tensors = std::vector<Tensor>;

/// Calls a function of a case's program. If `wrt` is not empty, the function
/// has one float result of rank 0, and its derivatives by these arguments are
/// `gradients`, in reverse and in forward mode.
struct Call {
  std::string function;
  Tensors inputs, outputs;
  std::vector<int> wrt;
  Tensors gradients;
  /// Relative; 0 compares bits. Negative: 1e-9 for f64 and 1e-5 for f32.
  double tolerance = -1;
};

/// A program that must be refused with a message that contains `message`.
struct Refusal {
  std::string program, message;
};

struct Case {
  std::string id;
  /// Text of a module, in which !f is tensor<f64> and !f4 is tensor<4xf64>,
  /// and !s and !s4 are the same of f32.
  std::string program;
  std::vector<Call> calls;
  std::vector<Refusal> refusals = {};
};

using Cases = std::vector<Case>;

/// A case with the functions that its gradients need: plain calls whose results
/// are compared, nothing else.
struct RunnableCase {
  std::string program;
  std::vector<Call> calls;
};
RunnableCase runnable(const Case &test);

/// The program with the definitions of the type aliases.
std::string withAliases(const std::string &program);

/// Fails the current test where tensors differ by more than the tolerance.
/// Zeros, infinities, NaNs and integers are compared exactly.
void expectOutputs(const Call &call, const Tensors &actual);

/// Registers one test per case, named after its id: `suite`.AD_A02. `CaseTest`
/// is a testing::Test made from a Case.
template <typename CaseTest>
void registerCases(const char *suite, const Cases &cases) {
  for (const Case &test : cases) {
    std::string name = test.id;
    std::replace(name.begin(), name.end(), '-', '_');
    testing::RegisterTest(
        suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [test]() -> testing::Test * { return new CaseTest(test); });
  }
}

//===----------------------------------------------------------------------===//
// Spelling cases
//===----------------------------------------------------------------------===//

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr float infinityF32 = std::numeric_limits<float>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

inline Tensor d(double value) { return Tensor::scalar(value); }
inline Tensor v(const std::vector<double> &values) {
  return f64({static_cast<int64_t>(values.size())}, values);
}
inline Tensor s(const std::vector<float> &values) {
  return f32({static_cast<int64_t>(values.size())}, values);
}

inline Call value(std::string function, Tensors inputs, Tensors outputs,
                  double tolerance = -1) {
  return {std::move(function),
          std::move(inputs),
          std::move(outputs),
          {},
          {},
          tolerance};
}

inline Call gradient(std::string function, Tensors inputs, Tensor output,
                     std::vector<int> wrt, Tensors gradients,
                     double tolerance = -1) {
  return {std::move(function), std::move(inputs),    {std::move(output)},
          std::move(wrt),      std::move(gradients), tolerance};
}

//===----------------------------------------------------------------------===//
// The cases, one function per category
//===----------------------------------------------------------------------===//

Cases autodiffCases();
Cases tieCases();
Cases nanCases();
Cases controlFlowCases();
Cases typeCases();
Cases indexingCases();
Cases reductionCases();
Cases normalizationCases();
Cases higherOrderCases();
Cases resourceCases();
Cases codegenCases();
Cases inputCases();

/// All of them.
Cases allCases();

/// Not from reports: the derivatives that are decisions, see
/// docs/Differentiate.md. Their ids are names.
Cases kinkCases();

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_CORPUS_CASES_H
