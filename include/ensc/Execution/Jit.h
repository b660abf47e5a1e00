//===- Jit.h - Code in this process -----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXECUTION_JIT_H
#define ENSC_EXECUTION_JIT_H

#include "ensc/API/Error.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>

namespace ensc {

/// An object file loaded into this process. Symbols live as long as it does.
class Jit {
public:
  /// Loads an object; fails if it needs a symbol that the process lacks.
  static Expected<std::unique_ptr<Jit>> load(llvm::ArrayRef<char> object);
  ~Jit();

  /// The address of a symbol of the object.
  Expected<void *> lookup(const std::string &symbol);

private:
  struct Impl;
  explicit Jit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace ensc

#endif // ENSC_EXECUTION_JIT_H
