//===- ConvertTest.cpp - Tests of conversions between element types -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Data/Convert.h"

#include "../Artifact/TestFiles.h"

#include <cmath>
#include <limits>

using namespace ensc;

namespace {

template <typename T> Tensor row(const std::vector<T> &values) {
  return Tensor::of<T>({static_cast<int64_t>(values.size())}, values);
}

void expectConverts(const Tensor &from, const Tensor &to) {
  Expected<Tensor> converted =
      convertTensor(from, to.dtype(), /*mayRound=*/false);
  ASSERT_TRUE(converted) << converted.error().message();
  EXPECT_TRUE(converted->bitwiseEquals(to));
}

std::string refusal(const Tensor &from, DType to, bool mayRound = false) {
  return errorOf(convertTensor(from, to, mayRound));
}

TEST(ConvertTest, ValuesThatBothTypesHoldAreKept) {
  float infinity = std::numeric_limits<float>::infinity();
  expectConverts(row<double>({0.5, -0.0, HUGE_VAL, 0x1p-149, 0x1.fffffep127}),
                 row<float>({0.5f, -0.0f, infinity, 0x1p-149f,
                             std::numeric_limits<float>::max()}));
  expectConverts(row<float>({0.1f}), row<double>({double(0.1f)}));
  expectConverts(row<int64_t>({-3, int64_t(1) << 30}),
                 row<int32_t>({-3, 1 << 30}));
  expectConverts(row<uint32_t>({0xffffffff}), row<int64_t>({0xffffffff}));
  expectConverts(row<double>({3, -7}), row<int32_t>({3, -7}));
  expectConverts(row<bool>({true, false}), row<float>({1, 0}));
  expectConverts(row<int32_t>({1, 0}), row<bool>({true, false}));
  expectConverts(row<int64_t>({int64_t(1) << 62}), row<double>({0x1p62}));
}

TEST(ConvertTest, ANaNStaysOne) {
  Expected<Tensor> converted =
      convertTensor(row<double>({std::nan("")}), DType::F32, false);
  ASSERT_TRUE(converted);
  EXPECT_TRUE(std::isnan(converted->data<float>()[0]));
}

TEST(ConvertTest, ValuesThatWouldChangeAreNamed) {
  EXPECT_EQ(refusal(row<double>({0.5, 0.1}), DType::F32),
            "element 1 is 0.1, which f32 does not hold; save the array with "
            ".astype('float32'), or allow rounding with --round-data");
  EXPECT_EQ(refusal(row<double>({2.5}), DType::I32),
            "element 0 is 2.5, which i32 does not hold; save the array with "
            ".astype('int32')");
  EXPECT_CONTAINS(refusal(row<int64_t>({int64_t(1) << 31}), DType::I32),
                  "element 0 is 2147483648");
  EXPECT_CONTAINS(refusal(row<int32_t>({-1}), DType::UI32), "is -1");
  EXPECT_CONTAINS(refusal(row<int32_t>({2}), DType::I1), "is 2");
  EXPECT_CONTAINS(refusal(row<double>({std::nan("")}), DType::I64), "is nan");
  EXPECT_CONTAINS(refusal(row<double>({0x1p63}), DType::I64), "does not hold");
  EXPECT_CONTAINS(refusal(row<int32_t>({(1 << 24) + 1}), DType::F32),
                  "is 16777217");
}

TEST(ConvertTest, RoundingIsToTheNearestFloatAndNeverOutOfRange) {
  Expected<Tensor> rounded =
      convertTensor(row<double>({0.1, 1 + 0x1p-24}), DType::F32, true);
  ASSERT_TRUE(rounded);
  EXPECT_TRUE(rounded->bitwiseEquals(row<float>({0.1f, 1.0f})));
  EXPECT_CONTAINS(refusal(row<double>({1e300}), DType::F32, true), "is 1e+300");
  EXPECT_CONTAINS(refusal(row<double>({0.5}), DType::I32, true), "is 0.5");
}

} // namespace
