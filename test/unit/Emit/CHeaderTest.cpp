//===- CHeaderTest.cpp - Tests of headers of compiled programs ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Emit/Emit.h"

#include "gtest/gtest.h"

using namespace ensc;

TEST(CHeaderTest, CommentsEndWhereTheyShould) {
  ManifestValue argument, result;
  argument.name = "w*/ int x; /*";
  result.name = "a\n#define int";
  ManifestEntry entry;
  entry.name = "*/f/*/";
  entry.arguments = {argument};
  entry.results = {result};
  entry.solo = ManifestInstance{"f_solo", 1};
  Manifest manifest;
  manifest.cpu = "x86*/";
  manifest.entries = {entry};
  std::string text = emitCHeader(manifest, "GUARD_H");
  auto has = [&](const char *part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has("/* Made by ensc for x86* /. */\n")) << text;
  EXPECT_TRUE(has("\n/* * /f/ * / for 1 run at once")) << text;
  EXPECT_TRUE(has(" *   argument w* / int x; / *: f32, shared\n")) << text;
  EXPECT_TRUE(has(" *   result a #define int: f32, shared\n")) << text;
}
