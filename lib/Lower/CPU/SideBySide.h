//===- SideBySide.h - Chains of ops side by side ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_SIDEBYSIDE_H
#define ENSC_LIB_LOWER_CPU_SIDEBYSIDE_H

#include "Kernel.h"

namespace ensc::cpu {

/// Emits points 0, 1, ... below `count` and mixes them, an op of each in turn.
/// A CPU looks only so far ahead: of a long chain after another it sees one or
/// two, and each op of them waits for the one before it. Points may use values
/// of points before them, but none needs an effect of another.
void emitSideBySide(mlir::OpBuilder &builder, int64_t count,
                    llvm::function_ref<void(int64_t)> emitPoint);

/// How many points of a body, or vectors of `width` of them, are worth to be
/// emitted side by side: 1 if its chains are short, registers too few, or its
/// points not independent.
int64_t pointsSideBySide(mlir::Block &body, int64_t width,
                         const Target &target);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_SIDEBYSIDE_H
