//===- Flops.h - What the contractions of a step cost -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_FLOPS_H
#define ENSC_LIB_SCHEDULE_FLOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ensc::schedule {

/// The floating-point operations of the contractions in the innermost loops of
/// a phase program, for one of the `lanes` runs; a multiply-add counts two.
int64_t countFlopsPerStep(mlir::func::FuncOp entry, int64_t lanes);

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_FLOPS_H
