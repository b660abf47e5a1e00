//===- EmitLLVMIR.cpp - From the LLVM dialect to LLVM IR ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Emit/Emit.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace ensc;

/// Only what removes the redundancy that emission per operation leaves behind.
/// A whole optimization level costs as much time as code generation and brings
/// nothing measurable, since loops and vectors are already as they should be.
static Status optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(
          passes, "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,"
                  "simplifycfg)"))
    return Error(ErrorKind::Internal, llvm::toString(std::move(error)));
  passes.run(module, modules);
  return Status::success();
}

Expected<std::unique_ptr<llvm::Module>>
ensc::emitLLVMIR(mlir::ModuleOp module, llvm::LLVMContext &context,
                 const TargetCpu &cpu) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(cpu);
  if (!machine)
    return Error(ErrorKind::InvalidArgument,
                 llvm::toString(machine.takeError()));
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(module, context, "ensc");
  if (!code)
    return Error(ErrorKind::Internal,
                 "the lowered module does not translate to LLVM IR");
  code->setTargetTriple((*machine)->getTargetTriple());
  code->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : *code) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", cpu.name);
    if (!cpu.features.empty())
      function.addFnAttr("target-features", cpu.features);
    // Kernels are written with full-width vectors in mind.
    if (cpu.hasAvx512)
      function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  if (Status status = optimize(*code, **machine); !status)
    return status.error();
  return code;
}

void ensc::embedManifest(llvm::Module &module, const Manifest &manifest) {
  llvm::Constant *text = llvm::ConstantDataArray::getString(module.getContext(),
                                                            manifest.toJson());
  new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, text,
                           "ensc_manifest");
}
