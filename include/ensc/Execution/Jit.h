//===- Jit.h - Code in this process -----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXECUTION_JIT_H
#define ENSC_EXECUTION_JIT_H

#include "ensc/API/Error.h"
#include "ensc/Runtime/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace ensc {

/// Object files loaded into this process. Symbols live as long as it does.
class Jit {
public:
  /// Loads objects that do not need each other; fails if what is no object is
  /// among them.
  static Expected<std::unique_ptr<Jit>>
  load(llvm::ArrayRef<llvm::StringRef> objects);
  ~Jit();

  /// The address of a symbol of an object; fails if the object needs a symbol
  /// that the process lacks.
  Expected<void *> lookup(const std::string &symbol);

private:
  struct Impl;
  explicit Jit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Loads the objects that a manifest describes, for as long as the program or a
/// copy of it lives.
Expected<Program> loadProgram(Manifest manifest,
                              llvm::ArrayRef<llvm::StringRef> objects);

} // namespace ensc

#endif // ENSC_EXECUTION_JIT_H
