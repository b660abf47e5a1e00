//===- ReductionTest.cpp - Tests of reductions ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Reduction.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

#include <limits>

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Tensor sumOf(const std::vector<float> &values) {
  return reduce(ReduceKind::Sum,
                f32({static_cast<int64_t>(values.size())}, values), {0});
}

TEST(SumTest, KeepsTheOtherDims) {
  Tensor x = i32({2, 3}, {1, 2, 3, 4, 5, 6});
  expectTensor(reduce(ReduceKind::Sum, x, {0}), i32({3}, {5, 7, 9}));
  expectTensor(reduce(ReduceKind::Sum, x, {1}), i32({2}, {6, 15}));
  expectTensor(reduce(ReduceKind::Sum, x, {0, 1}), i32({}, {21}));
  Tensor cube = f64({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expectTensor(reduce(ReduceKind::Sum, cube, {0, 2}), f64({2}, {14, 22}));
}

TEST(SumTest, IntegersWrap) {
  expectTensor(reduce(ReduceKind::Sum, i32({2}, {INT32_MAX, 1}), {0}),
               i32({}, {INT32_MIN}));
}

TEST(SumTest, ElementsSixteenApartShareAPartial) {
  // 2^24 + 1 + 1 stays 2^24 where the ones come one by one.
  auto sumWithOnesAt = [](size_t first, size_t second) {
    std::vector<float> values(49, 0);
    values[0] = 16777216;
    values[first] = 1;
    values[second] = 1;
    return sumOf(values);
  };
  expectTensor(sumWithOnesAt(16, 32), f32({}, {16777216}));
  expectTensor(sumWithOnesAt(16, 48), f32({}, {16777216}));
  // Partial 8 is another one, and adds the ones first.
  expectTensor(sumWithOnesAt(8, 24), f32({}, {16777218}));
  // Partials 4 and 12 meet before partial 0 does, 4 and 8 do not.
  expectTensor(sumWithOnesAt(4, 12), f32({}, {16777218}));
  expectTensor(sumWithOnesAt(4, 8), f32({}, {16777216}));
}

TEST(SumTest, TreeGoesEightFourTwoOne) {
  // The big pair cancels at its level. A one that joins later survives, a one
  // that joined earlier was rounded away.
  auto sumWithOneAt = [](size_t pairDistance, size_t position) {
    std::vector<float> values(16, 0);
    values[0] = 16777216;
    values[pairDistance] = -16777216;
    values[position] = 1;
    return sumOf(values);
  };
  for (size_t distance : {8, 4, 2})
    expectTensor(sumWithOneAt(distance, distance / 2), f32({}, {1}));
  for (size_t distance : {4, 2, 1})
    expectTensor(sumWithOneAt(distance, distance * 2), f32({}, {0}));
}

TEST(SumTest, StartsFromPlusZero) {
  expectTensor(sumOf({}), f32({}, {0.0f}));
  expectTensor(sumOf({-0.0f}), f32({}, {0.0f}));
}

TEST(SumTest, SpecialValues) {
  expectTensor(sumOf({inf, 1}), f32({}, {inf}));
  expectTensor(sumOf({inf, -inf}), f32({}, {nan}));
}

TEST(MaxMinTest, NaNWinsAndZerosAreOrdered) {
  Tensor x = f32({3, 2}, {1, -0.0f, nan, 0.0f, 2, -0.0f});
  expectTensor(reduce(ReduceKind::Max, x, {0}), f32({2}, {nan, 0.0f}));
  expectTensor(reduce(ReduceKind::Min, x, {0}), f32({2}, {nan, -0.0f}));
}

TEST(MaxMinTest, Integers) {
  Tensor x = i64({3}, {-5, 3, 2});
  expectTensor(reduce(ReduceKind::Max, x, {0}), i64({}, {3}));
  expectTensor(reduce(ReduceKind::Min, x, {0}), i64({}, {-5}));
  expectTensor(reduce(ReduceKind::Max, i32({0}, {}), {0}),
               i32({}, {INT32_MIN}));
  expectTensor(reduce(ReduceKind::Min, ui32({0}, {}), {0}),
               ui32({}, {UINT32_MAX}));
}

// Corpus case DT-A06: the identity of an empty axis.
TEST(MaxMinTest, DtA06) {
  Tensor empty = Tensor::zeros(DType::F32, {0, 10});
  expectTensor(reduce(ReduceKind::Max, empty, {0}),
               f32({10}, std::vector<float>(10, -inf)));
  expectTensor(reduce(ReduceKind::Min, empty, {0}),
               f32({10}, std::vector<float>(10, inf)));
}

TEST(ArgReduceTest, FirstOfEquals) {
  Tensor x = f32({2, 3}, {1, 3, 3, 2, 0, 0});
  expectTensor(argReduce(ArgReduceKind::Max, x, 1), i32({2}, {1, 0}));
  expectTensor(argReduce(ArgReduceKind::Min, x, 1), i32({2}, {0, 1}));
  expectTensor(argReduce(ArgReduceKind::Max, x, 0), i32({3}, {1, 0, 0}));
}

TEST(ArgReduceTest, ZerosAreEqual) {
  expectTensor(argReduce(ArgReduceKind::Max, f32({2}, {-0.0f, 0.0f}), 0),
               i32({}, {0}));
}

TEST(ArgReduceTest, Unsigned) {
  expectTensor(argReduce(ArgReduceKind::Max, ui32({2}, {1, 0xffffffff}), 0),
               i32({}, {1}));
}

// Corpus case DET-A03: the first NaN wins, and the index is always valid.
TEST(ArgReduceTest, DetA03) {
  auto argMax = [](const std::vector<float> &values) {
    return argReduce(ArgReduceKind::Max,
                     f32({static_cast<int64_t>(values.size())}, values), 0);
  };
  expectTensor(argMax({nan, nan, nan}), i32({}, {0}));
  expectTensor(argMax({nan, nan, 0}), i32({}, {0}));
  expectTensor(argMax({0, 0, nan}), i32({}, {2}));
  expectTensor(argMax({0, nan}), i32({}, {1}));
}

// Corpus case DET-A01: partials 0 to 3 meet as (p0 + p2) + (p1 + p3).
TEST(SumTest, DetA01) {
  for (int repetition = 0; repetition < 100; ++repetition)
    expectTensor(sumOf({1e8f, 1, -1e8f, 1}), f32({}, {2}));
}

// Corpus case DET-A02: a run's sum does not depend on the number of runs.
TEST(SumTest, DetA02) {
  for (int64_t runs : {1, 2, 5, 10, 50}) {
    Tensor x = f32({runs, 10}, std::vector<float>(runs * 10, 0.1f));
    expectTensor(reduce(ReduceKind::Sum, x, {1}),
                 f32({runs}, std::vector<float>(runs, 1.0f)));
  }
}

} // namespace
