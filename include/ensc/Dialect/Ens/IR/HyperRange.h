//===- HyperRange.h - Ranges of hyper-parameters ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_HYPERRANGE_H
#define ENSC_DIALECT_ENS_IR_HYPERRANGE_H

#include "ensc/Runtime/NumberRange.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace ensc::ens {

/// Of an argument that is a hyper-parameter: the values that it may take, a
/// dictionary of f64 with some of at_least, above, at_most and below.
inline constexpr llvm::StringLiteral rangeAttr = "ens.range";

/// Of an argument that is a hyper-parameter: the name of another one of the
/// function that it must not exceed. Expand says so of schedules.
inline constexpr llvm::StringLiteral limitAttr = "ens.limit";

/// The range that an attribute states, or nothing where it is none.
std::optional<NumberRange> readRange(mlir::Attribute attribute);

/// The attribute that states a range.
mlir::DictionaryAttr writeRange(mlir::MLIRContext *context,
                                const NumberRange &range);

/// The range of a scalar that optimizers, schedules or the clipping take, by
/// the name that it has as a hyper-parameter, as in "lr".
NumberRange rangeOfScalar(llvm::StringRef name);

} // namespace ensc::ens

#endif // ENSC_DIALECT_ENS_IR_HYPERRANGE_H
