//===- ManifestTest.cpp - What a compiled program says of itself ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Manifest.h"
#include "ensc/Runtime/ABI.h"
#include "ensc/Runtime/Program.h"

#include <gtest/gtest.h>

using namespace ensc;

namespace {

Manifest makeManifest() {
  Manifest manifest;
  manifest.abiVersion = ENSC_ABI_VERSION;
  manifest.cpu = "x86-64-v4";
  ManifestEntry entry;
  entry.name = "net.fit";
  entry.arguments = {
      {"w", "param", DType::F64, {2, 3}, true, false, std::nullopt},
      {"lr", "hyper", DType::F32, {}, true, false, 0.1}};
  entry.arguments[1].range.atLeast = 0.0;
  entry.arguments[1].range.below = 1.5;
  entry.arguments[1].limit = "most";
  entry.results = {{"val_accuracy", "", DType::F32, {}, true, true, {}}};
  entry.arguments.push_back({"y", "data", DType::I32, {4}, false, false, {}});
  entry.arguments.back().classes = 10;
  entry.solo = ManifestInstance{"net_fit_solo", 1, 4096, 10, 20, 30, 40};
  entry.lanes = ManifestInstance{"net_fit_lanes", 16, 65536, 10, 200, 300, 400};
  manifest.entries = {entry};
  manifest.learners = {{"net", 4, 14, 3, 6, "val_accuracy", true, "per_run"}};
  return manifest;
}

std::string errorOf(const std::string &text) {
  Expected<Manifest> manifest = Manifest::fromJson(text);
  return manifest ? "no error" : manifest.error().message();
}

/// The manifest above with one piece of its text replaced.
std::string withPiece(const std::string &piece, const std::string &other) {
  std::string text = makeManifest().toJson();
  size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << text;
  return text.replace(at, piece.size(), other);
}

TEST(Manifest, SurvivesText) {
  std::string text = makeManifest().toJson();
  Expected<Manifest> read = Manifest::fromJson(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->toJson(), text);
  const ManifestEntry *entry = read->findEntry("net.fit");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->arguments[*entry->findArgument("w")].shape, (Shape{2, 3}));
  EXPECT_EQ(entry->arguments[1].defaultValue, 0.1);
  EXPECT_FALSE(entry->arguments[0].defaultValue);
  EXPECT_EQ(entry->arguments[1].range.describe(), "at least 0 and below 1.5");
  EXPECT_FALSE(entry->arguments[0].range.isBounded());
  EXPECT_EQ(entry->arguments[1].limit, "most");
  EXPECT_EQ(entry->arguments[0].limit, "");
  EXPECT_EQ(entry->arguments[0].classes, 0);
  EXPECT_EQ(entry->arguments[2].classes, 10);
  EXPECT_TRUE(entry->results[0].maximize);
  EXPECT_EQ(entry->lanes->arenaBytes, 65536);
  EXPECT_EQ(read->learners[0].stepsPerEpoch, 3);
  EXPECT_FALSE(read->findEntry("fit"));
  EXPECT_FALSE(entry->findArgument("b"));
}

TEST(Manifest, OtherVersionsAreRefused) {
  EXPECT_EQ(errorOf(withPiece("\"abi_version\":1", "\"abi_version\":2")),
            "the program was compiled for ABI version 2, this runtime has "
            "version 1; compile it again");
}

TEST(Manifest, MalformedTextIsRefused) {
  for (const char *text : {"", "no json", "[]", "3", "{}", "null"})
    EXPECT_EQ(errorOf(text), "malformed manifest: 'abi_version' is missing or "
                             "has a wrong type")
        << text;
  EXPECT_EQ(errorOf(withPiece("\"f64\"", "\"f16\"")),
            "malformed manifest: 'dtype' is missing or has a wrong type");
  EXPECT_EQ(errorOf(withPiece("[2,3]", "[2,-3]")),
            "malformed manifest: 'shape' is missing or has a wrong type");
  EXPECT_EQ(errorOf(withPiece("\"lanes\":16", "\"lanes\":0")),
            "malformed manifest: 'lanes' is missing or has a wrong type");
  for (const char *amount : {"flops_per_step\":10", "cycles_per_step\":20",
                             "bytes_moved\":30", "bytes_touched\":40"}) {
    std::string name = amount, other = amount;
    name.resize(name.find('"'));
    other.insert(other.size() - 2, "-");
    EXPECT_EQ(errorOf(withPiece(amount, other)),
              "malformed manifest: '" + name +
                  "' is missing or has a wrong type");
  }
  EXPECT_EQ(errorOf(withPiece("\"symbol\"", "\"name\"")),
            "malformed manifest: 'symbol' is missing or has a wrong type");
  EXPECT_EQ(errorOf("{\"abi_version\":1,\"cpu\":\"\",\"entries\":3,"
                    "\"learners\":[]}"),
            "malformed manifest: 'entries' is missing or has a wrong type");
}

TEST(Program, NeedsEverySymbolOfItsManifest) {
  auto lookup = [](const std::string &symbol) -> void * {
    static int code;
    return symbol == "net_fit_solo" ? &code : nullptr;
  };
  Expected<Program> program = Program::link(makeManifest(), nullptr, lookup);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message(),
            "the manifest names the symbol 'net_fit_lanes', which the compiled "
            "code lacks");
}

} // namespace
