//===- HyperValuesTest.cpp - Tests for ranges of hyper-parameters ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/HyperValues.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace ensc;

static NumberRange decayRange() {
  NumberRange range;
  range.atLeast = 0.0;
  range.below = 1.0;
  return range;
}

static ManifestValue decay(DType dtype) {
  ManifestValue value;
  value.name = "beta1";
  value.role = "hyper";
  value.dtype = dtype;
  value.range = decayRange();
  return value;
}

TEST(NumberRange, IncludesItsBoundsWhereTheySaySo) {
  NumberRange range = decayRange();
  EXPECT_TRUE(range.contains(0.0));
  EXPECT_FALSE(range.contains(-std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(range.contains(std::nextafter(1.0, 0.0)));
  EXPECT_FALSE(range.contains(1.0));
  EXPECT_FALSE(range.contains(std::nan("")));
  EXPECT_EQ(range.describe(), "at least 0 and below 1");
  NumberRange other;
  EXPECT_FALSE(other.isBounded());
  EXPECT_TRUE(other.contains(-1e300));
  other.above = 0.0;
  other.atMost = 0.5;
  EXPECT_FALSE(other.contains(0.0));
  EXPECT_TRUE(other.contains(0.5));
  EXPECT_FALSE(other.contains(0.75));
  EXPECT_EQ(other.describe(), "above 0 and at most 0.5");
}

TEST(HyperValues, AreCheckedInTheirType) {
  double nearlyOne = 0.999999999;
  EXPECT_TRUE(checkHyperValues(decay(DType::F64), {nearlyOne}, "'beta1'"));
  Status status = checkHyperValues(decay(DType::F32), {nearlyOne}, "'beta1'");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "'beta1' must be at least 0 and below 1, got 0.999999999, which is "
            "1 as f32");
}

TEST(HyperValues, AreReportedWithTheirRun) {
  Status status =
      checkHyperValues(decay(DType::F32), {0.5, 0.25, -2.0}, "'beta1'");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "'beta1' of run 2 must be at least 0 and below 1, got -2");
}

TEST(HyperValues, OfTensorsAreChecked) {
  Tensor rates = Tensor::zeros(DType::F32, {3});
  EXPECT_TRUE(checkHyperTensor(decay(DType::F32), rates, "'beta1'"));
  rates.data<float>()[1] = 1.0f;
  EXPECT_FALSE(checkHyperTensor(decay(DType::F32), rates, "'beta1'"));
  EXPECT_TRUE(checkHyperTensor(ManifestValue(), rates, "'x'"));
}

static ManifestEntry scheduled() {
  ManifestEntry entry;
  entry.name = "fit";
  for (const char *name : {"warmup_steps", "schedule_steps"}) {
    ManifestValue value;
    value.name = name;
    value.role = "hyper";
    entry.arguments.push_back(value);
  }
  entry.arguments[0].limit = "schedule_steps";
  return entry;
}

TEST(HyperValues, DoNotExceedTheirLimit) {
  ManifestValue warmup = scheduled().arguments[0];
  EXPECT_TRUE(checkHyperLimit(warmup, {10, 20, 30}, {30}, "'warmup_steps'"));
  // Equal as f32.
  EXPECT_TRUE(checkHyperLimit(warmup, {16777217}, {16777216}, ""));
  // NaN stands for runs whose program has none.
  EXPECT_TRUE(checkHyperLimit(warmup, {std::nan(""), 2}, {1, 2}, ""));
  Status status =
      checkHyperLimit(warmup, {10}, {20, 9.5, 8}, "'warmup_steps'");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "'warmup_steps' of run 1 must be at most its 'schedule_steps', "
            "which is 9.5, got 10");
}

TEST(HyperValues, OfEntriesDoNotExceedTheirLimits) {
  ManifestEntry entry = scheduled();
  Tensor warmup = Tensor::zeros(DType::F32, {2});
  Tensor steps = Tensor::zeros(DType::F32, {});
  EXPECT_TRUE(checkHyperLimits(entry, {warmup, steps}));
  warmup.data<float>()[1] = 1.0f;
  Status status = checkHyperLimits(entry, {warmup, steps});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "argument 'warmup_steps' of @fit of run 1 must be at most its "
            "'schedule_steps', which is 0, got 1");
  // A limit that the function does not take.
  entry.arguments[1].name = "other";
  EXPECT_TRUE(checkHyperLimits(entry, {warmup, steps}));
}
