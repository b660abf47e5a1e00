//===- TypeInference.h - Shared by type inference ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_DIALECT_ENS_IR_TYPEINFERENCE_H
#define ENSC_LIB_DIALECT_ENS_IR_TYPEINFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ValueRange.h"

namespace ensc::ens {

inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return tensorType(value).getShape();
}

/// "[1, 2, 3]"
std::string shapeString(llvm::ArrayRef<int64_t> shape);

/// Whether `dims` are dimensions of a tensor of `rank`, strictly increasing.
bool areIncreasingDims(llvm::ArrayRef<int64_t> dims, int64_t rank);

/// `op` reduces or reverses the dimensions `dims`: the same, or a diagnostic.
mlir::LogicalResult verifyIncreasingDims(std::optional<mlir::Location> loc,
                                         llvm::StringRef op,
                                         llvm::ArrayRef<int64_t> dims,
                                         int64_t rank);

/// `op` works along the last dimension: it exists and is not empty, or a
/// diagnostic.
mlir::LogicalResult verifyLastDim(std::optional<mlir::Location> loc,
                                  llvm::StringRef op,
                                  mlir::RankedTensorType type);

/// `shape` without the dimensions `dims`.
llvm::SmallVector<int64_t> dropDims(llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> dims);

/// The shape of a gather's result, or a diagnostic whose constraints begin with
/// `op`. Shared by gather and scatter, whose updates have that shape.
mlir::FailureOr<llvm::SmallVector<int64_t>>
inferGatherShape(std::optional<mlir::Location> loc, mlir::Value x,
                 mlir::Value indices, int64_t axis, int64_t batchDims,
                 bool clamps);

} // namespace ensc::ens

#endif // ENSC_LIB_DIALECT_ENS_IR_TYPEINFERENCE_H
