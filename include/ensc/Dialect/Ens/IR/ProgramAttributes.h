//===- ProgramAttributes.h - What programs say of themselves ----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_PROGRAMATTRIBUTES_H
#define ENSC_DIALECT_ENS_IR_PROGRAMATTRIBUTES_H

#include "mlir/IR/BuiltinOps.h"

namespace ensc::ens {

/// Whether tensors of the language have elements of a type.
bool isElementType(mlir::Type type);

/// A static tensor of the element types of the language, or null.
mlir::RankedTensorType asProgramTensor(mlir::Type type);

/// What an argument of `role` has to be, as in "a float tensor"; empty: there
/// is no such role.
llvm::StringRef typeOfRole(llvm::StringRef role);

/// Whether an argument of `type` may have `role`.
bool fitsRole(llvm::StringRef role, mlir::Type type);

/// The roles as an error lists them.
inline constexpr llvm::StringLiteral roleList =
    R"("param", "state", "data", "hyper", "seed", "order_seed", "step", )"
    R"("rows", "begin" or "end")";

/// Verifies `ens.learners` of a module, which Expand gives it: everything that
/// the runtime reads there. A module may have none.
mlir::LogicalResult verifyLearners(mlir::ModuleOp module);

/// Verifies `ens.entry` of a function, which Schedule gives it and Lower keeps:
/// everything that the runtime reads there.
mlir::LogicalResult verifyEntry(mlir::Operation *function);

} // namespace ensc::ens

#endif // ENSC_DIALECT_ENS_IR_PROGRAMATTRIBUTES_H
