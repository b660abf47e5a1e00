//===- ActivityAnalysis.h - Which values carry a derivative -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIFFERENTIATE_ACTIVITYANALYSIS_H
#define ENSC_DIFFERENTIATE_ACTIVITYANALYSIS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseSet.h"

namespace ensc {

/// Finds the values through which a derivative flows from sources to targets.
///
/// A value is varied if it depends on a source, and useful if a target depends
/// on it, both through float values and through operands that carry a
/// derivative: a predicate, an index and the operand of `ens.stop_gradient` do
/// not. Values in the regions of `scf.for` and `scf.if` are tracked through
/// iteration arguments, captures and yields.
class ActivityAnalysis {
public:
  /// Sources and targets are defined above or in one block and its regions.
  ActivityAnalysis(mlir::ValueRange sources, mlir::ValueRange targets);

  bool isVaried(mlir::Value value) const { return varied.contains(value); }
  bool isUseful(mlir::Value value) const { return useful.contains(value); }
  bool isActive(mlir::Value value) const {
    return isVaried(value) && isUseful(value);
  }

private:
  llvm::DenseSet<mlir::Value> varied, useful;
};

/// Whether a derivative can flow from the operand to a result of its op or, for
/// a terminator, of the op around it.
bool carriesDerivative(mlir::OpOperand &operand);

} // namespace ensc

#endif // ENSC_DIFFERENTIATE_ACTIVITYANALYSIS_H
