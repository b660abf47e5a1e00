//===- PeakTest.cpp - What this CPU could do at most ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Peak.h"

#include <gtest/gtest.h>

namespace {

TEST(Peak, IsARateThatACoreCanHave) {
  double peak = ensc::measurePeakFlops(1);
  // From an old core that others use, too, to 2 units of 16 lanes at 6 GHz.
  EXPECT_GT(peak, 1e9);
  EXPECT_LT(peak, 400e9);
}

} // namespace
