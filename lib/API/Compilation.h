//===- Compilation.h - A program on its way ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_API_COMPILATION_H
#define ENSC_LIB_API_COMPILATION_H

#include "ensc/API/Options.h"
#include "ensc/Emit/Emit.h"
#include "ensc/Runtime/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <optional>
#include <string>

namespace ensc {

/// Checks the options and finds out which CPU they name.
Expected<TargetCpu> resolveOptions(const CompileOptions &options);

/// The number of lanes that options give or leave to the CPU, which must be one
/// that resolveOptions found.
int64_t lanesOf(const CompileOptions &options);

/// A module together with the phase it has reached and what was learned on the
/// way. It has a context of its own: what one program leaves behind cannot
/// touch the next.
class Compilation {
public:
  /// Parses text that is a source (`from` empty) or the result of the phase
  /// `from`, and checks the options.
  static Expected<Compilation> start(const std::string &text,
                                     const std::string &name,
                                     const CompileOptions &options,
                                     const std::string &from = "");

  /// Like start, from the bytecode that this process made after the phase
  /// `from`.
  static Expected<Compilation> resume(const std::string &bytes,
                                      const std::string &name,
                                      const CompileOptions &options,
                                      const std::string &from);

  /// Runs the phases up to and including `phase`. A phase that the text has
  /// passed already is an error.
  Status advanceTo(const std::string &phase);

  mlir::ModuleOp module() { return *module_; }
  const TargetCpu &cpu() const { return cpu_; }

  /// The manifest, once code was emitted.
  const Manifest &manifest() const { return manifest_; }

  /// After the last phase: LLVM IR, valid as long as the compilation.
  Expected<std::unique_ptr<llvm::Module>> emitCode();

  /// After vectorize: a program that the interpreter executes.
  Expected<Program> interpret();

private:
  Compilation() = default;

  /// A compilation without a module, whose text has reached the phase `from`.
  static Expected<Compilation> create(const CompileOptions &options,
                                      const std::string &from);
  using ModuleReader = Expected<mlir::OwningOpRef<mlir::ModuleOp>> (*)(
      const std::string &input, const std::string &name,
      mlir::MLIRContext &context);
  /// The same with the module that `read` makes of `input`.
  static Expected<Compilation> startWith(ModuleReader read,
                                         const std::string &input,
                                         const std::string &name,
                                         const CompileOptions &options,
                                         const std::string &from);
  Status run(std::optional<size_t> from, size_t until);

  std::shared_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  CompileOptions options;
  TargetCpu cpu_;
  std::optional<size_t> reached;
  /// Whether the module has passed the verifier of the phase it has reached.
  bool isChecked = false;
  Manifest manifest_;
  std::unique_ptr<llvm::LLVMContext> codeContext;
};

} // namespace ensc

#endif // ENSC_LIB_API_COMPILATION_H
