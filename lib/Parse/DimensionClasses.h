//===- DimensionClasses.h - Dimensions that are one -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PARSE_DIMENSIONCLASSES_H
#define ENSC_LIB_PARSE_DIMENSIONCLASSES_H

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace ensc {

/// Which dimensions of the values of some functions have one extent because
/// ops carry it from one value to the other.
class DimensionClasses {
public:
  /// Adds what the ops of a function say. Functions that it calls have to be
  /// added, too.
  void add(mlir::func::FuncOp function);

  /// Says that two dimensions are one.
  void unite(mlir::Value a, int64_t dimA, mlir::Value b, int64_t dimB) {
    classes.unionSets({a.getAsOpaquePointer(), dimA},
                      {b.getAsOpaquePointer(), dimB});
  }

  bool areOne(mlir::Value a, int64_t dimA, mlir::Value b, int64_t dimB) const {
    std::pair<const void *, int64_t> keyA(a.getAsOpaquePointer(), dimA);
    std::pair<const void *, int64_t> keyB(b.getAsOpaquePointer(), dimB);
    return keyA == keyB || classes.isEquivalent(keyA, keyB);
  }

private:
  void addOp(mlir::Operation *op);
  bool addShapeOp(mlir::Operation *op);
  bool addIndexingOp(mlir::Operation *op);
  bool addControlOp(mlir::Operation *op);

  /// All dimensions of values of equal rank.
  void uniteAll(mlir::Value a, mlir::Value b);
  void uniteAll(mlir::ValueRange a, mlir::ValueRange b);
  /// Those that are left of `x` when `dims` are gone.
  void uniteRest(mlir::Value x, llvm::ArrayRef<int64_t> dims,
                 mlir::Value result);
  void addDot(ens::DotOp op);
  void addReshape(ens::ReshapeOp op);
  void addGather(mlir::Value x, mlir::Value indices, int64_t axis,
                 int64_t batchDims, mlir::Value rows);

  llvm::EquivalenceClasses<std::pair<const void *, int64_t>> classes;
};

} // namespace ensc

#endif // ENSC_LIB_PARSE_DIMENSIONCLASSES_H
