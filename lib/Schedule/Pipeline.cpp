//===- Pipeline.cpp - The order of the phase Schedule ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace ensc;

void ensc::buildSchedulePipeline(OpPassManager &passes,
                                 const PipelineOptions &options) {
  // Fewer values to keep until the derivative needs them.
  passes.addNestedPass<func::FuncOp>(createReuseActivations());
  passes.addPass(createSchedulePhases());
  passes.addNestedPass<func::FuncOp>(createPlanArena());
  passes.addPass(createVerifySchedule());
}
