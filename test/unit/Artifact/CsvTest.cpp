//===- CsvTest.cpp - Tests of tables --------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Csv.h"

#include "TestFiles.h"

#include <cmath>

using namespace ensc;

TEST(CsvTest, NumbersAreShortestAndReadBack) {
  EXPECT_EQ(formatNumber(0.1), "0.1");
  EXPECT_EQ(formatNumber(0.1f), "0.1");
  EXPECT_EQ(formatNumber(1.0), "1");
  EXPECT_EQ(formatNumber(-0.0), "-0");
  EXPECT_EQ(formatNumber(1e-4), "1e-04");
  EXPECT_EQ(formatNumber(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(formatNumber(NAN), "nan");
  EXPECT_EQ(formatNumber(-NAN), "nan");
  EXPECT_EQ(formatNumber(-INFINITY), "-inf");
  for (double value : {5e-324, 1.7976931348623157e308, 0.1 + 0.2, -1e22})
    EXPECT_EQ(parseNumber(formatNumber(value)), value);
  EXPECT_TRUE(std::isnan(*parseNumber("nan")));
  EXPECT_EQ(parseNumber(""), std::nullopt);
  EXPECT_EQ(parseNumber("1 "), std::nullopt);
  EXPECT_EQ(parseNumber("diverged"), std::nullopt);
}

TEST(CsvTest, AwkwardFieldsAreQuoted) {
  CsvTable table{{"run", "note"},
                 {{"0", "plain"}, {"1", "a, \"b\"\nc"}, {"2", ""}}};
  EXPECT_EQ(formatCsv(table), "run,note\n0,plain\n1,\"a, \"\"b\"\"\nc\"\n2,\n");
}

TEST(CsvTest, WhatIsWrittenReadsBack) {
  CsvTable table{{"a", "b,c"}, {{"", "\r\n"}, {"\"", "x\ny"}, {"1", "é"}}};
  Expected<CsvTable> read = parseCsv(formatCsv(table));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->columns, table.columns);
  EXPECT_EQ(read->rows, table.rows);
  CsvTable single{{"a"}, {{""}, {"1"}}};
  EXPECT_EQ(parseCsv(formatCsv(single))->rows, single.rows);
}

TEST(CsvTest, ForeignLineEndsRead) {
  Expected<CsvTable> table = parseCsv("a,b\r\n1,2\r\n3,4");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows,
            (std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "4"}}));
}

TEST(CsvTest, MalformedTextIsLocated) {
  EXPECT_EQ(errorOf(parseCsv("")), "line 1: the header is missing");
  EXPECT_EQ(errorOf(parseCsv("a,b\n1,2\n3\n")),
            "line 3: 1 fields, but 2 columns");
  EXPECT_EQ(errorOf(parseCsv("a\n\"x")), "line 2: a quoted field does not end");
  EXPECT_EQ(errorOf(parseCsv("a\n\"x\"y\n")),
            "line 2: expected ',' or the end of the line after a field");
  EXPECT_EQ(errorOf(parseCsv("a\nx\"y\n")),
            "line 2: a quote inside a field without quotes");
}

TEST(CsvTest, RowsAreRankedByNumber) {
  CsvTable table{{"acc"}, {{"0.5"}, {"nan"}, {"0.9"}, {""}, {"0.5"}, {"-inf"}}};
  using Order = std::vector<size_t>;
  EXPECT_EQ(table.rank(0, true), (Order{2, 0, 4, 5, 1, 3}));
  EXPECT_EQ(table.rank(0, false), (Order{5, 0, 4, 2, 1, 3}));
  EXPECT_EQ(table.column("acc"), 0u);
  EXPECT_EQ(table.column("loss"), std::nullopt);
}
