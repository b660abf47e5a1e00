//===- CompilerCacheTest.cpp - Programs that are found compiled -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"

#include "FileSizeLimit.h"
#include "ProgramKey.h"
#include "TestFiles.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

using namespace ensc;

namespace {

constexpr const char *program = R"mlir(
func.func @double(%x: tensor<3xf32> {ens.name = "x"}) -> tensor<3xf32> {
  %y = ens.add %x, %x : tensor<3xf32>
  return %y : tensor<3xf32>
})mlir";

bool doubles(const Executable &executable) {
  auto results = executable.call(
      "double", {Tensor::of<float>({1, 3}, {1.0f, 2.0f, 3.0f})});
  return results && (*results)[0].data<float>()[2] == 6.0f;
}

class CompilerCache : public testing::Test {
protected:
  CompilerCache() { options.cacheDirectory = directory.path(); }

  /// Compiles the program, which must work, and gives the counts of a new
  /// compiler that did it.
  std::pair<int64_t, int64_t> compile(const std::string &text = program,
                                      const std::string &name = "a.mlir") {
    Compiler compiler(options);
    Expected<Executable> executable = compiler.compile(text, name);
    EXPECT_TRUE(executable) << executable.error().message();
    EXPECT_TRUE(executable && doubles(*executable));
    warning = compiler.cacheWarning();
    return {compiler.compilations(), compiler.cacheHits()};
  }

  TemporaryDirectory directory;
  CompileOptions options;
  std::string warning;
  const std::pair<int64_t, int64_t> compiled{1, 0}, found{0, 1};
};

TEST_F(CompilerCache, FindsAProgramWhateverItsFileIsCalled) {
  EXPECT_EQ(compile(), compiled);
  EXPECT_EQ(compile(), found);
  EXPECT_EQ(compile(program, "elsewhere/b.mlir"), found);
  EXPECT_EQ(warning, "");
  EXPECT_EQ(directory.count(), 1);
}

TEST_F(CompilerCache, AnotherTextOrOptionIsAnotherProgram) {
  options.lanes = 16;
  EXPECT_EQ(compile(), compiled);
  EXPECT_EQ(compile(std::string(program) + " "), compiled);
  CompileOptions plain = options;
  std::vector<CompileOptions> others(12, plain);
  others[0].lanes = 8;
  others[1].lanes = 0;
  others[2].rows = 5;
  others[3].validationRows = 5;
  others[4].shuffle = "none";
  others[5].entries = {"double"};
  others[6].cpu = "x86-64-v3";
  others[7].perRun = {"x"};
  others[8].optimizer = "adam";
  others[9].batchSize = 4;
  others[10].ownRows = OwnRows{5, 2};
  others[11].batchEntries = {"double"};
  for (const CompileOptions &other : others) {
    options = other;
    EXPECT_EQ(compile(), compiled);
    EXPECT_EQ(compile(), found);
  }
  EXPECT_EQ(directory.count(), 14);
  options = plain;
  EXPECT_EQ(compile(), found);
}

TEST_F(CompilerCache, WhatTheCpuDecidesMayBeGivenAsWell) {
  options.cpu = "x86-64-v3";
  EXPECT_EQ(compile(), compiled);
  options.lanes = 8;
  EXPECT_EQ(compile(), found);
}

TEST_F(CompilerCache, DamagedFilesAreCompiledAgainAndReplaced) {
  compile();
  std::string path =
      std::filesystem::directory_iterator(directory.path())->path().string();
  std::string whole = readBytes(path);
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 4;
  for (const std::string &damaged :
       {std::string(), whole.substr(0, whole.size() / 2), flipped}) {
    writeBytes(path, damaged);
    EXPECT_EQ(compile(), compiled);
    EXPECT_EQ(warning, "");
    EXPECT_EQ(compile(), found);
  }
}

TEST_F(CompilerCache, AFullDiskIsAWarning) {
  {
    FileSizeLimit limit(512);
    EXPECT_EQ(compile(), compiled);
  }
  EXPECT_CONTAINS(warning, "cannot write");
  EXPECT_EQ(directory.count(), 0);
  EXPECT_EQ(compile(), compiled);
  EXPECT_EQ(warning, "");
}

TEST_F(CompilerCache, AnUnusableDirectoryIsAWarning) {
  writeBytes(directory.file("file"), "");
  options.cacheDirectory = directory.file("file/cache");
  EXPECT_EQ(compile(), compiled);
  EXPECT_CONTAINS(warning, "Not a directory");
}

TEST_F(CompilerCache, NothingIsKeptWhereItIsNotWanted) {
  options.cache = false;
  EXPECT_EQ(compile(), compiled);
  options.cache = true;
  options.backend = Backend::Interpret;
  EXPECT_EQ(compile(), compiled);
  EXPECT_EQ(directory.count(), 0);
}

TEST_F(CompilerCache, ProgramsThatFailAreNotKept) {
  Compiler compiler(options);
  for (int i = 0; i < 2; ++i) {
    Expected<Executable> broken = compiler.compile("func.func", "broken.mlir");
    EXPECT_CONTAINS(errorOf(broken), "broken.mlir:");
  }
  EXPECT_EQ(directory.count(), 0);
}

TEST_F(CompilerCache, TwoProcessesMayCompileAtOnce) {
  std::vector<pid_t> children;
  for (int process = 0; process < 2; ++process) {
    pid_t child = ::fork();
    if (child == 0) {
      Compiler compiler(options);
      Expected<Executable> executable = compiler.compile(program);
      bool good =
          executable && doubles(*executable) && compiler.cacheWarning().empty();
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(directory.count(), 1);
  EXPECT_EQ(compile(), found);
}

TEST(ProgramKey, NamesTheCompilerAndTheCpu) {
  Expected<std::string> compiler = compilerIdentity();
  ASSERT_TRUE(compiler) << compiler.error().message();
  std::string base = programKey(*compiler, {"a", "+x", false}, {}, "text");
  EXPECT_NE(base, programKey("older", {"a", "+x", false}, {}, "text"));
  EXPECT_NE(base, programKey(*compiler, {"b", "+x", false}, {}, "text"));
  EXPECT_NE(base, programKey(*compiler, {"a", "-x", false}, {}, "text"));
  EXPECT_EQ(base, programKey(*compiler, {"a", "+x", false}, {}, "text"));
  CompileOptions one, two;
  one.perRun = {"a", "b"};
  two.perRun = {"a b"};
  EXPECT_NE(programKey("", {}, one, ""), programKey("", {}, two, ""));
}

TEST(ProgramKey, HasTheBuildIdOfEveryPartOfTheCompiler) {
  Expected<std::string> identity = compilerIdentity();
  ASSERT_TRUE(identity);
  char ensc[80], mlir[80], llvm[80];
  ASSERT_EQ(std::sscanf(identity->c_str(), "ensc %79s MLIR %79s LLVM %79s",
                        ensc, mlir, llvm),
            3);
  EXPECT_STRNE(ensc, mlir);
  EXPECT_STRNE(ensc, llvm);
  EXPECT_STRNE(mlir, llvm);
}

} // namespace
