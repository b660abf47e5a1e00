//===- InputFileTest.cpp - Tests of files that are read -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/InputFile.h"

#include "TestFiles.h"

#include <unistd.h>

using namespace ensc;

TEST(InputFileTest, WhatCannotBeLookedAtIsNotMissing) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.txt");
  EXPECT_TRUE(isMissing(path));
  EXPECT_TRUE(isMissing(path + "/b.txt"));
  writeBytes(path, "bytes");
  EXPECT_FALSE(isMissing(path));
  std::string loop = directory.file("loop");
  ASSERT_EQ(symlink("loop", loop.c_str()), 0);
  EXPECT_FALSE(isMissing(loop));
}
