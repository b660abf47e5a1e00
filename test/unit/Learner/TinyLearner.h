//===- TinyLearner.h - A learner for tests of training ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_LEARNER_TINYLEARNER_H
#define ENSC_TEST_UNIT_LEARNER_TINYLEARNER_H

#include "States.h"

#include "ensc/API/Compiler.h"
#include "ensc/API/Learner.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ensc::test {

constexpr int64_t tinyRows = 14, tinyValidationRows = 6;

/// Points in a cube, and whether the sum of their coordinates is positive; the
/// seed chooses the points. `copies` of 0: without a dimension of runs.
inline std::pair<Tensor, Tensor> tinyData(int64_t rows, unsigned seed,
                                          int64_t copies = 0) {
  Shape shape = {rows, 3}, labels = {rows};
  if (copies) {
    shape.insert(shape.begin(), copies);
    labels.insert(labels.begin(), copies);
  }
  Tensor x = Tensor::zeros(DType::F32, shape);
  Tensor y = Tensor::zeros(DType::I32, labels);
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  for (int64_t row = 0; row < y.size(); ++row) {
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i)
      sum += x.data<float>()[3 * row + i] = uniform(engine);
    y.data<int32_t>()[row] = sum > 0.0f;
  }
  return {x, y};
}

/// Options that fit the data above.
inline CompileOptions tinyOptions(Backend backend = Backend::Jit,
                                  int64_t lanes = 16) {
  CompileOptions options;
  options.rows = tinyRows;
  options.validationRows = tinyValidationRows;
  options.backend = backend;
  options.cache = false;
  options.lanes = lanes;
  return options;
}

/// Gives a learner of tiny.mlir the data that it takes.
inline void giveTinyData(Learner &learner) {
  auto [x, y] = tinyData(tinyRows, 1);
  auto [xVal, yVal] = tinyData(tinyValidationRows, 2);
  for (auto &[name, tensor] :
       {std::pair("x", x), std::pair("y", y), std::pair("x_val", xVal),
        std::pair("y_val", yVal)})
    for (const std::string &taken : learner.dataNames())
      if (taken == name) {
        Status status = learner.setData(name, tensor);
        EXPECT_TRUE(status);
      }
}

/// Learning rates from 1e-3 upwards, one per run.
inline std::vector<double> tinyRates(int64_t runs) {
  std::vector<double> rates;
  for (int64_t run = 0; run < runs; ++run)
    rates.push_back(1e-3 * static_cast<double>(1 + run % 40));
  return rates;
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_LEARNER_TINYLEARNER_H
