//===- Rules.h - The derivatives of all ops ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIFFERENTIATE_RULES_H
#define ENSC_DIFFERENTIATE_RULES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OperationSupport.h"

namespace ensc {

/// Attaches DifferentiableOpInterface to every op that has a derivative, from
/// the tables in lib/Differentiate/Rules.
void registerDerivativeRules(mlir::DialectRegistry &registry);

/// Whether the op named `name` has no derivative by its nature: it has no float
/// operand or no float result, or it is a source of values.
bool isWithoutDerivative(llvm::StringRef name);

/// Whether the op may appear after Differentiate: it has a derivative or is
/// without one by nature.
bool isCoreOp(mlir::OperationName name);

} // namespace ensc

#endif // ENSC_DIFFERENTIATE_RULES_H
