//===- Pipeline.cpp - The order of the phase Lower/CPU --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/Passes.h"
#include "ensc/Pipelines/Pipelines.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ensc;

void ensc::buildLowerCPUPipeline(OpPassManager &passes,
                                 const PipelineOptions &options) {
  // Everything that is particular to ensc happens here: vectors, register
  // tiles, the orders of sums, the caller's memory.
  passes.addPass(createLowerPhases({options.cpu}));
  // The emitters repeat addresses and broadcasts wherever they need them. Both
  // passes see arithmetic only: no load or store moves.
  OpPassManager &kernel = passes.nest<LLVM::LLVMFuncOp>();
  kernel.addPass(createCSEPass());
  kernel.addPass(createLoopInvariantCodeMotionPass());
  kernel.addPass(createConvertKernels());
  passes.addPass(createVerifyLowerCPU());
}
