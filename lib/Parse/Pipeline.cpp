//===- Pipeline.cpp - The order of the phase Parse ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Parse/Passes.h"
#include "ensc/Pipelines/Pipelines.h"

using namespace mlir;
using namespace ensc;

void ensc::addLearnerOptions(OpPassManager &passes,
                             const PipelineOptions &options) {
  // Sizes are checked against the batches that there will be.
  if (options.optimizer || options.batchSize) {
    OverrideLearnersOptions overrides;
    overrides.optimizer = options.optimizer.value_or("");
    overrides.batchSize = options.batchSize.value_or(0);
    passes.addPass(createOverrideLearners(overrides));
  }
  FillLearnersOptions learners;
  learners.rows = options.rows.value_or(-1);
  learners.validationRows = options.validationRows.value_or(-1);
  learners.shuffle = options.shuffle.value_or("");
  passes.addPass(createFillLearners(learners));
}

void ensc::buildParsePipeline(OpPassManager &passes,
                              const PipelineOptions &options) {
  addLearnerOptions(passes, options);
  passes.addPass(createVerifyModel());
}
