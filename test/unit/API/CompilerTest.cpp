//===- CompilerTest.cpp - Compile once, call for any number of runs -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"

#include <gtest/gtest.h>

using namespace ensc;

namespace {

constexpr const char *program = R"mlir(
func.func @scale(%a: tensor<f32>, %x: tensor<2xf32> {ens.name = "x", ens.role = "data"})
    -> (tensor<2xf32>, tensor<i64>) {
  %rows = ens.broadcast %a dims = [] : tensor<f32> to tensor<2xf32>
  %y = ens.mul %rows, %x : tensor<2xf32>
  %run = ens.run_id : tensor<i64>
  return %y, %run : tensor<2xf32>, tensor<i64>
})mlir";

Tensor column(int64_t runs) {
  Tensor tensor = Tensor::zeros(DType::F32, {runs});
  for (int64_t run = 0; run < runs; ++run)
    tensor.data<float>()[run] = static_cast<float>(run);
  return tensor;
}

/// Both backends behave alike.
class CompilerOf : public testing::TestWithParam<Backend> {
protected:
  void SetUp() override {
    CompileOptions options;
    options.backend = GetParam();
    options.cache = false;
    compiler = Compiler(options);
    Expected<Executable> compiled = compiler.compile(program, "scale.mlir");
    ASSERT_TRUE(compiled) << compiled.error().message();
    executable = *compiled;
  }

  std::string errorOf(const std::string &entry,
                      const std::vector<Tensor> &arguments, int64_t runs) {
    CallOptions options;
    options.runs = runs;
    auto results = executable->call(entry, arguments, options);
    return results ? "no error" : results.error().message();
  }

  Compiler compiler;
  std::optional<Executable> executable;
  Tensor x = Tensor::of<float>({2}, {1.0f, 10.0f});
};

TEST_P(CompilerOf, AnyNumberOfRunsIsOneCompilation) {
  for (int64_t runs : {0, 1, 5, 16, 1000}) {
    CallOptions options;
    options.runs = runs;
    options.firstRun = 40;
    auto results = executable->call("scale", {column(runs), x}, options);
    ASSERT_TRUE(results) << results.error().message();
    ASSERT_EQ((*results)[0].shape(), (Shape{runs, 2}));
    for (int64_t run = 0; run < runs; ++run) {
      EXPECT_EQ((*results)[0].data<float>()[2 * run + 1], 10.0f * run);
      EXPECT_EQ((*results)[1].data<int64_t>()[run], 40 + run);
    }
  }
  EXPECT_EQ(compiler.compilations(), 1);
}

TEST_P(CompilerOf, ProgramsKnowWhatTheyWereCompiledFrom) {
  EXPECT_EQ(executable->origin().name, "scale.mlir");
  EXPECT_EQ(executable->origin().text, program);
  EXPECT_EQ(executable->origin().options.backend, GetParam());
}

TEST_P(CompilerOf, CallsSayWhatIsWrong) {
  EXPECT_EQ(errorOf("scael", {}, 1),
            "the program has no entry 'scael'; did you mean 'scale'? (it has "
            "scale)");
  EXPECT_EQ(errorOf("scale", {x}, 1), "@scale takes 2 arguments, got 1");
  EXPECT_EQ(errorOf("scale", {column(3), x}, 4),
            "argument 0 of @scale is per run and must be 4xf32, got 3xf32");
  EXPECT_EQ(errorOf("scale", {column(3), column(3)}, 3),
            "argument 'x' of @scale is shared and must be 2xf32, got 3xf32");
  EXPECT_EQ(errorOf("scale", {column(0), x}, -1),
            "the number of runs is negative");
  CallOptions options;
  options.threads = -3;
  EXPECT_EQ(
      executable->call("scale", {column(1), x}, options).error().message(),
      "threads must be from 1 to 1024, or 0 for one per core, got -3");
}

TEST_P(CompilerOf, CallsWriteIntoMemoryThatExists) {
  CallOptions options;
  options.runs = 5;
  auto expected = *executable->call("scale", {column(5), x}, options);
  std::vector<Tensor> results = {Tensor::zeros(DType::F32, {5, 2}),
                                 Tensor::zeros(DType::I64, {5})};
  const void *memory = results[0].bytes();
  ASSERT_TRUE(executable->callInto("scale", {column(5), x}, results, options));
  EXPECT_EQ(results[0].bytes(), memory);
  EXPECT_TRUE(results[0].bitwiseEquals(expected[0]));
  EXPECT_TRUE(results[1].bitwiseEquals(expected[1]));

  results.pop_back();
  Status status =
      executable->callInto("scale", {column(5), x}, results, options);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "@scale gives 2 results, got 1");
  results.push_back(Tensor::zeros(DType::I64, {4}));
  status = executable->callInto("scale", {column(5), x}, results, options);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "result 1 of @scale is per run and must be 5xi64, got 4xi64");
}

TEST_P(CompilerOf, ExecutablesOutliveTheirCompiler) {
  compiler = Compiler();
  Executable copy = *executable;
  executable.reset();
  CallOptions options;
  options.runs = 3;
  EXPECT_TRUE(copy.call("scale", {column(3), x}, options));
}

INSTANTIATE_TEST_SUITE_P(Backends, CompilerOf,
                         testing::Values(Backend::Jit, Backend::Interpret));

TEST(Compiler, ErrorsAreLocated) {
  Expected<Executable> broken =
      Compiler().compile("func.func @f() {\n  ens.exp\n}", "broken.mlir");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().kind(), ErrorKind::InvalidModel);
  EXPECT_EQ(broken.error().message().find("broken.mlir:"), 0u)
      << broken.error().message();
  EXPECT_NE(broken.error().message().find(": error: "), std::string::npos);
}

TEST(Compiler, OptionsAreChecked) {
  CompileOptions lanes;
  lanes.lanes = 4;
  EXPECT_EQ(Compiler(lanes).compile(program).error().message(),
            "lanes must be 8 or 16, or 0 for none, got 4");
  CompileOptions rows;
  rows.rows = -4;
  EXPECT_EQ(Compiler(rows).compile(program).error().message(),
            "rows must not be negative, got -4");
  rows.rows = 4;
  rows.validationRows = -3;
  EXPECT_EQ(Compiler(rows).compile(program).error().message(),
            "validation-rows must not be negative, got -3");
  CompileOptions entries;
  entries.entries = {"none"};
  EXPECT_NE(
      Compiler(entries).compile(program).error().message().find(
          "the program has no public function 'none' to compile; it has scale"),
      std::string::npos);
  Expected<Executable> missing = Compiler().compileFile("/none.mlir");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind(), ErrorKind::Io);
}

} // namespace
