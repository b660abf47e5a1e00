//===- SafetensorsTest.cpp - Tests of the safetensors format --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Safetensors.h"

#include "TestFiles.h"

using namespace ensc;

namespace {
Safetensors sample() {
  Safetensors content;
  content.tensors = {
      {"w1", Tensor::of<float>({2, 2}, {1, 2, -0.0f, 4})},
      {"mask", Tensor::of<bool>({3}, {true, false, true})},
      {"step", Tensor::scalar<int64_t>(41)},
      {"seed", Tensor::of<uint32_t>({1}, {7})},
      {"label", Tensor::of<int32_t>({2, 1}, {-3, 3})},
      {"none", Tensor::zeros(DType::F64, {0, 5})},
      {"loss", Tensor::scalar(0.1)},
  };
  content.metadata = {{"format", "ensc"}, {"quoted \"key\"", "line\nbreak"}};
  return content;
}

std::string fileBytes(const std::string &header, const std::string &payload) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + payload;
}

Expected<Safetensors> parse(const std::string &bytes) {
  TemporaryDirectory directory;
  writeBytes(directory.file("x.safetensors"), bytes);
  return readSafetensors(directory.file("x.safetensors"));
}

std::string entry(const std::string &name, int begin, int end,
                  const std::string &shape = "[1]",
                  const std::string &dtype = "F32") {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(end) + "]}";
}
} // namespace

TEST(SafetensorsTest, WhatIsWrittenReadsBack) {
  TemporaryDirectory directory;
  std::string path = directory.file("x.safetensors");
  Safetensors content = sample();
  ASSERT_TRUE(writeSafetensors(path, content));
  Expected<Safetensors> read = readSafetensors(path);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->metadata, content.metadata);
  ASSERT_EQ(read->tensors.size(), content.tensors.size());
  for (size_t i = 0; i < content.tensors.size(); ++i) {
    EXPECT_EQ(read->tensors[i].name, content.tensors[i].name);
    EXPECT_TRUE(
        read->tensors[i].tensor.bitwiseEquals(content.tensors[i].tensor));
  }
  ASSERT_NE(read->find("step"), nullptr);
  EXPECT_EQ(read->find("step")->data<int64_t>()[0], 41);
  EXPECT_EQ(read->find("missing"), nullptr);
}

TEST(SafetensorsTest, TheBytesAreTheSpecifiedOnes) {
  TemporaryDirectory directory;
  std::string path = directory.file("x.safetensors");
  Safetensors content;
  content.tensors = {{"b", Tensor::of<int32_t>({2}, {1, 2})},
                     {"a", Tensor::of<bool>({1}, {true})}};
  ASSERT_TRUE(writeSafetensors(path, content));
  std::string header =
      R"({"b":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},)"
      R"("a":{"dtype":"BOOL","shape":[1],"data_offsets":[8,9]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string payload("\1\0\0\0\2\0\0\0\1", 9);
  EXPECT_EQ(readBytes(path), fileBytes(header, payload));
}

TEST(SafetensorsTest, AnEmptyFileOfTensorsIsValid) {
  Expected<Safetensors> content = parse(fileBytes("{}      ", ""));
  ASSERT_TRUE(content);
  EXPECT_TRUE(content->tensors.empty());
}

TEST(SafetensorsTest, TensorsMustFillTheFile) {
  std::string eight = "12345678";
  auto twoEntries = [&](int begin, int end) {
    return "{" + entry("a", 0, 4) + "," + entry("b", begin, end) + "}";
  };
  EXPECT_TRUE(parse(fileBytes(twoEntries(4, 8), eight)));
  EXPECT_CONTAINS(errorOf(parse(fileBytes(twoEntries(2, 6), eight))),
                  "'b' starts at byte 2, inside another one; expected 4");
  EXPECT_CONTAINS(errorOf(parse(fileBytes(twoEntries(5, 9), eight))),
                  "'b' starts at byte 5, after a gap; expected 4");
  EXPECT_CONTAINS(errorOf(parse(fileBytes(twoEntries(4, 8), eight + "9"))),
                  "end at byte 8, but 9 bytes follow");
  EXPECT_CONTAINS(errorOf(parse(fileBytes(twoEntries(4, 8), "1234567"))),
                  "end at byte 8, but 7 bytes follow");
}

