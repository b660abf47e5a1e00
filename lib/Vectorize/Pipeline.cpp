//===- Pipeline.cpp - The order of the phase Vectorize --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Vectorize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ensc;

void ensc::buildVectorizePipeline(OpPassManager &passes,
                                  const PipelineOptions &options) {
  // One body per entry: run rules are per op, and a call would have to be
  // vectorized once for each mix of varying arguments. Nothing is canonicalized
  // on the way: the solo instance stays what the phases before made it.
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  // Ensembles of the program first: what they make is ordinary ops, which the
  // lanes instance then takes like any other.
  passes.addPass(createVectorizeEnsembles());
  MakeInstancesOptions instances;
  instances.lanes = options.lanes;
  llvm::append_range(instances.entries, options.entries);
  llvm::append_range(instances.perRun, options.perRun);
  passes.addPass(createMakeInstances(instances));
  passes.addPass(createSymbolDCEPass());
  // Uniform work once per group, and once per call where no step changes it;
  // the broadcasts that the rules made meet as one.
  passes.addNestedPass<func::FuncOp>(createCSEPass());
  passes.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
  passes.addNestedPass<func::FuncOp>(createCSEPass());
  passes.addPass(createVerifyVectorize());
}
