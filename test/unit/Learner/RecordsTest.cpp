//===- RecordsTest.cpp - The state of all runs ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/Records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace ensc;

namespace {

ManifestValue leaf(const std::string &name, DType dtype, Shape shape) {
  ManifestValue value;
  value.name = name;
  value.dtype = dtype;
  value.shape = std::move(shape);
  return value;
}

/// An f32 before an f64, so that the second is not aligned.
ManifestEntry makeInit() {
  ManifestEntry entry;
  entry.results = {leaf("w", DType::F32, {3}), leaf("v", DType::F64, {2}),
                   leaf("n", DType::I32, {})};
  return entry;
}

Records make(const ManifestEntry &init, int64_t runs) {
  Expected<Records> records = Records::create(init, runs);
  EXPECT_TRUE(records);
  return std::move(*records);
}

TEST(Records, AreRunMajorAndUnpadded) {
  Records records = make(makeInit(), 5);
  EXPECT_EQ(records.recordBytes(), 3 * 4u + 2 * 8u + 4u);
  EXPECT_EQ(records.runs(), 5);
  ASSERT_EQ(records.leaves().size(), 3u);
  EXPECT_EQ(records.leaves()[1].offset, 12u);
  std::optional<RunMemory> w = records.find("w"), n = records.find("n");
  ASSERT_TRUE(w && n);
  EXPECT_EQ(w->stride, records.recordBytes());
  EXPECT_EQ(static_cast<char *>(n->of(2)) - static_cast<char *>(w->of(2)), 28);
  EXPECT_FALSE(records.find("x"));
}

TEST(Records, ViewsAreTheMemory) {
  Records records = make(makeInit(), 2);
  Tensor view = records.view(1, records.leaves()[0]);
  view.data<float>()[2] = 4.0f;
  EXPECT_EQ(static_cast<float *>(records.find("w")->of(1))[2], 4.0f);
  EXPECT_EQ(static_cast<float *>(records.find("w")->of(0))[2], 0.0f);
}

TEST(Records, SayWhetherARunIsFinite) {
  Records records = make(makeInit(), 2);
  EXPECT_TRUE(records.isFinite(0));
  double infinity = HUGE_VAL;
  std::memcpy(static_cast<char *>(records.find("v")->of(1)) + 8, &infinity, 8);
  EXPECT_FALSE(records.isFinite(1));
  EXPECT_TRUE(records.isFinite(0));
  static_cast<float *>(records.find("w")->of(0))[0] = std::nanf("");
  EXPECT_FALSE(records.isFinite(0));
}

TEST(Records, LookAtEveryElement) {
  ManifestEntry init;
  init.results = {leaf("w", DType::F32, {37}), leaf("v", DType::F64, {37})};
  Records records = make(init, 1);
  for (int64_t i = 0; i < 37; ++i) {
    auto *w = static_cast<char *>(records.find("w")->of(0)) + 4 * i;
    auto *v = static_cast<char *>(records.find("v")->of(0)) + 8 * i;
    for (double value : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      float narrow = static_cast<float>(value), zero = 0.0f;
      std::memcpy(w, &narrow, 4);
      EXPECT_FALSE(records.isFinite(0)) << i;
      std::memcpy(w, &zero, 4);
      std::memcpy(v, &value, 8);
      EXPECT_FALSE(records.isFinite(0)) << i;
      // The greatest finite numbers are fine, whatever their sign.
      narrow = -std::numeric_limits<float>::max();
      value = std::numeric_limits<double>::max();
      std::memcpy(w, &narrow, 4);
      std::memcpy(v, &value, 8);
      EXPECT_TRUE(records.isFinite(0)) << i;
    }
  }
}

} // namespace
