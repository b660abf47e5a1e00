//===- JsonLinesTest.cpp - Tests of JSON records --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/JsonLines.h"

#include "TestFiles.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
Status append(const std::string &path, const Json &record) {
  Expected<JsonLinesWriter> writer = JsonLinesWriter::open(path);
  if (!writer)
    return writer.error();
  if (Status status = writer->append(record); !status)
    return status;
  return writer->flush();
}
} // namespace

TEST(JsonLinesTest, RecordsAreAppendedInOrder) {
  TemporaryDirectory directory;
  std::string path = directory.file("m.jsonl");
  ASSERT_TRUE(append(path, {{"epoch", 0}, {"accuracy", 0.5}}));
  ASSERT_TRUE(append(path, {{"epoch", 1}, {"accuracy", jsonNumber(NAN)}}));
  EXPECT_EQ(readBytes(path), "{\"epoch\":0,\"accuracy\":0.5}\n"
                             "{\"epoch\":1,\"accuracy\":\"nan\"}\n");
  Expected<std::vector<Json>> records = readJsonLines(path);
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 2u);
  EXPECT_EQ((*records)[1]["epoch"], 1);
}

TEST(JsonLinesTest, ATornLastLineIsDropped) {
  TemporaryDirectory directory;
  std::string path = directory.file("m.jsonl");
  writeBytes(path, "{\"epoch\":0}\n{\"epoch\":1");
  Expected<std::vector<Json>> records = readJsonLines(path);
  ASSERT_TRUE(records);
  EXPECT_EQ(records->size(), 1u);
  ASSERT_TRUE(append(path, {{"epoch", 1}}));
  EXPECT_EQ(readBytes(path), "{\"epoch\":0}\n{\"epoch\":1}\n");
}

TEST(JsonLinesTest, ALongTornLineIsDropped) {
  TemporaryDirectory directory;
  std::string path = directory.file("m.jsonl");
  writeBytes(path, "{}\n" + std::string(10000, 'x'));
  ASSERT_TRUE(append(path, {{"epoch", 1}}));
  EXPECT_EQ(readBytes(path), "{}\n{\"epoch\":1}\n");
}

TEST(JsonLinesTest, DamageBeforeTheLastLineIsLocated) {
  TemporaryDirectory directory;
  std::string path = directory.file("m.jsonl");
  writeBytes(path, "{}\n{\"a\"\n{}\n");
  EXPECT_EQ(errorOf(readJsonLines(path)), path + ": line 2 is not JSON");
}

TEST(JsonLinesTest, ErrorsNameTheFile) {
  EXPECT_EQ(errorOf(append("/nonexistent/m.jsonl", Json::object())),
            "cannot append to '/nonexistent/m.jsonl': No such file or "
            "directory");
  TemporaryDirectory directory;
  writeBytes(directory.file("x.json"), "{");
  EXPECT_CONTAINS(errorOf(readJson(directory.file("x.json"))),
                  "x.json: not a JSON file");
}

TEST(JsonLinesTest, TextThatIsNoUtf8IsReplaced) {
  TemporaryDirectory directory;
  std::string path = directory.file("m.jsonl");
  ASSERT_TRUE(append(path, {{"name", "a\xff"}}));
  EXPECT_TRUE(readJsonLines(path));
}

TEST(JsonLinesTest, DeepNestingIsRefused) {
  auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_FALSE(parseJson(nested(200)).is_discarded());
  EXPECT_TRUE(parseJson(nested(201)).is_discarded());
  EXPECT_TRUE(parseJson(nested(10000000)).is_discarded());
  EXPECT_FALSE(
      parseJson("\"\\\"" + std::string(500, '[') + "\"").is_discarded());
}
