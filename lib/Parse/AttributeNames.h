//===- AttributeNames.h - Attributes that nobody reads ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PARSE_ATTRIBUTENAMES_H
#define ENSC_LIB_PARSE_ATTRIBUTENAMES_H

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ensc {

/// Reports an attribute of a function, its arguments or its results that is
/// called `ens.` something, but is none that a program may have. Those of other
/// dialects are nobody's business.
llvm::LogicalResult verifyAttributeNames(mlir::func::FuncOp function);

/// The same for a learner, of which all attributes without a dialect are read,
/// too.
llvm::LogicalResult verifyAttributeNames(ens::LearnerOp learner);

} // namespace ensc

#endif // ENSC_LIB_PARSE_ATTRIBUTENAMES_H
