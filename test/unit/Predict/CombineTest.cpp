//===- CombineTest.cpp - Tests of averages and votes ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Predict/Combine.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace ensc;

namespace {

TEST(CombineTest, FloatsAreAveraged) {
  Expected<Average> result =
      average(Tensor::of<float>({2, 3}, {1, 2, 3, 3, 2, 5}));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->mean.bitwiseEquals(Tensor::of<double>({3}, {2, 2, 4})));
  EXPECT_TRUE(
      result->deviation.bitwiseEquals(Tensor::of<double>({3}, {1, 0, 1})));
  result = average(Tensor::of<double>({1, 2}, {0.1, std::nan("")}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->mean.data<double>()[0], 0.1);
  EXPECT_TRUE(std::isnan(result->mean.data<double>()[1]));
  EXPECT_EQ(result->deviation.data<double>()[0], 0.0);
  EXPECT_TRUE(std::isnan(result->deviation.data<double>()[1]));
}

TEST(CombineTest, IntegersAreVotesAndTheSmallestOfEqualOnesWins) {
  Expected<Vote> result =
      vote(Tensor::of<int32_t>({4, 2}, {7, 1, 3, 2, 7, 1, 3, 1}));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->winner.bitwiseEquals(Tensor::of<int64_t>({2}, {3, 1})));
  EXPECT_TRUE(
      result->share.bitwiseEquals(Tensor::of<double>({2}, {0.5, 0.75})));
  result = vote(Tensor::of<bool>({3, 1}, {true, false, true}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->winner.data<int64_t>()[0], 1);
}

TEST(CombineTest, ModelsWithoutAClassDoNotVote) {
  Tensor each = Tensor::of<int64_t>({3, 2}, {noClass, -1, 4, -1, noClass, -1});
  Expected<Vote> result = vote(each, /*mayAbstain=*/true);
  ASSERT_TRUE(result);
  EXPECT_TRUE(
      result->winner.bitwiseEquals(Tensor::of<int64_t>({2}, {4, noClass})));
  EXPECT_TRUE(
      result->share.bitwiseEquals(Tensor::of<double>({2}, {1.0 / 3, 0.0})));
  EXPECT_EQ(vote(each)->winner.data<int64_t>()[0], -1);
}

TEST(CombineTest, TheGreatestIsTheFirstOfEqualOnesAndNoneOfNaN) {
  double nan = std::nan("");
  Expected<Tensor> result = greatestOf(Tensor::of<double>(
      {4, 3}, {1, 3, 2, 5, 5, 4, 1, nan, nan, -0.0, 0.0, 0.0}));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(
      result->bitwiseEquals(Tensor::of<int64_t>({4}, {1, 0, noClass, 0})));
}

TEST(CombineTest, OtherTensorsAreRefused) {
  EXPECT_FALSE(average(Tensor::of<int32_t>({1}, {1})));
  EXPECT_FALSE(average(Tensor::scalar(1.0f)));
  EXPECT_FALSE(average(Tensor::zeros(DType::F32, {0, 3})));
  EXPECT_FALSE(vote(Tensor::zeros(DType::F32, {2, 3})));
  EXPECT_FALSE(greatestOf(Tensor::zeros(DType::F32, {2, 0})));
}

} // namespace
