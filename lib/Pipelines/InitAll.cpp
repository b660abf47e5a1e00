//===- InitAll.cpp - Registration for tools and tests ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Differentiate/Passes.h"
#include "ensc/Differentiate/Rules.h"
#include "ensc/Expand/Passes.h"
#include "ensc/Lower/CPU/Passes.h"
#include "ensc/Parse/Passes.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Schedule/Passes.h"
#include "ensc/Vectorize/Passes.h"
#include "ensc/Vectorize/RunRules.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ensc;

void ensc::registerAllDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, ens::EnsDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect,
                  ub::UBDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  registerDerivativeRules(registry);
  registerRunRules(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {
/// PipelineOptions as text, as in --ens-expand-pipeline="rows=8 entries=f,g".
struct PipelineText : PassPipelineOptions<PipelineText> {
  Option<int64_t> lanes{*this, "lanes", llvm::cl::init(PipelineOptions().lanes),
                        llvm::cl::desc("runs per group: 8 or 16; 0: none")};
  ListOption<std::string> perRun{
      *this, "per-run",
      llvm::cl::desc("arguments that differ per run beyond those whose role "
                     "says so")};
  Option<int64_t> rows{*this, "rows", llvm::cl::init(-1),
                       llvm::cl::desc("rows of the training data")};
  Option<int64_t> validationRows{*this, "validation-rows", llvm::cl::init(-1),
                                 llvm::cl::desc("rows of the validation data")};
  Option<std::string> shuffle{*this, "shuffle",
                              llvm::cl::desc("per_run, shared or none")};
  ListOption<std::string> entries{*this, "entries",
                                  llvm::cl::desc("functions to compile")};
  Option<std::string> cpu{*this, "cpu", llvm::cl::init(PipelineOptions().cpu),
                          llvm::cl::desc("native, or a CPU that LLVM knows")};

  PipelineOptions value() const {
    PipelineOptions options;
    options.lanes = lanes;
    options.perRun.assign(perRun.begin(), perRun.end());
    if (rows >= 0)
      options.rows = rows;
    if (validationRows >= 0)
      options.validationRows = validationRows;
    if (!shuffle.empty())
      options.shuffle = shuffle;
    options.entries.assign(entries.begin(), entries.end());
    options.cpu = cpu;
    return options;
  }
};
} // namespace

static void registerPhasePipeline(const Phase &phase) {
  registerPassPipeline(
      ("ens-" + phase.name + "-pipeline").str(), phase.summary,
      [build = phase.build](
          OpPassManager &passes, StringRef text,
          function_ref<LogicalResult(const Twine &)>) -> LogicalResult {
        PipelineText options;
        if (failed(options.parseFromString(text)))
          return failure();
        build(passes, options.value());
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> visit) {
        visit(PipelineText());
      });
}

void ensc::registerAllPasses() {
  registerTransformsPasses();
  registerParsePasses();
  registerExpandPasses();
  registerDifferentiatePasses();
  registerVectorizePasses();
  registerSchedulePasses();
  registerLowerCPUPasses();
  for (const Phase &phase : phaseTable())
    registerPhasePipeline(phase);
}
