//===- Phases.cpp - The phases as one table -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Differentiate/Passes.h"
#include "ensc/Expand/Passes.h"
#include "ensc/Lower/CPU/Passes.h"
#include "ensc/Parse/Passes.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Schedule/Passes.h"
#include "ensc/Vectorize/Passes.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;

static constexpr Phase phases[] = {
    {"parse", "Parse", "text to a module of single-run programs",
     buildParsePipeline, createVerifyModel},
    {"expand", "Expand", "composites and learners to core ops",
     buildExpandPipeline, createVerifyExpand},
    {"differentiate", "Differentiate", "derivatives to ordinary ops",
     buildDifferentiatePipeline, createVerifyDifferentiate},
    {"vectorize", "Vectorize", "a solo and a lanes instance of each entry",
     buildVectorizePipeline, createVerifyVectorize},
    {"schedule", "Schedule", "tensors to phases on one arena",
     buildSchedulePipeline, createVerifySchedule},
    {"lower", "Lower", "phases to the LLVM dialect", buildLowerCPUPipeline,
     createVerifyLowerCPU},
};

ArrayRef<Phase> ensc::phaseTable() { return phases; }

std::optional<size_t> ensc::findPhase(StringRef name) {
  for (auto [position, phase] : llvm::enumerate(phases))
    if (phase.name == name)
      return position;
  return std::nullopt;
}

void ensc::buildPipeline(OpPassManager &passes, const PipelineOptions &options,
                         std::optional<size_t> from, size_t until) {
  if (from)
    passes.addPass(phases[*from].createVerifier());
  for (size_t phase = from ? *from + 1 : 0; phase <= until; ++phase)
    phases[phase].build(passes, options);
}
