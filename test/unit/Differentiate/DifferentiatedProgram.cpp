//===- DifferentiatedProgram.cpp - Programs up to Differentiate -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DifferentiatedProgram.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Differentiate/Rules.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Reference/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::test;

DifferentiatedProgram::DifferentiatedProgram(StringRef text) {
  DialectRegistry registry;
  registry.insert<ens::EnsDialect, arith::ArithDialect, func::FuncDialect,
                  scf::SCFDialect, tensor::TensorDialect>();
  registerDerivativeRules(registry);
  context_.appendDialectRegistry(registry);
  context_.loadAllAvailableDialects();
  context_.disableMultithreading();
  ScopedDiagnosticHandler handler(&context_, [&](Diagnostic &diagnostic) {
    diagnostics_ += diagnostic.str() + "\n";
    return success();
  });
  ParserConfig config(&context_);
  module_ = parseSourceString<ModuleOp>(text, config, "program");
  if (!module_)
    return;
  PassManager passes(&context_);
  buildExpandPipeline(passes, PipelineOptions());
  buildDifferentiatePipeline(passes, PipelineOptions());
  if (failed(passes.run(*module_)))
    module_ = nullptr;
}

Expected<std::vector<Tensor>>
DifferentiatedProgram::call(StringRef name, ArrayRef<Tensor> arguments) {
  if (!module_)
    return Error(ErrorKind::InvalidModel, diagnostics_);
  auto function = module_->lookupSymbol<func::FuncOp>(name);
  if (!function)
    return Error(ErrorKind::InvalidModel, "no function @" + name.str());
  return reference::interpret(function, arguments, {});
}