TEST(SafetensorsTest, MalformedHeadersAreRefused) {
  const std::pair<std::string, const char *> cases[] = {
      {"", "not a JSON object"},
      {"[]", "not a JSON object"},
      {"{\"a\"", "not a JSON object"},
      {"{\"a\":1}", "needs dtype, shape and data_offsets"},
      {"{" + entry("a", 0, 4) + "," + entry("a", 0, 4) + "}", "occurs twice"},
      {"{" + entry("a", 4, 0) + "}", "impossible offsets"},
      {"{" + entry("a", -4, 0) + "}", "impossible offsets"},
      {"{" + entry("a", 0, 4, "[-1]") + "}", "impossible shape"},
      {"{" + entry("a", 0, 4, "[1.5]") + "}", "impossible shape"},
      {"{" + entry("a", 0, 4, "[18446744073709551615]") + "}",
       "impossible shape"},
      {"{" + entry("a", 0, 4, "[4611686018427387904,4]") + "}",
       "more bytes than 64 bits can count"},
      {"{" + entry("a", 0, 4, "[2]") + "}",
       "2xf32 has 8 bytes, but its offsets span 4"},
      {"{" + entry("a", 0, 4, "[2]", "F16") + "}", "element type F16"},
      {"{\"__metadata__\":{\"a\":1}}", "is not a string"},
      {"{\"__metadata__\":3}", "is not an object"},
      {std::string(100000, '['), "not a JSON object"}};
  for (const auto &[header, text] : cases)
    EXPECT_CONTAINS(errorOf(parse(fileBytes(header, "1234"))), text);
  EXPECT_CONTAINS(errorOf(parse("1234567")), "it has only 7 bytes");
  EXPECT_CONTAINS(errorOf(parse("\xff\xff\xff\xff\xff\xff\xff\xff{}")),
                  "claims 18446744073709551615 bytes");
}

TEST(SafetensorsTest, ABoolIsZeroOrOne) {
  EXPECT_CONTAINS(errorOf(parse(fileBytes(
                      "{" + entry("m", 0, 1, "[1]", "BOOL") + "}", "\x07"))),
                  "tensor 'm': element 0 is the byte 7");
}

TEST(SafetensorsTest, NamesMustBeUniqueWhenWriting) {
  TemporaryDirectory directory;
  std::string path = directory.file("x.safetensors");
  Tensor tensor = Tensor::scalar(1.0f);
  Safetensors twice, reserved, metadata;
  twice.tensors = {{"a", tensor}, {"a", tensor}};
  reserved.tensors = {{"__metadata__", tensor}};
  metadata.metadata = {{"k", "1"}, {"k", "2"}};
  EXPECT_CONTAINS(errorOf(writeSafetensors(path, twice)), "'a' occurs twice");
  EXPECT_CONTAINS(errorOf(writeSafetensors(path, reserved)), "reserved");
  EXPECT_CONTAINS(errorOf(writeSafetensors(path, metadata)), "key 'k'");
  EXPECT_EQ(directory.count(), 0);
}

TEST(SafetensorsTest, NoDamageCrashes) {
  std::string good =
      fileBytes("{" + entry("a", 0, 4) + "," + entry("m", 4, 5) + "}", "12341");
  for (size_t i = 0; i < good.size(); ++i) {
    for (char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string damaged = good;
      damaged[i] = byte;
      (void)static_cast<bool>(parse(damaged));
    }
    EXPECT_FALSE(parse(good.substr(0, i)));
  }
}
