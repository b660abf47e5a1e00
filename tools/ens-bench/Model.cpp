//===- Model.cpp - What is trained in a benchmark -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <cmath>
#include <random>

using namespace ensc;
using namespace ensc::bench;

const char *bench::nameOf(Optimizer optimizer) {
  return optimizer == Optimizer::Sgd ? "sgd" : "adam";
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static constexpr const char *prefix = "mlp";
static constexpr int64_t largestLayer = 1 << 20;

/// The number that `text` spells in digits, or 0.
static int64_t parseSize(const std::string &text) {
  int64_t size = 0;
  for (char digit : text) {
    if (digit < '0' || digit > '9' || size > largestLayer)
      return 0;
    size = 10 * size + (digit - '0');
  }
  return size;
}

Expected<Model> Model::parse(const std::string &name) {
  Error unknown(ErrorKind::InvalidArgument,
                "the model '" + name +
                    "' is not known; write the sizes of its layers, as in "
                    "mlp-64-32-10");
  size_t dash = name.find('-');
  if (name.substr(0, dash) != prefix)
    return unknown;
  Model model;
  while (dash != std::string::npos) {
    size_t next = name.find('-', dash + 1);
    int64_t size = parseSize(name.substr(dash + 1, next - dash - 1));
    if (size < 1 || size > largestLayer)
      return unknown;
    model.sizes.push_back(size);
    dash = next;
  }
  if (model.layers() < 1)
    return unknown;
  return model;
}

std::string Model::name() const {
  std::string text = prefix;
  for (int64_t size : sizes)
    text += "-" + std::to_string(size);
  return text;
}

std::vector<Parameter> Model::parameters() const {
  std::vector<Parameter> list;
  for (int64_t layer = 0; layer < layers(); ++layer) {
    int64_t in = sizes[layer], out = sizes[layer + 1];
    list.push_back({"w" + std::to_string(layer), {in, out}, in});
    list.push_back({"b" + std::to_string(layer), {out}, 0});
  }
  return list;
}

int64_t Model::flopsPerStep() const {
  int64_t products = 0;
  for (int64_t layer = 0; layer < layers(); ++layer)
    products += (layer == 0 ? 2 : 3) * sizes[layer] * sizes[layer + 1];
  return 2 * batch * products;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

using Generator = std::mt19937_64;

/// Uniform in [0, 1), a multiple of 2^-24.
static float drawUnit(Generator &generator) {
  return static_cast<float>(generator() >> 40) * 0x1p-24f;
}

Data bench::makeData(const Model &model) {
  int64_t rows = batchCount * model.batch, inputs = model.sizes.front();
  Data data;
  data.x = Tensor::zeros(DType::F32, {batchCount, model.batch, inputs});
  Generator generator(0);
  float *x = data.x.data<float>();
  for (int64_t i = 0; i < rows * inputs; ++i)
    x[i] = drawUnit(generator);
  if (!model.isRegression()) {
    data.y = Tensor::zeros(DType::I32, {batchCount, model.batch});
    for (int64_t row = 0; row < rows; ++row)
      data.y.data<int32_t>()[row] = static_cast<int32_t>(
          generator() % static_cast<uint64_t>(model.sizes.back()));
    return data;
  }
  data.y = Tensor::zeros(DType::F32, {batchCount, model.batch, 1});
  for (int64_t row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (int64_t i = 0; i < inputs; ++i)
      sum += x[row * inputs + i];
    data.y.data<float>()[row] = std::sin(3.0f * sum);
  }
  return data;
}

Tensor bench::makeParameter(const Parameter &parameter, int64_t position,
                            int64_t runs) {
  Shape shape = parameter.shape;
  shape.insert(shape.begin(), runs);
  Tensor tensor = Tensor::zeros(DType::F32, shape);
  if (parameter.fanIn == 0)
    return tensor;
  float bound = 1.0f / std::sqrt(static_cast<float>(parameter.fanIn));
  int64_t elements = numElements(parameter.shape);
  for (int64_t run = 0; run < runs; ++run) {
    // The same for a run, however many others there are.
    std::seed_seq seed{run, position};
    Generator generator(seed);
    float *values = tensor.data<float>() + run * elements;
    for (int64_t i = 0; i < elements; ++i)
      values[i] = (2.0f * drawUnit(generator) - 1.0f) * bound;
  }
  return tensor;
}

std::vector<double> bench::makeRates(int64_t runs) {
  constexpr double least = 1e-4, greatest = 1e-2;
  std::vector<double> rates;
  for (int64_t run = 0; run < runs; ++run)
    rates.push_back(least +
                    (greatest - least) * static_cast<double>(run) /
                        static_cast<double>(std::max<int64_t>(runs - 1, 1)));
  return rates;
}
