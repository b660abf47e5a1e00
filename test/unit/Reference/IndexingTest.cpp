//===- IndexingTest.cpp - Tests of gather and scatter ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Indexing.h"
#include "ExpectTensor.h"
#include "ensc/Reference/Reduction.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

constexpr ScatterOptions addDrop = {ScatterKind::Add, ScatterMode::Drop, 0, 0};
constexpr ScatterOptions setDrop = {ScatterKind::Set, ScatterMode::Drop, 0, 0};

TEST(GatherTest, RowsOfAMatrix) {
  Tensor x = i32({3, 2}, {1, 2, 3, 4, 5, 6});
  expectTensor(gather(x, i32({2}, {2, 0}), 0, 0, GatherMode::Clamp),
               i32({2, 2}, {5, 6, 1, 2}));
}

TEST(GatherTest, InnerAxisAndIndexMatrix) {
  Tensor x = i32({2, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(gather(x, i64({2, 2}, {0, 1, 1, 2}), 1, 0, GatherMode::Clamp),
               i32({2, 2, 2}, {1, 2, 2, 3, 4, 5, 5, 6}));
}

TEST(GatherTest, MiddleDimsBetweenBatchAndAxis) {
  // B = 2, M = 2, axis = 3; each batch element has its own two indices.
  Tensor x = i32({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  expectTensor(gather(x, i32({2, 2}, {2, 0, 1, 1}), 2, 1, GatherMode::Clamp),
               i32({2, 2, 2}, {2, 0, 5, 3, 7, 7, 10, 10}));
}

TEST(GatherTest, LabelPickHasABatchDimPerRow) {
  Tensor logits = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(gather(logits, i32({2}, {2, 0}), 1, 1, GatherMode::Clamp),
               f32({2}, {3, 4}));
}

TEST(GatherTest, ModesOutOfRange) {
  Tensor x = f32({3}, {1, 2, 3});
  Tensor indices = i32({4}, {-1, 3, 2, INT32_MIN});
  expectTensor(gather(x, indices, 0, 0, GatherMode::Clamp),
               f32({4}, {1, 3, 3, 1}));
  expectTensor(gather(x, indices, 0, 0, GatherMode::Fill),
               f32({4}, {0, 0, 3, 0}));
}

TEST(GatherTest, UnsignedIndicesAreNotNegative) {
  Tensor x = f32({3}, {1, 2, 3});
  expectTensor(gather(x, ui32({1}, {0xffffffff}), 0, 0, GatherMode::Clamp),
               f32({1}, {3}));
}

TEST(GatherTest, NoIndices) {
  expectTensor(gather(f32({3, 2}, {1, 2, 3, 4, 5, 6}), i32({0}, {}), 0, 0,
                      GatherMode::Clamp),
               f32({0, 2}, {}));
}

TEST(GatherTest, FillFromAnEmptyAxis) {
  expectTensor(gather(f32({0}, {}), i32({2}, {0, 1}), 0, 0, GatherMode::Fill),
               f32({2}, {0, 0}));
}

// Corpus case GS-A04: fill applies to every negative index.
TEST(GatherTest, GsA04) {
  Tensor x = f32({4}, {1, 2, 3, 4});
  Tensor indices = i32({6}, {-5, -4, -1, 0, 3, 4});
  expectTensor(gather(x, indices, 0, 0, GatherMode::Fill),
               f32({6}, {0, 0, 0, 1, 4, 0}));
}

// Corpus case GS-A08: a clamped index never leaves its own run's data.
TEST(GatherTest, GsA08) {
  std::vector<int32_t> counting = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  expectTensor(gather(f32({4}, {0, 0, 0, 0}), i32({10}, counting), 0, 0,
                      GatherMode::Clamp),
               Tensor::zeros(DType::F32, {10}));

  Tensor runs = f32({3, 4}, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
  std::vector<float> expected(10, 0);
  expected.insert(expected.end(), 10, 1);
  expected.insert(expected.end(), 10, 2);
  expectTensor(gather(runs, i32({10}, counting), 1, 0, GatherMode::Clamp),
               f32({3, 10}, expected));
}

TEST(ScatterTest, AddAccumulatesDuplicates) {
  expectTensor(scatter(i32({3}, {1, 1, 1}), i32({3}, {2, 0, 2}),
                       i32({3}, {10, 20, 30}), addDrop),
               i32({3}, {21, 1, 41}));
}

TEST(ScatterTest, AddGoesInAscendingOrder) {
  // From the left: ((0 + 1e8) + 1) - 1e8 + 1 = 1; a tree would give 0 or 2.
  expectTensor(scatter(f32({1}, {0}), i32({4}, {0, 0, 0, 0}),
                       f32({4}, {1e8f, 1, -1e8f, 1}), addDrop),
               f32({1}, {1}));
}

TEST(ScatterTest, LastSetWins) {
  expectTensor(scatter(f32({3}, {7, 7, 7}), i32({3}, {1, 1, 0}),
                       f32({3}, {1, 2, 3}), setDrop),
               f32({3}, {3, 2, 7}));
}

TEST(ScatterTest, ModesOutOfRange) {
  Tensor zero = i32({3}, {0, 0, 0});
  Tensor indices = i32({3}, {-1, 3, 1});
  Tensor updates = i32({3}, {1, 2, 4});
  expectTensor(scatter(zero, indices, updates, addDrop), i32({3}, {0, 4, 0}));
  ScatterOptions addClamp = {ScatterKind::Add, ScatterMode::Clamp, 0, 0};
  expectTensor(scatter(zero, indices, updates, addClamp), i32({3}, {1, 4, 2}));
}

TEST(ScatterTest, RowsWithBatchAndInnerDims) {
  // Axis 1 of a 2x2x2 operand with one index per batch element.
  ScatterOptions options = {ScatterKind::Set, ScatterMode::Drop, 1, 1};
  expectTensor(scatter(Tensor::zeros(DType::I32, {2, 2, 2}),
                       i32({2, 1}, {1, 0}), i32({2, 1, 2}, {1, 2, 3, 4}),
                       options),
               i32({2, 2, 2}, {0, 0, 1, 2, 3, 4, 0, 0}));
}

TEST(ScatterTest, LeavesItsOperandAlone) {
  Tensor x = f32({2}, {1, 2});
  scatter(x, i32({1}, {0}), f32({1}, {9}), setDrop);
  expectTensor(x, f32({2}, {1, 2}));
}

// Corpus case DET-A01: one documented order, that of the updates.
TEST(ScatterTest, DetA01) {
  for (int repetition = 0; repetition < 100; ++repetition)
    expectTensor(scatter(f32({1}, {0}), i32({4}, {0, 0, 0, 0}),
                         f32({4}, {1e8f, 1, -1e8f, 1}), addDrop),
                 f32({1}, {1}));
}

// Corpus case GS-A02: ids out of range are dropped.
TEST(ScatterTest, GsA02) {
  Tensor segments = Tensor::zeros(DType::F32, {2});
  Tensor data = f32({3}, {1, 2, 4});
  Tensor sums = scatter(segments, i32({3}, {0, 2, 1}), data, addDrop);
  expectTensor(sums, f32({2}, {1, 4}));
  expectTensor(reduce(ReduceKind::Sum, sums, {0}), f32({}, {5}));
  expectTensor(scatter(segments, i32({3}, {2, 3, -1}), data, addDrop),
               segments);
}

// Corpus case GS-A05: fewer updates than targets.
TEST(ScatterTest, GsA05) {
  expectTensor(scatter(Tensor::zeros(DType::F32, {4}), i32({2}, {2, 0}),
                       f32({2}, {5, 7}), addDrop),
               f32({4}, {7, 0, 5, 0}));
}

} // namespace
