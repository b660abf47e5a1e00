//===- Derivatives.h - Replaces derivative ops in a module ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_DIFFERENTIATE_DERIVATIVES_H
#define ENSC_LIB_DIFFERENTIATE_DERIVATIVES_H

#include "ensc/Dialect/Ens/IR/InlineBudget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace ensc {

/// The functions that forward or reverse mode makes of a function:
///
///   forward: (arguments, tangents of wrt) -> (results, tangents of float
///            results)
///   reverse: (arguments, cotangents of seeded) -> (results, cotangents of wrt)
///
/// Each is made once and erased at the end: what uses it takes a copy of its
/// body.
class Derivatives {
public:
  explicit Derivatives(mlir::ModuleOp module) : module(module) {}

  /// Replaces all calls and derivative ops of the module by ordinary ops.
  llvm::LogicalResult resolveModule();

private:
  /// Replaces the calls and derivative ops in `function`, those of the
  /// functions that it uses first: a function is differentiated only when none
  /// is left in it. The rules of `ens.custom_grad` are not among these until
  /// they are called, since a rule may use the op that it belongs to.
  llvm::LogicalResult resolve(mlir::func::FuncOp function);
  llvm::LogicalResult resolveOp(mlir::Operation *op);
  llvm::LogicalResult resolveSymbols(mlir::Operation *op);
  /// Replaces `ens.custom_grad` in `function` by what it computes.
  llvm::LogicalResult dropCustomGrads(mlir::func::FuncOp function);

  mlir::FailureOr<mlir::func::FuncOp> forward(mlir::func::FuncOp function,
                                              llvm::ArrayRef<int64_t> wrt);
  mlir::FailureOr<mlir::func::FuncOp> reverse(mlir::func::FuncOp function,
                                              llvm::ArrayRef<int64_t> wrt,
                                              llvm::ArrayRef<int64_t> seeded);
  /// A private copy of `function` under a name of its own.
  mlir::func::FuncOp copy(mlir::func::FuncOp function, llvm::StringRef name);

  enum class State { Entered, Done };
  using States = llvm::DenseMap<mlir::Operation *, State>;
  /// Enters `function` on a walk over the functions of the module, or says that
  /// it is recursive. True if there is something to do in it.
  mlir::FailureOr<bool> enter(States &states, mlir::func::FuncOp function);

  mlir::ModuleOp module;
  States resolved, dropped;
  llvm::StringMap<mlir::func::FuncOp> made;
  ens::InlineBudget budget;
};

} // namespace ensc

#endif // ENSC_LIB_DIFFERENTIATE_DERIVATIVES_H
