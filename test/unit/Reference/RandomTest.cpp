//===- RandomTest.cpp - Tests of random bits and permutations -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Random.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

TEST(RngBitsTest, PublishedKnownAnswer) {
  // Random123: counter 0 and key 0.
  Tensor zero = i64({}, {0});
  expectTensor(rngBits(zero, zero, std::nullopt, 0, DType::UI32, {4}),
               ui32({4}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(RngBitsTest, PublishedKnownAnswerOnEveryInput) {
  // Random123: the counter and key made of digits of pi. The element index is
  // 4 * 0x243f6a88; the shape is one block of it.
  Tensor seed = i64({}, {0x299f31d0a4093822});
  Tensor step = i64({}, {0x0370734413198a2e});
  Tensor offset = i64({}, {0x243f6a88});
  expectTensor(rngBits(seed, step, offset, 0x85a308d3, DType::UI32, {4}),
               ui32({4}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RngBitsTest, WordsFollowTheRowMajorIndex) {
  // Computed by an independent implementation.
  Tensor seed = i64({}, {7});
  Tensor step = i64({}, {3});
  expectTensor(rngBits(seed, step, std::nullopt, 5, DType::UI32, {2, 3}),
               ui32({2, 3}, {0xb19c3951, 0xa9f857d7, 0xc5be20d0, 0x2a39c7b7,
                             0x32f558b9, 0x1f85226d}));
}

TEST(RngBitsTest, HighHalvesOfSeedAndStepCount) {
  Tensor seed = i64({}, {7 + (int64_t(1) << 40)});
  Tensor step = i64({}, {3 + (int64_t(2) << 32)});
  expectTensor(rngBits(seed, step, std::nullopt, 5, DType::UI32, {6}),
               ui32({6}, {0x9e000f0a, 0x5bc76812, 0x6faaa4ec, 0xd8fb36e3,
                          0x7ef528d2, 0x97527fb4}));
}

TEST(RngBitsTest, WideWordsAreLowThenHigh) {
  expectTensor(
      rngBits(i64({}, {7}), i64({}, {3}), std::nullopt, 5, DType::I64, {3}),
      i64({3}, {static_cast<int64_t>(0xa9f857d7b19c3951),
                static_cast<int64_t>(0x2a39c7b7c5be20d0),
                static_cast<int64_t>(0x1f85226d32f558b9)}));
}

TEST(RngBitsTest, OffsetSkipsWholeBlocks) {
  Tensor seed = i64({}, {7});
  Tensor step = i64({}, {3});
  expectTensor(rngBits(seed, step, i64({}, {1}), 5, DType::UI32, {2, 3}),
               ui32({2, 3}, {0x47c8ee7a, 0x7d7aaaa6, 0xfa771ba3, 0x9d5e0de5,
                             0x36c554b0, 0x430c2c17}));
}

TEST(RngBitsTest, LeadingDimsEqualSoloCalls) {
  Tensor together = rngBits(i64({3}, {1, 2, -9}), i64({3}, {0, 5, 5}),
                            i64({3}, {0, 1, 2}), 9, DType::UI32, {3, 5});
  std::vector<uint32_t> solo;
  for (auto [seed, step, offset] :
       {std::tuple{1, 0, 0}, {2, 5, 1}, {-9, 5, 2}}) {
    Tensor one = rngBits(i64({}, {seed}), i64({}, {step}), i64({}, {offset}), 9,
                         DType::UI32, {5});
    solo.insert(solo.end(), one.data<uint32_t>(), one.data<uint32_t>() + 5);
  }
  expectTensor(together, ui32({3, 5}, solo));
}

TEST(RngBitsTest, NoElements) {
  expectTensor(
      rngBits(i64({}, {1}), i64({}, {1}), std::nullopt, 0, DType::UI32, {0}),
      ui32({0}, {}));
  expectTensor(
      rngBits(i64({0}, {}), i64({0}, {}), std::nullopt, 0, DType::UI32, {0, 2}),
      ui32({0, 2}, {}));
}

TEST(PermutationTest, WrittenOutExample) {
  // Words 0x3576c516 for i = 4, 0x4780d31c for 3, 0xb13e886b for 2 and
  // 0x5ea39eee for 1 give j = 1, 1, 2, 0: from 0 1 2 3 4 over 0 4 2 3 1,
  // 0 3 2 4 1 (twice) to the result.
  expectTensor(permutation(i64({}, {42}), i64({}, {0}), 5),
               i32({5}, {3, 0, 2, 4, 1}));
  expectTensor(permutation(i64({}, {42}), i64({}, {1}), 5),
               i32({5}, {0, 1, 4, 2, 3}));
}

TEST(PermutationTest, OneOrderPerSeed) {
  expectTensor(permutation(i64({3}, {42, 43, -1}), i64({3}, {0, 0, 0}), 5),
               i32({3, 5}, {3, 0, 2, 4, 1, 4, 2, 0, 1, 3, 4, 0, 3, 2, 1}));
}

TEST(PermutationTest, HoldsEachIndexOnce) {
  for (int64_t size = 1; size <= 100; ++size) {
    Tensor order = permutation(i64({}, {size * 31}), i64({}, {size}), size);
    std::vector<int32_t> sorted(order.data<int32_t>(),
                                order.data<int32_t>() + size);
    std::sort(sorted.begin(), sorted.end());
    for (int64_t i = 0; i < size; ++i)
      ASSERT_EQ(sorted[i], i) << "size " << size;
  }
}

TEST(PermutationTest, Empty) {
  expectTensor(permutation(i64({}, {1}), i64({}, {0}), 0), i32({0}, {}));
}

} // namespace
