//===- MathTest.cpp - Accuracy and special values -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathCases.h"
#include "SamplePoints.h"

#include "ensc/Reference/Math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace ensc;
using namespace ensc::test;

namespace {

class MathTest : public testing::TestWithParam<MathCase> {};

TEST_P(MathTest, KeepsItsBoundInFloat) {
  const MathCase &function = GetParam();
  double worst = 0.0;
  auto check = [&](float x) {
    if (std::fabs(x) > function.rangeInFloat && !std::isinf(x))
      return;
    double ulps = quickErrorAt(function, x);
    worst = std::max(worst, ulps);
    EXPECT_LE(ulps, function.ulpInFloat) << function.name << " at " << x;
  };
  for (float x : delicatePoints<float>())
    check(x);
  // An odd stride passes through every exponent and every last bit.
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 5003)
    check(reference::fromBits<float>(static_cast<uint32_t>(bits)));
  std::printf("%s f32: worst sampled error %.3f ulp\n", function.name, worst);
}

TEST_P(MathTest, KeepsItsBoundInDouble) {
  const MathCase &function = GetParam();
  double worst = 0.0;
  auto check = [&](double x) {
    if (std::fabs(x) > function.rangeInDouble && !std::isinf(x))
      return;
    double ulps = errorAt(function, x);
    worst = std::max(worst, ulps);
    EXPECT_LE(ulps, function.ulpInDouble) << function.name << " at " << x;
  };
  for (double x : delicatePoints<double>())
    check(x);
  for (double x : randomDoubles(3000))
    check(x);
  std::printf("%s f64: worst sampled error %.3f ulp\n", function.name, worst);
}

INSTANTIATE_TEST_SUITE_P(, MathTest, testing::ValuesIn(mathCases()),
                         [](const auto &info) { return info.param.name; });

TEST(Trig, LargeArgumentsCountAsZero) {
  EXPECT_EQ(reference::sin(1e10f), 0.0f);
  EXPECT_EQ(reference::cos(-1e10f), 1.0f);
  EXPECT_EQ(reference::cos(1e300), 1.0);
  // Between the promised range and there the error grows slowly.
  EXPECT_NEAR(reference::sin(4000000.0f), std::sin(4000000.0), 1e-5);
}

template <typename T> void checkPow(double bound) {
  std::vector<T> points = {0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -7};
  std::vector<T> delicate = delicatePoints<T>();
  points.insert(points.end(), delicate.begin(), delicate.begin() + 40);
  double worst = 0.0;
  auto check = [&](T x, T y) {
    double ulps = powErrorAt(x, y);
    worst = std::max(worst, ulps);
    EXPECT_LE(ulps, bound) << "pow at " << x << ", " << y;
  };
  for (T x : points)
    for (T y : points)
      check(x, y);
  std::mt19937_64 engine(21);
  std::uniform_real_distribution<double> exponent(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    T x = static_cast<T>(std::exp2(40 * exponent(engine)));
    check(x, static_cast<T>(exponent(engine) * (i % 2 ? 30 : 2)));
  }
  std::printf("pow: worst sampled error %.3f ulp\n", worst);
}

TEST(Pow, KeepsItsBoundInFloat) { checkPow<float>(1); }
TEST(Pow, KeepsItsBoundInDouble) { checkPow<double>(4); }

template <typename T> void checkExtrema() {
  T nan = std::numeric_limits<T>::quiet_NaN();
  for (T value : {T(1), T(0), std::numeric_limits<T>::infinity()}) {
    EXPECT_TRUE(std::isnan(reference::maximum(value, nan)));
    EXPECT_TRUE(std::isnan(reference::minimum(-nan, value)));
    auto bits = reference::bitsOf(reference::maximum(-nan, value));
    EXPECT_EQ(bits, numerics::FloatFormat<T>::canonicalNaN);
  }
  EXPECT_FALSE(std::signbit(reference::maximum(T(-0.0), T(0))));
  EXPECT_FALSE(std::signbit(reference::maximum(T(0), T(-0.0))));
  EXPECT_TRUE(std::signbit(reference::minimum(T(-0.0), T(0))));
  EXPECT_TRUE(std::signbit(reference::minimum(T(0), T(-0.0))));
  EXPECT_EQ(reference::maximum(T(-3), T(2)), T(2));
  EXPECT_EQ(reference::minimum(T(-3), T(2)), T(-3));
}

TEST(Extrema, FollowTheStandard) {
  checkExtrema<float>();
  checkExtrema<double>();
}

TEST(Convert, SaturatesFloats) {
  EXPECT_EQ((reference::convert<int32_t>(2147483648.0f)), INT32_MAX);
  EXPECT_EQ((reference::convert<int32_t>(2147483520.0f)), 2147483520);
  EXPECT_EQ((reference::convert<int32_t>(-2147483648.0)), INT32_MIN);
  EXPECT_EQ((reference::convert<int32_t>(-2147483649.5)), INT32_MIN);
  EXPECT_EQ((reference::convert<int32_t>(-1.9f)), -1);
  EXPECT_EQ((reference::convert<int64_t>(INFINITY)), INT64_MAX);
  EXPECT_EQ((reference::convert<int64_t>(-1e300)), INT64_MIN);
  EXPECT_EQ((reference::convert<int64_t>(double(NAN))), 0);
  EXPECT_EQ((reference::convert<uint32_t>(-1.0f)), 0u);
  EXPECT_EQ((reference::convert<uint32_t>(-0.5f)), 0u);
  EXPECT_EQ((reference::convert<uint32_t>(4294967296.0f)), UINT32_MAX);
  EXPECT_EQ((reference::convert<uint32_t>(4294967295.5)), UINT32_MAX);
}

TEST(Convert, RoundsIntegersAndWraps) {
  EXPECT_EQ((reference::convert<float>(int32_t(16777217))), 16777216.0f);
  EXPECT_EQ((reference::convert<float>(int32_t(16777219))), 16777220.0f);
  EXPECT_EQ((reference::convert<float>(uint32_t(UINT32_MAX))), 0x1p32f);
  EXPECT_EQ((reference::convert<int32_t>(int64_t(0x1FFFFFFFF))), -1);
  EXPECT_EQ((reference::convert<uint32_t>(int32_t(-1))), UINT32_MAX);
  EXPECT_EQ((reference::convert<int64_t>(uint32_t(UINT32_MAX))), 0xFFFFFFFF);
  EXPECT_EQ((reference::convert<int64_t>(true)), 1);
  EXPECT_TRUE((reference::convert<bool>(double(NAN))));
  EXPECT_FALSE((reference::convert<bool>(-0.0f)));
  EXPECT_EQ(reference::bitsOf(reference::convert<float>(-double(NAN))),
            numerics::FloatFormat<float>::canonicalNaN);
}

} // namespace
