//===- ChecksumTest.cpp - Short names for bytes ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Checksum.h"

#include "TestFiles.h"

using namespace ensc;

TEST(ChecksumTest, AgreesWithPublishedValues) {
  EXPECT_EQ(crc32Of("123456789", 9), 0xcbf43926u);
  EXPECT_EQ(crc32Of("6789", 4, crc32Of("12345", 5)), 0xcbf43926u);
  EXPECT_EQ(crc32cOf("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32cOf(""), 0u);
  EXPECT_EQ(sha256Of(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256Of("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256Of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(ChecksumTest, ReadsFilesInBlocks) {
  TemporaryDirectory directory;
  std::string bytes(3000000, 'x');
  writeBytes(directory.file("x"), bytes);
  Expected<uint32_t> checksum = crc32OfFile(directory.file("x"));
  ASSERT_TRUE(checksum) << checksum.error().message();
  EXPECT_EQ(*checksum, crc32Of(bytes.data(), bytes.size()));
  EXPECT_CONTAINS(errorOf(crc32OfFile(directory.file("y"))), "cannot open");
}
