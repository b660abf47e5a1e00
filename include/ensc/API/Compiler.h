//===- Compiler.h - From text to a compiled program -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_COMPILER_H
#define ENSC_API_COMPILER_H

#include "ensc/API/Error.h"
#include "ensc/API/Executable.h"
#include "ensc/API/Options.h"

#include <memory>
#include <string>

namespace ensc {

/// Compiles programs. Not for use by several threads at once; what it makes is
/// independent of it.
class Compiler {
public:
  explicit Compiler(CompileOptions options = {});
  Compiler(Compiler &&) noexcept;
  Compiler &operator=(Compiler &&) noexcept;
  ~Compiler();

  /// Compiles text, or finds it compiled on disk. Errors give file (`name`),
  /// line and column.
  Expected<Executable> compile(const std::string &text,
                               const std::string &name = "<text>");

  /// Compiles a file; "-" reads standard input.
  Expected<Executable> compileFile(const std::string &path);

  /// Runs some phases on text and gives the result as text or bytes. For
  /// EmitKind::SharedLibrary use emitLibrary.
  Expected<std::string> emit(const std::string &text, const std::string &name,
                             const EmitOptions &options);

  /// Compiles text to the shared library `path` and the C header beside it,
  /// `path` with its extension replaced by ".h".
  Status emitLibrary(const std::string &text, const std::string &name,
                     const EmitOptions &options, const std::string &path);

  /// How often this compiler has compiled a program.
  int64_t compilations() const;

  /// How often it found a program on disk and had nothing to compile.
  int64_t cacheHits() const;

  /// Why the last program was not kept on disk although it should have been, as
  /// an error of the file system; empty if all went well. Programs are compiled
  /// whatever happens to the cache.
  const std::string &cacheWarning() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The bytes of a file, or of standard input for "-".
Expected<std::string> readText(const std::string &path);

} // namespace ensc

#endif // ENSC_API_COMPILER_H
