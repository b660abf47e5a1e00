//===- TensorTest.cpp - Dense arrays in host memory -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

using namespace ensc;

namespace {

TEST(Tensor, ZerosAreAlignedAndZero) {
  for (Shape shape : {Shape{}, Shape{3}, Shape{0, 5}, Shape{2, 3, 4}}) {
    Tensor tensor = Tensor::zeros(DType::F64, shape);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.bytes()) % 64, 0u);
    EXPECT_EQ(tensor.sizeInBytes(), tensor.size() * 8u);
    for (int64_t i = 0; i < tensor.size(); ++i)
      EXPECT_EQ(tensor.data<double>()[i], 0.0);
  }
}

TEST(Tensor, CopiesShareAndClonesDoNot) {
  Tensor tensor = Tensor::of<int32_t>({2}, {1, 2});
  Tensor copy = tensor, clone = tensor.clone();
  Tensor row = tensor.reshaped({1, 2});
  tensor.data<int32_t>()[0] = 7;
  EXPECT_EQ(copy.data<int32_t>()[0], 7);
  EXPECT_EQ(row.data<int32_t>()[0], 7);
  EXPECT_EQ(clone.data<int32_t>()[0], 1);
}

TEST(Tensor, ViewsKeepTheirOwner) {
  auto owner = std::make_shared<float>(3.0f);
  std::weak_ptr<float> watch = owner;
  {
    Tensor view = Tensor::view(DType::F32, {}, owner.get(), owner);
    owner.reset();
    EXPECT_EQ(view.data<float>()[0], 3.0f);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Tensor, BitsAreCompared) {
  Tensor zero = Tensor::scalar(0.0f), minus = Tensor::scalar(-0.0f);
  Tensor nan = Tensor::scalar(std::nanf("")), same = nan.clone();
  EXPECT_FALSE(zero.bitwiseEquals(minus));
  EXPECT_TRUE(nan.bitwiseEquals(same));
  EXPECT_FALSE(zero.bitwiseEquals(Tensor::scalar(int32_t{0})));
  EXPECT_FALSE(zero.bitwiseEquals(zero.reshaped({1})));
}

TEST(Tensor, TypesHaveNames) {
  EXPECT_EQ(typeString(DType::UI32, {4, 3}), "4x3xui32");
  for (DType dtype : {DType::F32, DType::F64, DType::I1, DType::I32, DType::I64,
                      DType::UI32}) {
    Expected<DType> parsed = parseDType(nameOf(dtype));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, dtype);
  }
  Expected<DType> unknown = parseDType("f16");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message(),
            "unknown element type 'f16'; expected f32, f64, i1, i32, i64 or "
            "ui32");
}

} // namespace
