//===- Target.h - The CPU that code is made for -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EMIT_TARGET_H
#define ENSC_EMIT_TARGET_H

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace ensc {

/// Makes the code generator for the CPU of this machine known to LLVM. Any
/// number of threads may call it at once. Returns whether there is one.
bool initializeTarget();

/// A CPU and what it can do.
struct TargetCpu {
  std::string name;     ///< As LLVM spells it, never "native".
  std::string features; ///< As in a target-features attribute.
  bool hasAvx512 = false;
};

/// Resolves "native" or the name of an x86-64 CPU. Fails on a name that LLVM
/// does not know, and on a CPU without fused multiply-add: emulating it would
/// be slow and is never done silently.
llvm::Expected<TargetCpu> resolveCpu(llvm::StringRef name);

/// The machine that emits position-independent code for `cpu`.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetCpu &cpu);

} // namespace ensc

#endif // ENSC_EMIT_TARGET_H
