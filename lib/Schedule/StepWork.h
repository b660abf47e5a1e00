//===- StepWork.h - What a step calculates and moves ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_STEPWORK_H
#define ENSC_LIB_SCHEDULE_STEPWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ensc::schedule {

/// What the phases in the innermost loops of a phase program do: one step.
struct StepWork {
  /// Floating-point operations of the contractions for one of the runs; a
  /// multiply-add counts two.
  int64_t flops = 0;
  /// Bytes that the phases read from the arena and write to it, for the whole
  /// group: what a phase touches counts once for it.
  int64_t bytesMoved = 0;
  /// Distinct bytes of the arena among them.
  int64_t bytesTouched = 0;
};

StepWork countStepWork(mlir::func::FuncOp entry, int64_t lanes);

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_STEPWORK_H
