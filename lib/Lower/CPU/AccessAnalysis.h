//===- AccessAnalysis.h - How a body depends on its indices -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at a body before it is emitted, in order to choose the dimension that
// becomes the vector and the ones that become register tiles.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_ACCESSANALYSIS_H
#define ENSC_LIB_LOWER_CPU_ACCESSANALYSIS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Block.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace ensc::cpu {

/// An integer as a linear form of the arguments of a block.
struct LinearForm {
  llvm::SmallVector<int64_t> coefficients;
  /// Bit i: depends on argument i in another way, too.
  uint64_t nonlinear = 0;
};

/// Dependences of the values in a region on the arguments of its entry block.
class AccessAnalysis {
public:
  explicit AccessAnalysis(mlir::Block &block) : block_(block) {}

  /// Bit i: the value depends on argument i.
  uint64_t dependsOn(mlir::Value value);
  /// Bit i: a result or an effect of the op depends on argument i.
  uint64_t dependsOn(mlir::Operation *op);

  LinearForm linearForm(mlir::Value index);

  /// By how many elements an access moves when argument `argument` grows by 1;
  /// nothing if that is not constant.
  std::optional<int64_t> strideOf(mlir::MemRefType type,
                                  mlir::ValueRange indices, unsigned argument);

private:
  mlir::Block &block_;
  llvm::DenseMap<mlir::Value, uint64_t> masks_;
};

/// A load or store within a body.
struct Access {
  mlir::Operation *op;
  mlir::MemRefType type;
  mlir::OperandRange indices;
  bool isStore;
};

/// About the instructions that one copy of the body becomes.
int64_t weightOf(mlir::Block &block);

/// More instructions than this are put into a loop instead of being repeated:
/// they would cost more time to compile than they save.
constexpr int64_t mostUnrolled = 256;

/// All of them, those in folds included.
llvm::SmallVector<Access> accessesIn(mlir::Block &block);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_ACCESSANALYSIS_H
