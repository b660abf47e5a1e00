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

void ensc::registerAllPasses() {
  registerTransformsPasses();
  registerParsePasses();
  registerExpandPasses();
  registerDifferentiatePasses();
  registerVectorizePasses();
  registerSchedulePasses();
  registerLowerCPUPasses();
  for (const Phase &phase : phaseTable())
    registerPassPipeline(
        ("ens-" + phase.name + "-pipeline").str(), phase.summary,
        [build = phase.build](OpPassManager &passes, StringRef,
                              function_ref<LogicalResult(const Twine &)>) {
          build(passes, PipelineOptions());
          return success();
        },
        [](function_ref<void(const detail::PassOptions &)>) {});
}
