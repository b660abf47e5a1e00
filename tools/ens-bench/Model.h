//===- Model.h - What is trained in a benchmark -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENS_BENCH_MODEL_H
#define ENSC_TOOLS_ENS_BENCH_MODEL_H

#include "ensc/API/Error.h"
#include "ensc/API/Tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ensc::bench {

enum class Optimizer { Sgd, Adam };

/// "sgd" or "adam".
const char *nameOf(Optimizer optimizer);

/// Mini-batches of a data set, which all runs share: step t takes batch
/// t % batchCount.
constexpr int64_t batchCount = 56;

/// A parameter of a model; the greater its fan-in, the smaller it starts.
struct Parameter {
  std::string name; ///< "w0", "b0", "w1", ...: weights and bias of each layer.
  Shape shape;
  int64_t fanIn = 0; ///< 0: starts as zeros.
};

/// Dense layers, and how they are trained. A model with one output is a
/// regression (tanh between the layers, the mean squared error), others
/// classify (relu, softmax cross entropy).
struct Model {
  std::vector<int64_t> sizes; ///< Of the input, then of each layer.
  int64_t batch = 32;
  Optimizer optimizer = Optimizer::Adam;

  /// The layers that `name` spells, as in "mlp-64-32-10".
  static Expected<Model> parse(const std::string &name);

  std::string name() const;
  int64_t layers() const { return static_cast<int64_t>(sizes.size()) - 1; }
  bool isRegression() const { return sizes.back() == 1; }
  std::vector<Parameter> parameters() const;

  /// Floating-point operations of the matrix products in one step of one run:
  /// forward, gradients of the weights, and gradients of what a layer takes,
  /// except for the first. A multiply-add counts two.
  int64_t flopsPerStep() const;
};

/// The data set: `x` is batchCount x batch x inputs, uniform in [0, 1); `y` is
/// batchCount x batch labels, or sin(3 * sum of x) for a regression.
struct Data {
  Tensor x, y;
};
Data makeData(const Model &model);

/// The initial values of a parameter, uniform within 1 / sqrt(fan-in), with a
/// leading dimension of runs. `position` is that of the parameter.
Tensor makeParameter(const Parameter &parameter, int64_t position,
                     int64_t runs);

/// A learning rate for each run, evenly spaced from 1e-4 to 1e-2.
std::vector<double> makeRates(int64_t runs);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_MODEL_H
