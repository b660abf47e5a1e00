//===- StepCost.h - About how long a step takes -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_STEPCOST_H
#define ENSC_LIB_LOWER_CPU_STEPCOST_H

#include "ensc/Lower/CPU/Target.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ensc::cpu {

/// On a loop whose bounds are no constants: how often it runs, mostly.
constexpr llvm::StringLiteral tripsAttr = "ens.trips";

/// On a loop: the cache lines that an iteration loads and that push each other
/// out of the second-level cache, as they are a power of two apart.
constexpr llvm::StringLiteral conflictsAttr = "ens.conflicts";

/// On a call: about the cycles that it takes.
constexpr llvm::StringLiteral cyclesAttr = "ens.cycles";

/// About the cycles of one step of an emitted kernel, all data being in the
/// first-level cache but what pushes itself out of the second one. A step is
/// what the innermost loops hold whose number of iterations is not known;
/// without such a loop it is the kernel.
///
/// Counted by instruction, from their throughput on CPUs that multiply and add
/// two vectors of 32 bytes in a cycle, or one of 64. What instructions wait for
/// is not seen, but for the sums that a loop carries.
/// At most 10^18, also where a loop would run for longer.
int64_t estimateStepCycles(mlir::LLVM::LLVMFuncOp kernel, const Target &target);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_STEPCOST_H
