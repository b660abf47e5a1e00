//===- CompileCodeTest.cpp - Compilation by several threads ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileCode.h"

#include "Program.h"

#include "ensc/API/Executable.h"
#include "ensc/Execution/Jit.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ctime>

using namespace ensc;

namespace {

/// A network of `layers` layers of 24 units with a learner.
std::string network(int64_t layers) {
  bench::Model model;
  model.batch = 8;
  model.sizes.assign(layers, 24);
  model.sizes.push_back(4);
  return bench::learnerProgram(model);
}

CompiledCode compile(const std::string &text, int threads) {
  CompileOptions options;
  options.rows = 32;
  options.validationRows = 16;
  Expected<CompiledCode> code =
      compileCode(text, "network.mlir", options, threads);
  EXPECT_TRUE(code) << code.error().message();
  return code ? std::move(*code) : CompiledCode();
}

/// The results of an entry for arguments that any program takes: tenths, or
/// zeros as labels and orders.
std::vector<Tensor> call(const Executable &program, const ManifestEntry &entry,
                         RunSchedule schedule) {
  CallOptions options;
  options.runs = 5;
  options.endStep = 2;
  options.schedule = schedule;
  std::vector<Tensor> arguments;
  for (const ManifestValue &argument : entry.arguments) {
    Shape shape = argument.shape;
    if (argument.perRun)
      shape.insert(shape.begin(), options.runs);
    arguments.push_back(Tensor::zeros(argument.dtype, shape));
    if (argument.dtype == DType::F32)
      for (int64_t i = 0; i < arguments.back().size(); ++i)
        arguments.back().data<float>()[i] =
            0.1f * static_cast<float>(1 + i % 7);
  }
  auto results = program.call(entry.name, arguments, options);
  EXPECT_TRUE(results) << results.error().message();
  return results ? *results : std::vector<Tensor>();
}

bool sameBytes(const Tensor &a, const Tensor &b) {
  return a.shape() == b.shape() && a.dtype() == b.dtype() &&
         std::memcmp(a.bytes(), b.bytes(), a.size() * sizeOf(a.dtype())) == 0;
}

TEST(CompileCode, TheNumberOfThreadsChangesNothing) {
  std::string text = network(2);
  CompiledCode alone = compile(text, 1);
  EXPECT_EQ(alone.objects.size(), 1u);
  Executable expected(*loadProgram(alone.manifest, alone.objectBytes()));
  for (int threads : {2, 5}) {
    CompiledCode shared = compile(text, threads);
    EXPECT_GT(shared.objects.size(), 1u);
    EXPECT_LE(shared.objects.size(), static_cast<size_t>(threads));
    EXPECT_EQ(shared.manifest.toJson(), alone.manifest.toJson());
    Expected<Program> program =
        loadProgram(shared.manifest, shared.objectBytes());
    ASSERT_TRUE(program) << program.error().message();
    for (const ManifestEntry &entry : shared.manifest.entries)
      for (RunSchedule schedule : {RunSchedule::Solo, RunSchedule::Lanes}) {
        auto results = call(Executable(*program), entry, schedule);
        auto wanted = call(expected, entry, schedule);
        ASSERT_EQ(results.size(), wanted.size());
        for (size_t i = 0; i < results.size(); ++i)
          EXPECT_TRUE(sameBytes(results[i], wanted[i]))
              << entry.name << ", result " << i;
      }
  }
}

TEST(CompileCode, SmallProgramsAreNotWorthAThread) {
  std::string text = "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
                     "  return %x : tensor<f32>\n}";
  EXPECT_EQ(compile(text, 8).objects.size(), 1u);
}

/// Processor time, which other processes take nothing of, and bytes.
std::pair<double, size_t> costs(const std::string &text) {
  std::clock_t start = std::clock();
  CompiledCode code = compile(text, 1);
  std::clock_t end = std::clock();
  return {static_cast<double>(end - start), code.objects[0].size()};
}

TEST(CompileCode, TimeAndSizeGrowWithTheNumberOfLayers) {
  compile(network(1), 1);
  auto few = costs(network(2)), many = costs(network(4));
  // Twice as many layers take twice as long. More than twice as long as that
  // is more than linear.
  EXPECT_LT(many.first, 4 * few.first);
  EXPECT_LT(many.second, 3 * few.second);
}

} // namespace
