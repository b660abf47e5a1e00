//===- RunIsolation.h - No op mixes runs ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_VECTORIZE_RUNISOLATION_H
#define ENSC_LIB_VECTORIZE_RUNISOLATION_H

#include "ensc/Vectorize/RunVarianceAnalysis.h"

namespace ensc {

/// Checks one op of a lanes instance, without its regions: each varying value
/// leads with `lanes`, varying operands meet only varying ones where the op
/// does not say otherwise, and the first dimension of the operands is the first
/// dimension of the results. Reports what does not hold.
llvm::LogicalResult verifyRunIsolation(mlir::Operation *op,
                                       const RunVarianceAnalysis &variance,
                                       int64_t lanes);

} // namespace ensc

#endif // ENSC_LIB_VECTORIZE_RUNISOLATION_H
