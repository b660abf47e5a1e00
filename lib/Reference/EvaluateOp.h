//===- EvaluateOp.h - Single ops of the interpreter -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the interpreter. Both functions are given an op without regions
// and one tensor per operand.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REFERENCE_EVALUATEOP_H
#define ENSC_LIB_REFERENCE_EVALUATEOP_H

#include "ensc/Reference/Interpreter.h"

namespace ensc::reference {

/// The error `message` about `op`, preceded by its location and name.
Error errorAt(mlir::Operation *op, ErrorKind kind, const std::string &message);

/// The error for an op that the interpreter cannot evaluate.
Error unknownOp(mlir::Operation *op);

/// The result of an op of `ens`.
Expected<Tensor> evaluateEnsOp(mlir::Operation *op,
                               llvm::ArrayRef<Tensor> operands,
                               const RunContext &context);

/// The result of an `arith` op on integer scalars, as loops use them, or of the
/// `tensor` ops that turn scalars into tensors and back.
Expected<Tensor> evaluateScalarOp(mlir::Operation *op,
                                  llvm::ArrayRef<Tensor> operands);

} // namespace ensc::reference

#endif // ENSC_LIB_REFERENCE_EVALUATEOP_H
