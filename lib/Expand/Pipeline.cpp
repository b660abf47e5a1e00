//===- Pipeline.cpp - The order of the phase Expand -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Expand/Passes.h"
#include "ensc/Pipelines/Pipelines.h"

using namespace mlir;
using namespace ensc;

void ensc::buildExpandPipeline(OpPassManager &passes,
                               const PipelineOptions &options) {
  // Text of the phase Parse that leaves sizes open is compiled for some data.
  addLearnerOptions(passes, options);
  // Composites say what their labels are, the ops that they become do not.
  passes.addPass(createAnnotateClasses());
  // Then composites, since some of them draw random numbers.
  passes.addPass(createLowerComposites());
  // Sites before the learner: its functions call those of the user, and what
  // has a site is not inlined.
  passes.addPass(createNumberSites());
  ExpandLearnerOptions learner;
  learner.entries.assign(options.entries.begin(), options.entries.end());
  learner.ownRows = options.ownRows;
  learner.ownValidationRows = options.ownValidationRows;
  passes.addPass(createExpandLearner(learner));
  // Offsets after it: the batches of an evaluation are iterations, too.
  OffsetDrawsOptions offsets;
  offsets.batchEntries.assign(options.batchEntries.begin(),
                              options.batchEntries.end());
  passes.addPass(createOffsetDraws(offsets));
  passes.addPass(createVerifyExpand());
}
