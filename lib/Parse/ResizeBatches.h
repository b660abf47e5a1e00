//===- ResizeBatches.h - Another batch size for a learner -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PARSE_RESIZEBATCHES_H
#define ENSC_LIB_PARSE_RESIZEBATCHES_H

#include "ensc/Dialect/Ens/IR/EnsOps.h"

namespace ensc {

/// Gives `learner` batches of `batchSize` rows: every dimension of its
/// functions, and of those that they call, that counts the rows of a batch gets
/// that extent. Which ones do follows from the ops alone, not from extents that
/// happen to be equal. Fails, with an error at the learner, where a function
/// does not give one value per row, where a parameter or a constant depends on
/// the size, and where an op cannot take batches of another size.
mlir::LogicalResult resizeBatches(ens::LearnerOp learner, int64_t batchSize);

} // namespace ensc

#endif // ENSC_LIB_PARSE_RESIZEBATCHES_H
