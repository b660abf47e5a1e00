//===- EnsDialect.h - The dialect and its attributes ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSDIALECT_H
#define ENSC_DIALECT_ENS_IR_ENSDIALECT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h.inc"
#include "ensc/Dialect/Ens/IR/EnsEnums.h.inc"

namespace ensc::ens {

/// Names of the discardable attributes that functions, arguments and results
/// carry.
inline constexpr llvm::StringLiteral nameAttr = "ens.name";
inline constexpr llvm::StringLiteral roleAttr = "ens.role";
/// The value of a hyper-parameter that is not given one.
inline constexpr llvm::StringLiteral defaultAttr = "ens.default";
/// How many classes there are: labels are in [0, classes).
inline constexpr llvm::StringLiteral classesAttr = "ens.classes";
/// Of a metric: "min" or "max".
inline constexpr llvm::StringLiteral directionAttr = "ens.direction";
inline constexpr llvm::StringLiteral perRunAttr = "ens.per_run";
inline constexpr llvm::StringLiteral uniformAttr = "ens.uniform";
inline constexpr llvm::StringLiteral instanceAttr = "ens.instance";
inline constexpr llvm::StringLiteral lanesAttr = "ens.lanes";
/// Of a phase program: name, instance, lanes, arena_bytes, arguments and
/// results of the entry it is an instance of.
inline constexpr llvm::StringLiteral entryAttr = "ens.entry";
/// Of a module: what the runtime has to know about its learners.
inline constexpr llvm::StringLiteral learnersAttr = "ens.learners";

/// Reads a number of an optimizer or schedule as a double.
mlir::FailureOr<llvm::APFloat> parseF64Parameter(mlir::AsmParser &parser);

/// `type`, a tensor or a scalar, with another element type.
mlir::Type withElementType(mlir::Type type, mlir::Type element);

/// Whether a static tensor is small enough for its elements to be counted
/// without overflow: no extent and no product of extents that are not 0 is
/// above 2^40.
bool isCountable(mlir::RankedTensorType type);

/// The element type of a tensor, or the scalar type itself.
mlir::Type elementTypeOf(mlir::Type type);

} // namespace ensc::ens

#define GET_ATTRDEF_CLASSES
#include "ensc/Dialect/Ens/IR/EnsAttributes.h.inc"

#endif // ENSC_DIALECT_ENS_IR_ENSDIALECT_H
