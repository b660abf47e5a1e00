//===- PhiloxTest.cpp - Philox against its known answers ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Philox.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ensc::reference;

namespace {

/// The known answers that accompany the paper of Salmon et al.
TEST(Philox, GivesTheKnownAnswers) {
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, PlacesSeedSiteAndStep) {
  int64_t seed = 0x299f31d0a4093822, step = 0x0370734413198a2e;
  PhiloxStream stream(seed, 0x85a308d3, step);
  int64_t element = 4 * int64_t(0x243f6a88);
  EXPECT_EQ(stream.word(element), 0xd16cfe09u);
  EXPECT_EQ(stream.word(element + 3), 0x24126ea1u);
  EXPECT_EQ(stream.doubleWord(element / 2),
            static_cast<int64_t>(0x94fdccebd16cfe09u));
  // Only the low half of element / 4 is in the counter.
  EXPECT_EQ(stream.word(element + (int64_t(1) << 34)), 0xd16cfe09u);
}

TEST(Philox, UniformNumbersAreInside) {
  EXPECT_EQ(uniformFromBits(0u), 0x1p-24f);
  EXPECT_EQ(uniformFromBits(~0u), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniformFromBits(uint64_t(0)), 0x1p-53);
  EXPECT_EQ(uniformFromBits(~uint64_t(0)), 1.0 - 0x1p-53);
}

} // namespace
