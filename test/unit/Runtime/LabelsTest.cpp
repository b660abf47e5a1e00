//===- LabelsTest.cpp - Labels out of range are named ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace ensc;

namespace {

template <typename T> Tensor make(const Shape &shape, std::vector<T> values) {
  Tensor tensor = Tensor::zeros(dtypeOf<T>(), shape);
  std::copy(values.begin(), values.end(), tensor.data<T>());
  return tensor;
}

std::string errorOf(const ManifestValue &argument, const Tensor &tensor) {
  Status status = checkLabels(argument, tensor, "y");
  return status ? "no error" : status.error().message();
}

ManifestValue argumentLike(const Tensor &tensor, int64_t classes) {
  ManifestValue argument;
  argument.dtype = tensor.dtype();
  argument.shape = tensor.shape();
  argument.classes = classes;
  return argument;
}

TEST(Labels, TheFirstOneOutOfRangeIsNamed) {
  Tensor y = make<int64_t>({4}, {0, 2, 3, -1});
  EXPECT_EQ(errorOf(argumentLike(y, 0), y), "no error");
  EXPECT_EQ(errorOf(argumentLike(y, 4), y),
            "y has the label -1 in row 3; labels must be in [0, 4)");
  EXPECT_EQ(errorOf(argumentLike(y, 3), y),
            "y has the label 3 in row 2; labels must be in [0, 3)");
}

TEST(Labels, ElementsOfARowAreNamed) {
  Tensor y = make<int32_t>({2, 3}, {0, 1, 0, 1, 1, 2});
  EXPECT_EQ(errorOf(argumentLike(y, 3), y), "no error");
  EXPECT_EQ(errorOf(argumentLike(y, 2), y),
            "y has the label 2 in element 2 of row 1; labels must be in "
            "[0, 2)");
}

TEST(Labels, UnsignedOnesAreNotNegative) {
  Tensor y = make<uint32_t>({1}, {std::numeric_limits<uint32_t>::max()});
  EXPECT_EQ(errorOf(argumentLike(y, 5), y),
            "y has the label 4294967295 in row 0; labels must be in [0, 5)");
}

TEST(Labels, ThoseOfARunAreNamed) {
  Tensor y = make<int32_t>({3, 2}, {0, 1, 1, 0, 1, 7});
  ManifestValue argument = argumentLike(y, 2);
  argument.shape = {2};
  argument.perRun = true;
  EXPECT_EQ(errorOf(argument, y),
            "y has the label 7 in row 1 of run 2; labels must be in [0, 2)");
}

TEST(Labels, EmptyDataHasNone) {
  Tensor y = Tensor::zeros(DType::I32, {0, 3});
  EXPECT_EQ(errorOf(argumentLike(y, 2), y), "no error");
}

} // namespace
