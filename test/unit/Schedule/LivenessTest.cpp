//===- LivenessTest.cpp - The arena of real programs ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

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

TEST(Liveness, TheArenaIsCloseToWhatTheWorstMomentNeeds) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(ENSC_DIGITS, &context);
  ASSERT_TRUE(module);
  PipelineOptions options;
  options.rows = 1437;
  options.validationRows = 360;
  PassManager passes(&context);
  buildPipeline(passes, options, std::nullopt, *findPhase("vectorize"));
  passes.addPass(createSchedulePhases());
  ASSERT_TRUE(succeeded(passes.run(*module)));

  int entries = 0;
  module->walk([&](func::FuncOp entry) {
    Liveness liveness = findLiveness(entry);
    int64_t bytes = planArena(liveness.buffers).bytes;
    int64_t bound = arenaLowerBound(liveness.buffers);
    std::cout << entry.getName().str() << ": arena " << bytes
              << " bytes, lower bound " << bound << "\n";
    EXPECT_GE(bytes, bound);
    EXPECT_LE(bytes, bound + bound / 10);
    ++entries;
  });
  EXPECT_GE(entries, 6);
}
