//===- ModelTest.cpp - Layers, data, initial values -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ensc;
using namespace ensc::bench;

namespace {

TEST(Model, NamesSpellLayers) {
  Expected<Model> model = Model::parse("mlp-784-128-10");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->sizes, (std::vector<int64_t>{784, 128, 10}));
  EXPECT_EQ(model->name(), "mlp-784-128-10");
  EXPECT_FALSE(model->isRegression());
  EXPECT_TRUE(Model::parse("mlp-2-16-16-1")->isRegression());
  for (const char *name : {"", "mlp", "mlp-", "mlp-3", "mlp-3-", "mlp-0-1",
                           "mlp-3--2", "mlp-a-b", "cnn-3-4", "mlp-9999999-1"}) {
    Expected<Model> wrong = Model::parse(name);
    ASSERT_FALSE(wrong) << name;
    EXPECT_EQ(wrong.error().message(),
              std::string("the model '") + name +
                  "' is not known; write the sizes of its layers, as in "
                  "mlp-64-32-10");
  }
}

TEST(Model, CountsMatrixProducts) {
  Model model = *Model::parse("mlp-64-32-10");
  model.batch = 16;
  // Forward, weights, and the gradient of what the second layer takes.
  EXPECT_EQ(model.flopsPerStep(), 2 * 16 * (2 * 64 * 32 + 3 * 32 * 10));
}

TEST(Model, DataHaveTheirDistributions) {
  Model model = *Model::parse("mlp-3-5-4");
  Data data = makeData(model);
  ASSERT_EQ(data.x.shape(), (Shape{batchCount, 32, 3}));
  ASSERT_EQ(data.y.shape(), (Shape{batchCount, 32}));
  double sum = 0.0;
  for (int64_t i = 0; i < data.x.size(); ++i) {
    float x = data.x.data<float>()[i];
    ASSERT_TRUE(x >= 0.0f && x < 1.0f);
    sum += x;
  }
  EXPECT_NEAR(sum / static_cast<double>(data.x.size()), 0.5, 0.02);
  for (int64_t i = 0; i < data.y.size(); ++i)
    ASSERT_LT(static_cast<uint32_t>(data.y.data<int32_t>()[i]), 4u);

  Data regression = makeData(*Model::parse("mlp-2-16-1"));
  ASSERT_EQ(regression.y.shape(), (Shape{batchCount, 32, 1}));
  const float *x = regression.x.data<float>();
  EXPECT_EQ(regression.y.data<float>()[0], std::sin(3.0f * (x[0] + x[1])));
}

TEST(Model, ARunStartsAlikeAmongAnyNumberOfRuns) {
  Parameter weights = Model::parse("mlp-16-4")->parameters()[0];
  Tensor few = makeParameter(weights, 0, 2),
         many = makeParameter(weights, 0, 5);
  ASSERT_EQ(many.shape(), (Shape{5, 16, 4}));
  for (int64_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few.data<float>()[i], many.data<float>()[i]);
    EXPECT_LE(std::fabs(few.data<float>()[i]), 0.25f);
  }
  EXPECT_NE(many.data<float>()[0], many.data<float>()[64]);
}

TEST(Model, RatesIncludeBothEnds) {
  EXPECT_EQ(makeRates(1), std::vector<double>{1e-4});
  std::vector<double> rates = makeRates(3);
  EXPECT_DOUBLE_EQ(rates.front(), 1e-4);
  EXPECT_DOUBLE_EQ(rates.back(), 1e-2);
}

} // namespace
