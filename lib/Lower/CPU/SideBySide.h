//===- Interleaver.h - Chains of ops side by side ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_INTERLEAVER_H
#define ENSC_LIB_LOWER_CPU_INTERLEAVER_H

#include "Kernel.h"

namespace ensc::cpu {

/// Mixes what is emitted for several points, an op of each in turn. A CPU looks
/// only so far ahead: of a long chain after another it sees one or two, and
/// each op of them waits for the one before it.
class Interleaver {
public:
  /// From here on ops are emitted at the end of what `builder` has emitted.
  explicit Interleaver(mlir::OpBuilder &builder);

  /// What was emitted since the last call belongs to one point. Points may use
  /// values of points before them, but none needs an effect of another.
  void endPoint();

  /// Mixes the points.
  void mix();

private:
  mlir::Operation *lastOp() const;

  mlir::OpBuilder &builder_;
  mlir::Operation *last_;
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> points_;
};

/// How many points of a body, or vectors of `width` of them, are worth to be
/// emitted side by side: 1 if its chains are short, registers too few, or its
/// points not independent.
int64_t pointsSideBySide(mlir::Block &body, int64_t width,
                         const Target &target);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_INTERLEAVER_H
