//===- AllocateTest.cpp - Memory that there is not ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Allocate.h"

#include <gtest/gtest.h>

using namespace ensc;

namespace {

TEST(Allocate, IsAligned) {
  for (size_t bytes : {0, 1, 63, 64, 65, 100000}) {
    Expected<std::shared_ptr<void>> memory = allocateAligned(bytes, "a test");
    ASSERT_TRUE(memory);
    EXPECT_NE(memory->get(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->get()) % 64, 0u);
  }
}

TEST(Allocate, TensorsAreZero) {
  Expected<Tensor> tensor = allocateTensor(DType::F64, {3, 5}, "a test");
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(tensor->bitwiseEquals(Tensor::zeros(DType::F64, {3, 5})));
}

TEST(Allocate, FailsWhereMemoryIsShort) {
  if (*ENSC_SANITIZER)
    GTEST_SKIP() << "sanitizers end the process where they cannot allocate";
  // More than the addresses of a process.
  for (size_t bytes : {size_t(1) << 60, SIZE_MAX - 1, SIZE_MAX}) {
    Expected<std::shared_ptr<void>> memory =
        allocateAligned(bytes, "the state of 9 runs");
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().message(), "cannot allocate " +
                                            std::to_string(bytes) +
                                            " bytes for the state of 9 runs");
  }
  Expected<Tensor> tensor =
      allocateTensor(DType::F32, {int64_t(1) << 58}, "a result of @f");
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().message(),
            "cannot allocate 1152921504606846976 bytes for a result of @f");
}

} // namespace
