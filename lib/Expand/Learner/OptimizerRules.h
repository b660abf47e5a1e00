//===- OptimizerRules.h - What one step does to a parameter -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPAND_LEARNER_OPTIMIZERRULES_H
#define ENSC_LIB_EXPAND_LEARNER_OPTIMIZERRULES_H

#include "../TensorBuilder.h"

#include "llvm/ADT/StringMap.h"

#include <memory>

namespace ensc {

/// A scalar of an optimizer or a schedule: a run-time input with a default.
struct RuleScalar {
  llvm::StringRef name;
  double value;
  llvm::StringRef limit = ""; ///< The scalar that it must not exceed.
};

/// Values by name: arguments of the function being emitted.
using Bindings = llvm::StringMap<mlir::Value>;

/// An optimizer: the scalars it takes, the leaves it keeps for each parameter,
/// and its step. `prepare` is called once per step, `update` once per parameter
/// of that step.
class OptimizerRule {
public:
  virtual ~OptimizerRule() = default;

  virtual llvm::SmallVector<RuleScalar> scalars() const = 0;
  /// Prefixes of the leaves' names, "adam.m"; all leaves start as 0.
  virtual llvm::SmallVector<llvm::StringRef> leaves() const = 0;

  /// Emits what all parameters share: scalars of rank 0. `rate` is the learning
  /// rate of the step, `step` counts from 0.
  virtual void prepare(TensorBuilder &builder, const Bindings &scalars,
                       mlir::Value rate, mlir::Value step) = 0;
  /// Returns the new parameter and replaces `leaves` by their new values.
  virtual mlir::Value update(TensorBuilder &builder, mlir::Value param,
                             mlir::Value gradient,
                             llvm::MutableArrayRef<mlir::Value> leaves) = 0;
};

/// The rule of an optimizer attribute.
std::unique_ptr<OptimizerRule> createOptimizerRule(mlir::Attribute optimizer);

/// The scalars of a schedule attribute (null: constant).
llvm::SmallVector<RuleScalar> scheduleScalars(mlir::Attribute schedule);

/// The learning rate at `step`, in the type of `rate`.
mlir::Value emitSchedule(TensorBuilder &builder, mlir::Attribute schedule,
                         const Bindings &scalars, mlir::Value rate,
                         mlir::Value step);

/// The gradients scaled so that their global norm is at most `limit`.
llvm::SmallVector<mlir::Value> emitClipByNorm(TensorBuilder &builder,
                                              mlir::ValueRange gradients,
                                              mlir::Value limit);

} // namespace ensc

#endif // ENSC_LIB_EXPAND_LEARNER_OPTIMIZERRULES_H
