//===- NamesTest.cpp - Tests of what names may be -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Names.h"

#include "gtest/gtest.h"

using namespace ensc;

/// What is said of a name before the rule.
static std::string faultOf(std::string_view name) {
  std::string text = describeBadName(name);
  return text.substr(0, text.find(", but a name"));
}

TEST(NamesTest, NamesCanBeSeen) {
  for (const char *name :
       {"x", "top-5 accuracy", "f1@k", "R²", "精度", "a*b", "w.1", "it's"})
    EXPECT_EQ(describeBadName(name), "") << name;
  EXPECT_EQ(faultOf("a\033[31mred"), "it has U+001B");
  EXPECT_EQ(faultOf("a\nb"), "it has U+000A");
  EXPECT_EQ(faultOf("abc\u202E"), "it has U+202E");
  EXPECT_EQ(faultOf("a\xFF"), "it is no UTF-8");
  EXPECT_EQ(faultOf(""), "it is empty");
}

TEST(NamesTest, NamesSeparateNothing) {
  for (char separator : std::string("\",/:<=>\\"))
    EXPECT_EQ(faultOf(std::string("a") + separator + "b"),
              std::string("it has '") + separator + "'");
  for (char prefix : std::string(".-@ "))
    EXPECT_EQ(faultOf(std::string(1, prefix) + "a"),
              std::string("it begins with '") + prefix + "'");
  EXPECT_EQ(faultOf("a "), "it ends with ' '");
  EXPECT_EQ(describeBadName("a,b"),
            "it has ',', but a name consists of characters that can be seen, "
            "other than \" , / : < = > \\, and begins with none of . - @");
}

TEST(NamesTest, TablesOfRunsHaveColumnsOfTheirOwn) {
  for (const char *name : {"run", "status", "steps", "batch_size", "max_steps",
                           "final_loss", "best_val_accuracy"})
    EXPECT_TRUE(isColumnOfRuns(name)) << name;
  for (const char *name : {"lr", "seed", "runs", "final_fraction", "best"})
    EXPECT_FALSE(isColumnOfRuns(name)) << name;
}
