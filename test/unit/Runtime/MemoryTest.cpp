//===- MemoryTest.cpp - Numbers of bytes as text --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Memory.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

using namespace ensc;

namespace {

TEST(Bytes, AreReadInPowersOf1024) {
  const std::pair<const char *, int64_t> cases[] = {
      {"1", 1},
      {"4096", 4096},
      {"3K", 3072},
      {"512M", int64_t{512} << 20},
      {"2G", int64_t{2} << 30},
      {"8388607T", int64_t{8388607} << 40}};
  for (auto [text, bytes] : cases) {
    Expected<int64_t> parsed = parseBytes("--max-memory", text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, bytes) << text;
  }
}

TEST(Bytes, OtherTextIsAnError) {
  for (const char *text : {"", "G", "2GB", "1.5G", "-1", "0", "2 G", "2g",
                           "8388608T", "99999999999999999999"}) {
    Expected<int64_t> parsed = parseBytes("--max-memory", text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().message(),
              std::string("--max-memory=") + text +
                  ": expected a number of bytes, as in 4096, 512M or 2G");
  }
}

TEST(Bytes, AreShownWithThreeDigits) {
  const std::pair<int64_t, const char *> cases[] = {
      {0, "0 bytes"},
      {1023, "1023 bytes"},
      {1024, "1 KiB"},
      {123456, "121 KiB"},
      {1023 * 1024, "0.999 MiB"},
      {13000000, "12.4 MiB"},
      {int64_t{5} << 40, "5 TiB"}};
  for (auto [bytes, text] : cases)
    EXPECT_EQ(formatBytes(bytes), text);
}

TEST(MemoryLimit, IsANumberInAFile) {
  std::string path = testing::TempDir() + "ensc-memory.max";
  for (auto [text, limit] : {std::pair("1048576\n", int64_t(1) << 20),
                             {"max\n", 0},
                             {"", 0},
                             {"9223372036854771712\n", 9223372036854771712}}) {
    std::ofstream(path) << text;
    EXPECT_EQ(readMemoryLimit(path).value_or(0), limit) << text;
  }
  std::remove(path.c_str());
  EXPECT_EQ(readMemoryLimit(path), std::nullopt);
  EXPECT_GT(machineBytes(), 0);
}

} // namespace
