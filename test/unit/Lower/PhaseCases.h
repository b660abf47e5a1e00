//===- PhaseCases.h - Phases compiled and compared --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is the text of some phases and the same in plain C++. All cases of a
// test are compiled as one module, each as a solo instance and with 8 and 16
// lanes, and run on different data per run; every run must have the bits that
// the plain code gives.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_LOWER_PHASECASES_H
#define ENSC_TEST_UNIT_LOWER_PHASECASES_H

#include "ensc/API/Tensor.h"
#include "ensc/Runtime/ABI.h"

#include <functional>
#include <memory>
#include <random>

namespace ensc::test {

using Tensors = std::vector<Tensor>;

struct PhaseCase {
  std::string name;
  /// One-run shapes and types. In `body` the inputs are %in0, %in1, ..., the
  /// results are %out0, ...
  Tensors inputs, outputs;
  /// The first inputs are shared by all runs.
  size_t numShared = 0;
  /// Phases, in which `@W` stands for the extent of the lanes (", 16"), `@x`
  /// for that of a memref ("16x"), `@L` for the index's declaration (", %l:
  /// index"),
  /// `@l` for its use (", %l") and `@lanes` for the keyword; all of them are
  /// nothing in a solo instance. A scalar is accessed by `[@first]`.
  std::string body;
  std::function<void(const Tensors &in, Tensors &out)> expected;
  /// Fills the inputs of one run.
  std::function<void(Tensors &in, std::mt19937 &random)> fill;
};

/// Numbers of both signs, now and then a zero of either sign; integers in
/// [-20, 20), booleans.
void fillOrdinary(Tensors &in, std::mt19937 &random);

/// The same with NaN, infinities, subnormals and extreme integers among them.
void fillSpecial(Tensors &in, std::mt19937 &random);

/// Compiles all cases and checks every run of every instance.
void checkCases(const std::vector<PhaseCase> &cases, const std::string &cpu);

/// A program that was compiled and loaded.
class LoadedProgram {
public:
  /// Reports a test failure and stays empty if that does not succeed.
  LoadedProgram(const std::string &text, const std::string &cpu);
  ~LoadedProgram();
  ensc_entry lookup(const std::string &symbol);

private:
  void load(const std::string &text, const std::string &cpu);

  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The text of one instance of a case; no lanes: the solo one.
std::string instanceText(const PhaseCase &phases, int64_t lanes);

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_LOWER_PHASECASES_H
