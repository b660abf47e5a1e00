//===- Compilation.cpp - One program on its way through the phases --------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "ensc/Execution/InterpretedProgram.h"
#include "ensc/Lower/CPU/Target.h"
#include "ensc/Parse/Parse.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Runtime/Suggest.h"
#include "ensc/Support/DiagnosticCollector.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace ensc;

std::vector<std::string> ensc::phaseNames() {
  std::vector<std::string> names;
  for (const Phase &phase : phaseTable())
    names.push_back(phase.name.str());
  return names;
}

static Expected<size_t> findPhaseOrSuggest(const std::string &name) {
  if (std::optional<size_t> phase = findPhase(name))
    return *phase;
  return Error(ErrorKind::InvalidArgument, "ensc has no phase '" + name + "'" +
                                               suggest(name, phaseNames()));
}

int64_t ensc::lanesOf(const CompileOptions &options) {
  if (options.lanes)
    return *options.lanes;
  // With one register per vector the most values stay in registers.
  return cpu::describeTarget(options.cpu).registerBytes / sizeof(float);
}

static PipelineOptions toPipelineOptions(const CompileOptions &options) {
  PipelineOptions pipeline;
  // The interpreter evaluates the program of one run.
  pipeline.lanes = options.backend == Backend::Interpret ? 0 : lanesOf(options);
  pipeline.perRun = options.perRun;
  pipeline.rows = options.rows;
  pipeline.validationRows = options.validationRows;
  pipeline.shuffle = options.shuffle;
  pipeline.optimizer = options.optimizer;
  pipeline.batchSize = options.batchSize;
  if (options.ownRows) {
    pipeline.ownRows = options.ownRows->training;
    pipeline.ownValidationRows = options.ownRows->validation;
  }
  pipeline.entries = options.entries;
  pipeline.batchEntries = options.batchEntries;
  pipeline.cpu = options.cpu;
  return pipeline;
}

Expected<TargetCpu> ensc::resolveOptions(const CompileOptions &options) {
  if (options.lanes && *options.lanes != 0 && *options.lanes != 8 &&
      *options.lanes != 16)
    return Error(ErrorKind::InvalidArgument,
                 "lanes must be 8 or 16, or 0 for none, got " +
                     std::to_string(*options.lanes));
  if (options.shuffle && *options.shuffle != "per_run" &&
      *options.shuffle != "shared" && *options.shuffle != "none")
    return Error(ErrorKind::InvalidArgument,
                 "shuffle must be per_run, shared or none, got '" +
                     *options.shuffle + "'");
  const std::pair<const char *, std::optional<int64_t>> sizes[] = {
      {"rows", options.rows}, {"validation-rows", options.validationRows}};
  for (const auto &[what, rows] : sizes)
    if (rows && *rows < 0)
      return Error(ErrorKind::InvalidArgument,
                   std::string(what) + " must not be negative, got " +
                       std::to_string(*rows));
  if (options.batchSize && *options.batchSize < 1)
    return Error(ErrorKind::InvalidArgument,
                 "the batch size must be positive, got " +
                     std::to_string(*options.batchSize));
  if (options.optimizer && options.optimizer->empty())
    return Error(ErrorKind::InvalidArgument, "the optimizer has no name");
  if (options.ownRows &&
      (options.ownRows->training < 1 || options.ownRows->validation < 0))
    return Error(ErrorKind::InvalidArgument,
                 "runs must train on at least one row of their own, got " +
                     std::to_string(options.ownRows->training) +
                     " rows to train on and " +
                     std::to_string(options.ownRows->validation) +
                     " to be evaluated on");
  llvm::Expected<TargetCpu> cpu = resolveCpu(options.cpu);
  if (!cpu)
    return Error(ErrorKind::InvalidArgument, llvm::toString(cpu.takeError()));
  return std::move(*cpu);
}

Expected<Compilation> Compilation::create(const CompileOptions &options,
                                          const std::string &from) {
  Expected<TargetCpu> cpu = resolveOptions(options);
  if (!cpu)
    return cpu.error();
  Compilation compilation;
  compilation.options = options;
  if (!from.empty()) {
    Expected<size_t> phase = findPhaseOrSuggest(from);
    if (!phase)
      return phase.error();
    compilation.reached = *phase;
  }
  compilation.cpu_ = std::move(*cpu);

  DialectRegistry registry;
  registerAllDialects(registry);
  compilation.context =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  compilation.context->loadAllAvailableDialects();
  // An error names its place; the whole operation, perhaps a module of a
  // thousand lines, would bury it.
  compilation.context->printOpOnDiagnostic(false);
  return compilation;
}

Expected<Compilation> Compilation::startWith(ModuleReader read,
                                             const std::string &input,
                                             const std::string &name,
                                             const CompileOptions &options,
                                             const std::string &from) {
  Expected<Compilation> compilation = create(options, from);
  if (!compilation)
    return compilation;
  Expected<OwningOpRef<ModuleOp>> module =
      read(input, name, *compilation->context);
  if (!module)
    return module.error();
  compilation->module_ = std::move(*module);
  return compilation;
}

Expected<Compilation> Compilation::start(const std::string &text,
                                         const std::string &name,
                                         const CompileOptions &options,
                                         const std::string &from) {
  return startWith(parseModule, text, name, options, from);
}

Expected<Compilation> Compilation::resume(const std::string &bytes,
                                          const std::string &name,
                                          const CompileOptions &options,
                                          const std::string &from) {
  return startWith(readBytecode, bytes, name, options, from);
}

/// Runs the passes of a phase, then verifies every op. To do so after each
/// pass, as is usual, takes as long as the passes; each phase ends with one
/// that checks it.
static LogicalResult runPasses(ModuleOp module, PassManager &passes) {
  passes.enableVerifier(false);
  return failure(failed(passes.run(module)) || failed(verify(module)));
}

Status Compilation::run(std::optional<size_t> from, size_t until) {
  DiagnosticCollector diagnostics(context.get());
  PipelineOptions pipeline = toPipelineOptions(options);
  // Text that is to stay where it is goes through the verifier alone.
  for (size_t phase = from == until ? until
                      : from        ? *from + 1
                                    : 0;
       phase <= until; ++phase) {
    PassManager passes(context.get());
    buildPipeline(passes, pipeline, from, phase);
    if (failed(runPasses(*module_, passes)))
      return Error(ErrorKind::InvalidModel, diagnostics.text());
    from = phase;
  }
  reached = until;
  isChecked = true;
  return Status::success();
}

Status Compilation::advanceTo(const std::string &name) {
  Expected<size_t> phase = findPhaseOrSuggest(name);
  if (!phase)
    return phase.error();
  if (reached && *phase < *reached)
    return Error(ErrorKind::InvalidArgument,
                 "the text has passed the phase '" + name + "' already");
  if (reached == *phase && isChecked)
    return Status::success();
  return run(reached, *phase);
}

Expected<std::unique_ptr<llvm::Module>> Compilation::emitCode() {
  manifest_ = buildManifest(*module_, cpu_);
  codeContext = std::make_unique<llvm::LLVMContext>();
  return emitLLVMIR(*module_, *codeContext, cpu_);
}

Expected<Program> Compilation::interpret() {
  return createInterpretedProgram(context, std::move(module_));
}
