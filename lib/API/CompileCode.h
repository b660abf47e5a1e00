//===- CompileCode.h - From text to objects ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_API_COMPILECODE_H
#define ENSC_LIB_API_COMPILECODE_H

#include "ensc/API/Error.h"
#include "ensc/API/Options.h"
#include "ensc/Runtime/Manifest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ensc {

/// Objects that have the symbols of a manifest.
struct CompiledCode {
  Manifest manifest;
  std::vector<llvm::SmallVector<char, 0>> objects;

  std::vector<llvm::StringRef> objectBytes() const;
};

/// Compiles a program. After Schedule, which knows how much work there is, its
/// functions are shared out among `threads`, if there is enough for several:
/// nothing that follows looks beyond one function. The number of threads
/// changes no function's code.
Expected<CompiledCode> compileCode(const std::string &text,
                                   const std::string &name,
                                   const CompileOptions &options, int threads);

} // namespace ensc

#endif // ENSC_LIB_API_COMPILECODE_H
