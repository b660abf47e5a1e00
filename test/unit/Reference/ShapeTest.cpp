//===- ShapeTest.cpp - Tests of data movement -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Shape.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

TEST(IotaTest, CountsAlongOneDim) {
  expectTensor(iota(DType::I32, {2, 3}, 1), i32({2, 3}, {0, 1, 2, 0, 1, 2}));
  expectTensor(iota(DType::F64, {2, 3}, 0), f64({2, 3}, {0, 0, 0, 1, 1, 1}));
  expectTensor(iota(DType::I64, {2, 2, 2}, 1),
               i64({2, 2, 2}, {0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(IotaTest, EmptyDim) {
  expectTensor(iota(DType::F32, {0}, 0), f32({0}, {}));
}

TEST(BroadcastTest, ScalarFillsTheShape) {
  expectTensor(broadcast(f32({}, {7}), {2, 2}, {}), f32({2, 2}, {7, 7, 7, 7}));
}

TEST(BroadcastTest, VectorAlongEitherDim) {
  Tensor vector = i32({2}, {1, 2});
  expectTensor(broadcast(vector, {3, 2}, {1}), i32({3, 2}, {1, 2, 1, 2, 1, 2}));
  expectTensor(broadcast(vector, {2, 3}, {0}), i32({2, 3}, {1, 1, 1, 2, 2, 2}));
}

TEST(BroadcastTest, MatrixIntoRankThree) {
  expectTensor(broadcast(i32({2, 2}, {1, 2, 3, 4}), {2, 2, 2}, {0, 2}),
               i32({2, 2, 2}, {1, 2, 1, 2, 3, 4, 3, 4}));
}

TEST(BroadcastTest, ToNoElements) {
  expectTensor(broadcast(f32({2}, {1, 2}), {0, 2}, {1}), f32({0, 2}, {}));
}

TEST(TransposeTest, PermutesDims) {
  expectTensor(transpose(i32({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0}),
               i32({3, 2}, {1, 4, 2, 5, 3, 6}));
  // Result dim 0 is operand dim 2, which tells a permutation from its inverse.
  Tensor cube = iota(DType::I32, {6}, 0).reshaped({1, 2, 3});
  expectTensor(transpose(cube, {2, 0, 1}), i32({3, 1, 2}, {0, 3, 1, 4, 2, 5}));
}

TEST(TransposeTest, RankZero) {
  expectTensor(transpose(f32({}, {3}), {}), f32({}, {3}));
}

TEST(SliceTest, StridesRoundTheExtentUp) {
  Tensor x = i32({7}, {0, 1, 2, 3, 4, 5, 6});
  expectTensor(slice(x, {1}, {6}, {1}), i32({5}, {1, 2, 3, 4, 5}));
  expectTensor(slice(x, {1}, {6}, {2}), i32({3}, {1, 3, 5}));
  expectTensor(slice(x, {0}, {7}, {3}), i32({3}, {0, 3, 6}));
  expectTensor(slice(x, {3}, {3}, {1}), i32({0}, {}));
}

TEST(SliceTest, Matrix) {
  Tensor x = iota(DType::I32, {12}, 0).reshaped({3, 4});
  expectTensor(slice(x, {1, 0}, {3, 4}, {1, 3}), i32({2, 2}, {4, 7, 8, 11}));
}

TEST(DynamicSliceTest, ClampsStarts) {
  Tensor x = i32({5}, {0, 1, 2, 3, 4});
  auto at = [&](int32_t start) {
    return dynamicSlice(x, {i32({}, {start})}, {3}, 0);
  };
  expectTensor(at(1), i32({3}, {1, 2, 3}));
  expectTensor(at(2), i32({3}, {2, 3, 4}));
  expectTensor(at(3), i32({3}, {2, 3, 4}));
  expectTensor(at(-1), i32({3}, {0, 1, 2}));
  expectTensor(at(INT32_MIN), i32({3}, {0, 1, 2}));
}

TEST(DynamicSliceTest, BatchElementsHaveTheirOwnStarts) {
  Tensor x = iota(DType::I32, {12}, 0).reshaped({2, 2, 3});
  Tensor rows = i64({2}, {1, 0});
  Tensor columns = i64({2}, {0, 9});
  expectTensor(dynamicSlice(x, {rows, columns}, {1, 2}, 1),
               i32({2, 1, 2}, {3, 4, 7, 8}));
}

TEST(DynamicUpdateSliceTest, ReplacesTheClampedWindow) {
  Tensor x = i32({5}, {0, 1, 2, 3, 4});
  Tensor update = i32({2}, {8, 9});
  expectTensor(dynamicUpdateSlice(x, update, {i32({}, {1})}, 0),
               i32({5}, {0, 8, 9, 3, 4}));
  expectTensor(dynamicUpdateSlice(x, update, {i32({}, {7})}, 0),
               i32({5}, {0, 1, 2, 8, 9}));
  expectTensor(x, i32({5}, {0, 1, 2, 3, 4}));
}

TEST(DynamicUpdateSliceTest, Batched) {
  Tensor x = i32({2, 3}, {0, 0, 0, 0, 0, 0});
  expectTensor(
      dynamicUpdateSlice(x, i32({2, 1}, {5, 6}), {i32({2}, {2, 0})}, 1),
      i32({2, 3}, {0, 0, 5, 6, 0, 0}));
}

TEST(ConcatTest, AlongEachDim) {
  Tensor a = i32({1, 2}, {1, 2});
  Tensor b = i32({1, 2}, {3, 4});
  expectTensor(concat({a, b}, 0), i32({2, 2}, {1, 2, 3, 4}));
  expectTensor(concat({b, a, b}, 1), i32({1, 6}, {3, 4, 1, 2, 3, 4}));
}

TEST(ConcatTest, EmptyPieces) {
  expectTensor(concat({i32({0}, {}), i32({2}, {1, 2}), i32({0}, {})}, 0),
               i32({2}, {1, 2}));
}

TEST(PadTest, LowHighInterior) {
  Tensor x = i32({3}, {1, 2, 3});
  Tensor nine = i32({}, {9});
  expectTensor(pad(x, nine, {{1}, {2}, {0}}, 0), i32({6}, {9, 1, 2, 3, 9, 9}));
  expectTensor(pad(x, nine, {{0}, {0}, {2}}, 0),
               i32({7}, {1, 9, 9, 2, 9, 9, 3}));
  expectTensor(pad(x, nine, {{1}, {1}, {1}}, 0),
               i32({7}, {9, 1, 9, 2, 9, 3, 9}));
}

TEST(PadTest, NegativeAmountsCrop) {
  Tensor x = i32({4}, {1, 2, 3, 4});
  Tensor nine = i32({}, {9});
  expectTensor(pad(x, nine, {{-1}, {-2}, {0}}, 0), i32({1}, {2}));
  expectTensor(pad(x, nine, {{-1}, {1}, {0}}, 0), i32({4}, {2, 3, 4, 9}));
  // Cropping cuts the spread-out row 1 9 2 9 3 9 4, not the operand.
  expectTensor(pad(x, nine, {{-1}, {-1}, {1}}, 0), i32({5}, {9, 2, 9, 3, 9}));
  expectTensor(pad(x, nine, {{-4}, {0}, {0}}, 0), i32({0}, {}));
  // More than the whole operand is cropped away and made up for.
  expectTensor(pad(x, nine, {{-5}, {3}, {0}}, 0), i32({2}, {9, 9}));
}

TEST(PadTest, EmptyOperandHasNoGaps) {
  expectTensor(pad(i32({0}, {}), i32({}, {9}), {{1}, {1}, {3}}, 0),
               i32({2}, {9, 9}));
}

TEST(PadTest, EachBatchElementHasItsValue) {
  expectTensor(
      pad(i32({2, 1}, {1, 2}), i32({2}, {8, 9}), {{0, 1}, {0, 1}, {0, 0}}, 1),
      i32({2, 3}, {8, 1, 8, 9, 2, 9}));
}

TEST(ReverseTest, ChosenDims) {
  Tensor x = i32({2, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(reverse(x, {1}), i32({2, 3}, {3, 2, 1, 6, 5, 4}));
  expectTensor(reverse(x, {0}), i32({2, 3}, {4, 5, 6, 1, 2, 3}));
  expectTensor(reverse(x, {0, 1}), i32({2, 3}, {6, 5, 4, 3, 2, 1}));
  expectTensor(reverse(x, {}), x);
}

} // namespace
