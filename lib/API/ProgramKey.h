//===- ProgramKey.h - What compiled code depends on -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_API_PROGRAMKEY_H
#define ENSC_LIB_API_PROGRAMKEY_H

#include "ensc/API/Error.h"
#include "ensc/API/Options.h"
#include "ensc/Emit/Target.h"

#include <string>

namespace ensc {

/// Which compiler this is: the build ids of what holds the code of ensc, MLIR
/// and LLVM. Fails if one of them was linked without.
Expected<std::string> compilerIdentity();

/// A text that is equal for two compilations only if they give the same code:
/// the compiler, the CPU with its features, the options and the program. The
/// name of the program's file is not in it, since no code depends on it.
std::string programKey(const std::string &compiler, const TargetCpu &cpu,
                       const CompileOptions &options, const std::string &text);

} // namespace ensc

#endif // ENSC_LIB_API_PROGRAMKEY_H
