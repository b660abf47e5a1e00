//===- Compiler.cpp - From text to a compiled program ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"

#include "Compilation.h"
#include "CompileCode.h"
#include "KeptProgram.h"
#include "LargeStack.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Execution/Jit.h"
#include "ensc/Lower/CPU/Explain.h"
#include "ensc/Runtime/Threads.h"
#include "ensc/Schedule/Explain.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ensc;

Expected<std::string> ensc::readText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return Error(ErrorKind::Io,
                 "cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

struct Compiler::Impl {
  CompileOptions options;
  int64_t compilations = 0;
  int64_t cacheHits = 0;
  std::string cacheWarning;

  Expected<Program> findOrCompile(const std::string &text,
                                  const std::string &name);
  Expected<Program> interpret(const std::string &text, const std::string &name);
  Expected<std::string> emit(const std::string &text, const std::string &name,
                             const EmitOptions &what);
  Status emitLibrary(const std::string &text, const std::string &name,
                     const EmitOptions &what, const std::string &path);
};

Compiler::Compiler(CompileOptions options) : impl(new Impl) {
  impl->options = std::move(options);
}
Compiler::Compiler(Compiler &&) noexcept = default;
Compiler &Compiler::operator=(Compiler &&) noexcept = default;
Compiler::~Compiler() = default;

int64_t Compiler::compilations() const { return impl->compilations; }
int64_t Compiler::cacheHits() const { return impl->cacheHits; }
const std::string &Compiler::cacheWarning() const { return impl->cacheWarning; }

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Expected<Executable> Compiler::compileFile(const std::string &path) {
  Expected<std::string> text = readText(path);
  if (!text)
    return text.error();
  return compile(*text, path == "-" ? "<stdin>" : path);
}

Expected<Program> Compiler::Impl::interpret(const std::string &text,
                                            const std::string &name) {
  Expected<Compilation> compilation = Compilation::start(text, name, options);
  if (!compilation)
    return compilation.error();
  ++compilations;
  if (Status status = compilation->advanceTo("vectorize"); !status)
    return status.error();
  return compilation->interpret();
}

Expected<Program> Compiler::Impl::findOrCompile(const std::string &text,
                                                const std::string &name) {
  cacheWarning.clear();
  Expected<TargetCpu> cpu = resolveOptions(options);
  if (!cpu)
    return cpu.error();
  Expected<std::optional<KeptProgram>> kept =
      KeptProgram::locate(text, options, *cpu);
  if (!kept)
    cacheWarning = kept.error().message();
  if (kept && *kept)
    if (std::optional<Program> program = (*kept)->load()) {
      ++cacheHits;
      return std::move(*program);
    }
  Expected<CompiledCode> code =
      compileCode(text, name, options, availableThreads());
  if (!code)
    return code.error();
  ++compilations;
  std::vector<llvm::StringRef> objects = code->objectBytes();
  if (kept && *kept)
    if (Status status = (*kept)->store(code->manifest, objects); !status)
      cacheWarning = status.error().message();
  return loadProgram(std::move(code->manifest), objects);
}

Expected<Executable> Compiler::compile(const std::string &text,
                                       const std::string &name) {
  Expected<Program> program = onLargeStack([&] {
    return impl->options.backend == Backend::Interpret
               ? impl->interpret(text, name)
               : impl->findOrCompile(text, name);
  });
  if (!program)
    return program.error();
  return Executable(std::move(*program), {name, text, impl->options});
}

//===----------------------------------------------------------------------===//
// Text and files
//===----------------------------------------------------------------------===//

static std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << "\n";
  return text;
}

/// Text or bytes of a program that has passed all phases.
static Expected<std::string> emitFinal(Compilation &compilation,
                                       EmitKind kind) {
  if (Status status = compilation.advanceTo("lower"); !status)
    return status.error();
  Expected<std::unique_ptr<llvm::Module>> code = compilation.emitCode();
  if (!code)
    return code.error();
  if (!compilation.manifest().entries.empty())
    embedManifest(**code, compilation.manifest());
  if (kind == EmitKind::LLVM) {
    std::string text;
    llvm::raw_string_ostream os(text);
    (*code)->print(os, nullptr);
    return text;
  }
  if (kind == EmitKind::Assembly)
    return emitAssembly(**code, compilation.cpu());
  Expected<llvm::SmallVector<char, 0>> object =
      emitObject(**code, compilation.cpu());
  if (!object)
    return object.error();
  return std::string(object->begin(), object->end());
}

/// Code exists only after the last phase.
static Status checkReachesCode(const EmitOptions &options) {
  if (options.until.empty() || options.until == phaseNames().back())
    return Status::success();
  return Error(ErrorKind::InvalidArgument,
               "--until=" + options.until +
                   " stops before there is code to emit; use --emit=ir");
}

Expected<std::string> Compiler::Impl::emit(const std::string &text,
                                           const std::string &name,
                                           const EmitOptions &what) {
  Expected<Compilation> compilation =
      Compilation::start(text, name, options, what.from);
  if (!compilation)
    return compilation.error();
  ++compilations;
  if (what.kind == EmitKind::IR) {
    std::string until = what.until.empty() ? phaseNames().back() : what.until;
    if (Status status = compilation->advanceTo(until); !status)
      return status.error();
    return print(compilation->module());
  }
  if (what.kind != EmitKind::Explanation)
    if (Status status = checkReachesCode(what); !status)
      return status.error();
  if (what.kind == EmitKind::Explanation) {
    if (Status status = compilation->advanceTo("schedule"); !status)
      return status.error();
    std::string explanation;
    llvm::raw_string_ostream os(explanation);
    explainPhases(compilation->module(), os);
    if (Status status = compilation->advanceTo("lower"); !status)
      return status.error();
    explainKernels(compilation->module(), os);
    return explanation;
  }
  return emitFinal(*compilation, what.kind);
}

/// `name` as a C macro, for an include guard.
static std::string includeGuard(llvm::StringRef name) {
  std::string guard;
  for (char c : name)
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return guard;
}

Status Compiler::Impl::emitLibrary(const std::string &text,
                                   const std::string &name,
                                   const EmitOptions &what,
                                   const std::string &path) {
  if (Status status = checkReachesCode(what); !status)
    return status;
  Expected<Compilation> compilation =
      Compilation::start(text, name, options, what.from);
  if (!compilation)
    return compilation.error();
  ++compilations;
  Expected<std::string> object = emitFinal(*compilation, EmitKind::Object);
  if (!object)
    return object.error();
  if (compilation->manifest().entries.empty())
    return Error(ErrorKind::InvalidModel,
                 name + " has no entry to put into a library");
  llvm::SmallString<128> header(path);
  llvm::sys::path::replace_extension(header, ".h");
  if (header == path)
    return Error(ErrorKind::InvalidArgument,
                 path + " is where the C header goes; name the library .so");
  if (Status status = linkSharedLibrary(
          llvm::ArrayRef<char>(object->data(), object->size()), path);
      !status)
    return status;
  return writeFileAtomically(
      header.str().str(),
      emitCHeader(compilation->manifest(),
                  includeGuard(llvm::sys::path::filename(header))));
}

Expected<std::string> Compiler::emit(const std::string &text,
                                     const std::string &name,
                                     const EmitOptions &options) {
  return onLargeStack([&] { return impl->emit(text, name, options); });
}

Status Compiler::emitLibrary(const std::string &text, const std::string &name,
                             const EmitOptions &options,
                             const std::string &path) {
  return onLargeStack(
      [&] { return impl->emitLibrary(text, name, options, path); });
}
