//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates functions of `func`, `scf`, `arith` on scalars and the core ops of
// `ens`, one op at a time. It is the oracle that compiled code must equal bit
// for bit, so it is written for obviousness, not for speed.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_INTERPRETER_H
#define ENSC_REFERENCE_INTERPRETER_H

#include "ensc/API/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ensc::reference {

/// Which runs a call stands for.
struct RunContext {
  /// Global run ids: one for a solo instance, one per lane for a lanes
  /// instance. `ens.run_id` reads them.
  std::vector<int64_t> runIds = {0};
};

/// Calls `function` with `arguments` and returns its results, in which every
/// NaN is the canonical one. Scalars are tensors of rank 0, and those of type
/// `index` are i64. The function must verify; an op that the interpreter does
/// not know is an error that names the op and its location.
Expected<std::vector<Tensor>> interpret(mlir::func::FuncOp function,
                                        llvm::ArrayRef<Tensor> arguments,
                                        const RunContext &context);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_INTERPRETER_H
