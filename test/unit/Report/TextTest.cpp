//===- TextTest.cpp - Tests of text for terminals -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/Text.h"
#include "ensc/Report/Bands.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace ensc;

TEST(TextTest, HarmfulCharactersAreReplaced) {
  EXPECT_EQ(printable("lr 0.1 µ 学"), "lr 0.1 µ 学");
  EXPECT_EQ(printable("a\033[31mb\nc\td\x7f"), "a�[31mb�c�d�");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "�2J");
  EXPECT_EQ(printable("abc\u202Edef\u200B\uFEFF"), "abc�def��");
  // No UTF-8: a lone byte, an overlong form, half of a pair, a cut character.
  EXPECT_EQ(printable("\xFF|\xC0\x80|\xED\xA0\x80|\xE5\xAD"), "�|��|���|��");
}

TEST(TextTest, WidthsAreThoseOfATerminal) {
  EXPECT_EQ(displayWidth("abc"), 3u);
  EXPECT_EQ(displayWidth("µ▁█"), 3u);
  EXPECT_EQ(displayWidth("学習"), 4u);
  EXPECT_EQ(displayWidth("e\u0301"), 1u);
  EXPECT_EQ(clip("abcdef", 6), "abcdef");
  EXPECT_EQ(clip("abcdef", 4), "abc…");
  EXPECT_EQ(clip("学習学習", 4), "学…");
  EXPECT_EQ(clip("abc", 0), "");
  EXPECT_EQ(padLeft("µ", 3), "  µ");
  EXPECT_EQ(padRight("µ", 3), "µ  ");
}

TEST(TextTest, NumbersAreShort) {
  EXPECT_EQ(shortNumber(0.123456), "0.1235");
  EXPECT_EQ(shortNumber(NAN), "–");
  EXPECT_EQ(shortNumber(-INFINITY), "-inf");
  EXPECT_EQ(shortField("0.3333333333333333"), "0.3333");
  EXPECT_EQ(shortField("1e-05"), "1e-05");
  EXPECT_EQ(shortField("12345678901234"), "12345678901234");
  EXPECT_EQ(shortField("completed"), "completed");
  EXPECT_EQ(shortCount(9999), "9999");
  EXPECT_EQ(shortCount(12345), "12.3 k");
  EXPECT_EQ(shortCount(1234567), "1.23 M");
  EXPECT_EQ(shortCount(999950000), "1.00 G");
  EXPECT_EQ(shortDuration(12.4), "12 s");
  EXPECT_EQ(shortDuration(185), "3 min 05 s");
  EXPECT_EQ(shortDuration(7620), "2 h 07 min");
  EXPECT_EQ(shortDuration(356400), "4 d 03 h");
  EXPECT_EQ(shortDuration(INFINITY), "very long");
}

TEST(TextTest, TablesAlignNumbersAndWords) {
  EXPECT_EQ(formatTable({{"run", "status", "reason", "loss"},
                         {"0", "stopped", "", "0.25"},
                         {"10", "ok", "", "12.123456789"},
                         {"2", "", "", ""}}),
            "run  status    loss\n"
            "  0  stopped   0.25\n"
            " 10  ok       12.12\n"
            "  2\n");
  EXPECT_EQ(formatTable({{"run", "loss"}}), "run  loss\n");
}

TEST(TextTest, TablesFitTheirWidth) {
  std::vector<std::vector<std::string>> rows = {
      {"run", "status", "reason", "loss", "accuracy"},
      {"0", "stopped", "", "0.25", "0.5"},
      {"1", "completed", "", "0.125", "1"}};
  EXPECT_EQ(formatTable(rows, {31, {}}), "run  status      loss  accuracy\n"
                                         "  0  stopped     0.25       0.5\n"
                                         "  1  completed  0.125         1\n");
  EXPECT_EQ(formatTable(rows, {30, {}}), "run  status      loss\n"
                                         "  0  stopped     0.25\n"
                                         "  1  completed  0.125\n"
                                         "(no room for accuracy)\n");
  EXPECT_EQ(formatTable(rows, {22, {"accuracy"}}), "run  accuracy\n"
                                                   "  0       0.5\n"
                                                   "  1         1\n"
                                                   "(no room for status, …\n");
  // Headings give way to what is below them.
  EXPECT_EQ(formatTable(rows, {10, {"accuracy"}}), "run  acc…\n"
                                                   "  0   0.5\n"
                                                   "  1     1\n"
                                                   "(no room …\n");
  EXPECT_EQ(formatTable(rows, {6, {"accuracy"}}), "run  …\n"
                                                  "  0  …\n"
                                                  "  1  …\n"
                                                  "(no r…\n");
}

TEST(TextTest, SparklinesSpanTheirValues) {
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({0, 0, 7, 7}, 2), "▁█");
  EXPECT_EQ(sparkline({1, NAN, INFINITY, 2}, 4), "▁█");
  EXPECT_EQ(sparkline({-1.7e308, 0, 1.7e308}, 3), "▁▅█");
  EXPECT_EQ(sparkline({3, 3}, 9), "▅▅");
  EXPECT_EQ(sparkline({NAN}, 9), "");
  EXPECT_EQ(sparkline({}, 9), "");
}

TEST(TextTest, QuantilesLieBetweenNeighbours) {
  EXPECT_EQ(quantileOf({1, 2, 3, 4}, 0.5), 2.5);
  EXPECT_EQ(quantileOf({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_EQ(quantileOf({7}, 0.75), 7);
  EXPECT_EQ(quantileOf({1, 2, INFINITY}, 0.5), 2);
  EXPECT_EQ(quantileOf({-1.7e308, 1.7e308}, 0.5), 0);
  EXPECT_TRUE(std::isnan(quantileOf({}, 0.5)));
}
