//===- LivenessTest.cpp - The arena of real programs ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"
#include "Program.h"

#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <iostream>

using namespace mlir;
using namespace ensc;
using namespace ensc::schedule;

namespace {

/// Prints the arenas of a program beside what their worst moments need.
void checkArenas(const std::string &name, OwningOpRef<ModuleOp> module,
                 const PipelineOptions &options) {
  PassManager passes(module->getContext());
  buildPipeline(passes, options, std::nullopt, *findPhase("vectorize"));
  passes.addPass(createSchedulePhases());
  ASSERT_TRUE(succeeded(passes.run(*module))) << name;
  int entries = 0;
  module->walk([&](func::FuncOp entry) {
    Liveness liveness = findLiveness(entry);
    int64_t bytes = planArena(liveness.buffers).bytes;
    int64_t bound = arenaLowerBound(liveness.buffers);
    std::cout << name << ", " << entry.getName().str() << ": arena " << bytes
              << " bytes, lower bound " << bound << "\n";
    EXPECT_GE(bytes, bound);
    EXPECT_LE(bytes, bound + bound / 10);
    ++entries;
  });
  EXPECT_GE(entries, 4);
}

TEST(Liveness, TheArenaOfDigitsIsCloseToWhatTheWorstMomentNeeds) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  PipelineOptions options;
  options.rows = 1437;
  options.validationRows = 360;
  checkArenas("digits", parseSourceFile<ModuleOp>(ENSC_DIGITS, &context),
              options);
}

TEST(Liveness, SoAreThoseOfTheBenchmarks) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  for (const char *name :
       {"mlp-64-32-10", "mlp-784-128-10", "mlp-784-128-128-10", "mlp-2-16-16-1",
        "mlp-61-29-7"})
    for (bench::Optimizer optimizer :
         {bench::Optimizer::Sgd, bench::Optimizer::Adam}) {
      bench::Model model = *bench::Model::parse(name);
      model.optimizer = optimizer;
      std::string title = std::string(name) + ", " + bench::nameOf(optimizer);
      checkArenas(
          title,
          parseSourceString<ModuleOp>(bench::learnerProgram(model), &context),
          PipelineOptions());
    }
}

} // namespace
