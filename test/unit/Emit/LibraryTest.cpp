//===- LibraryTest.cpp - Programs compiled ahead of time ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyLearner.h"

#include <fstream>
#include <iterator>

using namespace ensc;
using namespace ensc::test;

namespace {

/// The tests share one library.
class Library : public testing::Test {
protected:
  static void SetUpTestSuite() {
    path = testing::TempDir() + "/ensc_tiny_library.so";
    Compiler compiler(tinyOptions());
    Expected<std::string> text = readText(ENSC_TINY_MODEL);
    ASSERT_TRUE(text);
    Status status = compiler.emitLibrary(*text, "tiny.mlir", {}, path);
    ASSERT_TRUE(status) << status.error().message();
    EXPECT_EQ(compiler.compilations(), 1);
  }

  static std::string read(const std::string &file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }

  static std::string errorOf(const std::string &file) {
    Expected<Executable> program = Executable::open(file);
    return program ? "no error" : program.error().message();
  }

  static std::string path;
};

std::string Library::path;

TEST_F(Library, TrainsAnyNumberOfRunsAsTheJitDoes) {
  Expected<Executable> library = Executable::open(path);
  ASSERT_TRUE(library) << library.error().message();
  Expected<Executable> jit =
      Compiler(tinyOptions()).compileFile(ENSC_TINY_MODEL);
  ASSERT_TRUE(jit) << jit.error().message();
  Learner ahead = std::move(*Learner::create(*library));
  Learner here = std::move(*Learner::create(*jit));
  giveTinyData(ahead);
  giveTinyData(here);
  for (int64_t runs : {1, 5, 1000})
    for (double scale : {1.0, 10.0}) {
      FitOptions options;
      options.runs = runs;
      options.epochs = 2;
      options.hypers["lr"] = tinyRates(runs);
      for (double &rate : options.hypers["lr"])
        rate *= scale;
      Expected<FitReport> report = ahead.fit(options);
      ASSERT_TRUE(report) << report.error().message();
      EXPECT_EQ(report->runSteps, runs * 6);
      EXPECT_EQ(report->flopsPerStep > 0, true);
      ASSERT_TRUE(here.fit(options));
      for (int64_t run = 0; run < runs; run += 7)
        EXPECT_TRUE(sameState(stateOf(ahead, run), stateOf(here, run))) << run;
    }
}

TEST_F(Library, SaysWhatItHolds) {
  Expected<Executable> library = Executable::open(path);
  ASSERT_TRUE(library) << library.error().message();
  const ManifestEntry *fit = library->manifest().findEntry("tiny.fit");
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->solo->symbol, "tiny_fit_solo");
  EXPECT_EQ(fit->lanes->lanes, 16);
  ASSERT_TRUE(fit->findArgument("x"));
  EXPECT_FALSE(fit->arguments[*fit->findArgument("x")].perRun);
  EXPECT_EQ(fit->arguments[*fit->findArgument("lr")].defaultValue, 1e-2);
  ASSERT_EQ(library->manifest().learners.size(), 1u);
  EXPECT_EQ(library->manifest().learners[0].monitor, "val_accuracy");
}

TEST_F(Library, AnotherVersionIsRefused) {
  std::string bytes = read(path), field = "\"abi_version\":1";
  size_t at = bytes.find(field);
  ASSERT_NE(at, std::string::npos);
  bytes[at + field.size() - 1] = '7';
  std::string other = testing::TempDir() + "/ensc_other_version.so";
  std::ofstream(other, std::ios::binary) << bytes;
  EXPECT_EQ(errorOf(other),
            other + ": the program was compiled for ABI version 7, this "
                    "runtime has version 1; compile it again");
}

TEST_F(Library, TruncatedLibrariesAreRefused) {
  std::string bytes = read(path);
  std::string torn = testing::TempDir() + "/ensc_torn_library.so";
  for (size_t size : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{200},
                      size_t{4096}, bytes.size() / 4, bytes.size() / 2,
                      3 * bytes.size() / 4, bytes.size() - 1}) {
    std::ofstream(torn, std::ios::binary) << bytes.substr(0, size);
    EXPECT_EQ(errorOf(torn).find("cannot load " + torn + ": "), 0u)
        << size << ": " << errorOf(torn);
  }
  std::ofstream(torn, std::ios::binary) << bytes;
  EXPECT_EQ(errorOf(torn), "no error");
}

TEST_F(Library, WhatIsNoLibraryOfEnscIsRefused) {
  std::string text = testing::TempDir() + "/ensc_no_library.so";
  std::ofstream(text) << "no library\n";
  EXPECT_NE(errorOf(text).find("cannot load " + text), std::string::npos)
      << errorOf(text);
  EXPECT_NE(errorOf("/none.so").find("cannot load /none.so"),
            std::string::npos);
  EXPECT_NE(errorOf(ENSC_OTHER_LIBRARY).find("it has no ensc_manifest"),
            std::string::npos)
      << errorOf(ENSC_OTHER_LIBRARY);
}

TEST_F(Library, FailsWithoutLeavingFiles) {
  Compiler compiler(tinyOptions());
  Status status = compiler.emitLibrary("func.func @f(", "broken.mlir", {},
                                       testing::TempDir() + "/none.so");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind(), ErrorKind::InvalidModel);
  EXPECT_TRUE(read(testing::TempDir() + "/none.so").empty());
  Expected<std::string> text = readText(ENSC_TINY_MODEL);
  status = compiler.emitLibrary(*text, "tiny.mlir", {}, "/proc/none.so");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind(), ErrorKind::Io);
}

} // namespace
