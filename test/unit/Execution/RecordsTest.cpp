//===- RecordsTest.cpp - Memory as kernels get it -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"
#include "ensc/Execution/InterpretedProgram.h"
#include "ensc/Runtime/Groups.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace ensc;

namespace {

constexpr int64_t runs = 3;
/// An i1, `count` f64 and an f32 without padding. Kernels move elements by
/// four.
constexpr int64_t count = 7;
constexpr size_t recordBytes = 1 + 8 * count + 4;

const char *swap = R"mlir(
func.func @step(%p: tensor<i1> {ens.name = "p", ens.role = "state"},
                %v: tensor<7xf64> {ens.name = "v", ens.role = "state"},
                %w: tensor<f32> {ens.name = "w", ens.role = "state"})
    -> (tensor<i1> {ens.name = "p", ens.role = "state"},
        tensor<7xf64> {ens.name = "v", ens.role = "state"},
        tensor<f32> {ens.name = "w", ens.role = "state"}) {
  %q = ens.not %p : tensor<i1>
  %u = ens.add %v, %v : tensor<7xf64>
  %x = ens.neg %w : tensor<f32>
  return %q, %u, %x : tensor<i1>, tensor<7xf64>, tensor<f32>
})mlir";

Scratch makeScratch(const ManifestEntry &entry) {
  ScratchBytes bytes;
  for (RunSchedule schedule : {RunSchedule::Solo, RunSchedule::Lanes})
    EXPECT_TRUE(bytes.include(entry, rulesOf(entry, schedule, runs, 1)));
  return *Scratch::allocate(bytes);
}

void checkRecords(Backend backend, bool useLanes) {
  CompileOptions options;
  options.backend = backend;
  options.lanes = 8;
  Expected<Executable> program = Compiler(options).compile(swap, "swap");
  ASSERT_TRUE(program) << program.error().message();
  // The records begin at an odd address.
  std::vector<char> memory(1 + runs * recordBytes);
  char *base = memory.data() + 1;
  for (int64_t run = 0; run < runs; ++run) {
    char *record = base + run * recordBytes;
    double v[count];
    for (int64_t i = 0; i < count; ++i)
      v[i] = run + 0.5 * i;
    float w = run;
    record[0] = run == 1;
    std::memcpy(record + 1, v, sizeof(v));
    std::memcpy(record + 1 + sizeof(v), &w, sizeof(w));
  }
  std::vector<RunMemory> leaves = {{base, recordBytes},
                                   {base + 1, recordBytes},
                                   {base + 1 + 8 * count, recordBytes}};
  const ManifestEntry &entry = program->manifest().entries[0];
  GroupCaller caller(program->program(), entry, useLanes, leaves, leaves,
                     makeScratch(entry));
  for (int64_t run = 0; run < runs; run += caller.lanes()) {
    const int64_t ids[] = {run, run + 1, run + 2};
    caller.call(ids, ids, std::min(runs, caller.lanes()), 0, 0);
  }
  for (int64_t run = 0; run < runs; ++run) {
    char *record = base + run * recordBytes;
    double v[count];
    float w;
    std::memcpy(v, record + 1, sizeof(v));
    std::memcpy(&w, record + 1 + sizeof(v), sizeof(w));
    EXPECT_EQ(record[0], run != 1);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(v[i], 2 * run + i);
    EXPECT_EQ(w, -static_cast<float>(run));
  }
}

TEST(Kernels, WorkOnRecordsWithoutPadding) {
  checkRecords(Backend::Jit, /*useLanes=*/false);
  checkRecords(Backend::Jit, /*useLanes=*/true);
  checkRecords(Backend::Interpret, /*useLanes=*/false);
}

TEST(Kernels, SayThatTheInterpreterRefused) {
  auto context = std::make_shared<mlir::MLIRContext>();
  context->loadDialect<mlir::func::FuncDialect, mlir::math::MathDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %y = math.exp %x : tensor<f32>\n  return %y : tensor<f32>\n}",
      context.get());
  ASSERT_TRUE(module);
  Expected<Program> program =
      createInterpretedProgram(context, std::move(module));
  ASSERT_TRUE(program) << program.error().message();
  float x = 1.0f, y = 7.0f;
  const ManifestEntry &entry = program->manifest().entries[0];
  GroupCaller caller(*program, entry, false, {{&x, 0}}, {{&y, 0}},
                     makeScratch(entry));
  const int64_t id = 0;
  EXPECT_EQ(caller.call(&id, &id, 1, 0, 5), -1);
  EXPECT_EQ(y, 7.0f);

  auto results = Executable(*program).call("f", {Tensor::scalar(1.0f)});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message(),
            "the interpreter cannot execute @f; compile the program instead");
}

} // namespace
