//===- ParseSearchTest.cpp - Tests of searches in options -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Search/ParseSearch.h"

#include "gtest/gtest.h"

using namespace ensc;

namespace {
std::string describe(const Expected<ParsedSearch> &parsed) {
  return parsed ? parsed->search->describe() : parsed.error().message();
}
} // namespace

TEST(ParseSearchTest, Halving) {
  EXPECT_EQ(describe(parseHalving("3")),
            "{\"search\":\"halving\",\"eta\":3,\"first\":1}");
  EXPECT_EQ(describe(parseHalving("2,first=4")),
            "{\"search\":\"halving\",\"eta\":2,\"first\":4}");
  EXPECT_EQ(parseHalving("3")->note, "");
  EXPECT_EQ(describe(parseHalving("asha,3")), describe(parseHalving("3")));
  EXPECT_NE(parseHalving("asha,3")->note.find("synchronously"),
            std::string::npos);
}

TEST(ParseSearchTest, HalvingErrors) {
  EXPECT_EQ(describe(parseHalving("1")),
            "--halving must be a whole number of at least 2, got 1");
  EXPECT_EQ(describe(parseHalving("2.5")),
            "--halving must be a whole number of at least 2, got 2.5");
  EXPECT_EQ(describe(parseHalving("first=2")),
            "--halving=first=2: expected ETA[,first=K], as in "
            "--halving=3,first=2");
  EXPECT_EQ(describe(parseHalving("asha")),
            "--halving=asha: expected ETA[,first=K], as in "
            "--halving=3,first=2");
  EXPECT_EQ(describe(parseHalving("3,last=2")),
            "--halving=3,last=2: expected first=K, found 'last=2'");
  EXPECT_EQ(describe(parseHalving("3,first=0")),
            "--halving first must be a whole number of at least 1, got 0");
  EXPECT_EQ(describe(parseHalving("x")),
            "--halving=x: expected a number, found 'x' at character 1 of 'x'");
}

TEST(ParseSearchTest, Population) {
  EXPECT_EQ(describe(parsePopulation("every=10,perturb=lr:0.8..1.25", 4)),
            "{\"search\":\"population\",\"every\":10,\"fraction\":0.2,"
            "\"seed\":4,\"changes\":[{\"name\":\"lr\",\"low\":0.8,"
            "\"high\":1.25,\"resample\":\"\"}]}");
  EXPECT_EQ(describe(parsePopulation("every=1,fraction=0.5,resample=lr:choice:"
                                     "1,2,3,perturb=lr:0.5..2,"
                                     "resample=beta:log:0.1..1",
                                     0)),
            "{\"search\":\"population\",\"every\":1,\"fraction\":0.5,"
            "\"seed\":0,\"changes\":[{\"name\":\"lr\",\"low\":0.5,"
            "\"high\":2.0,\"resample\":\"choice:1,2,3\"},{\"name\":\"beta\","
            "\"low\":1.0,\"high\":1.0,\"resample\":\"log:0.1..1\"}]}");
}

TEST(ParseSearchTest, PopulationErrors) {
  const std::pair<const char *, const char *> cases[] = {
      {"perturb=lr:0.5..2", "every=K is missing"},
      {"every=0,perturb=lr:0.5..2",
       "--population every must be a whole number of at least 1, got 0"},
      {"every=2", "say which hyper-parameter changes"},
      {"every=2,fraction=0.6,perturb=lr:0.5..2",
       "fraction must be above 0 and at most 0.5, got 0.6"},
      {"every=2,perturb=lr", "expected NAME:LOW..HIGH"},
      {"every=2,perturb=lr:0..2", "must be greater than 0"},
      {"every=2,resample=lr:normal:0", "expected 'uniform:'"},
      {"every=2,often=3", "found 'often'"},
      {"", "found ''"}};
  for (auto [text, part] : cases)
    EXPECT_NE(describe(parsePopulation(text, 0)).find(part), std::string::npos)
        << describe(parsePopulation(text, 0));
}
