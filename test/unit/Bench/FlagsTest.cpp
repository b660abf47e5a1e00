//===- FlagsTest.cpp - The command line -----------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include <gtest/gtest.h>

using namespace ensc;
using namespace ensc::bench;

namespace {

const std::vector<Flag> known = {{"runs", "N", "how many"},
                                 {"json", "", "as one object"}};

std::string errorOf(const std::vector<std::string> &arguments) {
  Expected<Flags> flags = Flags::parse(arguments, known);
  if (!flags)
    return flags.error().message();
  Expected<int64_t> runs = flags->integer("runs", 64, 1);
  return runs ? "no error" : runs.error().message();
}

TEST(Flags, ComeInTwoSpellings) {
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"mlp-1-1", "--runs=7"},
        {"--runs", "7", "mlp-1-1"}}) {
    Expected<Flags> flags = Flags::parse(arguments, known);
    ASSERT_TRUE(flags);
    EXPECT_EQ(*flags->integer("runs", 64, 1), 7);
    EXPECT_EQ(flags->positional(), std::vector<std::string>{"mlp-1-1"});
    EXPECT_FALSE(flags->has("json"));
    EXPECT_EQ(flags->text("json", "none"), "none");
  }
}

TEST(Flags, SayWhatIsWrong) {
  EXPECT_EQ(errorOf({"--rums=7"}),
            "there is no flag --rums; did you mean 'runs'? (it has runs, "
            "json)");
  EXPECT_EQ(errorOf({"--json=1"}), "--json takes no value");
  EXPECT_EQ(errorOf({"--runs"}), "--runs needs a value: --runs=N");
  for (const char *text : {"0", "-3", "", "seven", "7x", "+7", " 7"})
    EXPECT_EQ(errorOf({std::string("--runs=") + text}),
              std::string("--runs must be a whole number of 1 or more, got '") +
                  text + "'");
  EXPECT_EQ(errorOf({"--runs=99999999999999999999"}),
            "--runs must be a whole number from 1 to 9223372036854775807, got "
            "'99999999999999999999'");
}

TEST(Flags, NumbersMayHaveALargestValue) {
  for (auto [text, error] :
       {std::pair("1024", ""),
        {"1025", "--runs must be a whole number from 1 to 1024, got '1025'"},
        {"4294967297",
         "--runs must be a whole number from 1 to 1024, got '4294967297'"}}) {
    Expected<Flags> flags =
        Flags::parse({std::string("--runs=") + text}, known);
    ASSERT_TRUE(flags);
    Expected<int64_t> runs = flags->integer("runs", 64, 1, 1024);
    EXPECT_EQ(runs ? "" : runs.error().message(), error);
  }
}

TEST(Flags, AreDescribed) {
  EXPECT_NE(describe(known).find("--runs=N"), std::string::npos);
  EXPECT_NE(describe(known).find("as one object"), std::string::npos);
}

} // namespace
