//===- BuildIdTest.cpp - The identity of code in this process -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Cache/BuildId.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace ensc;

namespace {

const char inThisProgram = 0;

TEST(BuildId, IsThatOfTheObjectWhichHoldsTheAddress) {
  std::optional<std::string> program = buildIdOf(&inThisProgram);
  ASSERT_TRUE(program);
  EXPECT_GE(program->size(), 16u);
  EXPECT_EQ(program->find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(buildIdOf(reinterpret_cast<const void *>(&buildIdOf)), program);
  EXPECT_NE(buildIdOf(reinterpret_cast<const void *>(&std::strtod)), program);
}

TEST(BuildId, IsNothingOutsideOfObjects) {
  int local = 0;
  EXPECT_FALSE(buildIdOf(&local));
}

} // namespace
